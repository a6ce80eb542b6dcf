//! Streams of markers of a whole body, and streams that misbehave.

use std::collections::BTreeMap;

use marey_body::BodyProportions;
use marey_examples::playground::{PlaygroundSettings, stream};
use marey_live::{LiveError, MarkerLines, MarkerPerformer, Performer};
use marey_motion::{Clip, Report, Role, Vec3, WorldPose};
use marey_perform::{Calibration, CharacterState, PerformSession, PerformSettings, World, built_in_motions};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

const JOINTS: [Role; 19] = [
    Role::Hips,
    Role::Spine,
    Role::Chest,
    Role::Neck,
    Role::Head,
    Role::LeftUpperArm,
    Role::RightUpperArm,
    Role::LeftLowerArm,
    Role::RightLowerArm,
    Role::LeftHand,
    Role::RightHand,
    Role::LeftUpperLeg,
    Role::RightUpperLeg,
    Role::LeftLowerLeg,
    Role::RightLowerLeg,
    Role::LeftFoot,
    Role::RightFoot,
    Role::LeftToes,
    Role::RightToes,
];
const WRISTS: [Role; 2] = [Role::LeftHand, Role::RightHand];

/// A performer whose proportions are not those of the default body.
fn performer() -> Clip {
    let body =
        BodyProportions { height_m: 1.58, leg_length: 1.05, shoulder_width: 1.12, ..Default::default() };
    let stream = stream(&PlaygroundSettings { seed: 5, body, ..Default::default() }).unwrap();
    stream.example.take.first().clone()
}

fn joints(world: &WorldPose, to: impl Fn(Vec3) -> Vec3) -> BTreeMap<&'static str, [f32; 3]> {
    let at = |role: Role| world.positions[world.skeleton().joint_of(role).unwrap()];
    JOINTS.map(|role| (role.name(), to(at(role)).to_array())).into()
}

/// The lines of a clip, with positions changed by `to`.
fn lines(clip: &Clip, to: impl Fn(Vec3) -> Vec3) -> Vec<String> {
    let mut world = WorldPose::scratch(clip.skeleton());
    let line = |(frame, pose)| {
        world.set(pose);
        let frame: usize = frame;
        json!({ "secs": frame as f64 / clip.rate_hz(), "points": joints(&world, &to) }).to_string()
    };
    clip.poses().enumerate().map(line).collect()
}

fn perform(text: &str) -> Result<(usize, Report), LiveError> {
    let mut lines = MarkerLines::new(text.as_bytes(), "test");
    let mut performer = MarkerPerformer::new(move || lines.read())?;
    let mut frames = Vec::new();
    let state = CharacterState::default();
    while frames.len() < 2
        && let Some(frame) = performer.next_frame(&state)?
    {
        frames.push(frame);
    }
    let poses: Vec<_> = frames.iter().map(|frame| frame.pose.clone()).collect();
    let calibration = Calibration::of(performer.skeleton().clone(), &poses)?;
    let world = World::from_toml(FLOOR)?;
    let mut session = PerformSession::new(world, &BTreeMap::new(), &calibration, PerformSettings::default())?;
    let mut count = frames.len();
    while let Some(frame) = performer.next_frame(&state)? {
        // Every fifth frame is enough to see whether the session goes on.
        if count % 5 == 0 {
            session.step(frame.pose.view(), frame.closed, frame.secs);
            assert!(session.world_pose().positions.iter().all(|at| at.is_finite()));
        }
        count += 1;
    }
    Ok((count, performer.report()))
}

const FLOOR: &str =
    "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\n";

#[test]
fn nineteen_joints_reproduce_the_wrists_of_a_performer() {
    let clip = performer().slice(0..900).unwrap();
    // The stream is in centimetres with Z up, and does not say so.
    let text = lines(&clip, |at| Vec3::new(at.x, -at.z, at.y) * 100.0).join("\n");
    let mut lines = MarkerLines::new(text.as_bytes(), "test");
    let mut performer = MarkerPerformer::new(move || lines.read()).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = performer.next_frame(&CharacterState::default()).unwrap() {
        frames.push(frame);
    }
    assert_eq!(frames.len(), clip.frames());
    let opening: Vec<_> = frames.iter().take(30).map(|frame| frame.pose.clone()).collect();
    let calibration = Calibration::of(performer.skeleton().clone(), &opening).unwrap();
    assert!((calibration.height_m() - 1.58).abs() < 0.06, "{}", calibration.height_m());
    let text = format!("character_height_m = {}\n{FLOOR}", calibration.height_m());
    let world = World::from_toml(&text).unwrap();
    let motions = built_in_motions().unwrap();
    let mut session = PerformSession::new(world, &motions, &calibration, PerformSettings::default()).unwrap();
    let (mut real, mut solved) =
        (WorldPose::scratch(clip.skeleton()), WorldPose::scratch(performer.skeleton()));
    let at = |world: &WorldPose, role: Role| world.positions[world.skeleton().joint_of(role).unwrap()];
    let (mut of_stream, mut of_character) = (Vec::new(), Vec::new());
    for (frame, pose) in frames.iter().zip(clip.poses()) {
        real.set(pose);
        solved.set(frame.pose.view());
        session.step(frame.pose.view(), frame.closed, frame.secs);
        for role in WRISTS {
            of_stream.push(at(&real, role).distance(at(&solved, role)));
            let arm = |world: &WorldPose| at(world, role) - at(world, Role::Neck);
            let turn = marey_motion::Quat::from_rotation_y(-calibration.yaw_rad());
            of_character.push(arm(session.world_pose()).distance(turn * arm(&real)));
        }
    }
    let worst = |errors: &[f32]| errors.iter().copied().fold(0.0, f32::max);
    assert!(worst(&of_stream) < 0.02, "{}", worst(&of_stream));
    of_character.sort_by(f32::total_cmp);
    let most = of_character[of_character.len() * 95 / 100];
    assert!(most < 0.05, "{most}");
}

