//! `marey examples`.

mod make;
mod piece;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use marey::codes;
use marey::examples::GaitStyle;
use marey::formats::file::make_folder;
use marey::formats::write;
pub(crate) use piece::Piece;

use crate::console::Console;
use crate::convert::usual_options;
use crate::flags::{ForceFlag, finite, hertz};
use crate::verdict::Verdict;
use marey::Error;

/// Make example motion, with what is true of it beside it
///
/// The motion is generated, not recorded: the same flags give the same bytes. Beside OUT stands a .truth.json: when
/// each heel and ball is on the floor, where the motion may be cut, what is being done, for dances the beats and which
/// hand holds whom, and for fighters who does what and what meets whom. Beside a walk stands its way as a .path.csv, as one
/// would draw it; beside a lamp's motion its .terrain.json; beside a performer's the markers as .trc. `ballet`, `lindy`, `luxo` and
/// `playground` write a folder of several.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey examples walk tall.bvh --seed 7 --height 1.9 --speed 1.6  half a minute of walking, in a hurry
  marey examples lindy dances/                                    fifteen dances of a couple")]
pub(crate) struct ExamplesArgs {
    /// What to make
    name: Name,

    /// A file ending in .bvh, .glb or .gltf; for ballet, lindy, luxo and playground, a folder
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Where chance starts: another seed is another motion
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How long it lasts, in seconds, for walk, waltz and taekwondo [default: 30; taekwondo: 180]
    #[arg(long, value_name = "SECS")]
    secs: Option<f64>,

    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = hertz)]
    rate: f64,

    /// How tall they are; a follower is 12 cm shorter, in metres
    #[arg(long, value_name = "M", value_parser = finite)]
    height: Option<f32>,

    /// The manner of walking
    #[arg(long, value_name = "STYLE", value_parser = styles())]
    style: Option<GaitStyle>,

    /// How fast the walker mostly goes, in metres a second
    #[arg(long, value_name = "M/S", value_parser = finite)]
    speed: Option<f32>,

    /// How much noise to add, as capture has it, in millimetres [default: 0; markers: 1]
    #[arg(long, value_name = "MM", value_parser = finite)]
    noise: Option<f32>,

    #[command(flatten)]
    force: ForceFlag,
}

/// The examples, by name.
#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Name {
    /// Short phrases of ballet: 38, from a vocabulary of thirteen words
    Ballet,
    /// A couple dances Lindy Hop: twelve dances of seven patterns, three that improvise others
    Lindy,
    /// A lamp hops over uneven ground: two datasets, each with its terrain
    Luxo,
    /// Six performers who imagine a bar, a rope, water, with their markers; and what they imitate
    Playground,
    /// Two fighters: footwork, punches and kicks, blocks, dodges, hits taken
    Taekwondo,
    /// Walking: starts, stops, curves, sharp turns, backwards, sidesteps, changing speed
    Walk,
    /// A couple waltzes round a floor
    Waltz,
}

fn styles() -> impl TypedValueParser<Value = GaitStyle> {
    PossibleValuesParser::new(GaitStyle::NAMED.map(|(name, _)| name))
        .try_map(|name| GaitStyle::named(&name).ok_or("no such style"))
}

impl Name {
    /// Whether it lasts as long as is asked for.
    fn has_length(self) -> bool {
        matches!(self, Name::Taekwondo | Name::Walk | Name::Waltz)
    }

    /// Whether it is several motions, in a folder.
    fn is_folder(self) -> bool {
        matches!(self, Name::Ballet | Name::Lindy | Name::Luxo | Name::Playground)
    }
}

pub(crate) fn run(args: &ExamplesArgs, console: &Console) -> Result<Verdict, Error> {
    args.check_flags()?;
    if args.name.is_folder() {
        return args.write_folder(console);
    }
    usual_options(&args.output)?;
    args.force.check(&args.output)?;
    for piece in args.make()? {
        args.check_free(&args.output, &piece)?;
        args.write(&args.output, &piece, console)?;
    }
    Ok(Verdict::AllDone)
}

impl ExamplesArgs {
    /// A flag that would say nothing is refused.
    fn check_flags(&self) -> Result<(), Error> {
        let given = [
            ("--secs", self.secs.is_some(), self.name.has_length()),
            ("--speed", self.speed.is_some(), self.name == Name::Walk),
            ("--style", self.style.is_some(), self.name == Name::Walk),
            ("--height", self.height.is_some(), !matches!(self.name, Name::Luxo | Name::Playground)),
            ("--noise", self.noise.is_some(), self.name != Name::Luxo),
        ];
        let idle = given.into_iter().find_map(|(flag, given, meant)| (given && !meant).then_some(flag));
        match idle {
            None => Ok(()),
            Some(flag) => Err(Error::usage(&codes::NOT_FOR_EXAMPLE, format!("{flag} was given"))),
        }
    }

    /// Nothing is written over unless it was said so.
    fn check_free(&self, output: &Path, piece: &Piece) -> Result<(), Error> {
        self.force.check(output)?;
        let beside = piece.beside();
        beside.iter().try_for_each(|(ending, _)| self.force.check(&output.with_extension(ending)))
    }

    /// Makes a folder and writes every piece into it, named after its take; nothing where any of it is there.
    fn write_folder(&self, console: &Console) -> Result<Verdict, Error> {
        let pieces = self.make()?;
        let path = |piece: &Piece| self.output.join(piece.example.take.name()).with_extension("bvh");
        for piece in &pieces {
            self.check_free(&path(piece), piece)?;
        }
        make_folder(&self.output).map_err(|error| Error::from(error).in_file(&self.output))?;
        for piece in &pieces {
            self.write(&path(piece), piece, console)?;
        }
        Ok(Verdict::AllDone)
    }

    fn write(&self, path: &Path, piece: &Piece, console: &Console) -> Result<(), Error> {
        let (motion, _) = write(&piece.example.take, &usual_options(path)?)?;
        self.force.write(path, &motion)?;
        let mut names = vec![path.display().to_string()];
        for (ending, bytes) in piece.beside() {
            let beside = path.with_extension(ending);
            self.force.write(&beside, &bytes)?;
            names.push(beside.display().to_string());
        }
        console.note(&format!("wrote {}\n", names.join(", ")));
        Ok(())
    }
}
