//! `marey check`.

pub(crate) mod sheet;

use std::path::{Path, PathBuf};

use clap::Args;
use marey::check::{ActorCard, Named, Witness, judge, tell_others};
use marey::codes;
use marey::formats::FileTake;
use marey::formats::file::read_file;
use marey::inputs::{self, Input};
use marey::measure::card::Thresholds;
use marey::plan::Plan;
use serde::Serialize;

use crate::console::Console;
use crate::flags::{ConventionFlags, JsonFlag};
use crate::json::Row;
use crate::verdict::Verdict;
use crate::{batch, json};
use marey::Error;

/// Judge motion: foot skate, sinking, jolts, bone stretch, holds, likeness, each number beside its threshold
///
/// Numbers that have a threshold are judged; where one is missed, the command ends with 1. Feet are taken to stand where they
/// are low and slow, unless --truth says when they do. Of several clips, each is told how far it is from the others.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey check walk.bvh                                          the quality card of a clip
  marey check out.bvh --plan plan.json --against walks.marey    joins and all, against what examples are like")]
pub(crate) struct CheckArgs {
    /// Files, folders (with all folders in them) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,

    /// A motion that the clips should be like, of the same rate and length; or a corpus (.marey), which shows what is usual
    #[arg(long, value_name = "REF")]
    against: Option<PathBuf>,

    /// A path that the clips should follow (.csv, .json, .trc, .c3d)
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,

    /// Motion files or corpora that show what is usual: how suddenly joints move, and how far they turn
    #[arg(long, value_name = "FILES", num_args = 1..)]
    examples: Vec<PathBuf>,

    /// The plan that the clips were made by: says where pieces are joined, who holds whom, and which examples were used
    #[arg(long, value_name = "FILE.json")]
    plan: Option<PathBuf>,

    /// When feet stand and hands hold, as `marey examples` writes it beside its motion (.truth.json)
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,

    /// The ground, where it is not a level floor (.terrain.json)
    #[arg(long, value_name = "FILE")]
    terrain: Option<PathBuf>,

    /// Thresholds as TOML: skate_cm_per_sec, sink_cm, jolt_over_examples, stretch_mm, beyond_deg, hold_cm, path_cm, likeness_cm
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

/// What is said about a file, as JSON has it.
#[derive(Debug, Default, Serialize)]
struct Judged {
    passed: Option<bool>,
    cards: Vec<ActorCard>,
}

pub(crate) fn run(args: &CheckArgs, console: &Console) -> Result<Verdict, Error> {
    let options = args.conventions.options()?;
    let thresholds = args.settings.as_deref().map(settings).transpose()?.unwrap_or_default();
    let witness = args.witness()?;
    let inputs = inputs::gather(&args.clips)?.files;
    let mut results = batch::run(console, &inputs, |input| {
        let readings = read_file(&input.path, &options)?.into_takes()?;
        let trimmed = args.conventions.trim_rest;
        let cards = readings.iter().map(|reading| judged(reading, trimmed, &witness, &thresholds));
        Ok(cards.collect::<Result<Vec<_>, Error>>()?.concat())
    });
    tell_others(results.iter_mut().filter_map(|result| result.as_mut().ok()?.first_mut()))?;
    if args.json.json {
        let rows = inputs.iter().zip(&results).map(|(input, result)| {
            let judged = result.as_ref().map(|cards| Judged {
                passed: Some(cards.iter().all(|card| card.passed)),
                cards: cards.clone(),
            });
            Row::new(&input.path, result.as_ref().err(), judged.unwrap_or_default())
        });
        console.print(&json::array(rows))?;
    } else {
        show(console, &inputs, &results)?;
    }
    let passed = results.iter().flatten().flatten().all(|card| card.passed);
    Ok(if passed { Verdict::of(&results) } else { Verdict::SomeFailed })
}

impl CheckArgs {
    fn witness(&self) -> Result<Witness, Error> {
        let read = |path: &Path| {
            Plan::from_json(&inputs::text(path)?).map_err(|error| Error::from(error).in_file(path))
        };
        Witness::gather(&Named {
            against: self.against.as_deref(),
            path: self.path.as_deref(),
            examples: &self.examples,
            plan: self.plan.as_deref().map(read).transpose()?,
            truth: self.truth.as_deref(),
            terrain: self.terrain.as_deref(),
        })
    }
}

/// The cards of a reading. A calibration pose that is still there is not judged.
fn judged(
    reading: &FileTake,
    trimmed: bool,
    witness: &Witness,
    thresholds: &Thresholds,
) -> Result<Vec<ActorCard>, Error> {
    let calibrated = reading.detected.iter().any(|found| found.rest_frame.value);
    judge(&reading.take, usize::from(calibrated && !trimmed), witness, thresholds)
}

/// Thresholds, or settings of any other kind, from a TOML file.
pub(crate) fn settings<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, Error> {
    let wrong = |error: toml::de::Error| Error::settings(error.message()).in_file(path);
    toml::from_str(&inputs::text(path)?).map_err(wrong)
}

fn show(console: &Console, inputs: &[Input], results: &[Result<Vec<ActorCard>, Error>]) -> Result<(), Error> {
    let done: Vec<(&Input, &Vec<ActorCard>)> = inputs
        .iter()
        .zip(results)
        .filter_map(|(input, result)| Some((input, result.as_ref().ok()?)))
        .collect();
    if !done.is_empty() {
        let files: Vec<(&Path, &[ActorCard])> =
            done.iter().map(|(input, cards)| (input.path.as_path(), cards.as_slice())).collect();
        console.print(&sheet::table(console.out, &files))?;
    }
    match results {
        [Err(failure)] => console.error(failure),
        _ => {
            let failures = results.iter().filter_map(|result| result.as_ref().err());
            batch::tell_failures(console, failures.collect(), results.len());
        }
    }
    for card in done.iter().flat_map(|(_, cards)| cards.iter()).filter(|card| !card.passed) {
        let missed = card.card.lines.iter().filter(|line| !line.ok).map(|line| line.name);
        let message = format!("{}: {}", card.actor, missed.collect::<Vec<_>>().join(", "));
        console.error(&Error::new(&codes::CHECK_MISSED, message));
    }
    Ok(())
}