#[test]
fn rotations_of_joints_without_positions_pose_the_body() {
    let clip = performer().slice(0..300).unwrap();
    let skeleton = clip.skeleton();
    let rest = skeleton.rest_world_rotations();
    let mut world = WorldPose::scratch(skeleton);
    let mut text = String::new();
    for pose in clip.poses() {
        world.set(pose);
        let turns: BTreeMap<&str, [f32; 4]> = skeleton
            .roles()
            .map(|(role, joint)| (role.name(), (world.rotations[joint] * rest[joint].inverse()).to_array()))
            .collect();
        let hips = world.positions[skeleton.joint_of(Role::Hips).unwrap()].to_array();
        text += &(json!({ "points": { "Hips": hips }, "rotations": turns }).to_string() + "\n");
    }
    let mut lines = MarkerLines::new(text.as_bytes(), "test");
    let mut performer = MarkerPerformer::new(move || lines.read()).unwrap();
    let joints = performer.skeleton().clone();
    let mut solved = WorldPose::scratch(&joints);
    for pose in clip.poses() {
        let frame = performer.next_frame(&CharacterState::default()).unwrap().unwrap();
        world.set(pose);
        solved.set(frame.pose.view());
        for (role, joint) in joints.roles() {
            let Some(other) = skeleton.joint_of(role) else { continue };
            let turn = world.rotations[other] * rest[other].inverse();
            assert!(turn.angle_between(solved.rotations[joint]) < 0.01, "{role}");
        }
    }
}

/// Damages a line.
fn mutate(line: &str, rng: &mut impl Rng) -> String {
    let mut value: Value = serde_json::from_str(line).unwrap();
    let mut bytes = line.as_bytes().to_vec();
    match rng.random_range(0..9) {
        0 => return "null".into(),
        1 => bytes.truncate(rng.random_range(0..bytes.len())),
        2 => return line.replacen("0.", "NaN", 1),
        3 => {
            for _ in 0..5 {
                let at = rng.random_range(0..bytes.len());
                bytes[at] = rng.random();
            }
        }
        4 => return format!("{line}{}", "x".repeat(70_000)),
        5 => value["points"]["LeftHand"] = json!([1e38, -1e38, 1e30]),
        6 => value["points"]["Hips"] = Value::Null,
        7 => value["secs"] = json!(-1e9),
        _ => value["points"] = json!({}),
    }
    match String::from_utf8(bytes) {
        Ok(text) if text != line => text.replace('\n', " "),
        _ => value.to_string(),
    }
}

#[test]
fn no_mutation_of_a_stream_ends_a_session() {
    let clip = performer().slice(0..50).unwrap();
    let lines = lines(&clip, |at| at);
    for seed in 0..1000 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut damaged = 0;
        let mutated: Vec<String> = lines
            .iter()
            .map(|line| {
                if rng.random_bool(0.1) {
                    damaged += 1;
                    mutate(line, &mut rng)
                } else {
                    line.clone()
                }
            })
            .collect();
        let (frames, report) = perform(&mutated.join("\n")).unwrap_or_else(|error| panic!("{seed}: {error}"));
        assert!(frames >= lines.len() - damaged, "{seed}: {frames} of {} frames", lines.len());
        assert!(!report.is_empty());
    }
}

#[test]
fn gaps_are_performed_as_pauses_and_late_frames_are_left_out() {
    let clip = performer().slice(0..60).unwrap();
    let mut lines = lines(&clip, |at| at);
    let mut late: Value = serde_json::from_str(&lines[59]).unwrap();
    late["secs"] = json!(3.0);
    let mut early = late.clone();
    early["secs"] = json!(0.5);
    lines.extend([late.to_string(), early.to_string()]);
    let (frames, report) = perform(&lines.join("\n")).unwrap();
    // The gap lasts two seconds.
    assert!((frames as i64 - 181).abs() < 4, "{frames}");
    assert_eq!(report.codes(), ["live/timestamps", "live/gap", "live/out-of-order"]);
}

#[test]
fn a_stream_without_a_body_is_refused_with_the_names_of_its_joints() {
    let text = "{\"points\": {\"pelvis\": [0, 1, 0], \"l_foot\": [0, 0, 0]}}\n".repeat(40);
    let error = perform(&text).unwrap_err();
    assert_eq!(marey_motion::Coded::code(&error).id, "live/no-performer");
    assert!(error.to_string().contains("l_foot, pelvis"), "{error}");
}
