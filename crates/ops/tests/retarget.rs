//! Motion on a body of another shape: knees do not flip, hands keep what they touch, long feet do not scrape the floor.

use std::sync::Arc;

use marey_body::{BodyCapsule, BodyCapsules, BodyProportions};
use marey_motion::{Clip, ClipParts, Joint, LocalPose, Quat, Role, Skeleton, Tip, Vec3, WorldPose};
use marey_ops::reach::Reach;
use marey_ops::retarget::{LiveRetarget, Retarget, RetargetSettings, TravelScale, retarget_clips};

const RATE_HZ: f64 = 60.0;

fn person() -> Arc<Skeleton> {
    BodyProportions::default().skeleton().unwrap()
}

/// A body with other names, so that motion is solved by roles, and with bones that are changed.
fn other(proportions: BodyProportions, bone: impl Fn(Role, Vec3) -> Vec3) -> Arc<Skeleton> {
    let body = proportions.skeleton().unwrap();
    let changed = |joint: &Joint| Joint {
        name: format!("{}_", joint.name),
        offset: joint.role.map_or(joint.offset, |role| bone(role, joint.offset)),
        ..joint.clone()
    };
    let tips: Vec<Tip> = body.tips().to_vec();
    Arc::new(Skeleton::new(body.joints().iter().map(changed).collect(), tips).unwrap())
}

fn clip(skeleton: &Arc<Skeleton>, frames: usize, pose: impl Fn(usize, &mut LocalPose)) -> Clip {
    let mut parts = ClipParts::default();
    for frame in 0..frames {
        let mut at = LocalPose::rest(skeleton);
        pose(frame, &mut at);
        parts.rotations.extend(at.rotations);
        parts.positions.extend(at.positions);
    }
    Clip::new(skeleton.clone(), RATE_HZ, parts).unwrap()
}

fn moved(clip: &Clip, to: &Arc<Skeleton>) -> Clip {
    Retarget::new(clip.skeleton(), to.clone(), &RetargetSettings::default()).unwrap().apply(clip).unwrap()
}

fn world(clip: &Clip, frame: usize) -> WorldPose {
    WorldPose::of(clip.skeleton(), clip.pose(frame))
}

fn at(world: &WorldPose, role: Role) -> Vec3 {
    world.positions[world.skeleton().joint_of(role).unwrap()]
}

fn turn(pose: &mut LocalPose, skeleton: &Skeleton, role: Role, rotation: Quat) {
    let joint = skeleton.joint_of(role).unwrap();
    pose.rotations[joint] = rotation * pose.rotations[joint];
}

#[test]
fn a_knee_that_is_stretched_too_far_does_not_flip() {
    let body = person();
    // The knee bends by 40° and then past straight, by 10°, as noisy captures do.
    let source = clip(&body, 120, |frame, pose| {
        let angle = 0.26 + 0.44 * (frame as f32 * 0.1).cos();
        turn(pose, &body, Role::LeftUpperLeg, Quat::from_rotation_x(-0.5 * angle));
        turn(pose, &body, Role::LeftLowerLeg, Quat::from_rotation_x(angle));
    });
    let small = other(BodyProportions { height_m: 1.45, leg_length: 0.95, ..Default::default() }, |_, b| b);
    let result = moved(&source, &small);
    let mut last: Option<Vec3> = None;
    for frame in 0..result.frames() {
        let pose = world(&result, frame);
        let [hip, knee, ankle] =
            [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|role| at(&pose, role));
        let line = (ankle - hip).normalize();
        let ahead = (knee - hip) - line * (knee - hip).dot(line);
        assert!(ahead.z > -1e-4, "frame {frame}: the knee points back by {ahead}");
        assert!(last.is_none_or(|last| last.distance(knee) < 0.02), "frame {frame}: the knee jumps");
        last = Some(knee);
    }
}

/// The gap between the left hand and the left thigh.
fn thigh_gap_m(clip: &Clip, frame: usize) -> f32 {
    let mut placed: Vec<BodyCapsule> = Vec::new();
    BodyCapsules::of(clip.skeleton()).place(&world(clip, frame), &mut placed);
    let part = |role: Role| placed.iter().find(|part| part.role == role).unwrap().capsule;
    part(Role::LeftHand).gap_m(&part(Role::LeftUpperLeg))
}

