//! `marey realise`.

mod passes;

use std::path::{Path, PathBuf};

use clap::Args;
use marey::formats::write;
use marey::making::{self, Wish, make};
use marey::motion::{Report, Take};
use marey::quality::ActorCard;
use marey::{inputs, realise};
use passes::PassFlags;
use serde::Serialize;

use crate::check::sheet;
use crate::console::Console;
use crate::convert::usual_options;
use crate::corpus::CorpusFlag;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, JsonFlag};
use crate::json::{self, Row};

/// Make motion from a plan: pieces of examples placed, stretched and joined, feet that stand, hands that hold
///
/// A plan is a JSON file that an engine wrote or a person (docs/plan.md). It names takes of the corpus by name or # and number.
/// When feet stand is as the corpus has it, or else as seen in the motion. The same plan and settings give the same bytes. The
/// quality card is told, not judged: `marey check` judges.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey realise walks.marey plan.json -o walk.glb                      as the plan says, every pass on
  marey realise walks.marey plan.json -o raw.bvh --join none --no-plant  only cut and placed, to compare")]
pub(crate) struct RealiseArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The plan, a JSON file
    #[arg(value_name = "PLAN")]
    plan: PathBuf,

    /// Where the motion goes: ends in .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// A motion that the result should be like, of the same rate and length; more lines of the card
    #[arg(long, value_name = "REF")]
    against: Option<PathBuf>,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    passes: PassFlags,
}

/// What came of a plan, as JSON has it.
#[derive(Debug, Default, Serialize)]
struct Made {
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

pub(crate) fn run(args: &RealiseArgs, console: &Console) -> Result<Verdict, Failure> {
    let options = usual_options(&args.output)?;
    let settings = args.passes.settings()?;
    args.force.check(&args.output)?;
    let result = args.make(&settings, |take| {
        let (bytes, report) = write(take, &options)?;
        args.force.write(&args.output, &bytes)?;
        Ok(report)
    });
    if args.json.json {
        let failure = result.as_ref().err().cloned();
        let row = Row::new(&args.plan, failure.as_ref(), result.unwrap_or_default());
        console.print(&json::array([row].into_iter()))?;
        return Ok(if failure.is_none() { Verdict::AllDone } else { Verdict::SomeFailed });
    }
    let made = result?;
    made.report.warnings().iter().for_each(|warning| console.warning(warning, &args.plan));
    console.print(&sheet::table(console.out, &[(&args.output, &made.cards)]))?;
    console.note(&format!("wrote {}\n", args.output.display()));
    Ok(Verdict::AllDone)
}

impl RealiseArgs {
    /// Realises, measures what was made, and writes it.
    fn make(
        &self,
        settings: &realise::Settings,
        write: impl FnOnce(&Take) -> Result<Report, Failure>,
    ) -> Result<Made, Failure> {
        let json = inputs::text(&self.plan)?;
        let reference = self.against.as_deref().map(inputs::take).transpose()?;
        let wish = Wish { settings: *settings, keeps_holds: self.passes.keeps_holds(), reference };
        let made = make(self.corpus.look()?, &json, &wish, &name_of(&self.output));
        let making::Made { take, plan, cards, mut report } =
            made.map_err(|failure| failure.in_file(&self.plan))?;
        report.absorb(write(&take)?);
        Ok(Made {
            output: self.output.display().to_string(),
            frames: Some(take.frames()),
            rate_hz: Some(take.rate_hz()),
            duration_secs: Some(plan.duration_secs()),
            warnings: report.codes(),
            passed: Some(cards.iter().all(|card| card.passed)),
            cards,
            report,
        })
    }
}

/// What a file's take is called: the file, without its ending.
fn name_of(output: &Path) -> String {
    output.file_stem().map_or_else(|| "plan".into(), |name| name.to_string_lossy().into_owned())
}
