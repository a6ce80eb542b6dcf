//! Compares labels of generated pairs with the truth.
//!
//! It calls the engine, because it compares the movements with the truth.

use marey_duet::{DuetLabelSettings, Labelling, RecordedPair, label};
use marey_examples::Example;
use marey_examples::taekwondo::{BoutTruth, Chain, Movement, TaekwondoSettings, taekwondo};
use marey_examples::waltz::{WaltzSettings, waltz};
use marey_motion::Observer;
use marey_plan::Seed;

use super::Measured;
use super::agreement::adjusted_rand;
use super::chain::Transitions;
use crate::BoxError;
use crate::args::Args;
use crate::eval::score::Score;
use crate::row::{Aim, Row};

/// Length and frame rate of the paper's taekwondo.
const FRAMES: f64 = 3670.0;
const RATE_HZ: f64 = 30.0;
/// Tolerance of boundaries, in frames.
const TOLERANCE: usize = 3;

pub(super) fn rows(args: &Args) -> Measured {
    let bouts = if args.quick { 1 } else { 3 };
    let iterations = if args.quick { 500 } else { DuetLabelSettings::default().iterations };
    let settings = DuetLabelSettings { iterations, ..DuetLabelSettings::default() };
    let (mut cuts, mut every_step) = (Score::default(), Score::default());
    let (mut pairs, mut by_structure) = (Vec::new(), Vec::new());
    let (mut movements, mut groups, mut fitness) = (0, 0, 0.0);
    let mut bouts_found = Vec::new();
    for number in 0..bouts {
        let seed = args.seed * 100 + number;
        let (example, labels) = labelled_bout(seed, &settings)?;
        let truth = example.truth.bout().ok_or("the bout has no truth")?;
        for (person, found) in labels.people.iter().enumerate() {
            let real = boundaries(truth, person, example.take.frames());
            let starts: Vec<usize> = found.all.iter().map(|movement| movement.frames.start).collect();
            cuts.add(&real, &starts, TOLERANCE);
            let pair = RecordedPair::from_take(&example.take)?;
            let steps: Vec<usize> = pair.people[person].steps.iter().map(|step| step.frame).collect();
            every_step.add(&real, &steps, TOLERANCE);
            let offset = pairs.len();
            for movement in &found.all {
                let class = class_of(truth, person, &movement.frames) as usize;
                // Groups and classes of different people and bouts are distinct.
                pairs.push((1000 * offset + movement.group, 1000 * offset + class));
                let f = movement.structure;
                let structure = f.steps[0] + 10 * f.steps[1] + 100 * usize::from(f.touches);
                by_structure.push((1000 * offset + structure, 1000 * offset + class));
            }
            movements += found.all.len();
            groups += found.groups;
            fitness += found.fitness / (2.0 * bouts as f64);
        }
        bouts_found.push((example, labels));
    }
    let subject =
        format!("generated taekwondo, {bouts} bouts of {FRAMES} frames at {RATE_HZ} Hz, {iterations} × 40");
    let f_score = |score: &Score| {
        let (p, r) = (score.precision(), score.recall());
        if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 }
    };
    let per = |count: usize| count as f64 / (2.0 * bouts as f64);
    let mut rows = vec![
        Row::new("duet: boundaries within 3 frames, F1 score", &subject, f_score(&cuts), "1")
            .against("a cut at every step", f_score(&every_step))
            .aim(Aim::AtLeast(0.9)),
        Row::new(
            "duet: groups compared with true movements, adjusted Rand index",
            &subject,
            adjusted_rand(&pairs),
            "1",
        )
        .against("by structure alone", adjusted_rand(&by_structure))
        .aim(Aim::AtLeast(0.8)),
        Row::new("duet: movements per person", &subject, per(movements), "movements"),
        Row::new("duet: groups per person", &subject, per(groups), "groups"),
        Row::new("duet: fitness", &subject, fitness, "movements/group")
            .against("the paper's taekwondo", 4.13),
    ];
    let truths = || bouts_found.iter().filter_map(|(example, labels)| Some((example.truth.bout()?, labels)));
    let chain = Transitions::of_chain(&Chain::default());
    let learned = Transitions::counted(truths().map(|(truth, labels)| (truth, Some(labels))));
    let counted = Transitions::counted(truths().map(|(truth, _)| (truth, None)));
    rows.push(
        Row::new(
            "duet: distance of learned transitions from the true chain",
            &subject,
            learned.distance_from(&chain),
            "1",
        )
        .against("counted in the true movements", counted.distance_from(&chain)),
    );
    rows.extend(waltz_rows(args, &settings)?);
    Ok(rows)
}

/// Returns a generated bout and its labels.
pub(super) fn labelled_bout(
    seed: u64,
    settings: &DuetLabelSettings,
) -> Result<(Example, Labelling), BoxError> {
    let bout = TaekwondoSettings {
        seed,
        duration_secs: FRAMES / RATE_HZ,
        rate_hz: RATE_HZ,
        ..TaekwondoSettings::default()
    };
    let example = taekwondo(&bout)?;
    let pair = RecordedPair::from_take(&example.take)?;
    let labels = label(&[pair], settings, Seed(seed), Observer::ignore())?;
    Ok((example, labels))
}

/// Returns the true boundaries between movements, without the start and end of the recording.
fn boundaries(truth: &BoutTruth, person: usize, frames: usize) -> Vec<usize> {
    let own = truth.movements.iter().filter(|moved| moved.actor == person);
    own.map(|moved| moved.start).filter(|start| (1..frames).contains(start)).collect()
}

/// Returns the true movement that covers most of some frames.
pub(super) fn class_of(truth: &BoutTruth, person: usize, frames: &std::ops::Range<usize>) -> Movement {
    let overlap = |start: usize, end: usize| end.min(frames.end).saturating_sub(start.max(frames.start));
    let own = truth.movements.iter().filter(|moved| moved.actor == person);
    own.max_by_key(|moved| overlap(moved.start, moved.end)).map_or(Movement::Guard, |moved| moved.movement)
}

/// The paper's waltz: 1,800 frames at 30 Hz with 30 movements in 5 groups. Returns means over some dances.
fn waltz_rows(args: &Args, settings: &DuetLabelSettings) -> Measured {
    let dances = if args.quick { 1 } else { 3 };
    let (mut bars, mut movements, mut groups) = (0.0, 0.0, 0.0);
    for number in 0..dances {
        let seed = args.seed * 100 + number;
        let dance = WaltzSettings { seed, duration_secs: 60.0, rate_hz: RATE_HZ, ..WaltzSettings::default() };
        let example = waltz(&dance)?;
        let pair = RecordedPair::from_take(&example.take)?;
        let labels = label(&[pair], settings, Seed(seed), Observer::ignore())?;
        let share = 1.0 / dances as f64;
        bars += share * example.truth.cuts().iter().filter(|cut| cut.name == "bar").count() as f64;
        movements += share * labels.people[0].all.len() as f64;
        groups += share * labels.people[0].groups as f64;
    }
    let subject =
        format!("generated waltz, {dances} dances of 1,800 frames at 30 Hz; {bars:.0} bars of three steps");
    Ok(vec![
        Row::new("duet: movements in a waltz", &subject, movements, "movements")
            .against("truth (the paper's method found 36)", 30.0),
        Row::new("duet: groups in a waltz", subject, groups, "groups")
            .against("truth (the paper's method found 11)", 5.0),
    ])
}
