//! An example motion Q, ready to be compared with and mixed into a performance.

use glam::{Quat, Vec3};
use marey_motion::{Clip, LocalPose, WorldPose};
use marey_ops::retarget::{Retarget, Settings};
use marey_ops::rotation_mean::rotation_mean;

use crate::Result;
use crate::basis::{Basis, log};
use crate::body::Body;
use crate::engage::Effector;
use crate::likeness::Likeness;
use crate::movement::Movement;

/// Q on the character's body: its poses without heading, what hands do in it, and the directions it varies in.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    /// How hands move in it.
    pub(crate) likeness: Likeness,
    /// q̌_avg.
    pub(crate) mean: LocalPose,
    /// B, with the eigenvalues.
    pub(crate) basis: Basis,
    /// Coordinates of every pose in the first directions, frames × [`Example::used`].
    pub(crate) coordinates: Vec<f32>,
    /// m: how many directions poses are mixed in.
    pub(crate) used: usize,
    /// Whether the body lies in it, so that the trunk comes from it as well.
    pub(crate) lies: bool,
    /// Whether feet stand on a floor in it.
    pub(crate) stands: bool,
}

/// Directions are used until they explain this share of what varies.
const EXPLAINED: f32 = 0.98;
/// More are never used.
pub(crate) const MOST_USED: usize = 12;
/// Feet this near to the lowest they ever are, in heights of the body, stand.
const STANDING: f32 = 0.02;

impl Example {
    /// Moves an example to the character's body and learns from it.
    pub(crate) fn new(clip: &Clip, body: &Body) -> Result<Self> {
        let settings = Settings { keep_feet: false, ..Settings::default() };
        let clip = Retarget::new(clip.skeleton(), body.skeleton().clone(), &settings)?.apply(clip)?;
        let secs = 1.0 / clip.rate_hz() as f32;
        let mut world = WorldPose::scratch(body.skeleton());
        let mut poses: Vec<LocalPose> = Vec::with_capacity(clip.frames());
        let mut hands: Vec<[Vec3; 2]> = Vec::with_capacity(clip.frames());
        let (mut upright, mut lowest) = (0.0, Vec::with_capacity(clip.frames()));
        for pose in clip.poses() {
            world.set(pose);
            let unturned = Quat::from_rotation_y(-body.yaw_rad(&world).unwrap_or(0.0));
            let mut pose = pose.to_owned();
            pose.rotations[0] = unturned * pose.rotations[0];
            pose.positions[0] = Vec3::ZERO;
            let hand = |effector| unturned * (body.end(&world, effector) - body.root(&world, effector));
            hands.push([Effector::LeftHand, Effector::RightHand].map(hand));
            let feet = [Effector::LeftFoot, Effector::RightFoot].map(|foot| body.end(&world, foot).y);
            lowest.push(feet[0].min(feet[1]));
            upright +=
                (body.root(&world, Effector::LeftHand) - body.root(&world, Effector::LeftFoot)).normalize().y;
            poses.push(pose);
        }
        let floor = lowest.iter().copied().fold(f32::MAX, f32::min);
        let standing = lowest.iter().filter(|y| **y - floor < STANDING * body.height_m()).count();
        let movements = Movement::of_cycle(&hands, secs, body.height_m());
        let mean = mean_of(&poses, body);
        let deviations: Vec<Vec<f32>> = poses.iter().map(|pose| deviation(&mean, pose)).collect();
        let basis = Basis::new(body.skeleton(), &deviations);
        let used = directions(&basis);
        let mut coordinates = vec![0.0; used * poses.len()];
        for (row, deviation) in coordinates.chunks_exact_mut(used).zip(&deviations) {
            basis.coordinates_into(deviation, row);
        }
        let frames = poses.len() as f32;
        Ok(Self {
            likeness: Likeness::learn(movements),
            mean,
            basis,
            coordinates,
            used,
            lies: upright / frames < 0.5,
            stands: standing as f32 / frames > 0.7,
        })
    }

    /// The coordinates of a frame.
    pub(crate) fn frame(&self, frame: usize) -> &[f32] {
        &self.coordinates[frame * self.used..][..self.used]
    }

    /// ln p of a pose under the example, up to a constant: −½ Σ z². The heading of the pose must be taken off.
    pub(crate) fn log_likelihood(&self, pose: &LocalPose) -> f32 {
        let mut z = vec![0.0; self.basis.len()];
        self.basis.coordinates_into(&deviation(&self.mean, pose), &mut z);
        -0.5 * z.iter().map(|z| z * z).sum::<f32>()
    }
}

fn mean_of(poses: &[LocalPose], body: &Body) -> LocalPose {
    let mut mean = LocalPose::rest(body.skeleton());
    for (joint, rotation) in mean.rotations.iter_mut().enumerate() {
        let all: Vec<Quat> = poses.iter().map(|pose| pose.rotations[joint]).collect();
        *rotation = rotation_mean(&all, &vec![1.0; all.len()]);
    }
    mean
}

/// A pose away from another.
pub(crate) fn deviation(from: &LocalPose, to: &LocalPose) -> Vec<f32> {
    from.rotations.iter().zip(&to.rotations).flat_map(|(a, b)| log(*a, *b).to_array()).collect()
}

/// How many directions explain most of what varies.
fn directions(basis: &Basis) -> usize {
    let whole: f32 = basis.variances.iter().sum();
    let mut sum = 0.0;
    let enough = basis.variances.iter().take_while(|variance| {
        let more = sum < EXPLAINED * whole;
        sum += **variance;
        more
    });
    enough.count().clamp(1, MOST_USED).min(basis.len())
}
