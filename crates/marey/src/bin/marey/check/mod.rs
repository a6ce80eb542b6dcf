//! `marey check`.

mod evidence;
mod sheet;

use std::path::PathBuf;

use clap::Args;
use evidence::Witness;
use marey::formats::Reading;
use marey::formats::file::read_file;
use marey::measure::card::{Card, Thresholds};
use marey::{codes, ops};
use serde::Serialize;

use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::flags::{ConventionFlags, JsonFlag};
use crate::inputs::{self, Input};
use crate::json::Row;
use crate::{batch, json};

/// Judge motion: foot skate, sinking, jolts, bone stretch, likeness, each number beside its threshold
///
/// Numbers that have a threshold are judged; where one is missed, the command ends with 1. Feet are taken to stand where they
/// are low and slow, unless --truth says when they do.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey check walk.bvh                          the quality card of a clip
  marey check out/ --examples corpus/ --json    many, against what examples are like")]
pub(crate) struct CheckArgs {
    /// Files, folders (with all folders in them) and patterns ('walks/**/*.bvh')
    #[arg(required = true, value_name = "CLIP")]
    clips: Vec<PathBuf>,

    /// A motion that the clips should be like; of the same rate and length
    #[arg(long, value_name = "REF")]
    against: Option<PathBuf>,

    /// A path that the clips should follow (.csv, .json, .trc, .c3d)
    #[arg(long, value_name = "FILE")]
    path: Option<PathBuf>,

    /// Motion that shows what is usual: how suddenly joints move, and how far they turn
    #[arg(long, value_name = "FILES", num_args = 1..)]
    examples: Vec<PathBuf>,

    /// When feet stand, as `marey examples` writes it beside its motion (.truth.json)
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,

    /// The ground, where it is not a level floor (.terrain.json)
    #[arg(long, value_name = "FILE")]
    terrain: Option<PathBuf>,

    /// Thresholds as TOML: skate_cm_per_sec, sink_cm, jolt_over_examples, stretch_mm, beyond_deg, path_cm, likeness_cm
    #[arg(long, value_name = "FILE.toml")]
    settings: Option<PathBuf>,

    #[command(flatten)]
    json: JsonFlag,

    #[command(flatten)]
    conventions: ConventionFlags,
}

/// The card of one actor.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ActorCard {
    take: String,
    actor: String,
    passed: bool,
    #[serde(flatten)]
    card: Card,
}

/// What is said about a file, as JSON has it.
#[derive(Debug, Default, Serialize)]
struct Judged {
    passed: Option<bool>,
    cards: Vec<ActorCard>,
}

pub(crate) fn run(args: &CheckArgs, console: &Console) -> Result<Verdict, Failure> {
    let options = args.conventions.options()?;
    let thresholds = args.settings.as_deref().map(evidence::thresholds).transpose()?.unwrap_or_default();
    let witness = Witness::gather(args)?;
    let inputs = inputs::gather(&args.clips)?.files;
    let results = batch::run(console, &inputs, |input| {
        let readings = read_file(&input.path, &options)?.into_readings()?;
        let trimmed = args.conventions.trim_rest;
        let cards = readings.iter().map(|reading| judge(reading, trimmed, &witness, &thresholds));
        Ok(cards.collect::<Result<Vec<_>, Failure>>()?.concat())
    });
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

/// The cards of a take's actors. A calibration pose that is still there is not judged.
fn judge(
    reading: &Reading,
    trimmed: bool,
    witness: &Witness,
    thresholds: &Thresholds,
) -> Result<Vec<ActorCard>, Failure> {
    let mut cards = Vec::new();
    let calibrated = reading.detected.iter().any(|found| found.rest_frame.value);
    let first = usize::from(calibrated && !trimmed);
    for (index, actor) in reading.take.actors().iter().enumerate() {
        let clip = actor.clip.slice(first..actor.clip.frames())?;
        let found = ops::contacts::detect(&clip, &ops::contacts::Settings::default())?;
        let evidence = witness.evidence(index, &clip, &found)?;
        let mut card = Card::of(&clip, &evidence, thresholds)?;
        card.lines.iter_mut().filter_map(|line| line.worst.as_mut()).for_each(|worst| worst.frame += first);
        let (take, name) = (reading.take.name().to_owned(), actor.name.clone());
        cards.push(ActorCard { take, actor: name, passed: card.is_ok(), card });
    }
    Ok(cards)
}

fn show(
    console: &Console,
    inputs: &[Input],
    results: &[Result<Vec<ActorCard>, Failure>],
) -> Result<(), Failure> {
    let done: Vec<(&Input, &Vec<ActorCard>)> = inputs
        .iter()
        .zip(results)
        .filter_map(|(input, result)| Some((input, result.as_ref().ok()?)))
        .collect();
    if !done.is_empty() {
        console.print(&sheet::table(console.out, &done))?;
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
        console.error(&Failure::new(&codes::CHECK_MISSED, message));
    }
    Ok(())
}