/// A person whose left hand swings past the thigh.
fn swinging(body: &Arc<Skeleton>) -> Clip {
    clip(body, 60, |frame, pose| {
        let swing = Quat::from_rotation_x(0.3 * (frame as f32 * 0.2).sin());
        turn(pose, body, Role::LeftUpperArm, swing * Quat::from_rotation_z(-1.72));
    })
}

/// A body with wide hips and narrow shoulders.
fn wide() -> Arc<Skeleton> {
    let hips = BodyProportions { hip_width: 1.15, ..Default::default() };
    other(hips, |role, bone| match role {
        Role::LeftUpperArm | Role::RightUpperArm => 0.6 * bone,
        _ => bone,
    })
}

/// The number of frames in which the hand of the source touches its thigh, and the largest change of that distance in results.
fn thigh_changes_m<const N: usize>(source: &Clip, results: [&Clip; N]) -> (usize, [f32; N]) {
    let (mut touches, mut worst_m) = (0, [0.0f32; N]);
    for frame in 0..source.frames() {
        let was_m = thigh_gap_m(source, frame);
        if was_m < 0.01 {
            touches += 1;
            for (worst_m, result) in worst_m.iter_mut().zip(results) {
                *worst_m = worst_m.max((thigh_gap_m(result, frame) - was_m).abs());
            }
        }
    }
    (touches, worst_m)
}

#[test]
fn a_hand_that_swings_past_the_thigh_keeps_its_distance() {
    let (body, wide) = (person(), wide());
    let source = swinging(&body);
    let rotations = RetargetSettings { keep_hands: false, ..RetargetSettings::default() };
    let copied = Retarget::new(&body, wide.clone(), &rotations).unwrap().apply(&source).unwrap();
    let (touches, [kept_m, copied_m]) = thigh_changes_m(&source, [&moved(&source, &wide), &copied]);
    assert!(touches > 5, "the hand of the source touches the thigh");
    assert!(kept_m < 0.01 && copied_m > 0.02, "{kept_m} m, rotations alone {copied_m} m");
}

#[test]
fn a_hand_keeps_its_distance_frame_by_frame() {
    let (body, wide) = (person(), wide());
    let source = swinging(&body);
    let mut live = LiveRetarget::new(&body, wide.clone(), TravelScale::Scaled, RATE_HZ).unwrap();
    let mut parts = ClipParts::default();
    for pose in source.poses() {
        parts.push(live.apply(pose).view());
    }
    let result = Clip::new(wide, RATE_HZ, parts).unwrap();
    let (touches, [changed_m]) = thigh_changes_m(&source, [&result]);
    assert!(touches > 5 && changed_m < 0.015, "{changed_m} m");
    // The hand does not jump.
    let hand = |frame: usize| at(&world(&result, frame), Role::LeftHand);
    let steps = (1..result.frames()).map(|frame| hand(frame).distance(hand(frame - 1)));
    assert!(steps.fold(0.0, f32::max) < 0.05);
}

#[test]
fn long_feet_swing_as_high_as_short_ones() {
    let body = person();
    // The left foot swings ahead and back, 2 cm over the floor.
    let source = clip(&body, 180, |frame, pose| {
        let phase = (frame as f32 - 60.0).clamp(0.0, 60.0) / 60.0 * std::f32::consts::TAU;
        let angle = 0.45 * (1.0 - phase.cos()) * 0.5;
        turn(pose, &body, Role::LeftUpperLeg, Quat::from_rotation_x(-angle));
        turn(pose, &body, Role::LeftLowerLeg, Quat::from_rotation_x(1.4 * angle));
        turn(pose, &body, Role::LeftFoot, Quat::from_rotation_x(0.5 * angle));
    });
    let long = other(BodyProportions::default(), |role, bone| match role {
        Role::LeftToes | Role::RightToes => Vec3::new(bone.x, bone.y, 1.5 * bone.z),
        _ => bone,
    });
    let result = moved(&source, &long);
    let lowest = |clip: &Clip, frame: usize| at(&world(clip, frame), Role::LeftToes).y;
    for frame in 0..source.frames() {
        let (was, is) = (lowest(&source, frame), lowest(&result, frame));
        assert!(is > was - 0.003, "frame {frame}: the ball is at {is} m, not {was} m");
    }
    // The standing foot does not move.
    let places: Vec<Vec3> = (0..result.frames()).map(|f| at(&world(&result, f), Role::RightToes)).collect();
    assert!(places.iter().all(|place| place.distance(places[0]) < 1e-3));
}

