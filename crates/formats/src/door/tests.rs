//! The door, on a generated walker whose conventions were changed: whatever is done to it, it comes out as it was.

use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Actor, Clip, ClipParts, Joint, LocalPose, Report, Role, Skeleton, Take, Tip};

use super::{By, Conventions, Detected, FloorWish, RestPose, Stated, UpAxis, settle};
use crate::Unit;
use crate::roles::RoleMap;

/// A person who walks for some seconds, in Marey's conventions.
fn walker() -> Clip {
    let settings = WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..Default::default() };
    walk(&settings).unwrap().take.first().clone()
}

/// A clip with every vector and rotation of its skeleton and motion changed.
fn changed(clip: &Clip, vector: impl Fn(Vec3) -> Vec3, rotation: impl Fn(Quat) -> Quat) -> Clip {
    let joints = clip.skeleton().joints().iter().map(|joint| Joint {
        offset: vector(joint.offset),
        rest_rotation: rotation(joint.rest_rotation),
        role: None,
        ..joint.clone()
    });
    let tips = clip.skeleton().tips().iter().map(|tip| Tip { offset: vector(tip.offset), ..*tip });
    let skeleton = Skeleton::new(joints.collect(), tips.collect()).unwrap();
    let parts = ClipParts {
        rotations: clip.rotations().iter().map(|q| rotation(*q)).collect(),
        positions: clip.positions().iter().map(|p| vector(*p)).collect(),
    };
    Clip::new(Arc::new(skeleton), clip.rate_hz(), parts).unwrap()
}

/// The same motion in another world: this axis up, this unit.
fn in_other_world(clip: &Clip, up: UpAxis, unit: Unit) -> Clip {
    // The inverse of a turn to Y up takes as many quarter turns the other way: three times the same.
    let quarter = |v| up.to_y_up(up.to_y_up(up.to_y_up(v)));
    let back = move |v: Vec3| if matches!(up, UpAxis::MinusY) { up.to_y_up(v) } else { quarter(v) };
    let per_metre = (1.0 / unit.metres()) as f32;
    changed(
        clip,
        |v| back(v) * per_metre,
        |q| {
            let v = back(Vec3::new(q.x, q.y, q.z));
            Quat::from_xyzw(v.x, v.y, v.z, q.w)
        },
    )
}

fn settled(clip: Clip, wishes: &Conventions) -> (Clip, Detected, Report) {
    settled_as_stated(clip, &Stated::default(), wishes)
}

fn settled_as_stated(clip: Clip, stated: &Stated, wishes: &Conventions) -> (Clip, Detected, Report) {
    let mut report = Report::default();
    let (take, mut detected) = settle(Take::solo("walk", clip), stated, wishes, &mut report).unwrap();
    (take.first().clone(), detected.remove(0), report)
}

fn assert_same_motion(a: &Clip, b: &Clip) {
    assert_eq!(a.frames(), b.frames());
    for (p, q) in a.world().positions.iter().zip(&b.world().positions) {
        assert!(p.distance(*q) < 1e-3, "{p} and {q}");
    }
}

#[test]
fn every_up_axis_and_unit_comes_out_the_same() {
    let reference = walker();
    for up in UpAxis::ALL {
        for unit in Unit::NAMED {
            let (clip, detected, report) =
                settled(in_other_world(&reference, up, unit), &Conventions::default());
            assert_eq!((detected.up_axis.value, detected.unit.value), (up, unit));
            assert_eq!((detected.up_axis.by, detected.unit.by), (By::Evidence, By::Evidence));
            assert_eq!(report.codes().contains(&"door/up-axis"), up != UpAxis::Y);
            assert_same_motion(&clip, &reference);
            assert!(detected.role_guess.confidence > 0.9);
            let height_m = detected.height_m.unwrap();
            assert!((1.5..1.9).contains(&height_m), "{height_m}");
        }
    }
}

