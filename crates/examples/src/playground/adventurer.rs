//! What one does who plays the adventure from start to finish: part after part, by the clock.

use std::ops::Range;

use marey_motion::{Side, Vec3};

use super::performer::{Doing, Performer};
use super::reach::{EASE, Reach};
use super::session::{Activity, Span};
use super::stance::Footing;
use crate::spline::ease;

/// How long it takes to go over into an activity, in seconds.
const READY_SECS: f64 = 0.5;

/// What is done for a while.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// Stays so, for seconds.
    Stay(f64),
    /// Comes to a gesture, in seconds.
    To(Gesture, f64),
    /// An activity as in the playground: so many cycles, of so many seconds.
    Do(Activity, f64, f64),
    /// What hands do alone, likewise.
    Hands(Reach, f64, f64),
}

/// A way to stand.
#[derive(Debug, Clone, Copy)]
struct Gesture {
    /// Out, up and ahead of the shoulders, in lengths of the arm.
    wrists: [Vec3; 2],
    closed: [bool; 2],
    /// How deep knees are bent, in metres of the pelvis.
    sink_m: f64,
    /// How high the left and the right foot are lifted, in metres.
    lifted_m: [f32; 2],
}

impl Gesture {
    const EASE: Self = Self { wrists: [EASE; 2], closed: [false; 2], sink_m: 0.0, lifted_m: [0.0; 2] };

    /// Both hands somewhere.
    const fn both(out: f32, up: f32, ahead: f32) -> Self {
        Self { wrists: [Vec3::new(out, up, ahead); 2], ..Self::EASE }
    }

    const fn right(self, out: f32, up: f32, ahead: f32) -> Self {
        Self { wrists: [self.wrists[0], Vec3::new(out, up, ahead)], ..self }
    }

    const fn closed(self) -> Self {
        Self { closed: [true; 2], ..self }
    }

    const fn right_closed(self) -> Self {
        Self { closed: [false, true], ..self }
    }

    const fn lifted(self, left_m: f32, right_m: f32) -> Self {
        Self { lifted_m: [left_m, right_m], ..self }
    }

    const fn sunk(self, sink_m: f64) -> Self {
        Self { sink_m, ..self }
    }
}

const WALK_SECS: f64 = 1.1;

const fn walk(cycles: f64) -> Part {
    Part::Do(Activity::Walk, cycles, WALK_SECS)
}

const REST: Part = Part::To(Gesture::EASE, 0.8);

const OVERHEAD: Gesture = Gesture::both(0.02, 0.9, 0.1);
const AT_ROPE: Gesture = Gesture::both(-0.3, 0.77, 0.42).right(-0.3, 0.55, 0.42);
const AT_POLE: Gesture = Gesture::both(-0.3, 0.5, 0.7).right(-0.3, 0.3, 0.75);
const ON_POLE: Gesture = Gesture::both(-0.3, 0.5, 0.28).right(-0.3, 0.3, 0.3);
const AT_ROCKS: Gesture = Gesture::both(0.16, 0.7, 0.46);
const THROUGH: Gesture = Gesture::both(0.45, -0.35, -0.35);
const RAISED: Gesture = Gesture::both(0.3, -0.2, 0.75);
const AIMED: Gesture = Gesture::EASE.right(0.1, 0.85, 0.4);

/// The whole adventure, in parts with a name.
const PARTS: &[(&str, &[Part])] = &[
    ("stand", &[Part::Stay(1.2)]),
    ("walk", &[walk(3.0), REST]),
    (
        "bars",
        &[
            Part::To(OVERHEAD, 0.7),
            Part::To(OVERHEAD.closed(), 0.4),
            Part::Hands(Reach::Rungs, 4.0, 1.3),
            Part::To(OVERHEAD, 0.3),
            REST,
        ],
    ),
    ("walk", &[walk(1.0), REST]),
    (
        "rope",
        &[Part::To(AT_ROPE, 0.7), Part::To(AT_ROPE.closed(), 0.3), Part::Do(Activity::Climb, 1.0, 1.8), REST],
    ),
    ("walk", &[walk(1.0), REST]),
    (
        "pole",
        &[
            Part::To(AT_POLE, 0.7),
            Part::To(AT_POLE.closed(), 0.3),
            Part::To(ON_POLE.closed(), 0.5),
            Part::To(ON_POLE.closed().lifted(0.12, 0.0), 0.35),
            Part::To(ON_POLE.closed().lifted(0.0, 0.12), 0.35),
            Part::Hands(Reach::Pole, 2.0, 1.8),
            REST,
        ],
    ),
    ("walk", &[walk(1.0), REST]),
    (
        "rocks",
        &[
            Part::To(AT_ROCKS, 0.7),
            Part::To(AT_ROCKS.closed(), 0.3),
            Part::Hands(Reach::Rocks, 3.0, 1.8),
            Part::To(THROUGH.closed(), 1.0),
            Part::Stay(0.5),
            REST,
        ],
    ),
    ("walk", &[walk(2.0), REST]),
    (
        "trampoline",
        &[
            Part::To(RAISED.sunk(0.2), 0.47),
            Part::To(RAISED.sunk(-0.01), 0.25),
            Part::To(RAISED, 0.21),
            Part::To(RAISED.sunk(0.2), 0.47),
            Part::To(RAISED.sunk(-0.01), 0.25),
            Part::To(RAISED.sunk(0.1), 0.5),
            Part::To(Gesture::EASE, 1.5),
        ],
    ),
    ("walk", &[walk(2.0), REST]),
    ("breast-stroke", &[Part::Do(Activity::Swim, 6.0, 1.9), REST]),
    ("walk", &[walk(2.0), REST]),
    ("web", &[Part::To(AIMED, 0.7), Part::To(AIMED.right_closed(), 2.5), REST]),
    ("walk", &[walk(2.0), REST, Part::Stay(0.5)]),
];

