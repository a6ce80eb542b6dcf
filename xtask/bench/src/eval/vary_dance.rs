//! Variations of captured takes as the command makes them: how much they differ, joins, and feet.

use std::collections::BTreeSet;
use std::path::PathBuf;

use marey::vary::{Bridge, Chunk, CutRule, DanceRecording, VaryDetails, VaryJob, VaryRequest, read_dance};
use marey::{Context, Error, Outcome};
use marey_capture::files_of_half;
use marey_formats::ReadOptions;
use marey_measure::card::{BaselineStatistics, Evidence, QualityCard, Thresholds};
use marey_measure::feet::{FootFigures, feet};
use marey_motion::Clip;

use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

/// Folders of CMU's library with motion that people vary.
const FOLDERS: [&str; 6] = ["dance_gymnastics", "salsa_60_61", "walk_path", "fight", "jump", "run_jump_duck"];
/// Number of takes of a half, taken from the folders in turn.
const TAKES: usize = 20;
/// Shortest and longest take, in seconds.
const SECS: std::ops::RangeInclusive<f64> = 3.0..=20.0;
/// Number of variations of a take.
const VARIATIONS: u64 = 5;

/// The ways of varying that are compared.
const WAYS: [(&str, CutRule, Bridge); 3] = [
    ("cuts that fit", CutRule::Fit, Bridge::Join),
    ("free cuts", CutRule::Free, Bridge::Join),
    ("free cuts without joining", CutRule::Free, Bridge::None),
];

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let Some(folder) = data::captured(args, "cmu") else { return Ok(Vec::new()) };
    let folders = FOLDERS.map(|name| files_of_half(&folder.join(name), "bvh", args.half));
    let mut takes = Vec::new();
    for path in in_turn(&folders) {
        let count = if args.quick { TAKES / 4 } else { TAKES };
        if takes.len() == count {
            break;
        }
        let (dance, _) = read_dance(path, &ReadOptions::default())?;
        let secs = dance.take.frames() as f64 / dance.take.rate_hz();
        if SECS.contains(&secs) {
            takes.push(dance);
        }
    }
    let variations = if args.quick { 2 } else { VARIATIONS };
    let mut ways = WAYS.map(|_| WayFigures::default());
    for dance in &takes {
        let clip = dance.take.first();
        let statistics = BaselineStatistics::learn(std::slice::from_ref(clip));
        for ((_, cut, bridge), figures) in WAYS.into_iter().zip(&mut ways) {
            let request = VaryRequest { motion: vec![dance.clone()], cut, bridge, ..VaryRequest::default() };
            let context = Context::new();
            let job = VaryJob::new(&request, &context)?;
            let made: Result<Vec<_>, Error> =
                (0..variations).map(|number| job.run(args.seed * 1000 + number, "variation")).collect();
            match made {
                Ok(made) => figures.add(dance, &made, &statistics)?,
                Err(error) => {
                    figures.refused += 1;
                    eprintln!("{} is not varied: {error}", dance.take.name());
                }
            }
        }
    }
    let [fitted, free, raw] = &ways;
    let subject = format!("{} takes of {:?}, {variations} variations each", takes.len(), FOLDERS);
    let row = |name: &str, unit: &'static str, of: &dyn Fn(&WayFigures) -> f64, other: &WayFigures| {
        let baseline = if std::ptr::eq(other, free) { WAYS[1].0 } else { WAYS[2].0 };
        Row::new(&format!("vary: {name}"), &subject, of(fitted), unit).against(baseline, of(other))
    };
    let rows = vec![
        row("takes that are refused", "takes", &|way| way.refused as f64, free).aim(Aim::AtMost(0.0)),
        row("places that are moved, least of all takes", "share", &|way| least(&way.moved), free)
            .aim(Aim::AtLeast(0.5)),
        row("frames at the place of the source", "share", &|way| 1.0 - median(&way.moved), free)
            .aim(Aim::AtMost(0.25)),
        row("frames of the source that are played", "share", &|way| median(&way.used), free)
            .aim(Aim::AtLeast(0.8)),
        row("places that differ between two seeds", "share", &|way| median(&way.differing), free)
            .aim(Aim::AtLeast(0.5)),
        row("acceleration at joins relative to the take, median", "×", &|way| median(&way.jolts), raw)
            .aim(Aim::AtMost(1.0)),
        row("acceleration at joins relative to the take, worst", "×", &|way| most(&way.jolts), raw)
            .aim(Aim::AtMost(1.0)),
        row("skate relative to the take, median", "×", &|way| median(&way.skate), raw).aim(Aim::AtMost(1.0)),
        row("skate relative to the take, worst", "×", &|way| most(&way.skate), raw).aim(Aim::AtMost(1.0)),
        row("skate relative to the take, median", "×", &|way| median(&way.skate), free),
    ];
    Ok(rows.into_iter().map(|row| row.of_half(args.half)).collect())
}

