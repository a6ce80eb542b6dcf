//! `marey study plan`.

use std::path::PathBuf;

use clap::Args;
use marey::study::{self, NestedSums, StudyDesign, StudyPlanRequest};
use marey::{Context, Error};

use super::DESIGNS;
use crate::console::Console;
use crate::flags::{JsonFlag, choice};
use crate::verdict::Verdict;
use crate::{json, table};

/// Compute how many raters a study needs for which difference
///
/// For ratings, from the expected mean squares of the analysis of variance, confirmed by simulated studies. For pairs, from the exact
/// binomial test. A dash means that no number of raters is enough, because so few clips do not represent their condition.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey study plan --clips 20 --classes 3                    raters for usual differences
  marey study plan --design recorded --difference 0.6        raters who find 60 % of the recorded clips")]
pub(crate) struct PlanArgs {
    /// What raters are asked
    #[arg(long, value_name = "DESIGN", default_value = "ratings", value_parser = choice(DESIGNS))]
    design: StudyDesign,

    /// Difference to find: points between two conditions, or for pairs a share above 0.5; can be repeated [default: usual ones]
    #[arg(long, value_name = "D")]
    difference: Vec<f64>,

    /// Chance to find the difference
    #[arg(long, value_name = "P", default_value_t = StudyPlanRequest::default().power)]
    power: f64,

    /// Clips of each condition, or pairs of clips
    #[arg(long, value_name = "N", default_value_t = StudyPlanRequest::default().sequences)]
    clips: usize,

    /// Classes of raters
    #[arg(long, value_name = "N", default_value_t = StudyPlanRequest::default().classes)]
    classes: usize,

    /// A study with answers, whose variances are used [default: those of the paper that docs/study.md describes]
    #[arg(long, value_name = "STUDY.marey")]
    pilot: Option<PathBuf>,

    /// Number of studies that are simulated to confirm the power; 0 for none
    #[arg(long, value_name = "N", default_value_t = StudyPlanRequest::default().studies)]
    simulate: u64,

    /// Random seed of the simulation
    #[arg(long, value_name = "N", default_value_t = StudyPlanRequest::default().seed)]
    seed: u64,

    #[command(flatten)]
    json: JsonFlag,
}

pub(super) fn run(args: &PlanArgs, console: &Console) -> Result<Verdict, Error> {
    let mut request = StudyPlanRequest {
        design: args.design,
        differences: args.difference.clone(),
        power: args.power,
        sequences: args.clips,
        classes: args.classes,
        studies: args.simulate,
        seed: args.seed,
        ..StudyPlanRequest::default()
    };
    if let Some(pilot) = &args.pilot {
        let read = || {
            let answered = study::read(&*Context::open(pilot)?.corpus()?)?;
            let conditions: Vec<usize> = (0..answered.definition.conditions.len()).collect();
            Ok(NestedSums::of(&answered.ratings(0, &conditions, false))?.variances())
        };
        request.variances = read().map_err(|error: Error| error.in_file(pilot))?;
    }
    let rows = request.plan()?;
    if args.json.json {
        console.print(&json::array(rows.iter()))?;
        return Ok(Verdict::AllDone);
    }
    let share = |share: Option<f64>| share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"));
    let cells = rows.iter().map(|row| {
        let raters = row.raters.map_or_else(|| "-".to_owned(), |raters| raters.to_string());
        vec![format!("{}", row.difference), raters, share(row.power), share(row.simulated)]
    });
    let heading = ["difference", "raters", "power", "simulated"];
    console.print(&table::columns(console.out, heading, cells.collect()))?;
    Ok(Verdict::AllDone)
}
