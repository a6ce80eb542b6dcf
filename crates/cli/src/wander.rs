//! `marey wander`.

use clap::Args;
use marey::Error;
use marey::tween::{PoseSelector, WanderSettings};
use marey::wander::{self, WanderRequest};

use crate::console::Console;
use crate::output::{OutputFlags, PlanFlag};
use crate::tween::{StyleFlags, save};
use crate::verdict::Verdict;

/// Move freely in the style of a corpus: a random walk on the transitions of its joints
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey wander ballet.marey -o free.bvh --secs 20                  twenty seconds in the style
  marey wander ballet.marey -o odd.bvh --secs 20 --network none    without coordination")]
pub(crate) struct WanderArgs {
    #[command(flatten)]
    style: StyleFlags,

    /// Duration in seconds
    #[arg(long, value_name = "SECS", default_value_t = WanderRequest::default().secs)]
    secs: f64,

    /// The first pose: TAKE@FRAME of the corpus, or FILE@FRAME [default: the first frame of the first take]
    #[arg(long, value_name = "POSE")]
    from: Option<String>,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = WanderRequest::default().seed)]
    seed: u64,

    /// Sampling temperature: 1 for the likelihoods of the corpus; lower values prefer frequent transitions
    #[arg(long, value_name = "T", default_value_t = WanderSettings::default().temperature)]
    temperature: f64,

    /// Factor for the probability that a joint keeps its orientation; 1 for that of the corpus
    #[arg(long, value_name = "FACTOR", default_value_t = WanderSettings::default().stay_weight)]
    stay_weight: f64,

    #[command(flatten)]
    plan: PlanFlag,

    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn run(args: &WanderArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[&args.plan.plan])?;
    let request = WanderRequest {
        only: args.style.only(),
        style: args.style.settings(),
        from: args.from.clone().map(PoseSelector::Text),
        secs: args.secs,
        seed: args.seed,
        settings: WanderSettings { temperature: args.temperature, stay_weight: args.stay_weight },
        name: args.output.name(),
        ..WanderRequest::default()
    };
    let context = args.output.context(args.style.context(&args.output.force, console)?)?;
    let outcome = console.observed(|observer| wander::run(&request, &console.context(context, observer)))?;
    save(console, &outcome, &args.plan, &args.output)
}
