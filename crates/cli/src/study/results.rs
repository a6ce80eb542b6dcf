//! `marey study results`.

use std::path::PathBuf;

use clap::Args;
use marey::study::{self, SimulatedEffects, StudyResults, VarianceComponents};
use marey::{Context, Error, codes};

use crate::console::Console;
use crate::flags::{ForceFlag, JsonFlag};
use crate::verdict::Verdict;
use crate::{json, table};

/// Analyse the answers of a study, also while it runs
///
/// Prints the comparison of every two conditions. The report (.html) adds plots and the analysis of variance, .json has every
/// number, .csv every answer. Raters who did not answer everything are left out of the analysis of ratings.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey study results study.marey -o report.html -o answers.csv     a report, and every answer
  marey study results study.marey --simulate 40 -o preview.html     what a result would look like")]
pub(crate) struct ResultsArgs {
    /// The study
    #[arg(value_name = "STUDY.marey")]
    study: PathBuf,

    /// Write a report (.html), the numbers (.json) or the answers (.csv); can be repeated
    #[arg(short, long, value_name = "OUT")]
    output: Vec<PathBuf>,

    /// Analyse the answers of this many simulated raters instead of those of people
    #[arg(long, value_name = "N")]
    simulate: Option<usize>,

    /// How many points simulated raters find each condition better than the first, in the order of the definition; the last is
    /// repeated [default: no better]
    #[arg(long, value_name = "POINTS", requires = "simulate", allow_negative_numbers = true, num_args = 1..)]
    better: Vec<f64>,

    /// Random seed of simulated raters
    #[arg(long, value_name = "N", default_value_t = 1, requires = "simulate")]
    seed: u64,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// The most raters that are simulated.
const MAX_SIMULATED: usize = 10_000;

pub(super) fn run(args: &ResultsArgs, console: &Console) -> Result<Verdict, Error> {
    for output in &args.output {
        let ending = output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        if !["html", "json", "csv"].contains(&ending) {
            let message = format!("{}: use .html, .json or .csv", output.display());
            return Err(Error::usage(&codes::OUTPUT_ENDING, message));
        }
        args.force.check(output)?;
    }
    let in_study = |error: Error| error.in_file(&args.study);
    let mut answered = study::read(&*Context::open(&args.study)?.corpus()?).map_err(in_study)?;
    if let Some(raters) = args.simulate {
        if raters > MAX_SIMULATED {
            return Err(Error::settings(format!("{raters} raters; at most {MAX_SIMULATED} are simulated")));
        }
        let better = std::iter::once(0.0).chain(args.better.iter().copied()).collect();
        let effects = SimulatedEffects { better, variances: VarianceComponents::default() };
        answered = answered.simulated(raters, &effects, args.seed);
    }
    let results = answered.results();
    for output in &args.output {
        let content = match output.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => answered.to_csv(),
            Some("json") => json::object(&results),
            _ => results.to_html(),
        };
        args.force.write(output, content.as_bytes())?;
    }
    if args.json.json {
        console.print(&json::array(std::iter::once(&results)))?;
        return Ok(Verdict::AllDone);
    }
    print(&results, console)
}

fn print(results: &StudyResults, console: &Console) -> Result<Verdict, Error> {
    let p = |p: f64| format!("{p:.4}");
    console.note(&format!(
        "{} raters, {} of them complete, {} answers\n",
        results.raters, results.complete, results.answers
    ));
    for note in &results.notes {
        console.note(&format!("note: {note}\n"));
    }
    let mut rows = Vec::new();
    for scale in &results.scales {
        rows.extend(scale.comparisons.iter().map(|c| {
            vec![
                scale.name.clone(),
                format!("{} − {}", c.second, c.first),
                format!("{:.2}", c.points.difference),
                format!("{:.2} … {:.2}", c.points.interval.low, c.points.interval.high),
                format!("{:.2}", c.test.d),
                p(c.test.p),
                p(c.p_adjusted),
            ]
        }));
    }
    if !rows.is_empty() {
        let heading = ["scale", "difference", "points", "95 %", "d", "p", "p, Holm"];
        console.print(&table::columns(console.out, heading, rows))?;
    }
    let share = |test: &study::BinomialTest| {
        let found = format!("{} of {}", test.successes, test.trials);
        let interval = format!("{:.1} … {:.1}", 100.0 * test.interval.low, 100.0 * test.interval.high);
        [found, format!("{:.1}", 100.0 * test.share), interval, p(test.p)]
    };
    if let Some(preferences) = &results.preferences {
        let rows = preferences.comparisons.iter().map(|c| {
            let name = format!("{} over {}", c.second, c.first);
            std::iter::once(name).chain(share(&c.direct)).chain([p(c.p_adjusted)]).collect()
        });
        let heading = ["preferred", "chosen", "%", "95 %", "p", "p, Holm"];
        console.print(&table::columns(console.out, heading, rows.collect()))?;
    }
    if !results.recorded.is_empty() {
        let rows = results.recorded.iter().map(|result| {
            let name = result.condition.clone().unwrap_or_else(|| "all together".to_owned());
            std::iter::once(name).chain(share(&result.test)).chain([p(result.p_adjusted)]).collect()
        });
        let heading = ["recorded beside", "found", "%", "95 %", "p", "p, Holm"];
        console.print(&table::columns(console.out, heading, rows.collect()))?;
    }
    Ok(Verdict::AllDone)
}
