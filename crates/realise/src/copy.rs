//! Poses copied without allocating.

use marey_motion::LocalPose;

/// Makes a pose the same as another of the same body, in the room it has.
pub(crate) fn copy(from: &LocalPose, to: &mut LocalPose) {
    to.rotations.clone_from(&from.rotations);
    to.positions.clone_from(&from.positions);
}
