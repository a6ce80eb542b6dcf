//! `marey examples`.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::Error;
use marey::convert::write_options;
use marey::examples::{self, ExampleName, ExampleRequest, GaitStyle, companion_files};
use marey::formats::file::make_folder;

use crate::console::Console;
use crate::flags::{ForceFlag, choice, finite, hertz};
use crate::verdict::Verdict;

/// Generate example motion with known truth
///
/// The motion is generated, not recorded; the same flags give the same bytes. A .truth.json beside the motion lists foot contacts,
/// cut points and labels; for dances also beats and hand holds, for fights the movements and hits. Beside a walk, a .path.csv contains its
/// path; beside a lamp, a .terrain.json its terrain; beside a performer, a .trc the markers. `ballet`, `lindy`, `luxo` and `playground` write a
/// folder with several motions.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey examples walk tall.bvh --seed 7 --height 1.9 --speed 1.6  half a minute of fast walking
  marey examples lindy dances/                                    fifteen dances of a couple")]
pub(crate) struct ExamplesArgs {
    /// The example
    #[arg(value_parser = choice(ExampleName::ALL.iter().map(|name| (name.name(), name.summary(), *name))))]
    name: ExampleName,

    /// A file ending in .bvh, .glb, .gltf, .fbx, .vrma, .usda or .npz; for ballet, lindy, luxo and playground, a folder
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = ExampleRequest::default().seed)]
    seed: u64,

    /// Duration in seconds, for walk, waltz and taekwondo [default: 30; taekwondo: 180]
    #[arg(long, value_name = "SECS")]
    secs: Option<f64>,

    /// Frames per second
    #[arg(long, value_name = "HZ", default_value_t = ExampleRequest::default().rate_hz, value_parser = hertz)]
    rate: f64,

    /// Body height in metres; a follower is 0.12 m shorter
    #[arg(long, value_name = "M", value_parser = finite)]
    height: Option<f32>,

    /// Style of a walk
    #[arg(long, value_name = "STYLE", value_parser = choice(GaitStyle::NAMED.map(|(name, style)| (name, "", style))))]
    style: Option<GaitStyle>,

    /// Preferred speed of a walk, in metres per second
    #[arg(long, value_name = "M/S", value_parser = finite)]
    speed: Option<f32>,

    /// Noise like that of motion capture, in millimetres [default: 0; markers: 1]
    #[arg(long, value_name = "MM", value_parser = finite)]
    noise: Option<f32>,

    #[command(flatten)]
    force: ForceFlag,
}

pub(crate) fn run(args: &ExamplesArgs, console: &Console) -> Result<Verdict, Error> {
    let is_folder = args.name.has_several();
    if !is_folder {
        write_options(&args.output)?;
        args.force.check(&args.output)?;
    }
    let request = ExampleRequest {
        seed: args.seed,
        duration_secs: args.secs,
        rate_hz: args.rate,
        height_m: args.height,
        style: args.style,
        speed_mps: args.speed,
        noise_mm: args.noise,
        ..ExampleRequest::new(args.name)
    };
    let mut files = Vec::new();
    for generated in examples::run(&request)? {
        let name = generated.example.take.name();
        let path = if is_folder { args.output.join(name).with_extension("bvh") } else { args.output.clone() };
        let beside = companion_files(&generated)?.into_iter();
        let beside = beside.map(|(ending, content)| (path.with_extension(ending), content));
        let beside: Vec<(PathBuf, Vec<u8>)> = beside.collect();
        files.push((path, beside, generated.example.take));
    }
    // Nothing is written if any of the files exists.
    for (path, beside, _) in &files {
        args.force.check(path)?;
        beside.iter().try_for_each(|(path, _)| args.force.check(path))?;
    }
    if is_folder {
        make_folder(&args.output).map_err(|error| Error::from(error).in_file(&args.output))?;
    }
    for (path, beside, take) in &files {
        args.force.write_take(path, take)?;
        beside.iter().try_for_each(|(path, content)| args.force.write(path, content))?;
        let paths = std::iter::once(path.as_path()).chain(beside.iter().map(|(path, _)| path.as_path()));
        let names: Vec<String> = paths.map(|path: &Path| path.display().to_string()).collect();
        console.note(&format!("wrote {}\n", names.join(", ")));
    }
    Ok(Verdict::AllDone)
}
