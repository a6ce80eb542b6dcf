//! Quality of `perform`: detection of intentions. `perform_world` measures poses in a world.
//!
//! It calls the engine, because it looks at the intentions of every frame.

use std::collections::BTreeMap;

use marey_body::BodyProportions;
use marey_examples::Truth;
use marey_examples::playground::{self, Cycle, PerformerStream, PlaygroundSettings};
use marey_motion::{Clip, PointClip};
use marey_perform::{IntentionSettings, PerformSession, PerformSettings, Recording, World, built_in_motions};

use super::{perform_captured, perform_continuity, perform_world};
use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

/// Frames this close to a change of the truth are not counted, in seconds, because the intention is ambiguous there.
const COLLAR_SECS: f64 = 0.25;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in [intentions, perform_world::rows, perform_continuity::rows, perform_captured::rows] {
        match part(args) {
            Ok(some) => rows.extend(some),
            Err(error) => eprintln!("a part of perform is not measured: {error}"),
        }
    }
    rows
}

/// Streams of six performers, with noise and dropouts.
pub(super) fn streams(args: &Args) -> Result<Vec<PerformerStream>, BoxError> {
    let settings = PlaygroundSettings { seed: args.seed, noise_mm: 2.0, ..PlaygroundSettings::default() };
    Ok(playground::streams(&settings)?)
}

/// The recording of a stream's whole skeleton.
pub(super) fn whole(stream: &PerformerStream) -> Result<Recording, BoxError> {
    Ok(Recording::of_clip(stream.example.take.first())?)
}

/// The recording of a stream's reduced set of markers: hips, belt, hands, palms and feet.
fn reduced(stream: &PerformerStream) -> Result<Recording, BoxError> {
    let is_reduced = |label: &str| {
        ["Hips", "UpperLeg", "Hand", "HandPalm", "Foot"]
            .iter()
            .any(|end| label.trim_start_matches("Left").trim_start_matches("Right") == *end)
    };
    let all = &stream.markers;
    let kept: Vec<usize> =
        (0..all.labels().len()).filter(|label| is_reduced(&all.labels()[*label])).collect();
    let labels = kept.iter().map(|label| all.labels()[*label].clone()).collect();
    let points = (0..all.frames()).flat_map(|frame| kept.iter().map(move |label| all.get(frame, *label)));
    let reduced = PointClip::new(labels, all.rate_hz(), points.collect())?;
    Ok(Recording::of_points(&reduced, &*BodyProportions::default().skeleton()?)?)
}

/// Right and wrong frames, and delays, of one example.
#[derive(Default)]
struct Tally {
    right: usize,
    wrong: usize,
    missed: usize,
    delays_secs: Vec<f64>,
    false_spans: usize,
}

fn intentions(args: &Args) -> Result<Vec<Row>, BoxError> {
    let mut text = String::new();
    for cycle in Cycle::ALL {
        let name = cycle.name();
        text += &format!("[[feature]]\nname = \"{name}\"\nlike = \"scenery\"\nmotion = \"{name}\"\n");
        text += "geometry = { point = { at = [0, 50, 0], radius_m = 0.1 } }\n";
    }
    text += "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\n";
    let world = World::from_toml(&text)?;
    let motions = built_in_motions()?;
    let streams = streams(args)?;
    let mut rows = Vec::new();
    for (set, input) in [("whole skeleton", whole as fn(&PerformerStream) -> _), ("reduced set", reduced)] {
        let default = tally(&world, &motions, &streams, input, PerformSettings::default())?;
        // Only eq. 5 and 6.
        let plain = IntentionSettings { distance: 100.0, min_speed: 0.0, ..IntentionSettings::default() };
        let plain = tally(
            &world,
            &motions,
            &streams,
            input,
            PerformSettings { intention: plain, ..PerformSettings::default() },
        )?;
        for ((cycle, tally), plain) in Cycle::ALL.into_iter().zip(default).zip(plain) {
            let subject = format!("{}, {set}, six performers", cycle.name());
            let share = |part: usize, other: usize| part as f64 / (part + other).max(1) as f64;
            let precision = share(tally.right, tally.wrong);
            rows.push(
                Row::new("perform: intention, precision", &subject, precision, "share")
                    .against("eq. 5 and 6 only", share(plain.right, plain.wrong))
                    .aim(Aim::AtLeast(0.95)),
            );
            let recall = share(tally.right, tally.missed);
            rows.push(
                Row::new("perform: intention, recall", &subject, recall, "share")
                    .against("eq. 5 and 6 only", share(plain.right, plain.missed))
                    .aim(Aim::AtLeast(0.95)),
            );
            let delay = tally.delays_secs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            rows.push(
                Row::new("perform: intention, longest delay", &subject, delay, "s").aim(Aim::AtMost(0.25)),
            );
            rows.push(
                Row::new(
                    "perform: false intentions in other motion",
                    subject,
                    tally.false_spans as f64,
                    "spans",
                )
                .aim(Aim::AtMost(0.0)),
            );
        }
    }
    Ok(rows)
}

fn tally(
    world: &World,
    motions: &BTreeMap<String, Clip>,
    streams: &[PerformerStream],
    input: impl Fn(&PerformerStream) -> Result<Recording, BoxError>,
    settings: PerformSettings,
) -> Result<Vec<Tally>, BoxError> {
    let mut tallies: Vec<Tally> = Cycle::ALL.iter().map(|_| Tally::default()).collect();
    for stream in streams {
        let input = input(stream)?;
        let truth = &stream.example.truth;
        let mut session = PerformSession::new(world.clone(), motions, &input.calibration, settings)?;
        let mut found = vec![Vec::new(); Cycle::ALL.len()];
        input.perform(&mut session, |_, session| {
            for (number, found) in found.iter_mut().enumerate() {
                found.push(session.intention(number).is_some_and(|intention| intention.is_imitating));
            }
        });
        for ((cycle, found), tally) in Cycle::ALL.into_iter().zip(&found).zip(&mut tallies) {
            tally.add(cycle.name(), found, truth);
        }
    }
    Ok(tallies)
}

impl Tally {
    fn add(&mut self, name: &str, found: &[bool], truth: &Truth) {
        let collar = (COLLAR_SECS * truth.rate_hz()) as usize;
        // The arms already move as in the activity when they come up before it and go down after it.
        let ready = (0.8 * truth.rate_hz()) as usize;
        let labels = truth.labels();
        for (number, label) in labels.iter().enumerate() {
            let is_intended = label.name == name;
            let beside = |other: Option<usize>| {
                other.and_then(|other| labels.get(other)).is_some_and(|other| other.name == name)
            };
            let before = if beside(number.checked_sub(1)) { ready } else { collar };
            let after = if beside(Some(number + 1)) { ready } else { collar };
            let inner = label.start + before..label.end.saturating_sub(after).max(label.start + before);
            let detected = found.get(inner.clone()).unwrap_or_default().iter().filter(|f| **f).count();
            let undetected = inner.len() - detected;
            if is_intended {
                self.right += detected;
                self.missed += undetected;
                let from = label.start.saturating_sub(ready);
                let first = found[from..label.end].iter().position(|f| *f).map_or(label.end, |at| from + at);
                self.delays_secs.push((first as f64 - label.start as f64) / truth.rate_hz());
            } else {
                self.wrong += detected;
                self.false_spans += usize::from(detected > 0);
            }
        }
    }
}