#[test]
fn a_body_that_faces_elsewhere_at_rest_keeps_its_way() {
    let reference = walker();
    for quarter in [90.0f32, 180.0, -90.0] {
        // The body turned in its own frame, and turned back by every frame's root: the world is as before.
        let turn = Quat::from_rotation_y(quarter.to_radians());
        let turned = changed(&reference, |v| turn * v, |q| turn * q * turn.inverse());
        let joints = turned.skeleton().len();
        let mut parts = turned.clone().into_parts();
        parts.positions = reference.positions().to_vec();
        for (root, original) in
            parts.rotations.iter_mut().step_by(joints).zip(reference.rotations().iter().step_by(joints))
        {
            *root = *original * turn.inverse();
        }
        let turned = Clip::new(turned.skeleton().clone(), turned.rate_hz(), parts).unwrap();
        assert_same_motion(&turned, &reference);
        let (clip, detected, report) = settled(turned, &Conventions::default());
        assert_eq!(detected.facing_deg.value.abs(), quarter.abs());
        assert!(report.codes().contains(&"door/facing"));
        assert_same_motion(&clip, &reference);
        // At rest it now faces ahead, and its heading is the original's.
        let left = clip.skeleton().joint_of(Role::LeftUpperLeg).unwrap();
        let right = clip.skeleton().joint_of(Role::RightUpperLeg).unwrap();
        let rest = clip.skeleton().rest_positions();
        assert!((rest[left] - rest[right]).normalize().x > 0.9);
        for (a, b) in clip.ground_track().frames.iter().zip(reference.ground_track().frames) {
            assert!((a.yaw_rad - b.yaw_rad).sin().abs() < 0.02, "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_body_with_all_bones_along_one_axis_gets_a_rest_pose() {
    let reference = walker();
    let skeleton = reference.skeleton();
    // Each joint's frame is turned so that the way to its first child lies along X, as some exporters have it.
    let frame = |joint: usize| {
        let child = skeleton.joints().iter().find(|j| j.parent == Some(joint)).map(|j| j.offset);
        let tip = skeleton.tips().iter().find(|t| t.parent == joint).map(|t| t.offset);
        let along = child.or(tip).and_then(|v| v.try_normalize()).unwrap_or(Vec3::X);
        Quat::from_rotation_arc(along, Vec3::X)
    };
    let frames: Vec<Quat> = (0..skeleton.len()).map(frame).collect();
    let joints = skeleton.joints().iter().map(|joint| Joint {
        offset: joint.parent.map_or(joint.offset, |p| frames[p] * joint.offset),
        role: None,
        ..joint.clone()
    });
    let tips = skeleton.tips().iter().map(|tip| Tip { offset: frames[tip.parent] * tip.offset, ..*tip });
    let odd = Arc::new(Skeleton::new(joints.collect(), tips.collect()).unwrap());
    let mut parts = ClipParts::default();
    for pose in reference.poses() {
        let turned = pose.rotations.iter().enumerate().map(|(j, q)| {
            let parent = skeleton.joints()[j].parent.map_or(Quat::IDENTITY, |p| frames[p]);
            parent * *q * frames[j].inverse()
        });
        parts.rotations.extend(turned);
        parts.positions.extend_from_slice(pose.positions);
    }
    let odd = Clip::new(odd, reference.rate_hz(), parts).unwrap();
    assert_same_motion(&odd, &reference);
    let (clip, detected, report) = settled(odd, &Conventions::default());
    assert!(matches!(detected.rest_pose.value, RestPose::Frame(_)));
    assert!(report.codes().contains(&"door/rest-pose"));
    assert_eq!((detected.up_axis.value, detected.unit.value), (UpAxis::Y, Unit::Metre));
    assert_same_motion(&clip, &reference);
    let rest = clip.skeleton().rest_positions();
    let at = |role| rest[clip.skeleton().joint_of(role).unwrap()];
    assert!((at(Role::Head) - at(Role::LeftFoot)).normalize().y > 0.9);
    assert!((at(Role::LeftUpperLeg) - at(Role::RightUpperLeg)).normalize().x > 0.9);
}

#[test]
fn a_calibration_pose_is_found_and_taken_off_when_asked() {
    let reference = walker();
    let skeleton = reference.skeleton().clone();
    let mut pose = LocalPose::rest(&skeleton);
    pose.positions[0] = reference.pose(0).root_position();
    let first = Clip::still(skeleton, reference.rate_hz(), pose).unwrap();
    let with_t_pose = Clip::concat(&[first, reference.clone()]).unwrap();
    let (clip, detected, report) = settled(with_t_pose.clone(), &Conventions::default());
    assert!(detected.rest_frame.value && report.codes().contains(&"door/rest-frame"));
    assert_eq!(clip.frames(), reference.frames() + 1);
    let wishes = Conventions { trim_rest_frame: true, ..Default::default() };
    assert_same_motion(&settled(with_t_pose, &wishes).0, &reference);
    assert!(!settled(reference.clone(), &wishes).1.rest_frame.value);
}

#[test]
fn what_the_user_says_goes() {
    let reference = walker();
    let pelvis = reference.skeleton().joints()[0].name.clone();
    let roles = RoleMap::from_toml(&format!("[roles]\nHead = {pelvis:?}")).unwrap();
    let wishes = Conventions {
        unit: Some(Unit::Inch),
        up: Some(UpAxis::Z),
        facing_deg: Some(90.0),
        rate_hz: Some(12.5),
        roles: Some(roles),
        rest_pose: Some(RestPose::Frame(20)),
        floor: None,
        trim_rest_frame: false,
    };
    // The readers take a rate that is told; the door only says so.
    let told = reference.clone().with_rate(12.5).unwrap();
    let (clip, detected, _) = settled(told, &wishes);
    assert_eq!(clip.rate_hz(), 12.5);
    assert_eq!(clip.skeleton().joint_of(Role::Head), Some(0));
    let (before, after) = (reference.pose(0).root_position(), clip.pose(0).root_position());
    assert!((after - UpAxis::Z.to_y_up(before) * 0.0254).length() < 1e-6);
    for by in [
        detected.unit.by,
        detected.up_axis.by,
        detected.facing_deg.by,
        detected.rate_hz.by,
        detected.roles.by,
    ] {
        assert_eq!(by, By::Flag);
    }
}

#[test]
fn a_floor_that_is_off_is_put_right_when_asked() {
    let reference = walker();
    let off = reference.lifted(0.25).unwrap();
    let with = |floor| settled(off.clone(), &Conventions { floor, ..Default::default() }).0;
    assert_same_motion(&with(None), &off);
    assert_same_motion(&with(Some(FloorWish::AtMetres(0.25))), &reference);
    let found = with(Some(FloorWish::Found));
    let height_m = |clip: &Clip| clip.pose(0).root_position().y;
    assert!((height_m(&found) - height_m(&reference)).abs() < 0.005);
}

#[test]
fn actors_of_a_take_stay_in_one_world() {
    let reference = in_other_world(&walker(), UpAxis::Z, Unit::Centimetre);
    // A child beside a tall person: alone it would be read in another unit.
    let small = reference.clone().scaled(0.6).unwrap();
    let actor = |name: &str, clip: &Clip| Actor { name: name.into(), clip: clip.clone() };
    let take = Take::new("pair", vec![actor("tall", &reference), actor("small", &small)]).unwrap();
    let (take, detected) =
        settle(take, &Stated::default(), &Conventions::default(), &mut Report::default()).unwrap();
    assert_eq!((detected[1].unit.value, detected[1].unit.by), (Unit::Centimetre, By::Evidence));
    let [tall, small] = [0, 1].map(|i| take.actors()[i].clip.pose(0).root_position());
    assert!((small - tall * 0.6).length() < 1e-5);
}

#[test]
fn what_is_no_person_is_read_with_assumptions() {
    let joints = vec![Joint::new("a", None, Vec3::ZERO), Joint::new("b", Some(0), Vec3::X * 30.0)];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let clip = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton)).unwrap();
    let (clip, detected, report) = settled(clip, &Conventions::default());
    assert_eq!(report.codes(), ["door/roles-unsure", "door/unit-assumed"]);
    assert_eq!((detected.unit.value, detected.unit.by), (Unit::Centimetre, By::Assumed));
    assert_eq!(detected.height_m, None);
    assert!((clip.skeleton().offsets()[1].x - 0.3).abs() < 1e-6);
}

#[test]
fn a_person_of_no_known_unit_is_made_a_typical_height() {
    let (clip, detected, report) =
        settled(in_other_world(&walker(), UpAxis::Y, Unit::Metres(0.5)), &Conventions::default());
    assert!(report.codes().contains(&"door/unit-unknown"));
    assert_eq!(detected.unit.by, By::Assumed);
    assert!((detected.height_m.unwrap() - 1.7).abs() < 0.01);
    assert_eq!(clip.frames(), walker().frames());
}

#[test]
fn exchanged_sides_are_noticed() {
    let mirrored =
        changed(&walker(), |v| Vec3::new(-v.x, v.y, v.z), |q| Quat::from_xyzw(q.x, -q.y, -q.z, q.w));
    let (_, _, report) = settled(mirrored, &Conventions::default());
    assert!(report.codes().contains(&"door/mirrored"), "{:?}", report.codes());
}

#[test]
fn what_a_file_states_goes_unless_the_user_says_otherwise() {
    let reference = walker();
    let clip = in_other_world(&reference, UpAxis::Z, Unit::Inch);
    let stated = Stated { unit: Some(Unit::Inch), up: Some(UpAxis::Z), ..Stated::default() };
    let (found, detected, report) = settled_as_stated(clip.clone(), &stated, &Conventions::default());
    assert_same_motion(&found, &reference);
    assert_eq!((detected.unit.by, detected.up_axis.by), (By::File, By::File));
    assert!(report.codes().is_empty(), "{:?}", report.codes());

    let wishes = Conventions { unit: Some(Unit::Foot), ..Conventions::default() };
    let (found, detected, _) = settled_as_stated(clip, &stated, &wishes);
    assert_eq!((detected.unit.value, detected.unit.by), (Unit::Foot, By::Flag));
    assert_same_motion(&found.scaled(1.0 / 12.0).unwrap(), &reference);
}

#[test]
fn a_doll_is_no_person_whatever_the_file_states() {
    let reference = walker();
    let stated = Stated { unit: Some(Unit::Centimetre), ..Stated::default() };
    let (found, detected, report) = settled_as_stated(reference.clone(), &stated, &Conventions::default());
    assert_same_motion(&found, &reference);
    assert_eq!((detected.unit.value, detected.unit.by), (Unit::Metre, By::Evidence));
    assert_eq!(report.codes(), ["door/unit-doubtful"]);
}

#[test]
fn a_stated_axis_is_kept_with_a_warning_where_the_body_lies_along_it() {
    let stated = Stated { up: Some(UpAxis::Z), ..Stated::default() };
    let (_, detected, report) = settled_as_stated(walker(), &stated, &Conventions::default());
    assert_eq!((detected.up_axis.value, detected.up_axis.by), (UpAxis::Z, By::File));
    assert!(report.codes().contains(&"door/up-axis-doubtful"), "{:?}", report.codes());
}
