//! Skeletons with the same joints: motion is copied, not solved.
//!
//! Two files of one rig have the same joint names, hierarchy and bone axes. A local rotation then means the same in both, whatever
//! their rest poses, so it is copied. If the bones have the same lengths too, the copy is exact.

use std::collections::HashMap;

use marey_motion::{Clip, ClipParts, LocalPoseRef, Skeleton, Vec3};

use crate::Result;

/// Bones that differ by less than this, in metres, are equal. Files round to 0.1 mm or finer.
const EQUAL_M: f32 = 2e-4;
/// Bones whose directions differ by less than this, in radians, are parallel.
const PARALLEL_RAD: f32 = 0.05;
/// Shorter bones, in metres, have no reliable direction.
const MIN_BONE_M: f32 = 0.01;

/// How much of two bodies with the same joints is equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Likeness {
    /// Bones have the same lengths and directions.
    SameBody,
    /// Bones have the same directions in the frames of their joints.
    SameAxes,
}

/// The joints of a target and of a source with the same names and hierarchy.
#[derive(Debug)]
pub(super) struct SameJoints {
    /// The joint of the source, for each joint of the target.
    pub(super) joints: Vec<usize>,
    pub(super) likeness: Likeness,
}

impl SameJoints {
    /// `None` if names, parents or bone directions differ.
    pub(super) fn of(source: &Skeleton, target: &Skeleton) -> Option<Self> {
        if source.len() != target.len() {
            return None;
        }
        let by_name: HashMap<&str, usize> =
            source.joints().iter().enumerate().map(|(index, joint)| (joint.name.as_str(), index)).collect();
        let joints: Vec<usize> = target
            .joints()
            .iter()
            .map(|joint| by_name.get(joint.name.as_str()).copied())
            .collect::<Option<_>>()?;
        let mut likeness = Likeness::SameBody;
        for (joint, &own) in target.joints().iter().zip(&joints) {
            let theirs = &source.joints()[own];
            if theirs.parent != joint.parent.map(|parent| joints[parent]) {
                return None;
            }
            // The offset of a joint that translates in every frame is where one frame had it.
            if joint.parent.is_none() || (joint.moves && theirs.moves) {
                continue;
            }
            if joint.offset.distance(theirs.offset) > EQUAL_M {
                likeness = Likeness::SameAxes;
                if !are_parallel(joint.offset, theirs.offset) {
                    return None;
                }
            }
        }
        Some(Self { joints, likeness })
    }

    /// The motion on the target, unchanged. Translations of joints that do not translate in the target are left out.
    pub(super) fn copy(&self, clip: &Clip, target: &std::sync::Arc<Skeleton>) -> Result<Clip> {
        let mut parts = ClipParts::default();
        for pose in clip.poses() {
            self.copy_pose(clip.skeleton(), pose, target, &mut parts);
        }
        Ok(Clip::new(target.clone(), clip.rate_hz(), parts)?)
    }
}

impl SameJoints {
    /// Appends a pose of the source to the arrays of a clip of the target.
    pub(super) fn copy_pose(
        &self,
        source: &Skeleton,
        pose: LocalPoseRef<'_>,
        target: &Skeleton,
        parts: &mut ClipParts,
    ) {
        parts.rotations.extend(self.joints.iter().map(|&joint| pose.rotations[joint]));
        for &joint in target.movers() {
            let mover = source.movers().iter().position(|&mover| mover == self.joints[joint]);
            parts.positions.push(mover.map_or(target.offsets()[joint], |mover| pose.positions[mover]));
        }
    }
}

fn are_parallel(one: Vec3, other: Vec3) -> bool {
    one.length() < MIN_BONE_M || other.length() < MIN_BONE_M || one.angle_between(other) < PARALLEL_RAD
}
