//! The choice of the rest pose.

use marey_formats::{ReadOptions, read};
use marey_motion::Role;

use crate::fixtures::FBX;

/// Each file has a T-pose that faces +Z in another candidate: all rotations zero (in the current pose of `no-motion`, an arm hangs
/// down), the current pose (with zero rotations, Blender's bones all lie along one axis), and the bind pose of a skin.
#[test]
fn people_rest_in_a_t_pose_that_faces_ahead() {
    for name in ["no-motion", "mixamo", "motionbuilder", "blender", "max-biped", "nulls"] {
        let bytes = FBX.named("good", &format!("{name}.fbx")).bytes;
        let import = read(&bytes, None, &ReadOptions::default()).unwrap();
        let skeleton = import.take().unwrap().first().skeleton().clone();
        let places = skeleton.rest_positions();
        let at = |role| places[skeleton.joint_of(role).unwrap_or_else(|| panic!("{name}: no {role:?}"))];
        for (upper, lower, hand) in [
            (Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand),
            (Role::RightUpperArm, Role::RightLowerArm, Role::RightHand),
        ] {
            // The pre-rotation of MotionBuilder's left arm rotates it at rest.
            if name == "motionbuilder" && upper == Role::LeftUpperArm {
                continue;
            }
            let out = (at(hand) - at(upper)).normalize();
            assert!(out.x.abs() > 0.99, "{name}: {hand:?} is {out} from {upper:?}");
            assert!((at(lower) - at(upper)).normalize().dot(out) > 0.99, "{name}: {lower:?} is bent");
        }
        let across = (at(Role::LeftUpperLeg) - at(Role::RightUpperLeg)).normalize();
        assert!(across.x > 0.99, "{name}: left is {across}");
        assert!(at(Role::Head).y > at(Role::LeftFoot).y + 0.9, "{name} does not stand");
    }
}
