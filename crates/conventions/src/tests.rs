//! Normalising a generated walker: whatever conventions it is converted to, the original motion comes back.

use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Actor, Clip, ClipParts, Joint, LocalPose, Report, Role, Skeleton, Take, Tip};

use crate::roles::RoleMap;
use crate::{
    ConventionOverrides, DeclaredConventions, DetectedConventions, FindingSource, FloorHeight,
    RestPoseSource, Unit, UpAxis, normalise_take,
};

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

/// The same motion with another up axis and unit.
fn with_conventions(clip: &Clip, up: UpAxis, unit: Unit) -> Clip {
    // The inverse of a quarter turn is three quarter turns.
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

fn normalised(clip: Clip, overrides: &ConventionOverrides) -> (Clip, DetectedConventions, Report) {
    normalised_as_declared(clip, &DeclaredConventions::default(), overrides)
}

fn normalised_as_declared(
    clip: Clip,
    declared: &DeclaredConventions,
    overrides: &ConventionOverrides,
) -> (Clip, DetectedConventions, Report) {
    let mut report = Report::default();
    let (take, mut detected) =
        normalise_take(Take::solo("walk", clip), declared, overrides, &mut report).unwrap();
    (take.first().clone(), detected.remove(0), report)
}

fn assert_same_motion(a: &Clip, b: &Clip) {
    assert_eq!(a.frames(), b.frames());
    for (p, q) in a.world().positions.iter().zip(&b.world().positions) {
        assert!(p.distance(*q) < 1e-3, "{p} and {q}");
    }
}

#[test]
fn every_up_axis_and_unit_gives_the_same_motion() {
    let reference = walker();
    for up in UpAxis::ALL {
        for unit in Unit::NAMED {
            let (clip, detected, report) =
                normalised(with_conventions(&reference, up, unit), &ConventionOverrides::default());
            assert_eq!((detected.up_axis.value, detected.unit.value), (up, unit));
            assert_eq!(
                (detected.up_axis.source, detected.unit.source),
                (FindingSource::Evidence, FindingSource::Evidence)
            );
            assert_eq!(report.codes().contains(&"conventions/up-axis"), up != UpAxis::Y);
            assert_same_motion(&clip, &reference);
            assert!(detected.role_guess.confidence > 0.9);
            let height_m = detected.height_m.unwrap();
            assert!((1.5..1.9).contains(&height_m), "{height_m}");
        }
    }
}

#[test]
fn a_body_that_faces_another_direction_at_rest_keeps_its_heading() {
    let reference = walker();
    for quarter in [90.0f32, 180.0, -90.0] {
        // The rest pose is turned, and the root of every frame turns it back: the motion is unchanged.
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
        let (clip, detected, report) = normalised(turned, &ConventionOverrides::default());
        assert_eq!(detected.facing_deg.value.abs(), quarter.abs());
        assert!(report.codes().contains(&"conventions/facing"));
        assert_same_motion(&clip, &reference);
        // At rest the body now faces +Z, and its heading is the original's.
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
    // Turn each joint's frame so that its first child lies along X, as some exporters do.
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
    let (clip, detected, report) = normalised(odd, &ConventionOverrides::default());
    assert_eq!(detected.rest_pose.value, RestPoseSource::TPose);
    assert!(report.codes().contains(&"conventions/rest-pose"));
    assert_eq!((detected.up_axis.value, detected.unit.value), (UpAxis::Y, Unit::Metre));
    assert_same_motion(&clip, &reference);
    let rest = clip.skeleton().rest_positions();
    let at = |role| rest[clip.skeleton().joint_of(role).unwrap()];
    assert!((at(Role::Head) - at(Role::LeftFoot)).normalize().y > 0.9);
    assert!((at(Role::LeftUpperLeg) - at(Role::RightUpperLeg)).normalize().x > 0.9);
}

#[test]
fn a_calibration_pose_is_detected_and_removed_on_request() {
    let reference = walker();
    let skeleton = reference.skeleton().clone();
    let mut pose = LocalPose::rest(&skeleton);
    pose.positions[0] = reference.pose(0).root_position();
    let first = Clip::still(skeleton, reference.rate_hz(), pose).unwrap();
    let with_t_pose = Clip::concat(&[first, reference.clone()]).unwrap();
    let (clip, detected, report) = normalised(with_t_pose.clone(), &ConventionOverrides::default());
    assert!(detected.rest_frame.value && report.codes().contains(&"conventions/rest-frame"));
    assert_eq!(clip.frames(), reference.frames() + 1);
    let overrides = ConventionOverrides { trim_rest_frame: true, ..Default::default() };
    assert_same_motion(&normalised(with_t_pose, &overrides).0, &reference);
    assert!(!normalised(reference.clone(), &overrides).1.rest_frame.value);
}

#[test]
fn overrides_win_over_detection() {
    let reference = walker();
    let pelvis = reference.skeleton().joints()[0].name.clone();
    let roles = RoleMap::from_toml(&format!("[roles]\nHead = {pelvis:?}")).unwrap();
    let overrides = ConventionOverrides {
        unit: Some(Unit::Inch),
        up: Some(UpAxis::Z),
        facing_deg: Some(90.0),
        rate_hz: Some(12.5),
        fix_rate: false,
        roles: Some(roles),
        rest_pose: Some(RestPoseSource::Frame(20)),
        floor: None,
        trim_rest_frame: false,
    };
    // Readers apply the rate; this crate only reports it, and corrects it if asked to.
    let clip = reference.clone().with_rate(12.5).unwrap();
    let (clip, detected, _) = normalised(clip, &overrides);
    assert_eq!(clip.rate_hz(), 12.5);
    assert_eq!(clip.skeleton().joint_of(Role::Head), Some(0));
    let (before, after) = (reference.pose(0).root_position(), clip.pose(0).root_position());
    assert!((after - UpAxis::Z.to_y_up(before) * 0.0254).length() < 1e-6);
    for source in [
        detected.unit.source,
        detected.up_axis.source,
        detected.facing_deg.source,
        detected.rate_hz.source,
        detected.roles.source,
    ] {
        assert_eq!(source, FindingSource::User);
    }
}

#[test]
fn a_floor_is_moved_to_zero_on_request() {
    let reference = walker();
    let off = reference.lifted(0.25).unwrap();
    let with = |floor| normalised(off.clone(), &ConventionOverrides { floor, ..Default::default() }).0;
    assert_same_motion(&with(None), &off);
    assert_same_motion(&with(Some(FloorHeight::Metres(0.25))), &reference);
    let found = with(Some(FloorHeight::Detected));
    let height_m = |clip: &Clip| clip.pose(0).root_position().y;
    assert!((height_m(&found) - height_m(&reference)).abs() < 0.005);
}

#[test]
fn actors_of_a_take_stay_in_one_world() {
    let reference = with_conventions(&walker(), UpAxis::Z, Unit::Centimetre);
    // A child beside a tall person: alone it would be read in another unit.
    let small = reference.clone().scaled(0.6).unwrap();
    let actor = |name: &str, clip: &Clip| Actor { name: name.into(), clip: clip.clone() };
    let take = Take::new("pair", vec![actor("tall", &reference), actor("small", &small)]).unwrap();
    let (take, detected) = normalise_take(
        take,
        &DeclaredConventions::default(),
        &ConventionOverrides::default(),
        &mut Report::default(),
    )
    .unwrap();
    assert_eq!(
        (detected[1].unit.value, detected[1].unit.source),
        (Unit::Centimetre, FindingSource::Evidence)
    );
    let [tall, small] = [0, 1].map(|i| take.actors()[i].clip.pose(0).root_position());
    assert!((small - tall * 0.6).length() < 1e-5);
}

#[test]
fn a_skeleton_that_is_not_a_person_gets_assumed_conventions() {
    let joints = vec![Joint::new("a", None, Vec3::ZERO), Joint::new("b", Some(0), Vec3::X * 30.0)];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let clip = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton)).unwrap();
    let (clip, detected, report) = normalised(clip, &ConventionOverrides::default());
    assert_eq!(report.codes(), ["conventions/roles-unsure", "conventions/unit-assumed"]);
    assert_eq!((detected.unit.value, detected.unit.source), (Unit::Centimetre, FindingSource::Assumed));
    assert_eq!(detected.height_m, None);
    assert!((clip.skeleton().offsets()[1].x - 0.3).abs() < 1e-6);
}

