//! The quality card: what applies to a clip, each number beside its threshold.

use marey_motion::{Clip, Contacts, Terrain};
use serde::{Deserialize, Serialize};

use crate::bounds::Bounds;
use crate::jolt::{Jolts, jolts};
use crate::likeness::{Put, likeness};
use crate::path::path_error;
use crate::sink::{sink, sink_in};
use crate::skate::skate;
use crate::stretch::stretch;
use crate::{Result, Worst};

/// The most that each number may be. `None`: the number is told and not judged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Thresholds {
    /// Foot skate, in centimetres a second of contact; default 3: captured walks have 1 to 3.
    pub skate_cm_per_sec: Option<f64>,
    /// Depth in the floor, in centimetres; default 2.5: soles of captured feet sink as much.
    pub sink_cm: Option<f64>,
    /// The largest acceleration of a joint over the level of the examples; default 1. Judged where there are examples.
    pub jolt_over_examples: Option<f64>,
    /// Change of a bone's length, in millimetres; default 0.1.
    pub stretch_mm: Option<f64>,
    /// Turn beyond what examples show, in degrees; default 15. Judged where there are examples.
    pub beyond_deg: Option<f64>,
    /// Mean distance from a path at the time, in centimetres; default none.
    pub path_cm: Option<f64>,
    /// Mean distance of joints from a reference, in centimetres; default none.
    pub likeness_cm: Option<f64>,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            skate_cm_per_sec: Some(3.0),
            sink_cm: Some(2.5),
            jolt_over_examples: Some(1.0),
            stretch_mm: Some(0.1),
            beyond_deg: Some(15.0),
            path_cm: None,
            likeness_cm: None,
        }
    }
}

/// What a clip is judged by.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// When its feet stand, or should.
    pub contacts: &'a Contacts,
    /// How high the floor is, in metres.
    pub floor_m: f32,
    /// The ground, where it is not a level floor.
    pub terrain: Option<&'a Terrain>,
    /// What it was to be like.
    pub reference: Option<&'a Clip>,
    /// Where it was to go.
    pub path: Option<&'a marey_motion::PointClip>,
    /// What examples are like.
    pub examples: Option<&'a Habits>,
}

/// What examples are like: learnt once, used for every card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Habits {
    /// The acceleration that 99.9 % of their frames do not exceed, in m/s².
    pub jolt_mps2: f32,
    /// The rate at which that was seen, in Hz.
    pub rate_hz: f64,
    /// How far their joints turn.
    pub bounds: Bounds,
}

impl Habits {
    /// Learns from examples, of one rate.
    pub fn learn(examples: &[Clip]) -> Self {
        let all: Vec<Jolts> = examples.iter().map(jolts).collect();
        Self {
            jolt_mps2: crate::jolt::percentile_mps2(&all, 0.999),
            rate_hz: examples.first().map_or(0.0, Clip::rate_hz),
            bounds: Bounds::learn(examples, 0.0),
        }
    }
}

/// One number of a card.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// What it is: `foot skate`.
    pub name: &'static str,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
    /// The most it may be, where it is judged.
    pub at_most: Option<f64>,
    /// Whether it is no more than that.
    pub ok: bool,
    /// Where and when it was worst.
    pub worst: Option<Worst>,
}

/// All numbers about a clip.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Card {
    /// In a fixed order.
    pub lines: Vec<Line>,
}

impl Card {
    /// Measures a clip.
    pub fn of(clip: &Clip, evidence: &Evidence<'_>, thresholds: &Thresholds) -> Result<Self> {
        let mut card = Self::default();
        let skate = skate(clip, evidence.contacts, evidence.floor_m);
        card.add("foot skate", skate.cm_per_sec, "cm/s", thresholds.skate_cm_per_sec, skate.worst);
        card.add("speed near the floor", skate.near_floor_cm_per_sec, "cm/s", None, None);
        let sink =
            evidence.terrain.map_or_else(|| sink(clip, evidence.floor_m), |ground| sink_in(clip, ground));
        card.add("in the floor", sink.deepest_cm, "cm", thresholds.sink_cm, sink.worst);
        let jolts = jolts(clip);
        card.add("largest acceleration", f64::from(jolts.largest_mps2), "m/s²", None, jolts.worst.clone());
        card.add("jerk", jolts.jerk_mps3, "m/s³", None, None);
        let stretch = stretch(clip);
        card.add("bone stretch", stretch.largest_mm, "mm", thresholds.stretch_mm, stretch.worst);
        if let Some(habits) = evidence.examples {
            // Accelerations go by rates: those of another rate tell nothing.
            let judged =
                thresholds.jolt_over_examples.filter(|_| (habits.rate_hz - clip.rate_hz()).abs() < 1e-6);
            let over = f64::from(jolts.largest_mps2 / habits.jolt_mps2.max(f32::MIN_POSITIVE));
            card.add("acceleration over examples", over, "×", judged, jolts.worst);
            let beyond = habits.bounds.beyond(clip);
            card.add("beyond examples' turns", beyond.farthest_deg, "°", thresholds.beyond_deg, beyond.worst);
        }
        if let Some(error) = evidence.path.and_then(|path| path_error(clip, path)) {
            let worst = Some(Worst { what: "hips".into(), frame: error.worst_frame });
            card.add("off the path", error.mean_cm, "cm", thresholds.path_cm, worst);
            card.add("off the path's shape", error.shape_cm, "cm", None, None);
        }
        if let Some(reference) = evidence.reference {
            let as_is = likeness(clip, reference, Put::AsTheyAre)?;
            card.add("off the reference", as_is.mean_cm, "cm", thresholds.likeness_cm, as_is.worst);
            let aligned = likeness(clip, reference, Put::Aligned)?;
            card.add("off the reference, aligned", aligned.mean_cm, "cm", None, aligned.worst);
        }
        Ok(card)
    }

    /// Whether every number that is judged is within its threshold.
    pub fn is_ok(&self) -> bool {
        self.lines.iter().all(|line| line.ok)
    }

    fn add(
        &mut self,
        name: &'static str,
        value: f64,
        unit: &'static str,
        at_most: Option<f64>,
        worst: Option<Worst>,
    ) {
        let ok = at_most.is_none_or(|most| value <= most);
        self.lines.push(Line { name, value, unit, at_most, ok, worst });
    }
}
