//! What is compared when gaps are compared: the pose at an end, and how the body got there or goes on.
//!
//! Everything is relative to the ground under the hips at that moment. Three blocks are reduced by principal components on their own,
//! because an end may come without the frames before or after it.

use glam::{Quat, Vec3};
use marey_motion::{CheckedAccess, Ground, LocalPoseRef, Observer, Role, Skeleton, WorldPose};
use rayon::prelude::*;

use super::example_frames::ExampleFrames;
use super::projection::Projection;
use crate::Result;
use crate::error::check_cancelled;

/// Frames before or after a moment that are compared with it, at the working rate.
pub(crate) const LAGS: [usize; 4] = [1, 2, 4, 9];
/// Weight of the movement since each lag, relative to positions. Short lags are small numbers.
const LAG_WEIGHTS: [f32; 4] = [3.0, 1.5, 0.8, 0.4];
/// Weight of a rotation, relative to positions: about the length of a limb, in metres.
const ROTATION_WEIGHT_M: f32 = 0.12;
/// Maximum number of joints that are compared.
const MAX_JOINTS: usize = 32;
/// Number of principal components of a pose, and of movement.
const POSE_COMPONENTS: usize = 48;
const MOTION_COMPONENTS: usize = 32;
/// Maximum number of frames that principal components are computed from.
const MAX_SAMPLES: usize = 4000;

/// Number of frames between two looks at the observer.
const LOOK: usize = 256;
/// With fewer roles than this, all joints are compared.
const MIN_ROLES: usize = 8;

/// The joints that are compared.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ComparedJoints(Vec<usize>);

impl ComparedJoints {
    pub(crate) fn of(skeleton: &Skeleton) -> Self {
        let with_roles: Vec<usize> = Role::BODY.iter().filter_map(|role| skeleton.joint_of(*role)).collect();
        if with_roles.len() >= MIN_ROLES {
            Self(with_roles)
        } else {
            Self((0..skeleton.len().min(MAX_JOINTS)).collect())
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// A pose in world coordinates, with what features need of it.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    /// Positions of the compared joints.
    positions: Vec<Vec3>,
    /// Local rotations of the compared joints.
    rotations: Vec<Quat>,
    ground: Ground,
}

impl Moment {
    pub(crate) fn new(
        joints: &ComparedJoints,
        world: &mut WorldPose,
        pose: LocalPoseRef<'_>,
        ground: Ground,
    ) -> Result<Self> {
        world.set(pose);
        let rotation = |joint: &usize| {
            let rotation = *pose.rotations.at(*joint)?;
            Ok(if *joint == 0 { ground.rotation().inverse() * rotation } else { rotation })
        };
        let position = |joint: &usize| Ok(*world.positions.at(*joint)?);
        Ok(Self {
            positions: joints.0.iter().map(position).collect::<Result<_>>()?,
            rotations: joints.0.iter().map(rotation).collect::<Result<_>>()?,
            ground,
        })
    }

    pub(crate) fn ground(&self) -> Ground {
        self.ground
    }

    /// The same moment moved over the ground.
    pub(crate) fn moved(&self, world_from_here: Ground) -> Self {
        Self {
            positions: self.positions.iter().map(|position| world_from_here.point(*position)).collect(),
            rotations: self.rotations.clone(),
            ground: world_from_here * self.ground,
        }
    }

    /// Appends the features of the pose.
    fn pose_features(&self, features: &mut Vec<f32>) {
        let body_from_world = self.ground.inverse();
        for (position, rotation) in self.positions.iter().zip(&self.rotations) {
            features.extend(body_from_world.point(*position).to_array());
            for axis in [*rotation * Vec3::X, *rotation * Vec3::Y] {
                features.extend((ROTATION_WEIGHT_M * axis).to_array());
            }
        }
    }

    /// Appends the movement from here to another moment.
    fn motion_features(&self, other: &Self, weight: f32, features: &mut Vec<f32>) {
        let body_from_world = self.ground.inverse();
        for (a, b) in self.positions.iter().zip(&other.positions) {
            features.extend((weight * body_from_world.direction(*b - *a)).to_array());
        }
    }
}

/// The three blocks of features of a moment, reduced.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct MomentFeatures {
    pub(crate) pose: Vec<f32>,
    /// Movement of the frames before; empty if unknown.
    pub(crate) before: Vec<f32>,
    /// Movement of the frames after; empty if unknown.
    pub(crate) after: Vec<f32>,
}

/// Principal components of the blocks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FeatureSpace {
    pub(crate) joints: ComparedJoints,
    pub(crate) pose: Projection,
    pub(crate) before: Projection,
    pub(crate) after: Projection,
}

