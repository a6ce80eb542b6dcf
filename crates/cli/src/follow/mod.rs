//! `marey follow`.

mod flags;

use std::path::{Path, PathBuf};

use clap::Args;
pub(crate) use flags::FollowFlags;
use marey::Error;
use marey::follow::{self, FollowDetails, SearchMode};
use marey::formats::write;
use marey::motion::{Observer, Report};
use serde::Serialize;

use crate::console::{Console, observing};
use crate::convert::usual_options;
use crate::flags::{ForceFlag, JsonFlag};
use crate::json;
use crate::verdict::Verdict;

/// Follow a control by example: walk along a path, dance with a leader
///
/// Interprets the control as a sequence of the corpus's segments, moved on the floor and stretched. The result is what
/// the actors of those segments did, joined, with planted feet. An actor that leads is written beside the follower, and
/// hands hold as they did in the examples.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey follow walks.marey path.csv -o walk.bvh --control path            walk along a drawn path
  marey follow dances.marey lead.bvh -o pair.bvh --control actor:leader  a partner for a leader")]
pub(crate) struct FollowArgs {
    #[command(flatten)]
    flags: FollowFlags,

    /// Where to write the motion: a file ending in .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Decide while the control goes on, as a live partner must: at most one longest segment late
    #[arg(long, conflicts_with_all = ["explain", "uses", "avoid"])]
    live: bool,

    /// Write the plan: which segment is used when, where and how stretched
    #[arg(long, value_name = "PLAN.json")]
    plan: Option<PathBuf>,

    /// Write the best candidates of each choice, and their costs in interpretation and continuity
    #[arg(long, value_name = "WHY.json")]
    explain: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// The row that `--json` prints. Costs are in square metres.
#[derive(Debug, Serialize)]
struct FollowRow {
    output: String,
    frames: usize,
    rate_hz: f64,
    pieces: usize,
    score: f64,
    interpretation: f64,
    continuity: f64,
    warnings: Vec<&'static str>,
}

pub(crate) fn run(args: &FollowArgs, console: &Console) -> Result<Verdict, Error> {
    let options = usual_options(&args.output)?;
    for output in [Some(&args.output), args.plan.as_ref(), args.explain.as_ref()].into_iter().flatten() {
        args.force.check(output)?;
    }
    let (request, mut report) = args.flags.request(args.mode())?;
    let bar = console.steps(0, "frames").with_message("searching");
    let observe = observing(&bar);
    let outcome = follow::run(&request, &args.flags.context(Observer::new(&observe))?)?;
    bar.finish_and_clear();
    report.absorb(outcome.report.clone());
    let (bytes, notes) = write(&outcome.take, &options)?;
    report.absorb(notes);
    args.force.write(&args.output, &bytes)?;
    if let Some((path, plan)) = args.plan.as_ref().zip(outcome.plan.as_ref()) {
        args.force.write(path, plan.to_json()?.as_bytes())?;
    }
    if let Some(path) = &args.explain {
        args.force.write(path, json::object(&outcome.trace).as_bytes())?;
    }
    let (frames, rate_hz) = (outcome.take.frames(), outcome.take.rate_hz());
    print(args, console, &outcome.details, &report, frames, rate_hz)
}

impl FollowArgs {
    fn mode(&self) -> SearchMode {
        match (self.live, &self.explain) {
            (true, _) => SearchMode::Live,
            (false, Some(_)) => SearchMode::Explained,
            (false, None) => SearchMode::Optimal,
        }
    }
}

fn print(
    args: &FollowArgs,
    console: &Console,
    details: &FollowDetails,
    report: &Report,
    frames: usize,
    rate_hz: f64,
) -> Result<Verdict, Error> {
    let (interpretation, continuity) = details.interpretation.parts();
    let pieces = details.interpretation.pieces.len();
    let output = args.output.display().to_string();
    if args.json.json {
        let row = FollowRow {
            output,
            frames,
            rate_hz,
            pieces,
            score: details.interpretation.score,
            interpretation,
            continuity,
            warnings: report.codes(),
        };
        console.print(&json::array([row].into_iter()))?;
        return Ok(Verdict::AllDone);
    }
    warn(console, report, args.flags.control_file());
    console.note(&format!(
        "{output}: {frames} frames at {rate_hz} Hz of {pieces} segments; interpretation {interpretation:.3} m², continuity {continuity:.3} m²\n"
    ));
    Ok(Verdict::AllDone)
}

/// Prints warnings about a file.
pub(crate) fn warn(console: &Console, report: &Report, file: &Path) {
    for warning in report.warnings() {
        console.warning(warning, file);
    }
}
