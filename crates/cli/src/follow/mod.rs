//! `marey follow`.

mod flags;

use std::path::{Path, PathBuf};

use clap::Args;
pub(crate) use flags::FollowFlags;
use marey::follow::{self, FollowDetails, FollowRequest, LearntMetric, MetricClasses, SearchMode};
use marey::{Error, Outcome};
use serde::Serialize;

use crate::console::Console;
use crate::flags::PassFlags;
use crate::output::{OutputFlags, PlanFlag};
use crate::verdict::Verdict;

/// Follow a control by example: walk along a path, dance with a leader
///
/// Interprets the control as a sequence of the corpus's segments, moved on the floor and stretched. The result is what
/// the actors of those segments did, joined, with planted feet. An actor that leads is written beside the follower, and
/// hands hold as they did in the examples.
#[derive(Debug, Args)]
#[command(
    override_usage = "marey follow [OPTIONS] --output <OUT> <CORPUS>... <CONTROL>",
    before_help = "Examples:
  marey follow walks/ path.csv -o walk.glb --character me.glb            walk along a path
  marey follow dances.marey lead.bvh -o pair.bvh --control actor:leader  a partner for a leader"
)]
pub(crate) struct FollowArgs {
    #[command(flatten)]
    flags: FollowFlags,

    /// Decide during the control, at most one longest segment late, as for a live partner
    #[arg(long, conflicts_with_all = ["explain", "uses", "avoid"])]
    live: bool,

    /// Also write the best candidates of each choice, and their costs: interpretation by each point, continuity, stretch. The
    /// ending decides: .html, a page with pictures; .txt; .json
    #[arg(long, value_name = "WHY", value_parser = explanation_path)]
    explain: Option<PathBuf>,

    #[command(flatten)]
    plan: PlanFlag,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    passes: PassFlags,
}

/// What `--json` adds. Costs are in square metres.
#[derive(Debug, Serialize)]
struct FollowRow {
    pieces: usize,
    score: f64,
    interpretation: f64,
    continuity: f64,
    stretch: f64,
    /// How the metric of the control was learnt; null for the plain one.
    metric: Option<MetricRow>,
    /// The share of the score that a better result could save, at most.
    gap: f64,
}

/// A learnt metric: what it was learnt from, and how far targets are from those that it predicts, in metres.
#[derive(Debug, Serialize)]
struct MetricRow {
    classes: MetricClasses,
    shrinkage: f64,
    error_m: f64,
    plain_error_m: f64,
}

impl From<&LearntMetric> for MetricRow {
    fn from(learnt: &LearntMetric) -> Self {
        let LearntMetric { classes, shrinkage, error_m, plain_error_m, .. } = *learnt;
        Self { classes, shrinkage, error_m, plain_error_m }
    }
}

pub(crate) fn run(args: &FollowArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[&args.plan.plan, &args.explain])?;
    let (request, mut report) = args.flags.request(args.mode())?;
    let request =
        FollowRequest { passes: args.passes.changes()?, keep_holds: args.passes.keeps_holds(), ..request };
    let context = args.output.context(args.flags.context(&args.output.force, console)?)?;
    let outcome = console.observed(|observer| follow::run(&request, &console.context(context, observer)));
    let mut outcome = outcome.map_err(|error| args.flags.with_control(error))?;
    report.absorb(outcome.report);
    outcome.report = report;
    args.write_explanation(&outcome)?;
    let interpreted = &outcome.details.interpretation;
    let (interpretation, continuity, stretch) = interpreted.parts();
    let row = FollowRow {
        pieces: interpreted.pieces.len(),
        score: interpreted.score,
        interpretation,
        continuity,
        stretch,
        metric: outcome.details.metric.as_ref().map(MetricRow::from),
        gap: interpreted.gap,
    };
    let summary = format!(
        "{} segments; interpretation {interpretation:.3} m², continuity {continuity:.3} m², stretch {stretch:.3} m²",
        row.pieces
    );
    args.output.save(console, &outcome, Some(&args.plan), Some(args.flags.control_file()), summary, row)
}

/// The path of an explanation, whose ending is known.
fn explanation_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match ending(&path).as_str() {
        "html" | "txt" | "json" => Ok(path),
        _ => Err("expected a file ending in .html, .txt or .json".into()),
    }
}

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default()
}

impl FollowArgs {
    fn write_explanation(&self, outcome: &Outcome<FollowDetails>) -> Result<(), Error> {
        let Some(path) = &self.explain else { return Ok(()) };
        let explanation = &outcome.details.explanation;
        match ending(path).as_str() {
            "html" => self.output.force.write(path, explanation.to_html().as_bytes()),
            "txt" => self.output.force.write(path, explanation.to_text().as_bytes()),
            _ => self.output.write_json(&self.explain, &outcome.trace),
        }
    }

    fn mode(&self) -> SearchMode {
        match (self.live, &self.explain) {
            (true, _) => SearchMode::Live,
            (false, Some(_)) => SearchMode::Explained,
            (false, None) => SearchMode::Optimal,
        }
    }
}
