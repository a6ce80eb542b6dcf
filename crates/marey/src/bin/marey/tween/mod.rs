//! `marey tween`.

mod style;

use std::path::{Path, PathBuf};

use clap::Args;
use marey::formats::write;
use marey::learned::WayWish;
use marey::motion::Take;
use marey::tween::{SearchSettings, Tween};
use serde::Serialize;
pub(crate) use style::StyleFlags;

use crate::console::Console;
use crate::convert::usual_options;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, JsonFlag};
use crate::follow::warn;
use crate::json;

/// Find the way from one posture to another that a corpus would take
///
/// How each joint moves and which joints go together is learned from the corpus; then the likeliest way is searched on which all
/// joints arrive together. It begins and ends with just the poses that are given, and stands where its steps lead.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey tween ballet.marey ballet-01@0 ballet-07@300 -o way.bvh   from a posture of one take to one of another
  marey tween dances.marey a.bvh b.bvh -o way.bvh --frames 90      from the end of a clip into another, in 90 frames")]
pub(crate) struct TweenArgs {
    #[command(flatten)]
    style: StyleFlags,

    /// The first pose: TAKE@FRAME of the corpus, or FILE@FRAME; the last frame where none is told
    #[arg(value_name = "FROM")]
    from: String,

    /// The last pose; the first frame where none is told
    #[arg(value_name = "TO")]
    to: String,

    /// Where the motion goes: ends in .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// How many frames, both poses among them [default: as many as the likeliest way has]
    #[arg(long, value_name = "N")]
    frames: Option<usize>,

    /// How many times as many steps as the fewest possible the way may have
    #[arg(long, value_name = "TIMES", default_value_t = SearchSettings::default().discursiveness)]
    discursiveness: f64,

    /// How much more it counts to be near the end than to be likely; large for the paper's greedy search
    #[arg(long, value_name = "TIMES", default_value_t = SearchSettings::default().greed)]
    greed: f64,

    /// How many postures are looked at until the best way found has to do
    #[arg(long, value_name = "N", default_value_t = SearchSettings::default().most_postures)]
    effort: usize,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// What was made, as JSON has it.
#[derive(Debug, Serialize)]
struct Made {
    output: String,
    frames: usize,
    rate_hz: f64,
    steps: usize,
    /// In nats.
    unlikeliness: f64,
    proven: bool,
}

pub(crate) fn run(args: &TweenArgs, console: &Console) -> Result<Verdict, Failure> {
    usual_options(&args.output)?;
    args.force.check(&args.output)?;
    let learned = args.style.learn()?;
    let (from, to) = (learned.pose(&args.from, true)?, learned.pose(&args.to, false)?);
    let search = SearchSettings {
        discursiveness: args.discursiveness,
        greed: args.greed,
        most_postures: args.effort,
        ..SearchSettings::default()
    };
    let made = learned.way(&from, &to, &WayWish { frames: args.frames, search })?;
    save(&made, &args.output, &args.force, &args.json, console)
}

/// Writes motion, and tells what was made.
pub(crate) fn save(
    made: &Tween,
    output: &Path,
    force: &ForceFlag,
    json: &JsonFlag,
    console: &Console,
) -> Result<Verdict, Failure> {
    let name = output.file_stem().unwrap_or_default().to_string_lossy();
    let take = Take::solo(name, made.clip.clone());
    let (bytes, report) = write(&take, &usual_options(output)?)?;
    force.write(output, &bytes)?;
    warn(console, &report, output);
    let row = Made {
        output: output.display().to_string(),
        frames: take.frames(),
        rate_hz: take.rate_hz(),
        steps: made.way.postures.len() - 1,
        unlikeliness: made.way.cost,
        proven: made.way.proven,
    };
    if json.json {
        console.print(&json::array([row].into_iter()))?;
    } else {
        let Made { output, frames, rate_hz, steps, unlikeliness, .. } = row;
        console.note(&format!(
            "{output}: {frames} frames at {rate_hz} Hz, {steps} steps, {unlikeliness:.1} nats\n"
        ));
    }
    Ok(Verdict::AllDone)
}
