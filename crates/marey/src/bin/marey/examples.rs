//! `marey examples`.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use marey::codes;
use marey::examples::ballet::{BalletSettings, ballet};
use marey::examples::lindy::{self, LindySettings};
use marey::examples::luxo::{self, LuxoSettings};
use marey::examples::playground::{self, Cycle, PlaygroundSettings};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::examples::walk::{WalkSettings, drawn_way, walk};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::examples::{Body, Example, Style};
use marey::formats::file::make_folder;
use marey::formats::{trc, write};
use marey::motion::{PointClip, Terrain};

use crate::console::Console;
use crate::convert::usual_options;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, finite, hertz};
use crate::json;

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
    style: Option<Style>,

    /// How fast the walker mostly goes, in metres a second
    #[arg(long, value_name = "M/S", value_parser = finite)]
    speed: Option<f32>,

    /// How much noise to add, as capture has it, in millimetres [default: 0; playground: 1]
    #[arg(long, value_name = "MM", value_parser = finite)]
    noise: Option<f32>,

    #[command(flatten)]
    force: ForceFlag,
}

/// How much shorter a follower is than a leader whose height was given, in metres.
const SHORTER_M: f32 = 0.12;

/// How many episodes of a walk go backwards or aside.
const BACKWARD_OR_ASIDE: f32 = 0.15;

/// Length and rate of small versions.
const SMALL_SECS: f64 = 14.0;
const SMALL_HZ: f64 = 60.0;

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

fn styles() -> impl TypedValueParser<Value = Style> {
    PossibleValuesParser::new(Style::NAMED.map(|(name, _)| name))
        .try_map(|name| Style::named(&name).ok_or("no such style"))
}

/// Motion that was made, and what stands beside it.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) example: Example,
    /// The ground, where it is uneven.
    pub(crate) terrain: Option<Terrain>,
    /// Markers, where they were captured.
    markers: Option<PointClip>,
    /// The way as one would draw it, where it is a walk's: a table.
    way: Option<String>,
}

impl From<Example> for Piece {
    fn from(example: Example) -> Self {
        Self { example, terrain: None, markers: None, way: None }
    }
}

impl Piece {
    /// Ending and contents of each file beside the motion.
    pub(crate) fn beside(&self) -> Vec<(&'static str, Vec<u8>)> {
        let truth = json::object(&self.example.truth).into_bytes();
        let terrain = self.terrain.as_ref().map(|terrain| json::object(terrain).into_bytes());
        let markers = self.markers.as_ref().map(trc::write);
        let way = self.way.as_ref().map(|way| way.clone().into_bytes());
        let more = [("terrain.json", terrain), ("trc", markers), ("path.csv", way)];
        let more = more.into_iter().filter_map(|(ending, bytes)| Some((ending, bytes?)));
        [("truth.json", truth)].into_iter().chain(more).collect()
    }
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

pub(crate) fn run(args: &ExamplesArgs, console: &Console) -> Result<Verdict, Failure> {
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
    /// A small version of an example, for a show: what is made in seconds, and no more than a few pieces of it.
    pub(crate) fn small(name: Name, seed: u64) -> Result<Vec<Piece>, Failure> {
        let mut args = Self::of(name, seed);
        match name {
            // One dance; its settings have no length.
            Name::Lindy => {
                let settings = LindySettings { seed, rate_hz: SMALL_HZ, ..LindySettings::default() };
                Ok(lindy::database(&settings)?.into_iter().take(1).map(Piece::from).collect())
            }
            // Every few phrases one.
            Name::Ballet => Ok(args.make()?.into_iter().step_by(10).collect()),
            // One performer without the noise of capture, and what is imitated.
            Name::Playground => {
                args.noise = Some(0.0);
                Ok(args.make()?.split_off(playground::HEIGHTS_M.len() - 1))
            }
            _ => {
                args.secs = name.has_length().then_some(SMALL_SECS);
                args.make()
            }
        }
    }

    /// What `marey examples NAME` is without flags.
    fn of(name: Name, seed: u64) -> Self {
        Self {
            name,
            output: PathBuf::new(),
            seed,
            secs: None,
            rate: SMALL_HZ,
            height: None,
            style: None,
            speed: None,
            noise: None,
            force: ForceFlag::default(),
        }
    }

    /// A flag that would say nothing is refused.
    fn check_flags(&self) -> Result<(), Failure> {
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
            Some(flag) => Err(Failure::usage(&codes::NOT_FOR_EXAMPLE, format!("{flag} was given"))),
        }
    }

