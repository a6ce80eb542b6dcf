//! Precision and recall of foot contact detection on walks with known contacts.
#![expect(clippy::print_stdout, reason = "prints precision and recall for --nocapture")]

use std::ops::Range;
use std::sync::Arc;

use marey_body::BodyProportions;
use marey_examples::GaitStyle;
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Contacts, Role, Side, Skeleton};
use marey_ops::contacts::{ContactSettings, detect};

/// Error of the floor height, in metres.
const FLOOR_ERROR_M: f32 = 0.03;

/// Number of true events, of detected events, and of matches.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    actual: usize,
    detected: usize,
    matched: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.actual += other.actual;
        self.detected += other.detected;
        self.matched += other.matched;
    }

    fn recall(self) -> f64 {
        self.matched as f64 / self.actual as f64
    }

    fn precision(self) -> f64 {
        self.matched as f64 / self.detected as f64
    }

    /// Matches each event with the nearest unmatched detection within a tolerance.
    fn of(actual: &[usize], detected: &[usize], tolerance: usize) -> Self {
        let mut unmatched = detected.to_vec();
        let mut matched = 0;
        for &event in actual {
            let nearest = (0..unmatched.len()).min_by_key(|&i| unmatched[i].abs_diff(event));
            if let Some(i) = nearest.filter(|&i| unmatched[i].abs_diff(event) <= tolerance) {
                unmatched.remove(i);
                matched += 1;
            }
        }
        Self { actual: actual.len(), detected: detected.len(), matched }
    }
}

/// A kind of event: its name, the role of the left foot, and the end of the contact.
type EventKind = (&'static str, Role, fn(&Range<usize>) -> usize);

/// The four kinds of events of a foot.
const EVENT_KINDS: [EventKind; 4] = [
    ("heel down", Role::LeftFoot, |frames| frames.start),
    ("heel up", Role::LeftFoot, |frames| frames.end),
    ("ball down", Role::LeftToes, |frames| frames.start),
    ("ball up", Role::LeftToes, |frames| frames.end),
];

/// The events of each kind in many walks, except those at the ends of a clip.
fn tallies(walks: impl Iterator<Item = WalkSettings>, tolerance: usize) -> [Tally; 4] {
    let mut tallies = [Tally::default(); 4];
    for settings in walks {
        let example = walk(&settings).unwrap();
        let clip = example.take.first().lifted(FLOOR_ERROR_M).unwrap();
        let detected = detect(&clip, &ContactSettings::default()).unwrap();
        assert!((detected.floor.height_m - FLOOR_ERROR_M).abs() < 0.005, "{:?}", detected.floor);
        let inside = 1..clip.frames();
        for (tally, (_, role, end)) in tallies.iter_mut().zip(EVENT_KINDS) {
            for side in Side::BOTH {
                let events = |contacts: &Contacts| -> Vec<usize> {
                    contacts.of(role.on(side)).map(end).filter(|frame| inside.contains(frame)).collect()
                };
                let truth = events(example.truth.contacts().unwrap());
                tally.add(Tally::of(&truth, &events(&detected.contacts), tolerance));
            }
        }
    }
    tallies
}

fn print(title: &str, tallies: &[Tally; 4]) -> Tally {
    println!("{title}");
    let mut all = Tally::default();
    for (tally, (name, ..)) in tallies.iter().zip(EVENT_KINDS) {
        all.add(*tally);
        let (recall, precision) = (tally.recall(), tally.precision());
        println!(
            "  {name:9} {:5} actual, {:5} detected, recall {recall:.4}, precision {precision:.4}",
            tally.actual, tally.detected
        );
    }
    println!("  all       recall {:.4}, precision {:.4}", all.recall(), all.precision());
    all
}

/// Walks with 5 mm of noise, of bodies of several heights.
fn noisy(seeds: Range<u64>, rate_hz: f64) -> impl Iterator<Item = WalkSettings> {
    let heights = [1.72, 1.5, 1.85, 1.62];
    seeds.map(move |seed| WalkSettings {
        seed,
        rate_hz,
        noise_mm: 5.0,
        duration_secs: 60.0,
        backward_or_sideways: 0.2,
        body: BodyProportions { height_m: heights[seed as usize % 4], ..BodyProportions::default() },
        ..WalkSettings::default()
    })
}

#[test]
fn plants_are_detected_within_two_frames_at_30_hz_with_noise_and_a_wrong_floor_height() {
    let tallies = tallies(noisy(0..24, 30.0), 2);
    let all =
        print("24 walks of a minute, 30 Hz, 5 mm of noise, floor off by 3 cm, within 2 frames", &tallies);
    assert!(all.recall() >= 0.97 && all.precision() >= 0.97);
    // A heel that leaves counts as standing until it is visibly up, as people label captured heels; the truth is its first
    // movement.
    for (tally, (name, ..)) in tallies.iter().zip(EVENT_KINDS) {
        let least = if name == "heel up" { 0.95 } else { 0.97 };
        assert!(tally.recall() >= least && tally.precision() >= least, "{name}: {tally:?}");
    }
}

/// Skeletons of many archives end at the ankle and the ball.
#[test]
fn every_plant_is_detected_without_heel_and_toe_tips() {
    for settings in noisy(0..6, 60.0) {
        let example = walk(&settings).unwrap();
        let clip = example.take.first().lifted(FLOOR_ERROR_M).unwrap();
        let bare = Skeleton::new(clip.skeleton().joints().to_vec(), vec![]).unwrap();
        let clip = clip.with_skeleton(Arc::new(bare)).unwrap();
        let detected = detect(&clip, &ContactSettings::default()).unwrap().contacts;
        let truth = example.truth.contacts().unwrap();
        for role in [Role::LeftFoot, Role::RightFoot, Role::LeftToes, Role::RightToes] {
            let (actual, found) = (truth.of(role).count(), detected.of(role).count());
            assert!(actual.abs_diff(found) <= 1, "{role}: {actual} contacts, {found} detected");
        }
    }
}

#[test]
fn the_frame_rate_has_little_effect() {
    for (rate_hz, tolerance) in [(24.0, 2), (60.0, 4), (120.0, 8), (240.0, 16)] {
        let tallies = tallies(noisy(0..6, rate_hz), tolerance);
        let all = print(&format!("6 walks, {rate_hz} Hz, within {tolerance} frames"), &tallies);
        assert!(all.recall() >= 0.97 && all.precision() >= 0.97, "{rate_hz} Hz");
    }
}

#[test]
fn landings_are_detected_at_every_speed() {
    for speed_mps in [0.7, 1.0, 1.6] {
        let style = GaitStyle { speed_mps, ..GaitStyle::default() };
        let tallies = tallies(noisy(0..8, 30.0).map(|walk| WalkSettings { style, ..walk }), 2);
        print(&format!("8 walks at about {speed_mps} m/s, 30 Hz, within 2 frames"), &tallies);
        // Only the slow heel-off of slow walks is detected late.
        for (tally, (name, ..)) in tallies.iter().zip(EVENT_KINDS).filter(|(_, kind)| kind.0 != "heel up") {
            assert!(
                tally.recall() >= 0.95 && tally.precision() >= 0.95,
                "{name} at {speed_mps} m/s: {tally:?}"
            );
        }
    }
}
