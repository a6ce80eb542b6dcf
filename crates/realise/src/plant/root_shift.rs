//! The displacement of the root that keeps standing feet from sliding and from rising.
//!
//! A join moves the whole body past the feet that stand. Moved back by all that these feet have slid so far,
//! the body would leave its path a little farther at every join. So the mean of the accumulated slide over the
//! time around is taken off again. What remains is smooth, averages out, and is limited softly; legs correct
//! the rest.
//!
//! A captured skeleton is stiffer than a person, so that it may rise with its standing foot by centimetres. That is a slide as well,
//! upwards: the body comes down by it, and the leg need not be pulled.
//!
//! The accumulated slide S is never computed: Σ w(a) (S(f + a) − S(f)) is a weighted sum of the slides within
//! the window. So a slide changes no frame beyond the window, not even by rounding.

use std::f32::consts::PI;

use marey_motion::{Side, Vec3};
use marey_ops::sole::SolePart;

use super::PlantSettings;
use super::slot::{Ring, Slot};

/// Half the width of the window that smooths the accumulated slide, in seconds. Shorter, noise of the capture
/// would shake the body.
const SMOOTH_SECS: f64 = 0.1;

/// A part of a sole that moves at this speed counts half, in metres per second: one part of a foot that
/// turns moves, the other does not.
const DOUBTFUL_MPS: f32 = 0.2;

/// The weight of not moving the body, relative to a part of a sole that stands still.
const REST_WEIGHT: f32 = 0.05;

/// Moves the root against the slide of standing feet.
#[derive(Debug)]
pub(super) struct RootShift {
    /// Weights of the slides from 1, 2, 3 … frames before a frame up to it; those after it have the opposite
    /// sign.
    weights: Vec<f32>,
    rate_hz: f32,
    most_m: f32,
}

impl RootShift {
    pub(super) fn new(settings: &PlantSettings, rate_hz: f64) -> Self {
        let wide = Self::reach(settings, rate_hz);
        let narrow = ((SMOOTH_SECS * rate_hz).round() as usize).min(wide);
        let bell = |away: usize, reach: usize| {
            if away > reach { 0.0 } else { 0.5 + 0.5 * (PI * away as f32 / (reach + 1) as f32).cos() }
        };
        // The sum of a bell over all distances, before and after.
        let sum = |reach: usize| (reach + 1) as f32;
        // The weight w of the accumulated slide at a distance; w adds up to 0 over all distances.
        let weight = |away| bell(away, narrow) / sum(narrow) - bell(away, wide) / sum(wide);
        let weights = (1..=wide).map(|from| (from..=wide).map(weight).sum()).collect();
        Self { weights, rate_hz: rate_hz as f32, most_m: settings.most_root_m }
    }

    /// The number of frames before and after a frame that decide its displacement.
    pub(super) fn reach(settings: &PlantSettings, rate_hz: f64) -> usize {
        (settings.root_secs * rate_hz).round() as usize
    }

    /// How far standing feet slide from one frame to the next.
    pub(super) fn slide(&self, before: &Slot, now: &Slot) -> Vec3 {
        let parts = Side::BOTH.into_iter().enumerate();
        let parts = parts.flat_map(|(foot, side)| SolePart::ALL.map(|part| (foot, side, part)));
        let standing =
            parts.filter(|(_, side, part)| before.touch.has(*side, *part) && now.touch.has(*side, *part));
        let place = |slot: &Slot, foot: usize, part: SolePart| slot.legs[foot].sole[part as usize];
        self.agreed(standing.map(|(foot, _, part)| place(now, foot, part) - place(before, foot, part)))
    }

    /// The movement on which most of several movements agree.
    pub(super) fn agreed(&self, movements: impl Iterator<Item = Vec3>) -> Vec3 {
        let (mut sum, mut weights) = (Vec3::ZERO, 0.0);
        for moved in movements {
            let weight = 1.0 / (1.0 + (moved.length() * self.rate_hz / DOUBTFUL_MPS).powi(2));
            sum += moved * weight;
            weights += weight;
        }
        if weights > 0.0 { sum / (weights + REST_WEIGHT) } else { Vec3::ZERO }
    }

