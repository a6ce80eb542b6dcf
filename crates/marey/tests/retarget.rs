//! Motion on another body: feet stay on the floor, straight legs straight, and the way back leads back.

use std::sync::Arc;

use marey::examples::walk::{WalkSettings, walk};
use marey::formats::bvh::{self, BvhOptions};
use marey::formats::file::read_file;
use marey::formats::{ReadOptions, read};
use marey::motion::{Clip, Joint, Quat, Role, Side, Skeleton, Take, Tip, Vec3, WorldPose};
use marey::ops::contacts::{self, DetectedContacts};
use marey::ops::reach::Reach;
use marey::ops::retarget::{Retarget, RetargetSettings, TravelScale, retarget_clips};
use marey::ops::sole::SolePoint;

/// How feet stand, over the contacts of the motion that a clip was made from, in metres.
#[derive(Debug, Default, Clone, Copy)]
struct Footing {
    /// The farthest that a part of a sole that stands is from the floor, up or down.
    off_floor_m: f32,
    /// The farthest that it moves along the floor while it stands.
    slides_m: f32,
}

impl Footing {
    fn of(clip: &Clip, truth: &DetectedContacts) -> Self {
        let mut found = Self::default();
        let points = SolePoint::all(clip.skeleton());
        assert_eq!(points.len(), 4);
        for (point, path) in points.iter().zip(SolePoint::paths(&points, clip)) {
            for frames in truth.contacts.of(point.part.role(point.side)) {
                let stands: Vec<Vec3> = frames.clone().map(|frame| path[frame]).collect();
                let middle = stands[stands.len() / 2];
                for place in stands {
                    let height = place.y - truth.floor.height_m - point.rest_m();
                    found.off_floor_m = found.off_floor_m.max(height.abs());
                    found.slides_m = found.slides_m.max((place - middle).with_y(0.0).length());
                }
            }
        }
        found
    }
}

fn walker(seed: u64) -> Clip {
    let settings = WalkSettings { seed, duration_secs: 12.0, ..WalkSettings::default() };
    walk(&settings).unwrap().take.first().clone()
}

/// The walker as a file with the names that Mixamo gives, read back: roles come from the names.
fn mixamo(seed: u64) -> Clip {
    let clip = walker(seed);
    let named = |joint: &Joint| {
        let role = joint.role.map_or(joint.name.as_str(), |role| role.name());
        let (side, part) = match role.strip_prefix("Left") {
            Some(part) => ("Left", part),
            None => role.strip_prefix("Right").map_or(("", role), |part| ("Right", part)),
        };
        let part = match part {
            "UpperArm" => "Arm",
            "LowerArm" => "ForeArm",
            "UpperLeg" => "UpLeg",
            "LowerLeg" => "Leg",
            "Toes" => "ToeBase",
            "Chest" => "Spine1",
            "UpperChest" => "Spine2",
            other => other,
        };
        Joint { name: format!("mixamorig:{side}{part}"), role: None, ..joint.clone() }
    };
    let joints = clip.skeleton().joints().iter().map(named).collect();
    let skeleton = Skeleton::new(joints, clip.skeleton().tips().to_vec()).unwrap();
    let clip = clip.with_skeleton(Arc::new(skeleton)).unwrap();
    let (bytes, _) = bvh::write(&Take::solo("walk", clip), &BvhOptions::default());
    read(&bytes, Some("bvh"), &ReadOptions::default()).unwrap().take().unwrap().first().clone()
}

