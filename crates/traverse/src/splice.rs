//! Upper and lower body matched apart, and spliced.
//!
//! Lamouret and van de Panne (1996), section 2, question 4: a database stays small where motions are separable, as upper and lower
//! body may be, and statistical correlations may say so. Here: strides are compared by how the legs begin them and by how the rest of the body
//! does, each from the hips, those of the left and of the right foot about their own means; how much the two go together is the
//! RV coefficient of Escoufier (*Le traitement des variables vectorielles*, 1973),
//!
//! ```text
//! RV = tr(K L) / √(tr(K K) tr(L L))
//! ```
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | K, L | products of every two strides' rows, of legs and of the rest | m² |
//! | RV | 0 where the two have nothing to do with each other, 1 where one follows from the other | 1 |
//!
//! Where it is below a bound, the legs are chosen for the ground, and the rest of the body on its own: the stride whose upper body begins most like the
//! last one ended, of the same foot, so that arms stay in step. It is stretched to the time of the legs.
//!
//! Limits: RV sees what is linear. At most [`MOST`] strides are looked at.

use marey_motion::{Clip, Skeleton, Vec3, WorldPose};

use crate::index::squared_distance;
use crate::walker::Walker;
use crate::{Example, Primitive};

/// So many strides are compared at the most.
const MOST: usize = 400;
/// Fewer tell nothing.
const LEAST: usize = 8;

/// How the upper bodies of strides begin and end.
#[derive(Debug, Clone)]
pub(crate) struct Splice {
    /// The joints that are neither the root's nor a leg's.
    upper: Vec<usize>,
    starts: Vec<Vec<f32>>,
    ends: Vec<Vec<f32>>,
    /// How much legs and the rest go together; `None` where there are too few strides.
    pub(crate) together: Option<f64>,
}

impl Splice {
    pub(crate) fn of(
        walker: &Walker,
        examples: &[Example],
        primitives: &[Primitive],
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
        let row = |primitive: &Primitive, frame: usize, joints: &[usize]| {
            row(&examples[primitive.example].clip, frame, joints, velocity_secs)
        };
        let starts: Vec<Vec<f32>> = primitives.iter().map(|p| row(p, p.frames.start, &upper)).collect();
        let ends = primitives.iter().map(|p| row(p, p.frames.end, &upper)).collect();
        let some = primitives.len().div_ceil(MOST).max(1);
        let seen: Vec<&Primitive> = primitives.iter().step_by(some).collect();
        let legs = seen.iter().map(|p| row(p, p.frames.start, &lower)).collect();
        let rest = starts.iter().step_by(some).cloned().collect();
        let together =
            (seen.len() >= LEAST).then(|| rv(&about_means(legs, &seen), &about_means(rest, &seen)));
        Self { upper, starts, ends, together }
    }

    /// The joints that are spliced.
    pub(crate) fn upper(&self) -> &[usize] {
        &self.upper
    }

    /// The stride whose upper body begins most like another's ends, among those of a foot.
    pub(crate) fn after(&self, last: usize, like: &Primitive, primitives: &[Primitive]) -> usize {
        let same = primitives.iter().enumerate().filter(|(_, primitive)| primitive.foot == like.foot);
        let apart = |number: usize| squared_distance(&self.ends[last], &self.starts[number]);
        let nearest = same.map(|(number, _)| number).min_by(|a, b| apart(*a).total_cmp(&apart(*b)));
        nearest.unwrap_or(last)
    }
}

/// Where joints are from the root, turned as it is, and how fast they go.
fn row(clip: &Clip, frame: usize, joints: &[usize], velocity_secs: f32) -> Vec<f32> {
    let places = |frame: usize| -> Vec<Vec3> {
        let world = WorldPose::of(clip.skeleton(), clip.pose(frame));
        let from_root = world.rotations[0].inverse();
        joints.iter().map(|joint| from_root * (world.positions[*joint] - world.positions[0])).collect()
    };
    let (before, after) = (frame.saturating_sub(1), (frame + 1).min(clip.frames() - 1));
    let scale = velocity_secs * clip.rate_hz() as f32 / (after - before).max(1) as f32;
    let (before, here, after) = (places(before), places(frame), places(after));
    let velocities = before.iter().zip(&after).map(|(before, after)| scale * (after - before));
    here.iter().copied().chain(velocities).flat_map(|at| at.to_array()).collect()
}

/// Rows about the mean of those of the same foot.
fn about_means(mut rows: Vec<Vec<f32>>, of: &[&Primitive]) -> Vec<Vec<f32>> {
    let feet: Vec<_> = of.iter().map(|primitive| primitive.foot).collect();
    for foot in [feet.iter().copied().min(), feet.iter().copied().max()].into_iter().flatten() {
        let own: Vec<usize> = (0..rows.len()).filter(|number| feet[*number] == foot).collect();
        let mut mean = vec![0f32; rows.first().map_or(0, Vec::len)];
        for number in &own {
            mean.iter_mut().zip(&rows[*number]).for_each(|(mean, x)| *mean += x / own.len() as f32);
        }
        for number in own {
            rows[number].iter_mut().zip(&mean).for_each(|(x, mean)| *x -= mean);
        }
    }
    rows
}

/// How much two descriptions of the same things go together, 0 to 1.
fn rv(one: &[Vec<f32>], other: &[Vec<f32>]) -> f64 {
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
    fn what_follows_goes_together_and_what_does_not_does_not() {
        let wave = |speed: f32| -> Vec<Vec<f32>> {
            (0..64).map(|i| vec![(speed * i as f32).sin(), (speed * i as f32).cos()]).collect()
        };
        let (one, twice, other) = (
            wave(0.1963495),
            wave(0.1963495).into_iter().map(|row| row.iter().map(|x| 2.0 * x).collect()).collect::<Vec<_>>(),
            wave(0.5890486),
        );
        assert!((rv(&one, &twice) - 1.0).abs() < 1e-6);
        assert!(rv(&one, &other) < 1e-3);
        assert_eq!(rv(&one, &vec![vec![0.0]; 64]), 0.0);
    }
}