#[test]
fn partners_of_another_size_shake_hands() {
    let body = person();
    // Two people who face each other, with the right wrists 16 cm from each other.
    let reaching = |ahead: Vec3| {
        let mut pose = LocalPose::rest(&body);
        pose.rotations[0] = Quat::from_rotation_arc(Vec3::Z, ahead);
        pose.positions[0] = (-0.45 * ahead).with_y(pose.positions[0].y);
        turn(&mut pose, &body, Role::RightUpperArm, Quat::from_rotation_z(1.3));
        let world = WorldPose::of(&body, pose.view());
        let wrist = Vec3::Y * 1.05 - 0.08 * ahead;
        Reach::of(&body, Role::RightHand).unwrap().put(&mut pose, &world, wrist);
        clip(&body, 2, |_, at| *at = pose.clone())
    };
    let [one, two] = [Vec3::Z, Vec3::NEG_Z].map(reaching);
    let apart_m = |clips: [&Clip; 2]| {
        let [one, two] = clips.map(|clip| at(&world(clip, 0), Role::RightHand));
        one.distance(two)
    };
    assert!((apart_m([&one, &two]) - 0.16).abs() < 0.01);
    let small = other(BodyProportions { height_m: 1.5, ..Default::default() }, |_, b| b);
    let settings = RetargetSettings { travel: TravelScale::Kept, ..RetargetSettings::default() };
    let on_small = |settings: &RetargetSettings| {
        let clips = retarget_clips(&[&one, &two], &[small.clone(), small.clone()], settings).unwrap();
        apart_m([&clips[0], &clips[1]])
    };
    let (kept_m, copied_m) =
        (on_small(&settings), on_small(&RetargetSettings { keep_hands: false, ..settings }));
    assert!((kept_m - 0.16).abs() < 0.02 && (copied_m - 0.16).abs() > 0.04, "{kept_m} m, {copied_m} m");
}

#[test]
fn partners_stay_as_near_as_their_mean_size_says() {
    let body = person();
    let standing = |x_m: f32| clip(&body, 2, |_, pose| pose.positions[0].x += x_m);
    let (one, two) = (standing(-0.6), standing(0.6));
    let sized = |height_m: f32| other(BodyProportions { height_m, ..Default::default() }, |_, bone| bone);
    let apart_m = |bodies: [&Arc<Skeleton>; 2]| {
        let clips =
            retarget_clips(&[&one, &two], &bodies.map(Arc::clone), &RetargetSettings::default()).unwrap();
        at(&world(&clips[0], 0), Role::Hips)
            .with_y(0.0)
            .distance(at(&world(&clips[1], 0), Role::Hips).with_y(0.0))
    };
    let (small, large) = (sized(1.5), sized(1.88));
    let own_m = body.rest_positions()[body.joint_of(Role::Head).unwrap()].y;
    let scale = |other: &Skeleton| other.rest_positions()[other.joint_of(Role::Head).unwrap()].y / own_m;
    for bodies in [[&small, &small], [&large, &large], [&small, &large]] {
        let mean = 0.5 * (scale(bodies[0]) + scale(bodies[1]));
        assert!((apart_m(bodies) - 1.2 * mean).abs() < 0.01, "{} m, {mean}", apart_m(bodies));
    }
    // Who keeps the body keeps the place, and so does the other.
    assert!((apart_m([&body, &small]) - 1.2).abs() < 1e-4);
}
