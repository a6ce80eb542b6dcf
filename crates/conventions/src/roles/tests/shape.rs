//! Roles from the tree's shape, names unseen.

use marey_motion::{Joint, Quat, Role, Side, Skeleton, Tip, Vec3};

use super::dialects;
use super::drawing::{Drawing, draw};
use crate::roles::{RoleEvidence, detect};

/// Rotates a drawing from Y up to Z up.
fn z_up(offset: Vec3) -> Vec3 {
    Quat::from_rotation_x(std::f32::consts::FRAC_PI_2) * offset
}

#[track_caller]
fn assert_found(drawing: &Drawing) {
    let guess = detect(&drawing.skeleton);
    assert_eq!(drawing.wrong_core(), [], "{}", guess.reason);
    assert_eq!(guess.evidence, RoleEvidence::Shape);
    assert!(guess.confidence > 0.3 && guess.confidence < 0.8, "{}", guess.confidence);
}

#[test]
fn nameless_bodies_of_four_archives_in_two_conventions() {
    for drawing in [dialects::cmu_bvh(), dialects::mixamo(""), dialects::bandai(), dialects::biovision()] {
        assert_found(&drawing.nameless());
        assert_found(&drawing.nameless().moved(z_up));
        let japanese = drawing.map(|i, joint| Joint { name: format!("骨{i}"), ..joint });
        assert_found(&japanese.moved(|offset| Vec3::new(-offset.x, offset.y, -offset.z) * 100.0));
    }
}

/// A knee must hang from its hip, and so on: a twist joint between them hides a limb.
fn limbs_are_in_a_row(drawing: &Drawing) -> bool {
    use Role::*;
    let rows = [
        [LeftUpperLeg, LeftLowerLeg],
        [LeftLowerLeg, LeftFoot],
        [LeftUpperArm, LeftLowerArm],
        [LeftLowerArm, LeftHand],
    ];
    rows.into_iter().all(|[above, below]| {
        let joint = drawing.joint(below).unwrap();
        drawing.skeleton.joints()[joint].parent == drawing.joint(above)
    })
}

#[test]
fn the_other_dialects_are_found_without_names_too() {
    let drawings: Vec<Drawing> = dialects::all().into_iter().filter(limbs_are_in_a_row).collect();
    assert_eq!(drawings.len(), dialects::all().len() - 2);
    for drawing in drawings {
        assert_found(&drawing.nameless());
    }
}

/// The parts of the trunk that shape alone settles, beyond the core.
#[test]
fn the_trunk_is_settled_as_by_names() {
    let nameless = dialects::cmu_bvh().nameless();
    let found = detect(&nameless.skeleton).roles;
    for role in [Role::Spine, Role::Chest, Role::UpperChest, Role::Neck, Role::LeftShoulder, Role::RightToes]
    {
        assert_eq!(found.iter().position(|r| *r == Some(role)), nameless.joint(role), "{role}");
    }
}

#[test]
fn without_toes_the_sides_are_a_guess_and_it_says_so() {
    let nameless = dialects::biovision_example().nameless();
    assert_found(&nameless);
    let guess = detect(&nameless.skeleton);
    let with_toes = detect(&dialects::biovision().nameless().skeleton);
    assert!(guess.reason.contains("guessed") && !with_toes.reason.contains("guessed"));
    assert!(guess.confidence < with_toes.confidence);
    // Turned about, the same body has its sides exchanged, and nothing else.
    let turned = nameless.moved(|o| Vec3::new(-o.x, o.y, -o.z));
    let mirrored: Vec<Option<Role>> = guess.roles.iter().map(|role| role.map(Role::mirrored)).collect();
    assert_eq!(detect(&turned.skeleton).roles, mirrored);
}

/// Offsets along each bone's own axis, against it on the right, as some exporters write them: the rest pose is no
/// body at all, only lengths are left.
#[test]
fn offsets_in_bone_frames_still_have_lengths() {
    let drawing = dialects::bandai();
    let bone_frames = drawing.map(|i, joint| {
        let length = joint.offset.length();
        let offset = match drawing.expected[i] {
            Some(Role::LeftUpperLeg) => Vec3::new(-0.02, -0.06, 0.0),
            Some(Role::RightUpperLeg) => Vec3::new(-0.02, 0.06, 0.0),
            Some(Role::LeftShoulder) => Vec3::new(0.13, 0.0, 0.05),
            Some(Role::RightShoulder) => Vec3::new(0.13, 0.0, -0.05),
            Some(role) if role.side() == Some(Side::Right) => Vec3::X * -length,
            _ => Vec3::X * length,
        };
        Joint { offset, ..joint }
    });
    let bone_frames = Drawing { skeleton: without_tips(&bone_frames.skeleton), ..bone_frames };
    assert_found(&bone_frames.nameless());
    let guess = detect(&bone_frames.nameless().skeleton);
    assert!(
        guess.reason.contains("guessed") && guess.confidence < 0.5,
        "{} {}",
        guess.confidence,
        guess.reason
    );
}

