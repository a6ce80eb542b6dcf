//! `marey follow`.

mod asked;

use std::path::{Path, PathBuf};

pub(crate) use asked::FollowFlags;
use clap::Args;
use marey::answers::{Answer, Manner};
use marey::formats::write;
use marey::motion::Report;
use marey::watch::Watch;
use serde::Serialize;

use crate::console::{Console, watching};
use crate::convert::usual_options;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, JsonFlag};
use crate::json;

/// Answer a motion by example: walk along a path, follow a leader
///
/// The control is interpreted as a sequence of the corpus's segments, moved over the floor and stretched; what the
/// figures of those segments did is the answer, joined and with feet that stand. A figure that leads is written beside
/// the one who follows, and hands hold as they did in the examples.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey follow walks.marey path.csv -o walk.bvh --control path            walk along a drawn path
  marey follow dances.marey lead.bvh -o pair.bvh --control actor:leader  a partner for a leader")]
pub(crate) struct FollowArgs {
    #[command(flatten)]
    flags: FollowFlags,

    /// Where the answer goes: a file ending in .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Decide while the control goes on, as a live partner must: never later than the longest segment
    #[arg(long, conflicts_with_all = ["explain", "uses", "avoid"])]
    live: bool,

    /// Write the plan too: which segment is used when, where and how stretched
    #[arg(long, value_name = "PLAN.json")]
    plan: Option<PathBuf>,

    /// Write why: for each choice the best candidates, and what each costs in interpretation and continuity
    #[arg(long, value_name = "WHY.json")]
    explain: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// What was done, as JSON has it.
#[derive(Debug, Serialize)]
struct Followed {
    output: String,
    frames: usize,
    rate_hz: f64,
    pieces: usize,
    /// All in square metres.
    score: f64,
    interpretation: f64,
    continuity: f64,
    warnings: Vec<&'static str>,
}

pub(crate) fn run(args: &FollowArgs, console: &Console) -> Result<Verdict, Failure> {
    let options = usual_options(&args.output)?;
    for output in [Some(&args.output), args.plan.as_ref(), args.explain.as_ref()].into_iter().flatten() {
        args.force.check(output)?;
    }
    let (asked, mut report) = args.flags.asked()?;
    let bar = console.steps(0, "frames").with_message("searching");
    let answer = asked.answer(args.manner(), Watch::new(&watching(&bar)))?;
    bar.finish_and_clear();
    report.absorb(answer.report.clone());
    let (bytes, notes) = write(&answer.take, &options)?;
    report.absorb(notes);
    args.force.write(&args.output, &bytes)?;
    if let Some(path) = &args.plan {
        args.force.write(path, answer.plan.to_json()?.as_bytes())?;
    }
    if let Some((path, trace)) = args.explain.as_ref().zip(answer.trace.as_ref()) {
        args.force.write(path, json::object(trace).as_bytes())?;
    }
    tell(args, console, &answer, &report)
}

impl FollowArgs {
    fn manner(&self) -> Manner {
        match (self.live, &self.explain) {
            (true, _) => Manner::Live,
            (false, Some(_)) => Manner::Explained,
            (false, None) => Manner::Best,
        }
    }
}

fn tell(args: &FollowArgs, console: &Console, answer: &Answer, report: &Report) -> Result<Verdict, Failure> {
    let Answer { interpretation: found, plan, .. } = answer;
    let (interpretation, continuity) = found.parts();
    if args.json.json {
        let row = Followed {
            output: args.output.display().to_string(),
            frames: plan.frames(),
            rate_hz: plan.rate_hz,
            pieces: found.pieces.len(),
            score: found.score,
            interpretation,
            continuity,
            warnings: report.codes(),
        };
        console.print(&json::array([row].into_iter()))?;
        return Ok(Verdict::AllDone);
    }
    warn(console, report, args.flags.control_file());
    console.note(&format!(
        "{}: {} frames at {} Hz of {} segments; interpretation {interpretation:.3} m², continuity {continuity:.3} m²\n",
        args.output.display(),
        plan.frames(),
        plan.rate_hz,
        found.pieces.len(),
    ));
    Ok(Verdict::AllDone)
}

/// Prints what was found on the way.
pub(crate) fn warn(console: &Console, report: &Report, file: &Path) {
    for warning in report.warnings() {
        console.warning(warning, file);
    }
}
