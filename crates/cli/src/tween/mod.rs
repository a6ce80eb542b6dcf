//! `marey tween`.

mod style_flags;

use clap::Args;
use marey::tween::{self, PathSearchSettings, PoseSelector, TweenDetails, TweenRequest};
use marey::{Error, Outcome};
use serde::Serialize;

pub(crate) use style_flags::StyleFlags;

use crate::console::Console;
use crate::output::{OutputFlags, PlanFlag};
use crate::verdict::Verdict;

/// Make motion from one pose to another in the style of a corpus
///
/// Learns from the corpus how each joint moves and which joints depend on each other, then searches the likeliest path on
/// which all joints arrive together. The motion starts and ends with exactly the given poses, and ends where its steps
/// lead.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey tween ballet.marey ballet-01@0 ballet-07@300 -o between.bvh   from a pose of one take to one of another
  marey tween dances.marey a.bvh b.bvh -o between.bvh --frames 90      from the end of a clip into another, in 90 frames")]
pub(crate) struct TweenArgs {
    #[command(flatten)]
    style: StyleFlags,

    /// The first pose: TAKE@FRAME of the corpus, or FILE@FRAME; without a frame, the last
    #[arg(value_name = "FROM")]
    from: String,

    /// The last pose; without a frame, the first
    #[arg(value_name = "TO")]
    to: String,

    /// Number of frames, including both poses [default: the length of the likeliest path]
    #[arg(long, value_name = "N")]
    frames: Option<usize>,

    /// Maximum length of the path, relative to the fewest possible steps
    #[arg(long, value_name = "RATIO", default_value_t = PathSearchSettings::default().max_length_ratio)]
    max_length_ratio: f64,

    /// Weight of the heuristic of the search; large values give the paper's greedy search
    #[arg(long, value_name = "WEIGHT", default_value_t = PathSearchSettings::default().heuristic_weight)]
    heuristic_weight: f64,

    /// Number of expanded postures after which the search returns the best path so far
    #[arg(long, value_name = "N", default_value_t = PathSearchSettings::default().max_expansions)]
    max_expansions: usize,

    #[command(flatten)]
    plan: PlanFlag,

    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn run(args: &TweenArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[&args.plan.plan])?;
    let request = TweenRequest {
        only: args.style.only(),
        style: args.style.settings(),
        from: PoseSelector::Text(args.from.clone()),
        to: PoseSelector::Text(args.to.clone()),
        frames: args.frames,
        search: PathSearchSettings {
            max_length_ratio: args.max_length_ratio,
            heuristic_weight: args.heuristic_weight,
            max_expansions: args.max_expansions,
            ..PathSearchSettings::default()
        },
        name: args.output.name(),
        ..TweenRequest::default()
    };
    let context = args.output.context(args.style.context(&args.output.force, console)?)?;
    let outcome = console.observed(|observer| tween::run(&request, &console.context(context, observer)))?;
    save(console, &outcome, &args.plan, &args.output)
}

/// What `--json` adds for `tween` and `wander`.
#[derive(Debug, Serialize)]
struct TweenRow {
    steps: usize,
    /// In nats.
    neg_log_likelihood: f64,
    is_optimal: bool,
}

/// Writes the output of `tween` and `wander`.
pub(crate) fn save(
    console: &Console,
    outcome: &Outcome<TweenDetails>,
    plan: &PlanFlag,
    output: &OutputFlags,
) -> Result<Verdict, Error> {
    let TweenDetails { steps, neg_log_likelihood, is_optimal, .. } = outcome.details;
    let summary = format!("{steps} steps, {neg_log_likelihood:.1} nats");
    let row = TweenRow { steps, neg_log_likelihood, is_optimal };
    output.save(console, outcome, Some(plan), None, summary, row)
}