/// A body of other proportions: joints as CMU's archive has them (a second joint at the hips, two necks, arms that hang from
/// the spine's end), turned axes, legs apart and toes out at rest, arms lowered.
fn stocky() -> Arc<Skeleton> {
    let mut joints = vec![Joint::new("root", None, Vec3::new(0.0, 0.84, 0.0)).with_role(Role::Hips)];
    let mut add = |name: &str, parent: usize, offset: [f32; 3], role: Option<Role>| {
        joints.push(Joint { role, ..Joint::new(name, Some(parent), Vec3::from(offset)) });
        joints.len() - 1
    };
    let low = add("lowerback", 0, [0.0, 0.0, 0.0], Some(Role::Spine));
    let high = add("upperback", low, [0.0, 0.28, -0.02], Some(Role::Chest));
    let neck = add("lowerneck", high, [0.0, 0.22, 0.0], Some(Role::Neck));
    let neck = add("upperneck", neck, [0.0, 0.04, 0.0], None);
    let head = add("head", neck, [0.0, 0.05, 0.01], Some(Role::Head));
    let mut tips = vec![Tip { parent: head, offset: Vec3::Y * 0.2 }];
    for side in Side::BOTH {
        let (x, word) = if side == Side::Left { (1.0, "l") } else { (-1.0, "r") };
        let mut limb = |parent: usize, parts: &[(&str, [f32; 3], Option<Role>)]| {
            parts.iter().fold(parent, |parent, (name, [across, up, ahead], role)| {
                let role = role.map(|role| role.on(side));
                add(&format!("{word}{name}"), parent, [x * across, *up, *ahead], role)
            })
        };
        let toes = limb(
            0,
            &[
                ("hipjoint", [0.0, 0.0, 0.0], None),
                ("femur", [0.11, -0.06, 0.0], Some(Role::LeftUpperLeg)),
                ("tibia", [0.05, -0.33, 0.02], Some(Role::LeftLowerLeg)),
                ("foot", [0.02, -0.36, -0.02], Some(Role::LeftFoot)),
                ("toes", [0.03, -0.06, 0.14], Some(Role::LeftToes)),
            ],
        );
        let hand = limb(
            high,
            &[
                ("clavicle", [0.03, 0.15, 0.0], Some(Role::LeftShoulder)),
                ("humerus", [0.15, 0.0, 0.0], Some(Role::LeftUpperArm)),
                ("radius", [0.18, -0.18, 0.0], Some(Role::LeftLowerArm)),
                ("hand", [0.15, -0.15, 0.0], Some(Role::LeftHand)),
            ],
        );
        tips.push(Tip { parent: toes, offset: Vec3::new(x * 0.01, -0.01, 0.06) });
        tips.push(Tip { parent: hand, offset: Vec3::new(x * 0.1, -0.1, 0.0) });
    }
    // Axes of every joint turned some way, offsets given in them: the same body.
    let turn = |j: usize| Quat::from_axis_angle(Vec3::new(1.0, j as f32, 2.0).normalize(), 0.7 * j as f32);
    let parents: Vec<Option<usize>> = joints.iter().map(|joint| joint.parent).collect();
    for (j, joint) in joints.iter_mut().enumerate() {
        let above = parents[j].map_or(Quat::IDENTITY, turn);
        joint.rest_rotation = above.inverse() * turn(j);
        joint.offset = above.inverse() * joint.offset;
    }
    for tip in &mut tips {
        tip.offset = turn(tip.parent).inverse() * tip.offset;
    }
    Arc::new(Skeleton::new(joints, tips).unwrap())
}

fn moved(clip: &Clip, to: &Arc<Skeleton>) -> Clip {
    Retarget::new(clip.skeleton(), to.clone(), &RetargetSettings::default()).unwrap().apply(clip).unwrap()
}

/// The same with rotations only: arms are not bent so that hands touch what they touched.
fn moved_by_rotations(clip: &Clip, to: &Arc<Skeleton>) -> Clip {
    let settings = RetargetSettings { keep_hands: false, ..RetargetSettings::default() };
    Retarget::new(clip.skeleton(), to.clone(), &settings).unwrap().apply(clip).unwrap()
}

fn truth_of(clip: &Clip) -> DetectedContacts {
    contacts::detect(clip, &contacts::ContactSettings::default()).unwrap()
}

/// How far a leg is stretched: from hip to ankle, over the length of its bones.
fn stretch(clip: &Clip, frame: usize, side: Side) -> f32 {
    let world = WorldPose::of(clip.skeleton(), clip.pose(frame));
    let [hip, knee, ankle] = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot]
        .map(|role| world.positions[clip.skeleton().joint_of(role.on(side)).unwrap()]);
    hip.distance(ankle) / (hip.distance(knee) + knee.distance(ankle))
}

/// A walk on another body and back again: the aim of 1 cm is for real skeletons, whose rest poses do not stand quite flat.
#[expect(clippy::print_stderr, reason = "the figures are what the test is for")]
fn there_and_back(name: &str, clip: &Clip, other: &Arc<Skeleton>, within_m: f32) {
    let truth = truth_of(clip);
    assert!(truth.contacts.all().len() > 20);
    let there = moved(clip, other);
    let back = moved(&there, clip.skeleton());
    for (way, clip) in [("there", &there), ("back", &back)] {
        let found = Footing::of(clip, &truth);
        eprintln!(
            "{name}, {way}: standing feet off the floor by {:.1} mm at the most",
            found.off_floor_m * 1e3
        );
        assert!(found.off_floor_m <= within_m, "{way}: {found:?}");
    }
    let before = Footing::of(clip, &truth);
    assert!(Footing::of(&back, &truth).slides_m <= before.slides_m + 0.005);
}

#[test]
fn feet_of_a_mixamo_walk_stay_on_the_floor_there_and_back() {
    for seed in [1, 2, 3] {
        there_and_back("stocky", &mixamo(seed), &stocky(), 0.01);
    }
}