    /// The displacement of a frame, from the slides of the known frames around it.
    pub(super) fn at(&self, frame: usize, known: usize, ring: &Ring) -> Vec3 {
        self.displacement(frame, |other| if other < known { ring.slide(other) } else { Vec3::ZERO })
    }

    /// The displacement of a frame, given how far standing feet slide from the frame before to each frame.
    pub(super) fn displacement(&self, frame: usize, slide: impl Fn(usize) -> Vec3) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (away, weight) in self.weights.iter().enumerate() {
            let before = frame.checked_sub(away).map_or(Vec3::ZERO, &slide);
            sum += (before - slide(frame + away + 1)) * *weight;
        }
        limited(sum, self.most_m)
    }
}

/// A vector of at most a length, which it approaches softly.
fn limited(vector: Vec3, most_m: f32) -> Vec3 {
    if most_m <= 0.0 {
        return Vec3::ZERO;
    }
    vector / (1.0 + vector.length_squared() / (most_m * most_m)).sqrt()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Joint, Skeleton};

    use super::*;

    /// The displacements of a body whose standing feet have slid this far in each frame.
    fn displacements(settings: &PlantSettings, slid: &[f32]) -> Vec<f32> {
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("root", None, Vec3::ZERO)], vec![]).unwrap());
        let mut ring = Ring::new(&skeleton, slid.len());
        for (frame, pair) in slid.windows(2).enumerate() {
            ring.set_slide(frame + 1, Vec3::X * (pair[1] - pair[0]));
        }
        let shift = RootShift::new(settings, 60.0);
        (0..slid.len()).map(|frame| shift.at(frame, slid.len(), &ring).x).collect()
    }

    #[test]
    fn feet_that_do_not_slide_leave_the_body_alone() {
        assert!(displacements(&PlantSettings::default(), &[0.7; 400]).iter().all(|shift| *shift == 0.0));
    }

    #[test]
    fn a_slide_is_shared_between_before_and_after() {
        // 4 cm within 30 frames.
        let slid: Vec<f32> = (0..400).map(|f| 0.04 * ((f as f32 - 185.0) / 30.0).clamp(0.0, 1.0)).collect();
        let settings = PlantSettings { root_secs: 1.5, ..PlantSettings::default() };
        let shifts = displacements(&settings, &slid);
        assert!(shifts[180] > 0.005 && shifts[220] < -0.005 && (shifts[180] + shifts[220]).abs() < 1e-3);
        // Standing feet slide less than before, and the body is where it was long before and after.
        assert!((slid[215] + shifts[215] - slid[185] - shifts[185]).abs() < 0.02);
        assert!(shifts[0].abs() < 1e-5 && shifts[399].abs() < 1e-5);
    }

    #[test]
    fn a_slide_changes_nothing_beyond_the_window() {
        let slid = |at: usize| (0..400).map(|f| if f < at { 0.1 } else { 0.13 }).collect::<Vec<f32>>();
        let settings = PlantSettings::default();
        let [one, other] = [200, 210].map(|at| displacements(&settings, &slid(at)));
        let reach = RootShift::reach(&settings, 60.0);
        let near = 200 - reach - 1..210 + reach;
        assert!((0..400).filter(|f| !near.contains(f)).all(|f| one[f] == 0.0 && other[f] == 0.0));
        assert!(near.clone().any(|f| one[f] != other[f]));
    }

    #[test]
    fn displacements_are_limited() {
        let slid: Vec<f32> = (0..400).map(|f| if f < 200 { 0.0 } else { 2.0 }).collect();
        let settings = PlantSettings { most_root_m: 0.05, ..PlantSettings::default() };
        let largest = displacements(&settings, &slid).iter().fold(0f32, |a, b| a.max(b.abs()));
        assert!(largest < 0.05 && largest > 0.04, "{largest}");
        let off = PlantSettings { most_root_m: 0.0, ..settings };
        assert!(displacements(&off, &slid).iter().all(|shift| *shift == 0.0));
    }
}
