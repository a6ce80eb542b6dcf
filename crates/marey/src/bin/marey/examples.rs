//! `marey examples`.

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use marey::codes;
use marey::examples::ballet::{BalletSettings, ballet};
use marey::examples::lindy::{self, LindySettings};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::examples::walk::{WalkSettings, drawn_way, walk};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::examples::{Body, Example, Style};
use marey::formats::file::make_folder;
use marey::formats::write;

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
/// would draw it. `ballet` and `lindy` write a folder.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey examples walk tall.bvh --seed 7 --height 1.9 --speed 1.6  half a minute of walking, in a hurry
  marey examples lindy dances/                                    fifteen dances of a couple")]
pub(crate) struct ExamplesArgs {
    /// What to make
    name: Name,

    /// A file ending in .bvh, .glb or .gltf; for ballet and lindy, a folder
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Where chance starts: another seed is another motion
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How long it lasts, in seconds [default: 30; taekwondo: 180; ballet, lindy: as long as its dances]
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

    /// How much noise to add, as capture has it, in millimetres
    #[arg(long, value_name = "MM", default_value_t = 0.0, value_parser = finite)]
    noise: f32,

    #[command(flatten)]
    force: ForceFlag,
}

/// How much shorter a follower is than a leader whose height was given, in metres.
const SHORTER_M: f32 = 0.12;

/// How many episodes of a walk go backwards or aside.
const BACKWARD_OR_ASIDE: f32 = 0.15;

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum Name {
    /// Short phrases of ballet: 38, from a vocabulary of thirteen words
    Ballet,
    /// A couple dances Lindy Hop: twelve dances of seven patterns, three that improvise others
    Lindy,
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

pub(crate) fn run(args: &ExamplesArgs, console: &Console) -> Result<Verdict, Failure> {
    args.check_flags()?;
    let example = match args.name {
        Name::Ballet => return args.write_folder(&args.make_ballet()?, console),
        Name::Lindy => return args.write_folder(&args.make_lindy()?, console),
        Name::Taekwondo => args.make_taekwondo()?,
        Name::Walk => args.make_walk()?,
        Name::Waltz => args.make_waltz()?,
    };
    args.check_free(&args.output)?;
    args.write(&args.output, &example, console)?;
    Ok(Verdict::AllDone)
}

fn truth_path(output: &Path) -> PathBuf {
    output.with_extension("truth.json")
}

fn way_path(output: &Path) -> PathBuf {
    output.with_extension("path.csv")
}

impl ExamplesArgs {
    /// A flag that would say nothing is refused.
    fn check_flags(&self) -> Result<(), Failure> {
        let lasts = matches!(self.name, Name::Ballet | Name::Lindy);
        let idle = [
            ("--secs", self.secs.is_some() && lasts),
            ("--speed", self.speed.is_some() && self.name != Name::Walk),
            ("--style", self.style.is_some() && self.name != Name::Walk),
        ];
        match idle.into_iter().find(|(_, is_idle)| *is_idle) {
            None => Ok(()),
            Some((flag, _)) => Err(Failure::usage(&codes::NOT_FOR_EXAMPLE, format!("{flag} was given"))),
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
            noise_mm: self.noise,
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
            noise_mm: self.noise,
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
            noise_mm: self.noise,
            red: self.body(defaults.red, 0.0),
            blue: self.body(defaults.blue, 0.0),
        };
        Ok(taekwondo(&settings)?)
    }

    fn make_ballet(&self) -> Result<Vec<Example>, Failure> {
        let defaults = BalletSettings::default();
        let settings = BalletSettings {
            seed: self.seed,
            rate_hz: self.rate,
            noise_mm: self.noise,
            body: self.body(defaults.body, 0.0),
            ..defaults
        };
        Ok(ballet(&settings)?)
    }

    fn make_lindy(&self) -> Result<Vec<Example>, Failure> {
        let defaults = LindySettings::default();
        let settings = LindySettings {
            seed: self.seed,
            rate_hz: self.rate,
            noise_mm: self.noise,
            leader: self.body(defaults.leader, 0.0),
            follower: self.body(defaults.follower, SHORTER_M),
        };
        let mut dances = lindy::database(&settings)?;
        dances.extend(lindy::tests(&settings)?);
        Ok(dances)
    }

    /// Writes each under its own name.
    fn write_folder(&self, examples: &[Example], console: &Console) -> Result<Verdict, Failure> {
        let path = |example: &Example| self.output.join(example.take.name()).with_extension("bvh");
        for example in examples {
            self.check_free(&path(example))?;
        }
        make_folder(&self.output).map_err(|error| Failure::from(error).in_file(&self.output))?;
        for example in examples {
            self.write(&path(example), example, console)?;
        }
        Ok(Verdict::AllDone)
    }

    /// Nothing is written over unless it was said so.
    fn check_free(&self, output: &Path) -> Result<(), Failure> {
        usual_options(output)?;
        self.force.check(output)?;
        if self.name == Name::Walk {
            self.force.check(&way_path(output))?;
        }
        self.force.check(&truth_path(output))
    }

    fn body(&self, body: Body, shorter_m: f32) -> Body {
        Body { height_m: self.height.map_or(body.height_m, |height_m| height_m - shorter_m), ..body }
    }

    fn write(&self, path: &Path, example: &Example, console: &Console) -> Result<(), Failure> {
        let (motion, _) = write(&example.take, &usual_options(path)?)?;
        let truth = json::object(&example.truth);
        self.force.write(path, &motion)?;
        self.force.write(&truth_path(path), truth.as_bytes())?;
        if self.name == Name::Walk {
            let way = drawn_way(&example.take).to_string();
            self.force.write(&way_path(path), way.as_bytes())?;
        }
        console.note(&format!("wrote {} and {}\n", path.display(), truth_path(path).display()));
        Ok(())
    }
}
