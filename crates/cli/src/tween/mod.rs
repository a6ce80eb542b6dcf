//! `marey tween`.

mod style_flags;
mod training_flags;

use std::ops::Range;
use std::str::FromStr;

use clap::Args;
use marey::Error;
use marey::motion::Ground;
use marey::tween::{self, GapDetails, PoseSelector, TweenMode, TweenRequest};
use serde::Serialize;

use style_flags::StyleFlags;
pub(crate) use training_flags::TrainingFlags;

use crate::console::Console;
use crate::flags::choice;
use crate::output::{OutputFlags, PlanFlag};
use crate::verdict::Verdict;

/// Make motion through poses, or fill gaps of a clip, as people of a corpus move
///
/// Learns from the corpus how people get from one pose to another, and makes motion that is near to what they would do. The motion goes
/// exactly through the given poses. Without a place, each pose is where the steps lead; without times, the motion lasts as long as
/// people of the corpus take. The takes before the first and after the last pose are part of the result, unless --gap-only is given.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey tween dances.marey a.bvh@90 b.bvh c@200 -o way.glb --at 0,1.2,3.5   through three poses, and on with the last take
  marey tween walks.marey torn.bvh --gap 120..150 -o mended.bvh             fill frames 120 to 149 of a clip")]
pub(crate) struct TweenArgs {
    #[command(flatten)]
    training: TrainingFlags,

    /// Poses in their order: TAKE@FRAME of the corpus, or FILE@FRAME; @* for every frame. Without a frame, the last of the first, and
    /// the first of the others. Or a table of keyframes, ending in .csv or .json. With --gap, the one clip to fill
    #[arg(value_name = "POSE", required = true)]
    poses: Vec<String>,

    /// How the motion is made
    #[arg(long, value_name = "MODE", default_value = "near", value_parser = choice(MODES))]
    mode: TweenMode,

    /// Time of each pose in seconds, the first 0 [default: as long as people of the corpus take]
    #[arg(long, value_name = "SECS", value_delimiter = ',', conflicts_with = "frames")]
    at: Vec<f64>,

    /// Number of frames from each pose to the next, including both
    #[arg(long, value_name = "N")]
    frames: Option<usize>,

    /// Where the first pose is: X,Z or X,Z,DEGREES on the floor [default: where it is in its take]
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    start: Option<PlaceArgument>,

    /// Where the next pose is, for the second pose first: X,Z or X,Z,DEGREES on the floor, or free; can be repeated [default: free]
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    place: Vec<PlaceArgument>,

    /// Fill these frames of the clip: FIRST..END, without END; can be repeated
    #[arg(long, value_name = "FRAMES")]
    gap: Vec<GapArgument>,

    /// Write only the motion between the poses
    #[arg(long)]
    gap_only: bool,

    /// Return to the first pose, so that the motion can be repeated
    #[arg(long = "loop")]
    closes: bool,

    #[command(flatten)]
    style: StyleFlags,

    #[command(flatten)]
    plan: PlanFlag,

    #[command(flatten)]
    output: OutputFlags,
}

/// How motion is made.
const MODES: [(&str, &str, TweenMode); 2] = [
    ("near", "As near as possible to what people of the corpus do; answers for every pose", TweenMode::Near),
    ("style", "The likeliest path of joint orientations, after Stuart et al.", TweenMode::Style),
];

/// A place on the floor, or none.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PlaceArgument(Option<Ground>);

impl FromStr for PlaceArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "free" {
            return Ok(Self(None));
        }
        let numbers: Result<Vec<f32>, _> =
            text.split(',').map(|number| number.trim().parse::<f32>()).collect();
        match numbers.as_deref() {
            Ok([x, z]) => Ok(Self(Some(Ground::new(*x, *z, 0.0)))),
            Ok([x, z, degrees]) => Ok(Self(Some(Ground::new(*x, *z, degrees.to_radians())))),
            _ => Err("expected X,Z or X,Z,DEGREES in metres, or free".into()),
        }
    }
}

/// Frames to fill.
#[derive(Debug, Clone, PartialEq)]
struct GapArgument(Range<usize>);

impl FromStr for GapArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let frames =
            text.split_once("..").and_then(|(start, end)| Some(start.parse().ok()?..end.parse().ok()?));
        frames.map(Self).ok_or_else(|| "expected FIRST..END, for example 120..150".into())
    }
}

pub(crate) fn run(args: &TweenArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[&args.plan.plan])?;
    let request = TweenRequest {
        only: args.training.only(),
        mode: args.mode,
        poses: args.poses.iter().cloned().map(PoseSelector::Text).collect(),
        at_secs: args.at.clone(),
        frames: args.frames,
        start: args.start.and_then(|start| start.0),
        places: args.place.iter().map(|place| place.0).collect(),
        gaps: args.gap.iter().map(|gap| (gap.0.start, gap.0.end)).collect(),
        closes: args.closes,
        gap_only: args.gap_only,
        style: args.style.style(),
        search: args.style.search(),
        name: args.output.name(),
        ..TweenRequest::default()
    };
    let context = args.output.context(args.training.context(&args.output.force, console)?)?;
    let outcome = console.observed(|observer| tween::run(&request, &console.context(context, observer)))?;
    let summary = summary(&outcome.details);
    let row = TweenRow { mode: outcome.details.mode, gaps: outcome.details.gaps.clone() };
    args.output.save(console, &outcome, Some(&args.plan), None, summary, row)
}

/// What `--json` adds.
#[derive(Debug, Serialize)]
struct TweenRow {
    mode: TweenMode,
    gaps: Vec<GapDetails>,
}

/// One line about the result.
fn summary(details: &tween::TweenDetails) -> String {
    let gaps = |count: usize| if count == 1 { "1 gap".to_owned() } else { format!("{count} gaps") };
    match details.mode {
        TweenMode::Style => {
            let steps: usize = details.paths.iter().map(|path| path.steps).sum();
            let cost: f64 = details.paths.iter().map(|path| path.neg_log_likelihood).sum();
            format!("{}, {steps} steps, {cost:.1} nats", gaps(details.gaps.len()))
        }
        TweenMode::Near => {
            let far = details.gaps.iter().filter_map(|gap| gap.distance).fold(0.0, f32::max);
            let share = details.gaps.iter().filter_map(|gap| gap.corpus_share).fold(1.0, f32::min);
            format!(
                "{}, at most {far:.1} times as far from the corpus as its own takes, at least {:.0} % from examples",
                gaps(details.gaps.len()),
                100.0 * share
            )
        }
    }
}
