//! Infers unit and up axis from markers.
//!
//! If the labels identify head and foot markers, up is the direction from foot to head, and their distance is most of the
//! person's height. Otherwise the up axis is the one along which the markers start at zero and extend equally far in every
//! frame, while the person moves along the other two.

use glam::Vec3;
use marey_motion::PointClip;

use crate::unit_detection::{HUMAN_HEIGHTS_M, TYPICAL_HEIGHT_M};
use crate::{Unit, UpAxis};

/// Number of frames sampled.
const SAMPLES: usize = 200;

/// Parts of the labels of head and foot markers in common marker sets: Plug-in Gait (LFHD, LTOE, LHEE, LANK), ISB (L_HDF,
/// L_FCC, L_FM5), and plain words.
const HEAD_LABELS: [&str; 6] = ["HEAD", "FHD", "BHD", "HDF", "HDB", "FOREHEAD"];
const FOOT_LABELS: [&str; 10] = ["TOE", "HEE", "ANK", "FOOT", "FCC", "FM1", "FM5", "MT1", "MT5", "CALC"];

/// Distance between the centres of foot and head markers, as a fraction of the standing height. Head markers are about
/// brow high, foot markers between sole and ankle.
const HEAD_OVER_FEET: f32 = 0.9;

/// A person whose head and foot markers are known by their labels.
#[derive(Debug)]
pub(super) struct LabelledPerson {
    /// Mean of the unit vectors from feet to head; shorter than 1 if the direction varies.
    mean_up: Vec3,
    /// Standing height, in file units.
    pub(super) height: f32,
}

impl LabelledPerson {
    /// `None` if no head marker or no foot marker is known, or if they are never visible together.
    pub(super) fn new(clip: &PointClip) -> Option<Self> {
        let matching = |parts: &[&str]| -> Vec<usize> {
            let labels = clip.labels().iter().enumerate();
            let is_match = |label: &str| {
                // Some programs prefix the subject's name: `Ann:LTOE`.
                let label = label.rsplit(':').next().unwrap_or(label).to_ascii_uppercase();
                parts.iter().any(|part| label.contains(part))
            };
            labels.filter(|(_, label)| is_match(label)).map(|(index, _)| index).collect()
        };
        let (head, feet) = (matching(&HEAD_LABELS), matching(&FOOT_LABELS));
        let mut mean_up = Vec3::ZERO;
        let mut distances = Vec::new();
        for frame in sampled(clip) {
            let centre = |labels: &[usize]| {
                let visible = labels.iter().filter_map(|label| clip.get(frame, *label));
                let (sum, count) = visible.fold((Vec3::ZERO, 0), |(sum, count), p| (sum + p, count + 1));
                (count > 0).then(|| sum / count as f32)
            };
            let Some((from, to)) = centre(&feet).zip(centre(&head)) else { continue };
            mean_up += (to - from).normalize_or_zero();
            distances.push(from.distance(to));
        }
        let mean_up = mean_up / distances.len().max(1) as f32;
        // A high percentile: people bend down, but do not grow.
        let height = percentile(distances, 0.9)? / HEAD_OVER_FEET;
        (height.is_finite() && height > 0.0).then_some(Self { mean_up, height })
    }

    /// The axis that the person stands along, with the reason.
    pub(super) fn up(&self) -> Option<(UpAxis, String)> {
        let along = |axis: UpAxis| self.mean_up.dot(axis.direction());
        let best = UpAxis::ALL.into_iter().max_by(|a, b| along(*a).total_cmp(&along(*b)))?;
        (along(best) > 0.7).then(|| (best, format!("foot to head markers point along {best}")))
    }

    /// The unit that gives the person a human height; of several, the one closest to a typical height.
    pub(super) fn unit(&self) -> Option<(Unit, String)> {
        let metres = |unit: &Unit| f64::from(self.height) * unit.metres();
        let fits = Unit::NAMED.into_iter().filter(|unit| HUMAN_HEIGHTS_M.contains(&metres(unit)));
        let off = |unit: &Unit| (metres(unit) / TYPICAL_HEIGHT_M).ln().abs();
        let unit = fits.min_by(|a, b| off(a).total_cmp(&off(b)))?;
        let height_m = metres(&unit);
        Some((unit, format!("markers {height_m:.2} m tall if read as {}", unit.description())))
    }
}

/// Markers without known labels.
#[derive(Debug)]
pub(super) struct UnlabelledCloud {
    /// Median over all frames of the extent of the markers along each axis.
    extent: Vec3,
    low: Vec3,
    high: Vec3,
}

impl UnlabelledCloud {
    /// `None` if no frame has three points.
    pub(super) fn new(clip: &PointClip) -> Option<Self> {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut extents: [Vec<f32>; 3] = Default::default();
        for frame in sampled(clip) {
            let visible = (0..clip.labels().len()).filter_map(|label| clip.get(frame, label));
            let points: Vec<Vec3> = visible.collect();
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

    /// The axis along which the markers start at zero and extend about equally far in every frame.
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
                Some((*axis, format!("the markers extend from zero along {axis} in every frame")))
            }
            _ => None,
        }
    }

    /// Metres, centimetres or millimetres: the unit that brings the height closest to a person's.
    pub(super) fn unit(&self, up: UpAxis) -> (Unit, String) {
        let height = f64::from(self.extent.dot(up.direction().abs()));
        let off = |unit: &Unit| (height * unit.metres() / TYPICAL_HEIGHT_M).ln().abs();
        let units = [Unit::Metre, Unit::Centimetre, Unit::Millimetre];
        let unit = units.into_iter().min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(Unit::Metre);
        (unit, format!("the markers are {height:.3} units high; assumed {}", unit.description()))
    }
}

/// Frames at regular intervals over the whole clip.
fn sampled(clip: &PointClip) -> impl Iterator<Item = usize> + use<> {
    (0..clip.frames()).step_by(clip.frames().div_ceil(SAMPLES).max(1))
}

/// The value at a fraction of the sorted values.
fn percentile(mut values: Vec<f32>, fraction: f32) -> Option<f32> {
    values.sort_unstable_by(f32::total_cmp);
    values.get((values.len().checked_sub(1)? as f32 * fraction).round() as usize).copied()
}
