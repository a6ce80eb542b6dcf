//! Separate matching of upper and lower body.
//!
//! Lamouret and van de Panne (1996), section 2, question 4: a database can stay small if motions are separable, for
//! instance into upper and lower body, and statistical correlations may show it. Here every stride is described by the
//! initial state of its legs and by that of the upper body, both relative to the hips and centred per foot. Their
//! correlation is the RV coefficient of Escoufier (*Le traitement des variables vectorielles*, 1973),
//!
//! ```text
//! RV = tr(K L) / √(tr(K K) tr(L L))
//! ```
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | K, L | Gram matrices of the strides' rows, of legs and of upper bodies | m² |
//! | RV | 0 if the two are uncorrelated, 1 if one is a linear function of the other | 1 |
//!
//! If RV is below a threshold, the planner chooses the legs for the terrain, and the upper body separately: that of the
//! stride of the same foot whose upper body starts most like the last one ended. It is stretched to the duration of the
//! legs.
//!
//! Limits: RV measures linear correlation only. At most [`MAX_STRIDES`] strides are used.

use marey_motion::{Clip, Skeleton, Vec3, WorldPose};

use crate::primitive_index::squared_distance;
use crate::walker::Walker;
use crate::{MotionPrimitive, TraverseExample};

/// Maximum number of strides used for the correlation.
const MAX_STRIDES: usize = 400;
/// Minimum number of strides for a meaningful correlation.
const MIN_STRIDES: usize = 8;

/// The upper bodies of the strides, at their start and end.
#[derive(Debug, Clone)]
pub(crate) struct UpperBodySplice {
    /// The joints of the upper body: neither the root nor a leg.
    upper: Vec<usize>,
    starts: Vec<Vec<f32>>,
    ends: Vec<Vec<f32>>,
    /// RV coefficient between legs and upper body; `None` for too few strides.
    pub(crate) correlation: Option<f64>,
}

impl UpperBodySplice {
    pub(crate) fn new(
        walker: &Walker,
        examples: &[TraverseExample],
        primitives: &[MotionPrimitive],
        velocity_secs: f32,
    ) -> Self {
        let skeleton = examples.first().map(|example| example.clip.skeleton().clone());
        let is_leg = |skeleton: &Skeleton, joint: usize| {
            walker.legs.iter().any(|leg| skeleton.is_under(joint, leg.upper))
        };
        let joints = |legs: bool| -> Vec<usize> {
            let all =
                skeleton.iter().flat_map(|skeleton| (1..skeleton.len()).map(move |joint| (skeleton, joint)));
            all.filter(|(skeleton, joint)| is_leg(skeleton, *joint) == legs).map(|(_, joint)| joint).collect()
        };
        let (upper, lower) = (joints(false), joints(true));
        let row = |primitive: &MotionPrimitive, frame: usize, joints: &[usize]| {
            row(&examples[primitive.example].clip, frame, joints, velocity_secs)
        };
        let starts: Vec<Vec<f32>> = primitives.iter().map(|p| row(p, p.frames.start, &upper)).collect();
        let ends = primitives.iter().map(|p| row(p, p.frames.end, &upper)).collect();
        let step = primitives.len().div_ceil(MAX_STRIDES).max(1);
        let sample: Vec<&MotionPrimitive> = primitives.iter().step_by(step).collect();
        let leg_rows = sample.iter().map(|p| row(p, p.frames.start, &lower)).collect();
        let upper_rows = starts.iter().step_by(step).cloned().collect();
        let correlation = (sample.len() >= MIN_STRIDES).then(|| {
            rv_coefficient(&centred_by_foot(leg_rows, &sample), &centred_by_foot(upper_rows, &sample))
        });
        Self { upper, starts, ends, correlation }
    }

    /// The joints of the upper body.
    pub(crate) fn upper(&self) -> &[usize] {
        &self.upper
    }

    /// Of the strides with the same foot as `like`, the one whose upper body starts most like that of `last` ends.
    pub(crate) fn after(&self, last: usize, like: &MotionPrimitive, primitives: &[MotionPrimitive]) -> usize {
        let same_foot = primitives.iter().enumerate().filter(|(_, primitive)| primitive.foot == like.foot);
        let distance = |stride: usize| squared_distance(&self.ends[last], &self.starts[stride]);
        let nearest =
            same_foot.map(|(stride, _)| stride).min_by(|a, b| distance(*a).total_cmp(&distance(*b)));
        nearest.unwrap_or(last)
    }
}

/// Positions and velocities of joints in the root's frame.
fn row(clip: &Clip, frame: usize, joints: &[usize], velocity_secs: f32) -> Vec<f32> {
    let positions = |frame: usize| -> Vec<Vec3> {
        let world = WorldPose::of(clip.skeleton(), clip.pose(frame));
        let from_root = world.rotations[0].inverse();
        joints.iter().map(|joint| from_root * (world.positions[*joint] - world.positions[0])).collect()
    };
    let (before, after) = (frame.saturating_sub(1), (frame + 1).min(clip.frames() - 1));
    let scale = velocity_secs * clip.rate_hz() as f32 / (after - before).max(1) as f32;
    let (before, current, after) = (positions(before), positions(frame), positions(after));
    let velocities = before.iter().zip(&after).map(|(before, after)| scale * (after - before));
    current.iter().copied().chain(velocities).flat_map(|at| at.to_array()).collect()
}

/// Subtracts from each row the mean of the rows of the same foot.
fn centred_by_foot(mut rows: Vec<Vec<f32>>, primitives: &[&MotionPrimitive]) -> Vec<Vec<f32>> {
    let feet: Vec<_> = primitives.iter().map(|primitive| primitive.foot).collect();
    for foot in [feet.iter().copied().min(), feet.iter().copied().max()].into_iter().flatten() {
        let rows_of_foot: Vec<usize> = (0..rows.len()).filter(|row| feet[*row] == foot).collect();
        let mut mean = vec![0f32; rows.first().map_or(0, Vec::len)];
        for row in &rows_of_foot {
            mean.iter_mut().zip(&rows[*row]).for_each(|(mean, x)| *mean += x / rows_of_foot.len() as f32);
        }
        for row in rows_of_foot {
            rows[row].iter_mut().zip(&mean).for_each(|(x, mean)| *x -= mean);
        }
    }
    rows
}

/// RV coefficient of two descriptions of the same items, 0 to 1.
fn rv_coefficient(one: &[Vec<f32>], other: &[Vec<f32>]) -> f64 {
    let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
    let (mut kl, mut kk, mut ll) = (0.0, 0.0, 0.0);
    for i in 0..one.len() {
        for j in 0..one.len() {
            let (k, l) = (product(&one[i], &one[j]), product(&other[i], &other[j]));
            kl += k * l;
            kk += k * k;
            ll += l * l;
        }
    }
    if kk * ll > 0.0 { kl / (kk * ll).sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rv_is_one_for_scaled_and_zero_for_unrelated_rows() {
        let wave = |speed: f32| -> Vec<Vec<f32>> {
            (0..64).map(|i| vec![(speed * i as f32).sin(), (speed * i as f32).cos()]).collect()
        };
        let (one, twice, other) = (
            wave(0.1963495),
            wave(0.1963495).into_iter().map(|row| row.iter().map(|x| 2.0 * x).collect()).collect::<Vec<_>>(),
            wave(0.5890486),
        );
        assert!((rv_coefficient(&one, &twice) - 1.0).abs() < 1e-6);
        assert!(rv_coefficient(&one, &other) < 1e-3);
        assert_eq!(rv_coefficient(&one, &vec![vec![0.0]; 64]), 0.0);
    }
}