#[test]
fn real_data_a_mixamo_walk_goes_to_a_cmu_skeleton_and_back() {
    let Some(folder) = marey_capture::folder("cmu") else { return };
    for name in ["walk_path/07_01.bvh", "salsa_60_61/60_01.bvh", "two_person/18_01.bvh"] {
        let other = read_file(&folder.join(name), &ReadOptions::default()).unwrap();
        there_and_back(name, &mixamo(4), other.take().unwrap().first().skeleton(), 0.01);
    }
}

#[test]
fn a_body_moved_to_itself_moves_the_same() {
    let clip = walker(5);
    assert_eq!(moved(&clip, clip.skeleton()), clip);
    // The same body, although another frame of a motion is its rest pose and its joints are in another order.
    let order = by_name(clip.skeleton());
    let same = rebuilt(clip.skeleton(), &order, |joint| Joint {
        rest_rotation: Quat::from_rotation_x(0.3) * joint.rest_rotation,
        ..joint
    });
    let same = moved(&clip, &same);
    for frame in 0..clip.frames() {
        for (joint, &own) in order.iter().enumerate() {
            assert_eq!(same.pose(frame).rotations[joint], clip.pose(frame).rotations[own]);
        }
        assert_eq!(same.pose(frame).root_position(), clip.pose(frame).root_position());
    }
}

#[test]
fn a_body_of_other_proportions_keeps_the_rotations_above_its_legs() {
    let clip = walker(5);
    let order: Vec<usize> = (0..clip.skeleton().len()).collect();
    let taller = rebuilt(clip.skeleton(), &order, |joint| Joint {
        offset: 1.15 * joint.offset,
        rest_rotation: Quat::from_rotation_x(0.3) * joint.rest_rotation,
        ..joint
    });
    let there = moved_by_rotations(&clip, &taller);
    let arms = [Role::Head, Role::LeftUpperArm, Role::LeftLowerArm, Role::RightHand];
    for joint in arms.map(|role| clip.skeleton().joint_of(role).unwrap()) {
        for frame in 0..clip.frames() {
            let (one, other) = (clip.pose(frame).rotations[joint], there.pose(frame).rotations[joint]);
            assert!(one.angle_between(other) < 2e-3, "joint {joint}, frame {frame}");
        }
    }
}

/// The joints of a skeleton sorted by name, parents before children.
fn by_name(skeleton: &Skeleton) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::new();
    while order.len() < skeleton.len() {
        let is_next = |joint: &usize| {
            let parent = skeleton.joints()[*joint].parent;
            !order.contains(joint) && parent.is_none_or(|parent| order.contains(&parent))
        };
        let next = (0..skeleton.len()).filter(is_next);
        order.extend(next.min_by_key(|&joint| skeleton.joints()[joint].name.clone()));
    }
    order
}

/// A skeleton with its joints in another order, each changed.
fn rebuilt(skeleton: &Skeleton, order: &[usize], change: impl Fn(Joint) -> Joint) -> Arc<Skeleton> {
    let new_index = |old: usize| order.iter().position(|&joint| joint == old).unwrap();
    let joint = |&old: &usize| {
        let joint = skeleton.joints()[old].clone();
        change(Joint { parent: joint.parent.map(new_index), ..joint })
    };
    let tips = skeleton.tips().iter().map(|tip| Tip { parent: new_index(tip.parent), ..*tip });
    Arc::new(Skeleton::new(order.iter().map(joint).collect(), tips.collect()).unwrap())
}

#[test]
fn legs_stretch_as_far_and_arms_point_the_same_way() {
    let clip = walker(6);
    let there = moved_by_rotations(&clip, &stocky());
    let way = |clip: &Clip, frame: usize, from: Role, to: Role| {
        let world = WorldPose::of(clip.skeleton(), clip.pose(frame));
        let [from, to] = [from, to].map(|role| world.positions[clip.skeleton().joint_of(role).unwrap()]);
        (to - from).normalize()
    };
    for frame in (0..clip.frames()).step_by(7) {
        for side in Side::BOTH {
            let (a, b) = (stretch(&clip, frame, side), stretch(&there, frame, side));
            assert!((a - b).abs() < 0.05, "frame {frame}: {a} and {b}");
            for (from, to) in [(Role::LeftUpperArm, Role::LeftLowerArm), (Role::LeftLowerArm, Role::LeftHand)]
            {
                let [a, b] = [&clip, &there].map(|clip| way(clip, frame, from.on(side), to.on(side)));
                assert!(a.distance(b) < 1e-3, "frame {frame}: {a} and {b}");
            }
        }
    }
}