/// The files of several folders: the first of each, then the second of each, and so on.
fn in_turn(folders: &[Vec<PathBuf>]) -> impl Iterator<Item = &PathBuf> {
    let longest = folders.iter().map(Vec::len).max().unwrap_or_default();
    (0..longest).flat_map(move |index| folders.iter().filter_map(move |files| files.get(index)))
}

/// Figures of one way of varying; a number for each take, the worst of its variations for joins and the middle for the rest.
#[derive(Default)]
struct WayFigures {
    refused: usize,
    moved: Vec<f64>,
    used: Vec<f64>,
    differing: Vec<f64>,
    jolts: Vec<f64>,
    skate: Vec<f64>,
}

impl WayFigures {
    fn add(
        &mut self,
        source: &DanceRecording,
        made: &[Outcome<VaryDetails>],
        statistics: &BaselineStatistics,
    ) -> Result<(), BoxError> {
        let of_all = |of: &dyn Fn(&VaryDetails) -> f64| -> Vec<f64> {
            made.iter().map(|outcome| of(&outcome.details)).collect()
        };
        // A take of which one variation hardly differs has failed.
        self.moved.push(least(&of_all(&|details| details.statistics.moved)));
        self.used.push(median(&of_all(&|details| details.statistics.used)));
        self.differing.push(differing(made));
        let jolts = made.iter().map(|outcome| jolt_at_joins(outcome, statistics));
        self.jolts.push(most(&jolts.collect::<Result<Vec<_>, _>>()?));
        let figures: Vec<FootFigures> =
            made.iter().filter_map(|outcome| feet(outcome.take.first())).collect();
        if let (Some(own), Some(source)) = (FootFigures::median(&figures), feet(source.take.first())) {
            self.skate.push(own.skate_cm_per_sec / source.skate_cm_per_sec.max(0.1));
        }
        Ok(())
    }
}

/// The mean part of places that hold another cell in two variations.
fn differing(made: &[Outcome<VaryDetails>]) -> f64 {
    let played: Vec<Vec<usize>> =
        made.iter().map(|outcome| outcome.details.chunks.iter().flat_map(Chunk::range).collect()).collect();
    let mut parts = Vec::new();
    for (number, one) in played.iter().enumerate() {
        for other in &played[..number] {
            let differ = one.iter().zip(other).filter(|(a, b)| a != b).count();
            parts.push(differ as f64 / one.len().max(1) as f64);
        }
    }
    parts.iter().sum::<f64>() / parts.len().max(1) as f64
}

/// The largest acceleration at a join, relative to that of the examples.
fn jolt_at_joins(made: &Outcome<VaryDetails>, statistics: &BaselineStatistics) -> Result<f64, BoxError> {
    let clip: &Clip = made.take.first();
    let plan = made.plan.as_ref().ok_or("no plan")?;
    let placements = plan.actors.first().map_or(&[] as &[_], |actor| &actor.placements);
    let joins: BTreeSet<usize> = placements.iter().skip(1).map(|placement| placement.start).collect();
    let joins: Vec<usize> = joins.into_iter().collect();
    let evidence = Evidence { examples: Some(statistics), joins: &joins, ..Evidence::on_floor(0.0) };
    let card = QualityCard::of(clip, &evidence, &Thresholds::default())?;
    Ok(card.lines.iter().find(|line| line.name == "at joins, over examples").map_or(0.0, |line| line.value))
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().reduce(f64::min).unwrap_or_default()
}

fn most(values: &[f64]) -> f64 {
    values.iter().copied().reduce(f64::max).unwrap_or_default()
}
