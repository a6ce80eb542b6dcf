//! `marey study own`.

use std::path::PathBuf;

use clap::Args;
use marey::study::{self, OwnStudyRequest, StudyDesign};
use marey::{Context, Error};

use super::{DESIGNS, print_made};
use crate::console::Console;
use crate::flags::{ExampleFlags, ForceFlag, JsonFlag, choice};
use crate::verdict::Verdict;

/// Make a study of Marey itself: captured motion beside what engines and baselines make of it
///
/// Clips of one person are taken from a corpus or motion files, and follow, tween, vary and wander make others of them, as do
/// interpolation (slerp) and pasting without transitions (cut-and-paste). No engine uses the take that it makes again.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey study own walks.marey -o own.marey                   ten clips of each, rated on three scales
  marey study own -o own.marey --design recorded --clips 4   of generated walks; which one was recorded?")]
pub(crate) struct OwnArgs {
    /// A corpus, or motion files [default: generated walks]
    #[arg(value_name = "CORPUS|FILES")]
    inputs: Vec<PathBuf>,

    /// The corpus to write, ending in .marey
    #[arg(short, long, value_name = "STUDY.marey")]
    output: PathBuf,

    /// What raters are asked
    #[arg(long, value_name = "DESIGN", default_value = "ratings", value_parser = choice(DESIGNS))]
    design: StudyDesign,

    /// Number of clips of each condition, from 2 to 50
    #[arg(long, value_name = "N", default_value_t = OwnStudyRequest::default().clips)]
    clips: usize,

    /// Length of a clip in seconds, from 3 to 60
    #[arg(long, value_name = "SECS", default_value_t = OwnStudyRequest::default().secs)]
    secs: f64,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = OwnStudyRequest::default().seed)]
    seed: u64,

    #[command(flatten)]
    examples: ExampleFlags,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &OwnArgs, console: &Console) -> Result<Verdict, Error> {
    args.force.check(&args.output)?;
    let request = OwnStudyRequest {
        output: args.output.clone(),
        design: args.design,
        clips: args.clips,
        secs: args.secs,
        seed: args.seed,
        force: args.force.force,
    };
    request.validate()?;
    let context = if args.inputs.is_empty() {
        Context::new()
    } else {
        args.examples.context(&args.inputs, &args.force, console)?
    };
    let made = console.observed(|observer| study::own(&request, &console.context(context, observer)))?;
    print_made(&made, args.json.json, console)
}