/// The reduced features of all frames, one row each.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct FeatureTable {
    pub(crate) pose: Vec<f32>,
    pub(crate) before: Vec<f32>,
    pub(crate) after: Vec<f32>,
}

impl FeatureSpace {
    /// Learns the components and returns the features of all frames.
    pub(crate) fn learn(frames: &ExampleFrames, observer: Observer<'_>) -> Result<(Self, FeatureTable)> {
        let joints = ComparedJoints::of(&frames.skeleton);
        let moments: Vec<Moment> = (0..frames.len())
            .into_par_iter()
            .map_init(
                || WorldPose::scratch(&frames.skeleton),
                |world, frame| Moment::new(&joints, world, frames.pose(frame)?, *frames.track.at(frame)?),
            )
            .collect::<Result<_>>()?;
        let stretch_of: Vec<std::ops::Range<usize>> = frames
            .stretches
            .iter()
            .flat_map(|stretch| std::iter::repeat_n(stretch.frames.clone(), stretch.frames.len()))
            .collect();
        let raw = |block: usize, frame: usize| -> Result<Vec<f32>> {
            if frame.is_multiple_of(LOOK) {
                check_cancelled(observer)?;
            }
            let mut features = Vec::new();
            let (stretch, moment) = (stretch_of.at(frame)?, moments.at(frame)?);
            match block {
                0 => moment.pose_features(&mut features),
                _ => {
                    for (lag, weight) in LAGS.into_iter().zip(LAG_WEIGHTS) {
                        let other = if block == 1 {
                            frame.saturating_sub(lag).max(stretch.start)
                        } else {
                            (frame + lag).min(stretch.end - 1)
                        };
                        moment.motion_features(moments.at(other)?, weight, &mut features);
                    }
                }
            }
            Ok(features)
        };
        let step = frames.len().div_ceil(MAX_SAMPLES).max(1);
        let learn = |block: usize, components: usize| -> Result<Projection> {
            let rows = (0..frames.len()).step_by(step).map(|frame| raw(block, frame));
            Projection::learn(&rows.collect::<Result<Vec<_>>>()?, components, observer)
        };
        let project = |block: usize, projection: &Projection| -> Result<Vec<f32>> {
            let row = |frame: usize| Ok(projection.apply(&raw(block, frame)?));
            Ok((0..frames.len()).into_par_iter().map(row).collect::<Result<Vec<_>>>()?.concat())
        };
        let (pose, before, after) =
            (learn(0, POSE_COMPONENTS)?, learn(1, MOTION_COMPONENTS)?, learn(2, MOTION_COMPONENTS)?);
        let table = FeatureTable {
            pose: project(0, &pose)?,
            before: project(1, &before)?,
            after: project(2, &after)?,
        };
        Ok((Self { joints, pose, before, after }, table))
    }

    /// The features of a moment, and of the movement to the moments at [`LAGS`] before or after it, if they are known.
    pub(crate) fn features(&self, moment: &Moment, before: &[Moment], after: &[Moment]) -> MomentFeatures {
        let mut pose = Vec::new();
        moment.pose_features(&mut pose);
        let movement = |others: &[Moment], projection: &Projection| {
            let mut features = Vec::new();
            for (other, weight) in others.iter().zip(LAG_WEIGHTS) {
                moment.motion_features(other, weight, &mut features);
            }
            if others.is_empty() { Vec::new() } else { projection.apply(&features) }
        };
        MomentFeatures {
            pose: self.pose.apply(&pose),
            before: movement(before, &self.before),
            after: movement(after, &self.after),
        }
    }
}
