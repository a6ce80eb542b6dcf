//! `marey study`.

mod new;
mod own;
mod plan;
mod results;
mod serve;

use clap::{Args, Subcommand};
use marey::Error;
use marey::study::{NewStudy, StudyDesign};

use crate::console::Console;
use crate::verdict::Verdict;
use crate::{json, table};

/// Ask people whether they believe the motion: a rating study with blind clips, and its analysis
///
/// Plan how many raters are needed (plan), make the clips of a definition (new) or of Marey itself (own), show them to raters in
/// their browsers (serve), and analyse the answers (results).
#[derive(Debug, Args)]
#[command(
    disable_help_subcommand = true,
    before_help = "Examples:
  marey study new study.toml --example     a definition with comments, to start from
  marey study own walks.marey -o own.marey a study of Marey itself"
)]
pub(crate) struct StudyArgs {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    New(new::NewArgs),
    Own(own::OwnArgs),
    Serve(serve::ServeArgs),
    Results(results::ResultsArgs),
    Plan(plan::PlanArgs),
}

pub(crate) fn run(args: &StudyArgs, console: &Console) -> Result<Verdict, Error> {
    match &args.verb {
        Verb::New(args) => new::run(args, console),
        Verb::Own(args) => own::run(args, console),
        Verb::Serve(args) => serve::run(args, console),
        Verb::Results(args) => results::run(args, console),
        Verb::Plan(args) => plan::run(args, console),
    }
}

/// What raters are asked.
const DESIGNS: [(&str, &str, StudyDesign); 3] = [
    ("ratings", "Each clip on every scale; analysis of variance", StudyDesign::Ratings),
    ("pairs", "Which of two clips is better; Bradley and Terry", StudyDesign::Pairs),
    ("recorded", "Which of two clips was recorded; exact binomial tests", StudyDesign::Recorded),
];

/// Prints warnings and the clips of a study that was made.
fn print_made(study: &NewStudy, as_json: bool, console: &Console) -> Result<Verdict, Error> {
    if as_json {
        console.print(&json::array(std::iter::once(study)))?;
        return Ok(Verdict::AllDone);
    }
    console.warnings(&study.report, &study.output);
    let rows = study.clips.iter().map(|(condition, clips)| vec![condition.clone(), clips.to_string()]);
    console.summary(&table::columns(console.out, ["condition", "clips"], rows.collect()))?;
    let output = study.output.display();
    console.note(&format!(
        "{output}: {} trials for each rater; show them with marey study serve {output}\n",
        study.trials
    ));
    Ok(Verdict::AllDone)
}