/// The parts on the clock, each from where the last ended.
#[derive(Debug, Clone)]
pub(super) struct Script {
    beats: Vec<Beat>,
}

#[derive(Debug, Clone)]
struct Beat {
    name: &'static str,
    part: Part,
    secs: Range<f64>,
    from: Doing,
}

impl Script {
    pub(super) fn new(performer: &Performer) -> Self {
        let mut beats: Vec<Beat> = Vec::new();
        let mut from = performer.at_ease(0.0);
        for (name, parts) in PARTS {
            for &part in *parts {
                let start = beats.last().map_or(0.0, |beat| beat.secs.end);
                let secs = match part {
                    Part::Stay(secs) | Part::To(_, secs) => secs,
                    Part::Do(_, cycles, period_secs) | Part::Hands(_, cycles, period_secs) => {
                        cycles * period_secs
                    }
                };
                let beat = Beat { name, part, secs: start..start + secs, from };
                from = beat.at(performer, start + secs);
                beats.push(beat);
            }
        }
        Self { beats }
    }

    pub(super) fn duration_secs(&self) -> f64 {
        self.beats.last().map_or(0.0, |beat| beat.secs.end)
    }

    /// What is called what from when to when.
    pub(super) fn labels(&self) -> Vec<(&'static str, Range<f64>)> {
        let mut labels: Vec<(&'static str, Range<f64>)> = Vec::new();
        for beat in &self.beats {
            match labels.last_mut() {
                Some((name, secs)) if *name == beat.name => secs.end = beat.secs.end,
                _ => labels.push((beat.name, beat.secs.clone())),
            }
        }
        labels
    }

    pub(super) fn at(&self, performer: &Performer, secs: f64) -> Doing {
        let number = self.beats.partition_point(|beat| beat.secs.end <= secs);
        self.beats[number.min(self.beats.len() - 1)].at(performer, secs)
    }
}

impl Beat {
    fn at(&self, performer: &Performer, secs: f64) -> Doing {
        let since = secs - self.secs.start;
        let mut doing = performer.at_ease(secs);
        let ready = match self.part {
            Part::Stay(_) => {
                (doing.wrists, doing.closed) = (self.from.wrists, self.from.closed);
                1.0
            }
            Part::To(gesture, within_secs) => {
                (doing.wrists, doing.closed) = (gesture.wrists, gesture.closed);
                doing.shift_m[1] -= gesture.sink_m;
                doing.footings = gesture.lifted_m.map(|up| Footing { ball_up_m: up, ..Footing::default() });
                doing.lean_rad += 1.2 * gesture.sink_m.max(0.0);
                since / within_secs
            }
            Part::Do(activity, _, period_secs) => {
                let span = Span { activity, secs: self.secs.clone(), period_secs };
                performer.add(&span, secs, 1.0, &mut doing);
                doing.closed = Side::BOTH.map(|side| activity.reach().is_closed(side, span.cycles(secs)));
                since / READY_SECS
            }
            Part::Hands(reach, _, period_secs) => {
                let cycles = since / period_secs;
                doing.wrists = Side::BOTH.map(|side| performer.hand(reach, side, cycles));
                doing.closed = Side::BOTH.map(|side| reach.is_closed(side, cycles));
                since / READY_SECS
            }
        };
        between(&self.from, &doing, ease(ready))
    }
}

/// From one way to stand to another; hands are closed as in the second.
fn between(from: &Doing, to: &Doing, share: f64) -> Doing {
    let mix = |a: f64, b: f64| a + share * (b - a);
    let share_f32 = share as f32;
    let footing = |side: usize| from.footings[side].lerp(&to.footings[side], share_f32);
    Doing {
        lean_rad: mix(from.lean_rad, to.lean_rad),
        twist_rad: mix(from.twist_rad, to.twist_rad),
        look_up_rad: mix(from.look_up_rad, to.look_up_rad),
        shift_m: std::array::from_fn(|axis| mix(from.shift_m[axis], to.shift_m[axis])),
        wrists: [0, 1].map(|side| arced(from.wrists[side], to.wrists[side], share_f32)),
        footings: [footing(0), footing(1)],
        closed: to.closed,
    }
}

/// From one place of a wrist to another, past the front of the shoulder where it is far up or down.
fn arced(from: Vec3, to: Vec3, share: f32) -> Vec3 {
    let front = Vec3::new(0.15, 0.0, 0.6) * ((to.y - from.y).abs() - 0.6).clamp(0.0, 1.0);
    let between = 0.5 * (from + to) + front;
    from.lerp(between, share).lerp(between.lerp(to, share), share)
}
