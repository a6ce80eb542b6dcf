//! A performer in a world: whether what is meant is understood, and whether poses meet what the world asks.
//!
//! It calls the engine, because it looks at the intentions of every frame.

use std::collections::BTreeMap;
use std::error::Error;

use marey_body::BodyProportions;
use marey_examples::Truth;
use marey_examples::playground::{self, Cycle, PlaygroundSettings, Stream};
use marey_motion::Clip;
use marey_perform::{IntentionSettings, PerformSession, PerformSettings, Recording, World, built_in_motions};

use super::perform_world;
use crate::args::Args;
use crate::row::{Aim, Row};

/// Frames this near to where the truth changes are not counted, in seconds: what is meant then is not settled.
const COLLAR_SECS: f64 = 0.25;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let mut rows = Vec::new();
    for part in [intentions, perform_world::rows] {
        match part(args) {
            Ok(some) => rows.extend(some),
            Err(error) => eprintln!("not measured: {error}"),
        }
    }
    rows
}

/// Streams of six performers, with noise and drop-outs.
pub(super) fn streams(args: &Args) -> Result<Vec<Stream>, Box<dyn Error>> {
    let settings = PlaygroundSettings { seed: args.seed, noise_mm: 2.0, ..PlaygroundSettings::default() };
    Ok(playground::streams(&settings)?)
}

/// A stream as its whole skeleton tells it.
pub(super) fn whole(stream: &Stream) -> Result<Recording, Box<dyn Error>> {
    Ok(Recording::of_clip(stream.example.take.first())?)
}

/// A stream as the reduced set of markers tells it.
fn reduced(stream: &Stream) -> Result<Recording, Box<dyn Error>> {
    Ok(Recording::of_points(&stream.markers, &*BodyProportions::default().skeleton()?)?)
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

fn intentions(args: &Args) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut text = String::new();
    for which in Cycle::ALL {
        let name = which.name();
        text += &format!("[[feature]]\nname = \"{name}\"\nlike = \"scenery\"\nmotion = \"{name}\"\n");
        text += "geometry = { point = { at = [0, 50, 0], radius_m = 0.1 } }\n";
    }
    text += "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\n";
    let world = World::from_toml(&text)?;
    let motions = built_in_motions()?;
    let streams = streams(args)?;
    let mut rows = Vec::new();
    for (set, input) in [("whole skeleton", whole as fn(&Stream) -> _), ("reduced set", reduced)] {
        let usual = tally(&world, &motions, &streams, input, PerformSettings::default())?;
        // Eq. 5 and 6 alone.
        let plain = IntentionSettings { farthest: 100.0, liveliness: 0.0, ..IntentionSettings::default() };
        let plain = tally(
            &world,
            &motions,
            &streams,
            input,
            PerformSettings { intention: plain, ..PerformSettings::default() },
        )?;
        for ((which, tally), plain) in Cycle::ALL.into_iter().zip(usual).zip(plain) {
            let subject = format!("{}, {set}, six performers", which.name());
            let share = |part: usize, other: usize| part as f64 / (part + other).max(1) as f64;
            let precision = share(tally.right, tally.wrong);
            rows.push(
                Row::new("perform: intention, precision", &subject, precision, "share")
                    .against("eq. 5 and 6 alone", share(plain.right, plain.wrong))
                    .aim(Aim::AtLeast(0.95)),
            );
            let recall = share(tally.right, tally.missed);
            rows.push(
                Row::new("perform: intention, recall", &subject, recall, "share")
                    .against("eq. 5 and 6 alone", share(plain.right, plain.missed))
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
    streams: &[Stream],
    input: impl Fn(&Stream) -> Result<Recording, Box<dyn Error>>,
    settings: PerformSettings,
) -> Result<Vec<Tally>, Box<dyn Error>> {
    let mut tallies: Vec<Tally> = Cycle::ALL.iter().map(|_| Tally::default()).collect();
    for stream in streams {
        let input = input(stream)?;
        let truth = &stream.example.truth;
        let mut session = PerformSession::new(world.clone(), motions, &input.calibration, settings)?;
        let mut found = vec![Vec::new(); Cycle::ALL.len()];
        input.perform(&mut session, |_, session| {
            for (number, found) in found.iter_mut().enumerate() {
                found.push(session.intention(number).is_some_and(|intention| intention.imitates));
            }
        });
        for ((which, found), tally) in Cycle::ALL.into_iter().zip(&found).zip(&mut tallies) {
            tally.add(which.name(), found, truth);
        }
    }
    Ok(tallies)
}

impl Tally {
    fn add(&mut self, name: &str, found: &[bool], truth: &Truth) {
        let collar = (COLLAR_SECS * truth.rate_hz()) as usize;
        // Arms come up before an activity begins, and go down after it, already in its manner.
        let ready = (0.8 * truth.rate_hz()) as usize;
        let labels = truth.labels();
        for (number, label) in labels.iter().enumerate() {
            let meant = label.name == name;
            let beside = |other: Option<usize>| {
                other.and_then(|other| labels.get(other)).is_some_and(|other| other.name == name)
            };
            let before = if beside(number.checked_sub(1)) { ready } else { collar };
            let after = if beside(Some(number + 1)) { ready } else { collar };
            let inner = label.start + before..label.end.saturating_sub(after).max(label.start + before);
            let yes = found.get(inner.clone()).unwrap_or_default().iter().filter(|f| **f).count();
            let no = inner.len() - yes;
            if meant {
                self.right += yes;
                self.missed += no;
                let from = label.start.saturating_sub(ready);
                let first = found[from..label.end].iter().position(|f| *f).map_or(label.end, |at| from + at);
                self.delays_secs.push((first as f64 - label.start as f64) / truth.rate_hz());
            } else {
                self.wrong += yes;
                self.false_spans += usize::from(yes > 0);
            }
        }
    }
}
