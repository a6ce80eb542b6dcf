//! `marey check`.

pub(crate) mod evidence;
pub(crate) mod sheet;
pub(crate) mod usual;

use std::path::{Path, PathBuf};

use clap::Args;
use evidence::Witness;
use marey::formats::Reading;
use marey::formats::file::read_file;
use marey::measure::card::{Card, Thresholds};
use marey::measure::variety::from_others_m;
use marey::motion::{Actor, Take};
use marey::ops::cloud::{self, Cloud};
use marey::{codes, ops};
use serde::Serialize;

use crate::console::Console;
use crate::failure::{Failure, Verdict};
use crate::flags::{ConventionFlags, JsonFlag};
use crate::inputs::{self, Input};
use crate::json::Row;
use crate::{batch, json};

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

/// The card of one actor.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ActorCard {
    take: String,
    actor: String,
    passed: bool,
    #[serde(flatten)]
    card: Card,
    /// What it is compared with others by, where its body allows.
    #[serde(skip)]
    cloud: Option<Cloud>,
}

impl ActorCard {
    pub(crate) fn new(take: &Take, actor: &Actor, card: Card) -> Self {
        Self {
            take: take.name().to_owned(),
            actor: actor.name.clone(),
            passed: card.is_ok(),
            card,
            cloud: Cloud::of(&actor.clip, 0..actor.clip.frames(), &cloud::Settings::whole_body()).ok(),
        }
    }

    pub(crate) fn passed(&self) -> bool {
        self.passed
    }
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
    let mut results = batch::run(console, &inputs, |input| {
        let readings = read_file(&input.path, &options)?.into_readings()?;
        let trimmed = args.conventions.trim_rest;
        let cards = readings.iter().map(|reading| judge(reading, trimmed, &witness, &thresholds));
        Ok(cards.collect::<Result<Vec<_>, Failure>>()?.concat())
    });
    tell_others(&mut results)?;
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
    let calibrated = reading.detected.iter().any(|found| found.rest_frame.value);
    let first = usize::from(calibrated && !trimmed);
    let rest = |actor: &Actor| {
        let clip = actor.clip.slice(first..actor.clip.frames())?;
        Ok(Actor { name: actor.name.clone(), clip })
    };
    let actors = reading.take.actors().iter().map(rest).collect::<Result<_, marey::motion::Error>>()?;
    let take = Take::new(reading.take.name(), actors)?;
    let mut cards = Vec::new();
    for (index, actor) in take.actors().iter().enumerate() {
        let found = ops::contacts::detect(&actor.clip, &ops::contacts::Settings::default())?;
        let holds = witness.holds_of(&take, index)?;
        let evidence = witness.evidence(index, &actor.clip, &found, holds.as_ref())?;
        let mut card = Card::of(&actor.clip, &evidence, thresholds)?;
        card.lines.iter_mut().filter_map(|line| line.worst.as_mut()).for_each(|worst| worst.frame += first);
        cards.push(ActorCard::new(&take, actor, card));
    }
    Ok(cards)
}

/// Tells each card how far its clip is from all others, where there are several.
fn tell_others(results: &mut [Result<Vec<ActorCard>, Failure>]) -> Result<(), Failure> {
    let cards = results.iter_mut().filter_map(|result| result.as_mut().ok()?.first_mut());
    let mut cards: Vec<&mut ActorCard> = cards.filter(|card| card.cloud.is_some()).collect();
    if cards.len() > 1 {
        let clouds: Vec<Cloud> = cards.iter().filter_map(|card| card.cloud.clone()).collect();
        for (card, metres) in cards.iter_mut().zip(from_others_m(&clouds)?) {
            card.card.tell_others(metres);
        }
    }
    Ok(())
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
        console.error(&Failure::new(&codes::CHECK_MISSED, message));
    }
    Ok(())
}
