//! `marey duet label`.

use clap::Args;
use marey::duet::DuetLabelSettings;
use marey::duet::label::{self, DuetLabelRequest, LabelSummary, TakeCoverage, UnusedStretch};
use marey::{Context, Error};

use super::UnisonFlag;
use crate::console::Console;
use crate::corpus::CorpusFlag;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;
use crate::{json, table};

/// Find the movements of both people and group similar ones
///
/// A genetic search over the frames in which feet come down. Movements become segments of the corpus, named after their group. Rename,
/// move or cut them as you like before you train.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey duet label bouts.marey                             all takes of two people
  marey duet label bouts.marey --only final --plateau 500  one take, until the search stops improving")]
pub(super) struct LabelArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Use only this take, by name or # and number; can be repeated
    #[arg(long, value_name = "TAKE")]
    only: Vec<String>,

    /// Number of generations
    #[arg(long, value_name = "N", default_value_t = DuetLabelSettings::default().iterations)]
    iterations: u32,

    /// Number of genes in a generation
    #[arg(long, value_name = "N", default_value_t = DuetLabelSettings::default().population)]
    population: usize,

    /// Stop after this many generations without improvement
    #[arg(long, value_name = "N")]
    plateau: Option<u32>,

    /// Maximum distance of a movement from the mean of its group, in metres [default: from the recordings, at least 0.03]
    #[arg(long, value_name = "METRES")]
    radius: Option<f32>,

    /// Minimum distance between the means of two groups, in metres [default: half the radius]
    #[arg(long, value_name = "METRES")]
    spacing: Option<f32>,

    /// Cut wherever a foot comes down, even if the other foot is in the air
    #[arg(long)]
    any_step: bool,

    #[command(flatten)]
    unison: UnisonFlag,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = DuetLabelRequest::default().seed)]
    seed: u64,

    /// Number of independent searches, of which the best is kept
    #[arg(long, value_name = "N", default_value_t = DuetLabelRequest::default().islands, value_parser = clap::value_parser!(u64).range(1..=1000))]
    islands: u64,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &LabelArgs, console: &Console) -> Result<Verdict, Error> {
    let request = args.request();
    let context = Context::with_corpus(args.corpus.open()?);
    let found = console
        .observed(|observer| label::run(&request, &console.context(context, observer)))
        .map_err(|error| args.corpus.about(error))?;
    console.warnings(&found.report, args.corpus.path());
    if found.is_couple && request.settings.in_unison.is_none() {
        console.note("the two are within reach of each other most of the time, or repeat little, and were cut together; --unison no cuts each separately\n");
    }
    if args.json.json {
        console.print(&json::object(&found))?;
        return Ok(Verdict::AllDone);
    }
    for take in &found.takes {
        console.note(&coverage(take));
    }
    let heading = ["person", "cut points", "movements", "groups", "fitness", "generations"];
    let rows = found.people.into_iter().map(|summary| {
        let LabelSummary { person, cut_points, movements, groups, fitness, generations } = summary;
        let [cut_points, movements, groups] =
            [cut_points, movements, groups].map(|number| number.to_string());
        vec![person, cut_points, movements, groups, format!("{fitness:.2}"), generations.to_string()]
    });
    console.summary(&table::columns(console.out, heading, rows.collect()))?;
    Ok(Verdict::AllDone)
}

/// A line about a take, and one about each stretch of it that is not used.
fn coverage(take: &TakeCoverage) -> String {
    let TakeCoverage { take, in_movements, unused } = take;
    let mut lines = format!("{take}: {:.0} % of the time is in movements\n", 100.0 * in_movements);
    for UnusedStretch { person, start, end, reason } in unused {
        lines += &format!("  {person}, frames {start} to {end}: {reason}\n");
    }
    lines
}

impl LabelArgs {
    fn request(&self) -> DuetLabelRequest {
        let settings = DuetLabelSettings {
            in_unison: self.unison.unison,
            both_feet: !self.any_step,
            iterations: self.iterations,
            population: self.population,
            plateau: self.plateau,
            max_radius_m: self.radius,
            min_spacing_m: self.spacing,
            ..DuetLabelSettings::default()
        };
        DuetLabelRequest { takes: self.only.clone(), seed: self.seed, islands: self.islands, settings }
    }
}
