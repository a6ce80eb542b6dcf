//! `marey examples`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use marey::examples::walk::{WalkSettings, walk};
use marey::examples::{Body, Example, Style};
use marey::formats::write;

use crate::console::Console;
use crate::convert::usual_options;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, finite, hertz};
use crate::json;

/// Make example motion, with what is true of it beside it
///
/// The motion is generated, not recorded: the same flags give the same bytes. Beside OUT stands a .truth.json: when
/// each heel and ball is on the floor, where the motion may be cut, and what the walker is doing.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey examples walk walk.bvh                                    half a minute of walking
  marey examples walk tall.bvh --seed 7 --height 1.9 --speed 1.6  somebody else, in a hurry")]
pub(crate) struct ExamplesArgs {
    /// What to make
    name: Name,

    /// A file ending in .bvh, .glb or .gltf
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Where chance starts: another seed is another motion
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How long it lasts, in seconds
    #[arg(long, value_name = "SECS", default_value_t = 30.0)]
    secs: f64,

    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = hertz)]
    rate: f64,

    /// How tall the walker is, in metres
    #[arg(long, value_name = "M", value_parser = finite)]
    height: Option<f32>,

    /// How fast the walker mostly goes, in metres a second
    #[arg(long, value_name = "M/S", value_parser = finite)]
    speed: Option<f32>,

    /// How much noise to add, as capture has it, in millimetres
    #[arg(long, value_name = "MM", default_value_t = 0.0, value_parser = finite)]
    noise: f32,

    #[command(flatten)]
    force: ForceFlag,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Name {
    /// Walking: starts, stops, curves, sharp turns, changing speed
    Walk,
}

pub(crate) fn run(args: &ExamplesArgs, console: &Console) -> Result<Verdict, Failure> {
    let options = usual_options(&args.output)?;
    let truth_path = args.output.with_extension("truth.json");
    args.force.check(&args.output)?;
    args.force.check(&truth_path)?;
    let example = args.make()?;
    let (motion, _) = write(&example.take, &options)?;
    let truth = json::object(&example.truth);
    args.force.write(&args.output, &motion)?;
    args.force.write(&truth_path, truth.as_bytes())?;
    console.note(&format!("wrote {} and {}\n", args.output.display(), truth_path.display()));
    Ok(Verdict::AllDone)
}

impl ExamplesArgs {
    fn make(&self) -> Result<Example, Failure> {
        let Name::Walk = self.name;
        let (body, style) = (Body::default(), Style::default());
        let settings = WalkSettings {
            seed: self.seed,
            duration_secs: self.secs,
            rate_hz: self.rate,
            noise_mm: self.noise,
            body: Body { height_m: self.height.unwrap_or(body.height_m), ..body },
            style: Style { speed_mps: self.speed.unwrap_or(style.speed_mps), ..style },
            ..WalkSettings::default()
        };
        Ok(walk(&settings)?)
    }
}
