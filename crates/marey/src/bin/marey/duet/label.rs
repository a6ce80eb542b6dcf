//! `marey duet label`.

use std::ops::ControlFlow;

use clap::Args;
use marey::bouts::{Found, islands, put_labels};
use marey::duet::{LabelSettings, Pair};
use marey::pairs::Pairs;
use marey::plan::Seed;

use super::UnisonFlag;
use crate::console::Console;
use crate::corpus::CorpusFlag;
use crate::failure::{Failure, Verdict};
use crate::flags::JsonFlag;
use crate::{json, table};

/// Find the movements of both, and which are alike
///
/// A genetic search over the instants at which feet have come down. Movements become segments of the corpus, named after their group;
/// rename, move or cut them as you like, and train from what is there then.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey duet label bouts.marey                             all takes of two
  marey duet label bouts.marey --only final --plateau 500  one take, until nothing better is found for long")]
pub(super) struct LabelArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Only this take, by name or # and number; may be given again
    #[arg(long, value_name = "TAKE")]
    only: Vec<String>,

    /// How many generations are searched
    #[arg(long, value_name = "N", default_value_t = LabelSettings::default().iterations)]
    iterations: u32,

    /// How many genes a generation has
    #[arg(long, value_name = "N", default_value_t = LabelSettings::default().population)]
    population: usize,

    /// Stop when the best has not become better for so many generations
    #[arg(long, value_name = "N")]
    plateau: Option<u32>,

    /// How far a movement may be from the middle of its group, in metres [default: as movements repeat themselves, at least 0.03]
    #[arg(long, value_name = "METRES")]
    radius: Option<f32>,

    /// How near the middles of two groups may be, in metres [default: half the radius]
    #[arg(long, value_name = "METRES")]
    spacing: Option<f32>,

    /// Cut wherever a foot comes down, also while the other is in the air
    #[arg(long)]
    any_step: bool,

    #[command(flatten)]
    unison: UnisonFlag,

    /// Where chance starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Search so many times from different chances, and keep the fittest
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1000))]
    islands: u64,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &LabelArgs, console: &Console) -> Result<Verdict, Failure> {
    let settings = LabelSettings {
        in_unison: args.unison.answer(),
        both_feet: !args.any_step,
        iterations: args.iterations,
        population: args.population,
        plateau: args.plateau,
        most_radius_m: args.radius,
        least_spacing_m: args.spacing,
        ..LabelSettings::default()
    };
    let mut corpus = args.corpus.open()?;
    let pairs = Pairs::of_corpus(&corpus, &args.only).map_err(|error| args.corpus.about(error))?;
    if args.unison.answer().is_none() && Pair::are_a_couple(&pairs.pairs) {
        console.note("they are within reach of each other most of the time, and are cut as one; or with --unison no, each by themselves\n");
    }
    let bar = console.steps(u64::from(args.iterations), "generations");
    let watch = |generations: u32, [one, other]: [f64; 2]| {
        bar.set_position(u64::from(generations));
        bar.set_message(format!("fitness {one:.2} and {other:.2}"));
        ControlFlow::Continue(())
    };
    let labels = islands(&pairs, &settings, Seed(args.seed), args.islands, &watch)
        .map_err(|failure| args.corpus.about(failure))?;
    bar.finish_and_clear();
    let found = put_labels(&mut corpus, &pairs, &labels).map_err(|failure| args.corpus.about(failure))?;
    if args.json.json {
        console.print(&json::array(found.iter()))?;
        return Ok(Verdict::AllDone);
    }
    let heading = ["who", "instants", "movements", "groups", "fitness", "generations"];
    let rows = found.into_iter().map(|found| {
        let Found { person, instants, movements, groups, fitness, generations } = found;
        let numbers = [instants, movements, groups].map(|number| number.to_string());
        let [instants, movements, groups] = numbers;
        vec![person, instants, movements, groups, format!("{fitness:.2}"), generations.to_string()]
    });
    console.print(&table::columns(console.out, heading, rows.collect()))?;
    Ok(Verdict::AllDone)
}
