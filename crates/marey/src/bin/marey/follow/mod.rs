//! `marey follow`.

mod asked;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(crate) use asked::{Asked, FollowFlags};
use clap::Args;
use marey::by_example::planned;
use marey::follow::{Interpretation, Live, follow, follow_explained};
use marey::formats::write;
use marey::motion::Report;
use marey::plan::{Plan, Trace};
use marey::realise::{self, realise};
use serde::Serialize;

use crate::console::Console;
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
    let asked = args.flags.asked()?;
    let (found, trace) = args.interpret(&asked)?;
    let leader = asked.leader.as_ref().map(|(clip, name)| (clip, name.as_str()));
    let (plan, sources) = planned(&asked.found, found.clone(), leader)?;
    let mut report = asked.report.clone();
    let made = realise(&plan, &sources, &realise::Settings::default())?;
    report.absorb(made.report);
    let (bytes, notes) = write(&made.take, &options)?;
    report.absorb(notes);
    args.force.write(&args.output, &bytes)?;
    if let Some(path) = &args.plan {
        args.force.write(path, plan.to_json()?.as_bytes())?;
    }
    if let Some((path, trace)) = args.explain.as_ref().zip(trace) {
        args.force.write(path, json::object(&trace).as_bytes())?;
    }
    tell(args, console, &found, &plan, &report)
}

impl FollowArgs {
    /// The interpretation, and why, where that is asked for.
    fn interpret(&self, asked: &Asked) -> Result<(Interpretation, Option<Trace>), Failure> {
        let Asked { found, control, settings, wishes, .. } = asked;
        if self.live {
            let mut live = Live::new(&found.mapping, control.rate_hz(), settings)?;
            let mut pieces = Vec::new();
            for frame in 0..control.frames() {
                pieces.extend(live.push(control.frame(frame))?);
            }
            pieces.extend(live.finish()?);
            let score = pieces.iter().map(|piece| piece.interpretation + piece.continuity).sum();
            let (rate_hz, frames) = (control.rate_hz(), control.frames());
            return Ok((Interpretation { rate_hz, frames, pieces, score }, None));
        }
        if self.explain.is_some() {
            let (found, trace) = follow_explained(&found.mapping, control, wishes, settings, &|_, _| {
                ControlFlow::Continue(())
            })?;
            return Ok((found, Some(trace)));
        }
        Ok((follow(&found.mapping, control, wishes, settings)?, None))
    }
}

fn tell(
    args: &FollowArgs,
    console: &Console,
    found: &Interpretation,
    plan: &Plan,
    report: &Report,
) -> Result<Verdict, Failure> {
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
