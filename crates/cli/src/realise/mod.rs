//! `marey realise`.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::measure::judge::ActorCard;
use marey::motion::Report;
use marey::realise::{self, RealiseRequest};
use marey::{Context, Error, inputs};
use serde::Serialize;

use crate::check::sheet;
use crate::console::Console;
use crate::flags::{ExampleFlags, PassFlags};
use crate::json::{self, Row};
use crate::output::OutputFlags;
use crate::verdict::Verdict;

/// Make motion from a plan: place, stretch and join clips, keep feet planted and hands held
///
/// A plan is a JSON file that an engine or a person wrote (docs/plan.md). It names takes of the corpus by name or # and number; a plan
/// that carries all its clips needs no corpus. Foot contacts are as annotated in the corpus, or else detected. The same plan and
/// settings give the same bytes. Prints the quality measures without pass or fail; `marey check` judges them.
#[derive(Debug, Args)]
#[command(
    override_usage = "marey realise [OPTIONS] --output <OUT> [CORPUS] <PLAN>",
    before_help = "Examples:
  marey realise walks.marey plan.json -o walk.glb                        with every pass
  marey realise walks.marey plan.json -o raw.bvh --join none --no-plant  only cut and placed, to compare"
)]
pub(crate) struct RealiseArgs {
    /// The corpus, a file ending in .marey, or the motion files of which `marey follow` made it, unless the plan carries all its clips; then the plan, a JSON file
    #[arg(value_name = "INPUT", num_args = 1..=2, required = true)]
    inputs: Vec<PathBuf>,

    /// Motion to compare the result with, of the same rate and length
    #[arg(long, value_name = "REF")]
    against: Option<PathBuf>,

    #[command(flatten)]
    output: OutputFlags,

    #[command(flatten)]
    passes: PassFlags,

    #[command(flatten)]
    sources: ExampleFlags,
}

/// The result as JSON.
#[derive(Debug, Default, Serialize)]
struct RealiseRow {
    output: String,
    frames: Option<usize>,
    rate_hz: Option<f64>,
    duration_secs: Option<f64>,
    warnings: Vec<&'static str>,
    passed: Option<bool>,
    cards: Vec<ActorCard>,
    #[serde(skip)]
    report: Report,
}

pub(crate) fn run(args: &RealiseArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[])?;
    let result = args.run(console);
    if args.output.json.json {
        let error = result.as_ref().err().cloned();
        let row = Row::new(args.plan(), error.as_ref(), result.unwrap_or_default());
        console.print(&json::array(std::iter::once(row)))?;
        return Ok(Verdict::passed(error.is_none()));
    }
    let row = result?;
    console.warnings(&row.report, args.plan());
    console.summary(&sheet::table(console.out, &[(&args.output.output, &row.cards)]))?;
    console.note(&format!("wrote {}\n", row.output));
    Ok(Verdict::AllDone)
}

impl RealiseArgs {
    fn plan(&self) -> &Path {
        self.inputs.last().map_or(Path::new(""), PathBuf::as_path)
    }

    fn context(&self, console: &Console) -> Result<Context<'static>, Error> {
        match self.inputs.as_slice() {
            [corpus, _] => self.sources.context(std::slice::from_ref(corpus), &self.output.force, console),
            _ => Ok(Context::new()),
        }
    }

    fn run(&self, console: &Console) -> Result<RealiseRow, Error> {
        let request = RealiseRequest {
            plan: inputs::text(self.plan())?,
            passes: self.passes.changes()?,
            keep_holds: self.passes.keeps_holds(),
            name: self.output.name(),
            reference: self.against.as_deref().map(inputs::take).transpose()?,
        };
        let context = self.output.context(self.context(console)?)?;
        let outcome =
            console.observed(|observer| realise::run(&request, &console.context(context, observer)));
        let outcome = outcome.map_err(|error| error.in_file(self.plan()))?;
        let mut report = outcome.report;
        report.absorb(self.output.write(&outcome.take)?);
        let cards = outcome.details.cards;
        Ok(RealiseRow {
            output: self.output.output.display().to_string(),
            frames: Some(outcome.take.frames()),
            rate_hz: Some(outcome.take.rate_hz()),
            duration_secs: Some(outcome.take.frames() as f64 / outcome.take.rate_hz()),
            warnings: report.codes(),
            passed: Some(cards.iter().all(|card| card.passed)),
            cards,
            report,
        })
    }
}
