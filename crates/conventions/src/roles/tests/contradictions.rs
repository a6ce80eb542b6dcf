//! Names that contradict the tree, or that are incomplete.

use marey_motion::{Joint, Role};

use super::dialects;
use super::drawing::Drawing;
use crate::roles::{RoleEvidence, detect};

/// A drawing with some joints renamed.
fn renamed(drawing: &Drawing, names: &[(&str, &str)]) -> Drawing {
    drawing.map(|_, joint| {
        let other = names.iter().find(|(from, _)| *from == joint.name);
        Joint { name: other.map_or(joint.name.clone(), |(_, to)| (*to).to_owned()), ..joint }
    })
}

#[test]
fn knees_with_their_names_exchanged_are_found_by_shape() {
    let drawing = renamed(&dialects::biovision(), &[("LeftKnee", "RightKnee"), ("RightKnee", "LeftKnee")]);
    let guess = detect(&drawing.skeleton);
    assert_eq!(drawing.wrong(), [], "{}", guess.reason);
    assert_eq!(guess.evidence, RoleEvidence::Mixed("Biovision"));
    assert!(guess.confidence < 0.9 && guess.confidence > 0.5, "{}", guess.confidence);
    assert_eq!(
        guess.reason,
        "names as in Biovision, 21 of 21 joints, 2 of which contradict the tree; \
         2 roles from the shape of the skeleton, left and right from the toes"
    );
}

#[test]
fn a_foot_above_its_knee_is_set_right() {
    let drawing = renamed(&dialects::biovision(), &[("LeftKnee", "LeftAnkle"), ("LeftAnkle", "LeftKnee")]);
    assert_eq!(drawing.wrong_core(), []);
    assert!(detect(&drawing.skeleton).confidence < 0.95);
}

#[test]
fn what_names_leave_open_comes_from_the_shape() {
    let open = [("LeftUpLeg", "leg_l"), ("RightUpLeg", "leg_r"), ("LeftArm", "arm_l"), ("Head", "top")];
    let drawing = renamed(&dialects::cmu_bvh(), &open);
    let guess = detect(&drawing.skeleton);
    assert_eq!(drawing.wrong(), [], "{}", guess.reason);
    assert_eq!(guess.evidence, RoleEvidence::Mixed("CMU (BVH)"));
}

/// Names determine the left side even if the toes point backwards.
#[test]
fn sides_follow_the_names() {
    let backwards = dialects::cmu_bvh().moved(|o| marey_motion::Vec3::new(-o.x, o.y, o.z));
    let drawing = renamed(&backwards, &[("LeftArm", "arm_l"), ("RightArm", "arm_r")]);
    assert_eq!(drawing.wrong(), []);
}

#[test]
fn half_a_body_is_named_as_far_as_it_goes() {
    let arm = super::drawing::draw(
        ["Left", "Right"],
        "Spine2(Neck@Neck(Head@Head), {*Shoulder@*Shoulder(*Arm@*UpperArm(*ForeArm@*LowerArm(*Hand@*Hand)))})",
    );
    let guess = detect(&arm.skeleton);
    assert_eq!(arm.wrong(), []);
    assert_eq!(guess.evidence, RoleEvidence::Names("MotionBuilder"));
    assert!(guess.confidence < 0.6);
    assert!(!guess.roles.contains(&Some(Role::Hips)));
}