    /// Makes what is asked for: one piece, or as many as go into a folder.
    pub(crate) fn make(&self) -> Result<Vec<Piece>, Failure> {
        match self.name {
            Name::Ballet => self.make_ballet(),
            Name::Lindy => self.make_lindy(),
            Name::Luxo => self.make_luxo(),
            Name::Playground => self.make_playground(),
            Name::Taekwondo => Ok(vec![self.make_taekwondo()?.into()]),
            Name::Walk => {
                let example = self.make_walk()?;
                let way = Some(drawn_way(&example.take).to_string());
                Ok(vec![Piece { way, ..example.into() }])
            }
            Name::Waltz => Ok(vec![self.make_waltz()?.into()]),
        }
    }

    fn make_walk(&self) -> Result<Example, Failure> {
        let defaults = WalkSettings::default();
        let style = self.style.unwrap_or(defaults.style);
        let style = Style { speed_mps: self.speed.unwrap_or(style.speed_mps), ..style };
        let settings = WalkSettings {
            seed: self.seed,
            duration_secs: self.secs.unwrap_or(30.0),
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            backward_or_aside: BACKWARD_OR_ASIDE,
            body: self.body(defaults.body, 0.0),
            style,
            ..defaults
        };
        Ok(walk(&settings)?)
    }

    fn make_waltz(&self) -> Result<Example, Failure> {
        let defaults = WaltzSettings::default();
        let settings = WaltzSettings {
            seed: self.seed,
            duration_secs: self.secs.unwrap_or(30.0),
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            leader: self.body(defaults.leader, 0.0),
            follower: self.body(defaults.follower, SHORTER_M),
            ..defaults
        };
        Ok(waltz(&settings)?)
    }

    fn make_taekwondo(&self) -> Result<Example, Failure> {
        let defaults = TaekwondoSettings::default();
        let settings = TaekwondoSettings {
            seed: self.seed,
            duration_secs: self.secs.unwrap_or(defaults.duration_secs),
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            red: self.body(defaults.red, 0.0),
            blue: self.body(defaults.blue, 0.0),
        };
        Ok(taekwondo(&settings)?)
    }

    fn make_ballet(&self) -> Result<Vec<Piece>, Failure> {
        let defaults = BalletSettings::default();
        let settings = BalletSettings {
            seed: self.seed,
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            body: self.body(defaults.body, 0.0),
            ..defaults
        };
        Ok(ballet(&settings)?.into_iter().map(Piece::from).collect())
    }

    fn make_lindy(&self) -> Result<Vec<Piece>, Failure> {
        let defaults = LindySettings::default();
        let settings = LindySettings {
            seed: self.seed,
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            leader: self.body(defaults.leader, 0.0),
            follower: self.body(defaults.follower, SHORTER_M),
        };
        let mut dances = lindy::database(&settings)?;
        dances.extend(lindy::tests(&settings)?);
        Ok(dances.into_iter().map(Piece::from).collect())
    }

    fn make_luxo(&self) -> Result<Vec<Piece>, Failure> {
        let settings = LuxoSettings { seed: self.seed, rate_hz: self.rate, ..LuxoSettings::default() };
        let pieces = luxo::datasets(&settings)?
            .map(|crossing| Piece { terrain: Some(crossing.terrain), ..crossing.example.into() });
        Ok(pieces.into())
    }

    fn make_playground(&self) -> Result<Vec<Piece>, Failure> {
        let settings = PlaygroundSettings {
            seed: self.seed,
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(PlaygroundSettings::default().noise_mm),
            ..PlaygroundSettings::default()
        };
        let streams = playground::streams(&settings)?.into_iter();
        let mut pieces: Vec<Piece> =
            streams.map(|stream| Piece { markers: Some(stream.markers), ..stream.example.into() }).collect();
        for which in Cycle::ALL {
            pieces.push(playground::cycle(which, &settings.body, self.rate)?.into());
        }
        Ok(pieces)
    }

    /// Nothing is written over unless it was said so.
    fn check_free(&self, output: &Path, piece: &Piece) -> Result<(), Failure> {
        self.force.check(output)?;
        let beside = piece.beside();
        beside.iter().try_for_each(|(ending, _)| self.force.check(&output.with_extension(ending)))
    }

    fn body(&self, body: Body, shorter_m: f32) -> Body {
        Body { height_m: self.height.map_or(body.height_m, |height_m| height_m - shorter_m), ..body }
    }

    /// Makes a folder and writes every piece into it, named after its take; nothing where any of it is there.
    fn write_folder(&self, console: &Console) -> Result<Verdict, Failure> {
        let pieces = self.make()?;
        let path = |piece: &Piece| self.output.join(piece.example.take.name()).with_extension("bvh");
        for piece in &pieces {
            self.check_free(&path(piece), piece)?;
        }
        make_folder(&self.output).map_err(|error| Failure::from(error).in_file(&self.output))?;
        for piece in &pieces {
            self.write(&path(piece), piece, console)?;
        }
        Ok(Verdict::AllDone)
    }

    fn write(&self, path: &Path, piece: &Piece, console: &Console) -> Result<(), Failure> {
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
