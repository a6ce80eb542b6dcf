//! `marey examples`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::examples::Example;
use marey::examples::walk::{WalkSettings, walk};
use marey::formats::bvh::{self, BvhOptions};

use crate::console::Console;
use crate::convert::check_ending;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, hertz};

/// Make example motion, with nothing but a seed
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey examples walk walk.bvh                      a minute of walking
  marey examples walk short.bvh --seed 7 --secs 10  another walk, a short one")]
pub(crate) struct ExamplesArgs {
    /// What is made
    what: What,

    /// The motion, a file ending in .bvh
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Where chance starts; another seed is another motion
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How long it lasts
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    secs: f64,

    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = hertz)]
    rate: f64,

    /// Noise on every joint, as if captured, in millimetres
    #[arg(long, value_name = "MM", default_value_t = 0.0)]
    noise: f32,

    /// Write what is true of the motion, frame by frame, as JSON
    #[arg(long, value_name = "FILE.json")]
    truth: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,
}

/// The examples there are.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum What {
    /// Starts, stops, curves and sharp turns in a room
    Walk,
}

pub(crate) fn run(args: &ExamplesArgs, console: &Console) -> Result<Verdict, Failure> {
    check_ending(&args.output)?;
    let example = match args.what {
        What::Walk => walk(&args.walk_settings())?,
    };
    let (bytes, _) = bvh::write(&example.take, &BvhOptions::default());
    args.write(&args.output, &bytes, console)?;
    if let Some(path) = &args.truth {
        args.write(path, truth(&example).as_bytes(), console)?;
    }
    Ok(Verdict::AllDone)
}

impl ExamplesArgs {
    fn walk_settings(&self) -> WalkSettings {
        WalkSettings {
            seed: self.seed,
            duration_secs: self.secs,
            rate_hz: self.rate,
            noise_mm: self.noise,
            ..WalkSettings::default()
        }
    }

    fn write(&self, path: &Path, content: &[u8], console: &Console) -> Result<(), Failure> {
        self.force.write(path, content)?;
        console.note(&format!("wrote {}\n", path.display()));
        Ok(())
    }
}

fn truth(example: &Example) -> String {
    let text = serde_json::to_string_pretty(&example.truth);
    text.expect("a truth is names and numbers") + "\n"
}
