//! An example motion Q, prepared for comparison with a performance and for composition.

use glam::{Quat, Vec3};
use marey_motion::{Clip, LocalPose, WorldPose};
use marey_ops::retarget::{Retarget, RetargetSettings};
use marey_ops::rotation_mean::rotation_mean;

use crate::Result;
use crate::basis::{Basis, log};
use crate::character_body::CharacterBody;
use crate::engage::Effector;
use crate::hand_motion::HandMotion;
use crate::hand_motion_model::HandMotionModel;

/// Q on the character's body: its poses without heading, the motion of its hands, and the directions in which it varies.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    /// The motion of its hands.
    pub(crate) hand_motion: HandMotionModel,
    /// q̌_avg.
    pub(crate) mean: LocalPose,
    /// B, with the eigenvalues.
    pub(crate) basis: Basis,
    /// The coordinates of each pose in the first directions: frames × `used`.
    pub(crate) coordinates: Vec<f32>,
    /// m: the number of directions that poses are composed in.
    pub(crate) used: usize,
    /// Whether the body is horizontal, so that the trunk follows the example as well.
    pub(crate) is_lying: bool,
    /// Whether its feet stand on a floor.
    pub(crate) is_standing: bool,
    /// The speed of its fastest joint relative to the root, in metres per second.
    pub(crate) fastest_mps: f32,
}

/// The fraction of the variance that the used directions explain.
const EXPLAINED: f32 = 0.98;
/// The largest number of directions.
pub(crate) const MAX_USED: usize = 12;
/// Feet within this distance of their lowest height stand, as a fraction of the body's height.
const STANDING: f32 = 0.02;

impl Example {
    /// Retargets an example to the character's body and analyses it.
    pub(crate) fn new(clip: &Clip, body: &CharacterBody) -> Result<Self> {
        let settings = RetargetSettings { keep_feet: false, ..RetargetSettings::default() };
        let clip = Retarget::new(clip.skeleton(), body.skeleton().clone(), &settings)?.apply(clip)?;
        let secs = 1.0 / clip.rate_hz() as f32;
        let mut world = WorldPose::scratch(body.skeleton());
        let mut poses: Vec<LocalPose> = Vec::with_capacity(clip.frames());
        let mut hands: Vec<[Vec3; 2]> = Vec::with_capacity(clip.frames());
        let (mut upright, mut lowest) = (0.0, Vec::with_capacity(clip.frames()));
        for pose in clip.poses() {
            world.set(pose);
            let without_heading = Quat::from_rotation_y(-body.yaw_rad(&world).unwrap_or(0.0));
            let mut pose = pose.to_owned();
            pose.rotations[0] = without_heading * pose.rotations[0];
            pose.positions[0] = Vec3::ZERO;
            let hand =
                |effector| without_heading * (body.end(&world, effector) - body.root(&world, effector));
            hands.push([Effector::LeftHand, Effector::RightHand].map(hand));
            let feet = [Effector::LeftFoot, Effector::RightFoot].map(|foot| body.end(&world, foot).y);
            lowest.push(feet[0].min(feet[1]));
            upright +=
                (body.root(&world, Effector::LeftHand) - body.root(&world, Effector::LeftFoot)).normalize().y;
            poses.push(pose);
        }
        let floor = lowest.iter().copied().fold(f32::MAX, f32::min);
        let standing = lowest.iter().filter(|y| **y - floor < STANDING * body.height_m()).count();
        let hand_frames = HandMotion::of_cycle(&hands, secs, body.height_m());
        let mean = mean_pose(&poses, body);
        let deviations: Vec<Vec<f32>> = poses.iter().map(|pose| deviation(&mean, pose)).collect();
        let basis = Basis::new(body.skeleton(), &deviations);
        let used = used_directions(&basis);
        let mut coordinates = vec![0.0; used * poses.len()];
        for (row, deviation) in coordinates.chunks_exact_mut(used).zip(&deviations) {
            basis.coordinates_into(deviation, row);
        }
        let frames = poses.len() as f32;
        Ok(Self {
            hand_motion: HandMotionModel::fit(hand_frames),
            mean,
            basis,
            coordinates,
            used,
            is_lying: upright / frames < 0.5,
            is_standing: standing as f32 / frames > 0.7,
            fastest_mps: fastest_mps(&poses, body, secs),
        })
    }

    /// The coordinates of a frame in the used directions.
    pub(crate) fn frame(&self, frame: usize) -> &[f32] {
        &self.coordinates[frame * self.used..][..self.used]
    }

    /// The log-likelihood of a pose under the example, up to a constant: −½ Σ z². The pose must have no heading.
    pub(crate) fn log_likelihood(&self, pose: &LocalPose) -> f32 {
        let mut z = vec![0.0; self.basis.len()];
        self.basis.coordinates_into(&deviation(&self.mean, pose), &mut z);
        -0.5 * z.iter().map(|z| z * z).sum::<f32>()
    }
}

/// The speed of the fastest joint relative to the root.
fn fastest_mps(poses: &[LocalPose], body: &CharacterBody, secs: f32) -> f32 {
    let positions: Vec<Vec<Vec3>> =
        poses.iter().map(|pose| WorldPose::of(body.skeleton(), pose.view()).positions).collect();
    let pairs = positions.iter().zip(positions.iter().skip(1));
    let moved = pairs.flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.distance(*b)));
    moved.fold(0.0, f32::max) / secs
}

fn mean_pose(poses: &[LocalPose], body: &CharacterBody) -> LocalPose {
    let mut mean = LocalPose::rest(body.skeleton());
    for (joint, rotation) in mean.rotations.iter_mut().enumerate() {
        let all: Vec<Quat> = poses.iter().map(|pose| pose.rotations[joint]).collect();
        *rotation = rotation_mean(&all, &vec![1.0; all.len()]);
    }
    mean
}

/// The rotation of each joint from one pose to another, as rotation vectors.
pub(crate) fn deviation(from: &LocalPose, to: &LocalPose) -> Vec<f32> {
    from.rotations.iter().zip(&to.rotations).flat_map(|(a, b)| log(*a, *b).to_array()).collect()
}

/// The number of directions that explain most of the variance.
fn used_directions(basis: &Basis) -> usize {
    let total: f32 = basis.variances.iter().sum();
    let mut sum = 0.0;
    let needed = basis.variances.iter().take_while(|variance| {
        let is_needed = sum < EXPLAINED * total;
        sum += **variance;
        is_needed
    });
    needed.count().clamp(1, MAX_USED).min(basis.len())
}
