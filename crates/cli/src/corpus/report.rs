//! `marey corpus report`.

use std::path::PathBuf;

use clap::Args;
use marey::Error;
use marey::quality::{self, QualityGrade, QualityRequest, TakeQuality};

use super::{count, print};
use crate::console::Console;
use crate::flags::{ExampleFlags, ForceFlag, JsonFlag};
use crate::table;
use crate::verdict::Verdict;

/// Grade takes: good, usable or bad, and why
///
/// A take is bad if most of it is unusable, if it is too short, upside down, or not a person. It is usable if some frames are
/// unusable, its frame rate is doubtful, or a measure of its quality card exceeds a threshold. Takes are listed with the worst first.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus report all.marey         every take of a corpus
  marey corpus report archive/ --json   motion files, with their quality cards")]
pub(super) struct ReportArgs {
    /// A corpus, a file ending in .marey; or motion files: a folder, a pattern or a file
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    /// Names of takes, or # and a number; default: all takes
    #[arg(value_name = "TAKE")]
    takes: Vec<String>,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    sources: ExampleFlags,
}

pub(super) fn run(args: &ReportArgs, console: &Console) -> Result<Verdict, Error> {
    let context = args.sources.context(std::slice::from_ref(&args.corpus), &args.force, console)?;
    let request = QualityRequest { takes: args.takes.clone(), ..QualityRequest::default() };
    let mut takes =
        console.observed(|observer| quality::run(&request, &console.context(context, observer)))?;
    takes.sort_by_key(|take| std::cmp::Reverse(take.grade));
    print(console, &args.json, &takes, || {
        let heading = ["take", "name", "secs", "unusable", "segments", "grade", "why"];
        console.print(&table::columns(console.out, heading, takes.iter().map(cells).collect()))?;
        let graded = |grade: QualityGrade| takes.iter().filter(|take| take.grade == grade).count();
        let [good, usable, bad] = [QualityGrade::Good, QualityGrade::Usable, QualityGrade::Bad].map(graded);
        console.note(&format!("{}: {good} good, {usable} usable, {bad} bad\n", count(takes.len(), "take")));
        Ok(())
    })
}

fn cells(take: &TakeQuality) -> Vec<String> {
    vec![
        take.id.to_string(),
        take.name.clone(),
        format!("{:.1}", take.duration_secs),
        format!("{:.2}", take.unusable_secs),
        take.segments.to_string(),
        take.grade.name().to_owned(),
        take.reasons.join(", "),
    ]
}
