//! `marey wander`.

use clap::Args;
use marey::Error;
use marey::tween::{PoseSelector, WanderSettings};
use marey::wander::{self, WanderRequest};
use serde::Serialize;

use crate::console::Console;
use crate::output::{OutputFlags, PlanFlag};
use crate::tween::TrainingFlags;
use crate::verdict::Verdict;

/// Move freely through a corpus: play its takes and jump between moments that are alike
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey wander ballet.marey -o free.bvh --secs 20                    twenty seconds
  marey wander ballet.marey -o new.bvh --secs 20 --max-piece 2       with more jumps")]
pub(crate) struct WanderArgs {
    #[command(flatten)]
    training: TrainingFlags,

    /// Duration in seconds
    #[arg(long, value_name = "SECS", default_value_t = WanderRequest::default().secs)]
    secs: f64,

    /// Start at the moment most like this pose: TAKE@FRAME of the corpus, or FILE@FRAME [default: the first frame of the first take]
    #[arg(long, value_name = "POSE")]
    from: Option<String>,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = WanderRequest::default().seed)]
    seed: u64,

    /// Shortest time between two jumps, in seconds
    #[arg(long, value_name = "SECS", default_value_t = WanderSettings::default().min_piece_secs)]
    min_piece: f64,

    /// Longest time between two jumps, in seconds
    #[arg(long, value_name = "SECS", default_value_t = WanderSettings::default().max_piece_secs)]
    max_piece: f64,

    /// Number of most similar moments from which each jump is drawn
    #[arg(long, value_name = "N", default_value_t = WanderSettings::default().choices)]
    choices: usize,

    #[command(flatten)]
    plan: PlanFlag,

    #[command(flatten)]
    output: OutputFlags,
}

/// What `--json` adds.
#[derive(Debug, Serialize)]
struct WanderRow {
    jumps: usize,
}

pub(crate) fn run(args: &WanderArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[&args.plan.plan])?;
    let request = WanderRequest {
        only: args.training.only(),
        from: args.from.clone().map(PoseSelector::Text),
        secs: args.secs,
        seed: args.seed,
        settings: WanderSettings {
            min_piece_secs: args.min_piece,
            max_piece_secs: args.max_piece,
            choices: args.choices,
        },
        name: args.output.name(),
        ..WanderRequest::default()
    };
    let context = args.output.context(args.training.context(&args.output.force, console)?)?;
    let outcome = console.observed(|observer| wander::run(&request, &console.context(context, observer)))?;
    let jumps = outcome.details.jumps;
    let summary = format!("{jumps} jumps");
    args.output.save(console, &outcome, Some(&args.plan), None, summary, WanderRow { jumps })
}
