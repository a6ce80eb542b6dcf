//! What a cloud of markers says about unit and up axis.
//!
//! By labels: where markers of the head and of the feet are known by name, up is from these to those, and their distance is
//! most of a person's height. Without labels: a person's markers reach up from a floor at zero, about as far in every frame,
//! while along the floor the person moves about.

use glam::Vec3;
use marey_motion::PointClip;

use super::UpAxis;
use super::scale::{HUMAN_METRES, TYPICAL_METRES};
use crate::Unit;

/// How many frames are looked at.
const SAMPLES: usize = 200;

/// Letters in labels of markers on the head and on the feet, of the usual marker sets: Plug-in Gait's LFHD, LTOE, LHEE, LANK; the
/// ISB's L_HDF, L_FCC, L_FM5; and plain words.
const HEAD: [&str; 6] = ["HEAD", "FHD", "BHD", "HDF", "HDB", "FOREHEAD"];
const FEET: [&str; 10] = ["TOE", "HEE", "ANK", "FOOT", "FCC", "FM1", "FM5", "MT1", "MT5", "CALC"];

/// From the middle of foot markers to that of head markers, as a share of the standing height: the head's are about brow high,
/// the feet's between sole and ankle.
const HEAD_OVER_FEET: f32 = 0.9;

/// A person's markers, told by their labels.
#[derive(Debug)]
pub(super) struct Person {
    /// Mean direction from feet to head; shorter than 1 where it varies.
    stands: Vec3,
    /// Standing height, in file units.
    pub(super) height: f32,
}

impl Person {
    /// `None` where no marker of the head or none of the feet is known, or they are never there together.
    pub(super) fn of(clip: &PointClip) -> Option<Self> {
        let known = |parts: &[&str]| -> Vec<usize> {
            let labels = clip.labels().iter().enumerate();
            let is_known = |label: &str| {
                // Some programs put the subject's name before: `Ann:LTOE`.
                let label = label.rsplit(':').next().unwrap_or(label).to_ascii_uppercase();
                parts.iter().any(|part| label.contains(part))
            };
            labels.filter(|(_, label)| is_known(label)).map(|(index, _)| index).collect()
        };
        let (head, feet) = (known(&HEAD), known(&FEET));
        let mut stands = Vec3::ZERO;
        let mut distances = Vec::new();
        for frame in sampled(clip) {
            let middle = |labels: &[usize]| {
                let there = labels.iter().filter_map(|label| clip.get(frame, *label));
                let (sum, count) = there.fold((Vec3::ZERO, 0), |(sum, count), p| (sum + p, count + 1));
                (count > 0).then(|| sum / count as f32)
            };
            let Some((from, to)) = middle(&feet).zip(middle(&head)) else { continue };
            stands += (to - from).normalize_or_zero();
            distances.push(from.distance(to));
        }
        let stands = stands / distances.len().max(1) as f32;
        // People bend down more often than they grow.
        let height = percentile(distances, 0.9)? / HEAD_OVER_FEET;
        (height.is_finite() && height > 0.0).then_some(Self { stands, height })
    }

    /// The axis that the person stands along, where there is one.
    pub(super) fn up(&self) -> Option<(UpAxis, String)> {
        let along = |axis: UpAxis| self.stands.dot(axis.direction());
        let best = UpAxis::ALL.into_iter().max_by(|a, b| along(*a).total_cmp(&along(*b)))?;
        (along(best) > 0.7).then(|| (best, format!("from foot to head markers is along {best}")))
    }

    /// The unit that makes the person as tall as people are; of several, the one that gives the more usual height.
    pub(super) fn unit(&self) -> Option<(Unit, String)> {
        let metres = |unit: &Unit| f64::from(self.height) * unit.metres();
        let fits = Unit::NAMED.into_iter().filter(|unit| HUMAN_METRES.contains(&metres(unit)));
        let off = |unit: &Unit| (metres(unit) / TYPICAL_METRES).ln().abs();
        let unit = fits.min_by(|a, b| off(a).total_cmp(&off(b)))?;
        let height_m = metres(&unit);
        Some((unit, format!("by its markers {height_m:.2} m tall, read as {}", unit.in_words())))
    }
}

/// Markers without known labels.
#[derive(Debug)]
pub(super) struct Cloud {
    /// Along each axis: how far the markers of a frame reach, in the middle of all frames.
    extent: Vec3,
    low: Vec3,
    high: Vec3,
}

impl Cloud {
    /// `None` where no frame has three points.
    pub(super) fn of(clip: &PointClip) -> Option<Self> {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut extents: [Vec<f32>; 3] = Default::default();
        for frame in sampled(clip) {
            let there = (0..clip.labels().len()).filter_map(|label| clip.get(frame, label));
            let points: Vec<Vec3> = there.collect();
            let bounds =
                points.iter().copied().reduce(Vec3::min).zip(points.iter().copied().reduce(Vec3::max));
            let Some((least, most)) = bounds.filter(|_| points.len() >= 3) else { continue };
            (low, high) = (low.min(least), high.max(most));
            for (extents, extent) in extents.iter_mut().zip((most - least).to_array()) {
                extents.push(extent);
            }
        }
        let [x, y, z] = extents.map(|extents| percentile(extents, 0.5));
        Some(Self { extent: Vec3::new(x?, y?, z?), low, high })
    }

    /// The axis along which the markers reach far, up from a floor at zero, in about the same way in every frame.
    pub(super) fn up(&self) -> Option<(UpAxis, String)> {
        let largest = self.extent.max_element();
        let score = |axis: UpAxis| {
            let along = axis.direction();
            let (a, b) = (self.low.dot(along), self.high.dot(along));
            let (low, high) = (a.min(b), a.max(b));
            let extent = self.extent.dot(along.abs());
            let reach = extent / largest;
            let steady = extent / (high - low);
            let from_zero = 1.0 - (low.abs() / extent).min(1.0);
            if high > 0.0 { reach + steady + from_zero } else { 0.0 }
        };
        let mut scored: Vec<(f32, UpAxis)> = UpAxis::ALL.map(|axis| (score(axis), axis)).to_vec();
        scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        match scored.as_slice() {
            [(best, axis), (second, _), ..] if *best > 2.2 && best - second > 0.4 => {
                Some((*axis, format!("the markers reach up from zero along {axis} in every frame")))
            }
            _ => None,
        }
    }

    /// Metres, centimetres or millimetres, whichever makes the markers reach about as high as a person.
    pub(super) fn unit(&self, up: UpAxis) -> (Unit, String) {
        let height = f64::from(self.extent.dot(up.direction().abs()));
        let off = |unit: &Unit| (height * unit.metres() / TYPICAL_METRES).ln().abs();
        let units = [Unit::Metre, Unit::Centimetre, Unit::Millimetre];
        let unit = units.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(Unit::Metre);
        (unit, format!("the markers reach {height:.3} units up, taken for {}", unit.in_words()))
    }
}

/// Some frames from all over the clip.
fn sampled(clip: &PointClip) -> impl Iterator<Item = usize> + use<> {
    (0..clip.frames()).step_by(clip.frames().div_ceil(SAMPLES).max(1))
}

/// The value below which a share of all lie.
fn percentile(mut values: Vec<f32>, share: f32) -> Option<f32> {
    values.sort_unstable_by(f32::total_cmp);
    values.get((values.len().checked_sub(1)? as f32 * share).round() as usize).copied()
}
