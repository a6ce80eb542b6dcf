//! Copying poses without allocation.

use marey_motion::LocalPose;

/// Copies a pose of the same body into existing memory.
pub(crate) fn copy_pose(from: &LocalPose, to: &mut LocalPose) {
    to.rotations.clone_from(&from.rotations);
    to.positions.clone_from(&from.positions);
}