fn without_tips(skeleton: &Skeleton) -> Skeleton {
    Skeleton::new(skeleton.joints().to_vec(), vec![]).unwrap()
}

/// Formats without bone ends have a joint there: the crown is not the head, nor the last of two neck joints a crown.
#[test]
fn the_crown_is_not_the_head() {
    let body = |head: &str, toes: &str| {
        let text = format!(
            "a@Hips(b@Spine(c@Chest({head},{{d*@*UpperArm(e*@*LowerArm(f*@*Hand))}})),
                {{g*@*UpperLeg(h*@*LowerLeg(i*@*Foot(j*@*Toes{toes})))}})"
        );
        let drawing = draw(["x", "y"], &text);
        let ends = drawing.map(|_, joint| match joint.name.as_str() {
            "crown" => Joint { offset: Vec3::Y * 0.2, ..joint },
            "endx" | "endy" => Joint { offset: Vec3::Z * 0.07, ..joint },
            _ => joint,
        });
        Drawing { skeleton: without_tips(&ends.skeleton), ..ends }.nameless()
    };
    assert_found(&body("neck@Neck(head@Head)", ""));
    assert_found(&body("neck@Neck(head@Head(crown))", ""));
    assert_found(&body("neck@Neck(head@Head(crown))", "(end*)"));
    assert_found(&body("head@Head(crown)", "(end*)"));
}

#[test]
fn a_chain_is_not_a_human() {
    for joints in 1..6 {
        let joint = |i: usize| Joint::new(format!("Bone{i}"), i.checked_sub(1), Vec3::Y);
        let chain = Skeleton::new((0..joints).map(joint).collect(), vec![Tip { parent: 0, offset: Vec3::X }]);
        let guess = detect(&chain.unwrap());
        assert_eq!((guess.evidence, guess.confidence), (RoleEvidence::None, 0.0));
        assert!(guess.roles.iter().all(Option::is_none));
    }
}

#[test]
fn a_tree_that_branches_everywhere_is_not_a_human() {
    for branches in 2..5 {
        let offset = |i: usize| Vec3::new(0.1, 0.2, 0.1 * (i % 7) as f32);
        let joint = |i: usize| Joint::new(format!("b{i}"), i.checked_sub(1).map(|i| i / branches), offset(i));
        let guess = detect(&Skeleton::new((0..2000).map(joint).collect(), vec![]).unwrap());
        assert_eq!(guess.evidence, RoleEvidence::None, "{branches}");
    }
}

/// A fox has the tree of a human with a tail, and no hand in its way of standing.
#[test]
fn a_fox_is_not_a_human() {
    let fox = |names: [&str; 4]| {
        let [hips, chest, leg, arm] = names;
        let at = |name: &str, parent: usize, x: f32, y: f32, z: f32| {
            Joint::new(name, Some(parent), Vec3::new(x, y, z))
        };
        let mut joints = vec![
            Joint::new(hips, None, Vec3::new(0.0, 0.4, 0.0)),
            at(chest, 0, 0.0, 0.0, 0.45),
            at("neck", 1, 0.0, 0.1, 0.1),
            at("snout", 2, 0.0, 0.08, 0.08),
            at("tail", 0, 0.0, 0.0, -0.2),
        ];
        for (side, x) in [("l", 0.06), ("r", -0.06)] {
            for (word, parent) in [(leg, 0), (arm, 1)] {
                let top = joints.len();
                joints.push(at(&format!("{word}1{side}"), parent, x, -0.02, 0.0));
                joints.push(at(&format!("{word}2{side}"), top, 0.0, -0.18, 0.02));
                joints.push(at(&format!("{word}3{side}"), top + 1, 0.0, -0.16, -0.02));
                joints.push(at(&format!("{word}4{side}"), top + 2, 0.0, -0.02, 0.05));
            }
        }
        detect(&Skeleton::new(joints, vec![]).unwrap())
    };
    let nameless = fox(["b0", "b1", "b2", "b3"]);
    let half_named = fox(["b_Hip", "b_Spine01", "b_Leg", "b_Arm"]);
    for guess in [nameless, half_named] {
        assert!(guess.confidence < 0.1, "{}", guess.reason);
        assert!(guess.roles.iter().flatten().count() <= 2, "{:?}", guess.roles);
    }
}