#[test]
fn travel_is_scaled_by_the_legs_or_kept() {
    let clip = walker(7);
    let body = stocky();
    let farthest = |clip: &Clip| clip.root_positions().map(|p| p.with_y(0.0).length()).fold(0.0, f32::max);
    let with = |travel: TravelScale| {
        let settings = RetargetSettings { travel, ..RetargetSettings::default() };
        let retarget = Retarget::new(clip.skeleton(), body.clone(), &settings).unwrap();
        (farthest(&retarget.apply(&clip).unwrap()) / farthest(&clip), retarget.scale())
    };
    let (scaled, scale) = with(TravelScale::Scaled);
    assert!(scale < 0.95 && (scaled - scale).abs() < 0.02, "{scaled} for {scale}");
    let (kept, _) = with(TravelScale::Kept);
    assert!((kept - 1.0).abs() < 0.02, "{kept}");
}

#[test]
fn a_root_above_the_hips_stays_where_it_is() {
    let clip = walker(8);
    let body = clip.skeleton();
    let above = |joint: &Joint| Joint { parent: Some(joint.parent.map_or(0, |p| p + 1)), ..joint.clone() };
    let mut joints = vec![Joint::new("Reference", None, Vec3::ZERO)];
    joints.extend(body.joints().iter().map(above));
    let tips: Vec<Tip> = body.tips().iter().map(|tip| Tip { parent: tip.parent + 1, ..*tip }).collect();
    // The hips as a mover of their own, and carried by the root.
    for moves in [true, false] {
        joints[1].moves = moves;
        let with_root = Arc::new(Skeleton::new(joints.clone(), tips.clone()).unwrap());
        let there = moved(&clip, &with_root);
        let (a, b) = (clip.world(), there.world());
        for frame in (0..clip.frames()).step_by(11) {
            for (joint, at) in a.positions_at(frame).iter().enumerate() {
                assert!(
                    at.distance(b.positions_at(frame)[joint + 1]) < 0.005,
                    "frame {frame}, joint {joint}"
                );
            }
            assert_eq!(moves, b.positions_at(frame)[0] == Vec3::ZERO);
        }
    }
}

#[test]
fn another_body_without_hips_is_refused() {
    let clip = walker(9);
    let none = vec![None; clip.skeleton().len()];
    let nobody = Arc::new(clip.skeleton().with_roles(&none).unwrap().scaled(1.1).unwrap());
    assert!(Retarget::new(clip.skeleton(), nobody, &RetargetSettings::default()).is_err());
}

/// A person who stands at a place and faces along `ahead`, with the right wrist at a point.
fn reaching(at: Vec3, ahead: Vec3, wrist: Vec3) -> Clip {
    let clip = walker(8);
    let skeleton = clip.skeleton().clone();
    let mut pose = clip.pose(0).to_owned();
    let facing = Quat::from_rotation_y(clip.ground_track().frames[0].yaw_rad) * Vec3::Z;
    let turn = Quat::from_rotation_arc(facing, ahead);
    pose.rotations[0] = turn * pose.rotations[0];
    pose.positions[0] = at.with_y(pose.positions[0].y);
    let world = WorldPose::of(&skeleton, pose.view());
    Reach::of(&skeleton, Role::RightHand).unwrap().put(&mut pose, &world, wrist);
    let still = Clip::still(skeleton, 30.0, pose).unwrap();
    Clip::concat(&[still.clone(), still]).unwrap()
}

fn wrist(clip: &Clip) -> Vec3 {
    clip.world().positions[clip.skeleton().joint_of(Role::RightHand).unwrap()]
}

#[test]
fn two_people_shake_hands_on_other_bodies() {
    let (meet, ahead) = (Vec3::new(0.0, 1.1, 0.0), Vec3::Z);
    let one = reaching(-0.45 * ahead, ahead, meet - 0.08 * ahead);
    let other = reaching(0.45 * ahead, -ahead, meet + 0.08 * ahead);
    let apart_m = wrist(&one).distance(wrist(&other));
    assert!((apart_m - 0.16).abs() < 0.01, "{apart_m}");
    let settings = RetargetSettings { travel: TravelScale::Kept, ..RetargetSettings::default() };
    let bodies = [stocky(), stocky()];
    let together = retarget_clips(&[&one, &other], &bodies, &settings).unwrap();
    let kept_m = wrist(&together[0]).distance(wrist(&together[1]));
    assert!((kept_m - apart_m).abs() < 0.02, "{kept_m}");
    // Rotations alone would miss the other's hand.
    let settings = RetargetSettings { keep_hands: false, ..settings };
    let apart = retarget_clips(&[&one, &other], &bodies, &settings).unwrap();
    let missed_m = wrist(&apart[0]).distance(wrist(&apart[1])) - apart_m;
    assert!(missed_m.abs() > 0.04, "{missed_m}");
}