#[test]
fn a_person_of_no_known_unit_is_scaled_to_a_typical_height() {
    let (clip, detected, report) = normalised(
        with_conventions(&walker(), UpAxis::Y, Unit::Metres(0.5)),
        &ConventionOverrides::default(),
    );
    assert!(report.codes().contains(&"conventions/unit-unknown"));
    assert_eq!(detected.unit.source, FindingSource::Assumed);
    assert!((detected.height_m.unwrap() - 1.7).abs() < 0.01);
    assert_eq!(clip.frames(), walker().frames());
}

#[test]
fn swapped_sides_are_reported() {
    let mirrored =
        changed(&walker(), |v| Vec3::new(-v.x, v.y, v.z), |q| Quat::from_xyzw(q.x, -q.y, -q.z, q.w));
    let (_, _, report) = normalised(mirrored, &ConventionOverrides::default());
    assert!(report.codes().contains(&"conventions/mirrored"), "{:?}", report.codes());
}

#[test]
fn declared_conventions_apply_unless_overridden() {
    let reference = walker();
    let clip = with_conventions(&reference, UpAxis::Z, Unit::Inch);
    let declared =
        DeclaredConventions { unit: Some(Unit::Inch), up: Some(UpAxis::Z), ..DeclaredConventions::default() };
    let (found, detected, report) =
        normalised_as_declared(clip.clone(), &declared, &ConventionOverrides::default());
    assert_same_motion(&found, &reference);
    assert_eq!((detected.unit.source, detected.up_axis.source), (FindingSource::File, FindingSource::File));
    assert!(report.codes().is_empty(), "{:?}", report.codes());

    let overrides = ConventionOverrides { unit: Some(Unit::Foot), ..ConventionOverrides::default() };
    let (found, detected, _) = normalised_as_declared(clip, &declared, &overrides);
    assert_eq!((detected.unit.value, detected.unit.source), (Unit::Foot, FindingSource::User));
    assert_same_motion(&found.scaled(1.0 / 12.0).unwrap(), &reference);
}

#[test]
fn a_declared_unit_that_makes_a_doll_is_replaced() {
    let reference = walker();
    let declared = DeclaredConventions { unit: Some(Unit::Centimetre), ..DeclaredConventions::default() };
    let (found, detected, report) =
        normalised_as_declared(reference.clone(), &declared, &ConventionOverrides::default());
    assert_same_motion(&found, &reference);
    assert_eq!((detected.unit.value, detected.unit.source), (Unit::Metre, FindingSource::Evidence));
    assert_eq!(report.codes(), ["conventions/unit-doubtful"]);
}

#[test]
fn a_declared_axis_is_kept_with_a_warning_if_the_body_lies() {
    let declared = DeclaredConventions { up: Some(UpAxis::Z), ..DeclaredConventions::default() };
    let (_, detected, report) = normalised_as_declared(walker(), &declared, &ConventionOverrides::default());
    assert_eq!((detected.up_axis.value, detected.up_axis.source), (UpAxis::Z, FindingSource::File));
    assert!(report.codes().contains(&"conventions/up-axis-doubtful"), "{:?}", report.codes());
}
