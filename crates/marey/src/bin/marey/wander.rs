//! `marey wander`.

use std::path::PathBuf;

use clap::Args;
use marey::learned::WanderWish;
use marey::tween::WanderSettings;

use crate::console::Console;
use crate::convert::usual_options;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, JsonFlag};
use crate::tween::{StyleFlags, save};

/// Move freely in the style of a corpus: a walk by chance on how its joints move
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey wander ballet.marey -o free.bvh --secs 20                  twenty seconds in the style
  marey wander ballet.marey -o odd.bvh --secs 20 --network none    without coordination")]
pub(crate) struct WanderArgs {
    #[command(flatten)]
    style: StyleFlags,

    /// Where the motion goes: ends in .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// How long it lasts, in seconds
    #[arg(long, value_name = "SECS", default_value_t = 10.0)]
    secs: f64,

    /// The first pose: TAKE@FRAME of the corpus, or FILE@FRAME [default: the first frame of the first take]
    #[arg(long, value_name = "POSE")]
    from: Option<String>,

    /// Where chance starts; another number is another walk
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How adventurous it is: 1 is as likely as in the corpus, less keeps to what is usual
    #[arg(long, value_name = "T", default_value_t = WanderSettings::default().temperature)]
    temperature: f64,

    /// How much less likely than in the corpus it is that a joint stays as it is; 1 is as in the corpus, which mostly stays
    #[arg(long, value_name = "SHARE", default_value_t = WanderSettings::default().staying)]
    staying: f64,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

pub(crate) fn run(args: &WanderArgs, console: &Console) -> Result<Verdict, Failure> {
    usual_options(&args.output)?;
    args.force.check(&args.output)?;
    let learned = args.style.learn()?;
    let from = match &args.from {
        Some(text) => learned.pose(text, false)?,
        None => learned.first_pose()?,
    };
    let settings = WanderSettings { temperature: args.temperature, staying: args.staying };
    let made = learned.wander(&from, &WanderWish { secs: args.secs, seed: args.seed, settings })?;
    save(&made, &args.output, &args.force, &args.json, console)
}
