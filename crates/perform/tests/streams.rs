//! Whole sessions with generated performers, and with broken streams.

use std::collections::BTreeMap;

use marey_body::BodyProportions;
use marey_examples::playground::{self, PlaygroundSettings};
use marey_motion::{Clip, LocalPose, Quat, Vec3};
use marey_perform::{
    Calibration, EngageCondition, EngageContext, Fingers, PerformSession, PerformSettings, World,
    built_in_motions,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SECS: f32 = 1.0 / 60.0;

/// A floor, a bar within reach of a standing performer, a rope, and a pool behind.
const WORLD: &str = r#"
[[feature]]
name = "ground"
like = "floor"
geometry = { plane = { at = [0, 0, 0] } }
motion = "walk"

[[feature]]
name = "bar"
like = "bar"
geometry = { cylinder = { from = [-30, 2.07, 0], to = [30, 2.07, 0] } }
motion = "swing"

[[feature]]
name = "rope"
like = "rope"
geometry = { rope = { top = [0, 5, 1.2], length_m = 4.5 } }
motion = "climb"

[[feature]]
name = "mat"
like = "trampoline"
geometry = { box = { min = [-2, 0.2, 20], max = [2, 0.3, 24] } }

[[feature]]
name = "pool"
like = "water"
geometry = { box = { min = [-5, -3, -20], max = [5, -1, -10] } }
motion = "breast-stroke"

[[feature]]
name = "anchor"
like = "web"
geometry = { point = { at = [0, 9, 60], radius_m = 0.1 } }
"#;

fn motions() -> BTreeMap<String, Clip> {
    built_in_motions().unwrap()
}

fn performer(height_m: f32, seed: u64) -> (Clip, playground::PerformerStream) {
    let body = BodyProportions { height_m, ..Default::default() };
    let stream = playground::stream(&PlaygroundSettings { seed, body, ..Default::default() }).unwrap();
    (stream.example.take.first().clone(), stream)
}

fn session(clip: &Clip, world: &str) -> PerformSession {
    let standing: Vec<LocalPose> = clip.poses().take(20).map(|pose| pose.to_owned()).collect();
    let calibration = Calibration::of(clip.skeleton().clone(), &standing).unwrap();
    PerformSession::new(
        World::from_toml(world).unwrap(),
        &motions(),
        &calibration,
        PerformSettings::default(),
    )
    .unwrap()
}

#[test]
fn poses_satisfy_all_constraints_over_a_whole_session() {
    for (height_m, seed) in [(1.4, 2), (1.8, 7)] {
        let (clip, _) = performer(height_m, seed);
        let fingers = Fingers::of(clip.skeleton());
        let mut session = session(&clip, WORLD);
        let (mut frames, mut missed, mut deep, mut walked) = (0, 0, 0, 0);
        for pose in clip.poses() {
            session.step(pose, fingers.closed(pose), SECS);
            let now = session.state();
            let world = session.world_pose();
            assert!(world.positions.iter().all(|at| at.is_finite()));
            // The centre of mass is always at its simulated position.
            assert!(session.body().centre(&world.positions).distance(now.centre) < 1e-3);
            frames += 1;
            missed += usize::from(now.is_settled && now.solution.error_m > 1e-3);
            deep += usize::from(now.solution.depth_m > 5e-3);
            walked += usize::from(now.imitated_feature == Some(0));
        }
        // Performers of every height can walk.
        assert!(walked > 200, "{walked}");
        assert!(missed == 0 && deep == 0, "{missed} {deep} of {frames}");
    }
}

#[test]
fn a_walker_moves_forward_upright_and_a_standing_performer_stays() {
    let (clip, stream) = performer(1.7, 3);
    let mut session = session(&clip, WORLD);
    let walk = stream.example.truth.labels().iter().find(|label| label.name == "walk").unwrap().clone();
    let stand = clip.slice(0..60).unwrap();
    for _ in 0..3 {
        stand.poses().for_each(|pose| {
            session.step(pose, [Some(false); 2], SECS);
        });
    }
    let start = session.state().centre;
    assert!(start.with_y(0.0).length() < 0.05, "{start}");
    for pose in clip.slice(walk.start..walk.end).unwrap().poses() {
        session.step(pose, [Some(false); 2], SECS);
        let hips_up = session.world_pose().rotations[0] * Vec3::Y;
        assert!(hips_up.y > 0.85, "{hips_up}");
        assert!(session.world_pose().lowest() > -0.04);
    }
    let travelled = session.state().centre - start;
    assert!(travelled.z > 3.0 && travelled.x.abs() < 0.5, "{travelled}");
}

#[test]
fn the_same_stream_gives_the_same_bits() {
    let (clip, _) = performer(1.6, 1);
    let run = || {
        let mut session = session(&clip, WORLD);
        let fingers = Fingers::of(clip.skeleton());
        let mut all = Vec::new();
        for pose in clip.poses().take(900) {
            all.extend(session.step(pose, fingers.closed(pose), SECS).rotations.iter().map(|q| q.to_array()));
        }
        all
    };
    assert_eq!(run(), run());
}

#[test]
fn broken_streams_are_tolerated_and_reported() {
    let (clip, _) = performer(1.7, 0);
    let mut session = session(&clip, WORLD);
    let mut poses = clip.poses();
    let mut last = Vec3::ZERO;
    for frame in 0..600 {
        let Some(pose) = poses.next() else { break };
        match frame {
            100..130 => {
                session.wait(SECS);
            }
            200 | 201 => {
                let mut broken = pose.to_owned();
                broken.rotations[3] = Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0);
                session.step(broken.view(), [Some(true); 2], SECS);
            }
            300 => {
                // Another performer.
                let other = LocalPose { rotations: vec![Quat::IDENTITY; 7], positions: vec![Vec3::ZERO] };
                session.step(other.view(), [Some(false); 2], SECS);
            }
            400..460 => {
                let mut jumped = pose.to_owned();
                jumped.positions[0] += Vec3::new(30.0, 0.0, -4.0);
                jumped.rotations[5] = Quat::from_rotation_x(2.5);
                session.step(jumped.view(), [Some(false); 2], SECS);
            }
            500 => {
                session.step(pose, [Some(false); 2], f32::NAN);
            }
            _ => {
                session.step(pose, [Some(false); 2], SECS);
            }
        }
        let centre = session.state().centre;
        if frame > 0 {
            assert!(centre.distance(last) < 0.15, "{frame}: {last} {centre}");
        }
        last = centre;
    }
    let codes = session.report().codes();
    for code in ["perform/stalled", "perform/not-finite", "perform/skeleton", "perform/jump", "perform/clock"]
    {
        assert!(codes.contains(&code), "{code} is not among {codes:?}");
    }
}

#[test]
fn random_poses_for_long_stay_finite_and_bounded() {
    let (clip, _) = performer(1.7, 0);
    let mut session = session(&clip, WORLD);
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let rest = clip.pose(0).to_owned();
    let mut pose = rest.clone();
    // A tenth of a second each, for two minutes; `MAREY_SOAK` extends it to ten.
    for frame in 0..soak_frames() {
        if frame % 6 == 0 {
            for (rotation, rest) in pose.rotations.iter_mut().zip(&rest.rotations) {
                let turn = Vec3::from(std::array::from_fn(|_| rng.random_range(-1.2f32..1.2)));
                *rotation = (*rest * Quat::from_scaled_axis(turn)).normalize();
            }
            pose.positions[0] = rest.positions[0] + Vec3::Y * rng.random_range(-0.5f32..0.5);
        }
        let closed = [Some(rng.random_bool(0.5)), rng.random_bool(0.5).then(|| rng.random_bool(0.5))];
        session.step(pose.view(), closed, SECS);
        let now = session.state();
        assert!(session.world_pose().positions.iter().all(|at| at.is_finite()), "{frame}");
        let energy = 0.5 * now.velocity.length_squared() + 9.81 * now.centre.y.max(0.0);
        // At most the energy of a fall from ten metres, so no body is thrown.
        assert!(energy < 100.0, "{frame}: {energy} J/kg at {} going {}", now.centre, now.velocity);
    }
}

#[test]
fn a_corrected_centre_of_mass_and_an_impossible_hold_are_reported() {
    /// Engages from any position.
    struct Always;
    impl EngageCondition for Always {
        fn engages(&self, at: &EngageContext) -> bool {
            at.is_closed == Some(true)
        }
    }
    let (clip, _) = performer(1.7, 0);
    // Out of reach: one hand drags the body along, and two distant hands cannot both hold.
    let far = |name: &str, x: f32| {
        format!(
            "[[feature]]\nname = \"{name}\"\nlike = \"rock\"\ngeometry = {{ point = {{ at = [{x}, 1.6, 0.0], radius_m = 0.05 }} }}\n"
        )
    };
    let mut session = session(&clip, &format!("{}{}", far("left", 1.5), far("right", -1.5)));
    for name in ["left", "right"] {
        session.set_condition(name, Box::new(Always)).unwrap();
    }
    for frame in 0..90 {
        session.step(clip.pose(frame), [Some(frame > 30); 2], SECS);
        assert!(session.world_pose().positions.iter().all(|at| at.is_finite()), "{frame}");
    }
    assert_eq!(session.state().holds[..2], [Some(0), Some(1)]);
    let codes = session.report().codes();
    assert!(codes.contains(&"perform/gave-way") && codes.contains(&"perform/unsolved"), "{codes:?}");
}

/// Ten minutes if `MAREY_SOAK` is set, else two.
fn soak_frames() -> usize {
    if std::env::var_os("MAREY_SOAK").is_some() { 36_000 } else { 7_200 }
}

#[test]
fn few_allocations_are_made_after_the_first_frames() {
    let (clip, _) = performer(1.7, 3);
    let fingers = Fingers::of(clip.skeleton());
    let mut session = session(&clip, WORLD);
    let mut poses = clip.poses();
    for pose in poses.by_ref().take(1200) {
        session.step(pose, fingers.closed(pose), SECS);
    }
    let (mut more, mut frames) = (0, 0);
    for pose in poses.take(1200) {
        let closed = fingers.closed(pose);
        let counted = allocation_counter::measure(|| {
            session.step(pose, closed, SECS);
        });
        more += usize::from(counted.count_total > 10);
        frames += 1;
    }
    // The physics engine allocates five small lists per step, with two steps per frame: two in its solver, one in a check of debug builds,
    // one because forces act on the character, and one because its joints change. It allocates more only if joints are added or removed.
    assert!(more * 10 <= frames, "{more} of {frames} frames");
}

#[test]
fn conditions_and_worlds_can_be_replaced() {
    struct Never;
    impl EngageCondition for Never {
        fn engages(&self, _: &EngageContext) -> bool {
            false
        }
    }
    let (clip, _) = performer(1.7, 0);
    let mut session = session(&clip, WORLD);
    assert!(session.set_condition("nowhere", Box::new(Never)).is_err());
    session.set_condition("ground", Box::new(Never)).unwrap();
    for pose in clip.poses().take(30) {
        session.step(pose, [Some(false); 2], SECS);
        assert_eq!(session.state().holds, [None; 4]);
    }
    let floor = World::from_toml(WORLD.split("\n\n").next().unwrap()).unwrap();
    session.reload(floor, &motions()).unwrap();
    for pose in clip.poses().take(90) {
        session.step(pose, [Some(false); 2], SECS);
    }
    assert_eq!(session.state().holds[2..], [Some(0), Some(0)]);
    let wrong = WORLD.replace("\"swing\"", "\"somersault\"");
    let error = session.reload(World::from_toml(&wrong).unwrap(), &motions()).unwrap_err();
    assert_eq!(marey_motion::Coded::code(&error).id, "perform/missing-motion");
    assert_eq!(marey_motion::Coded::place(&error).line, Some(8));
}

#[test]
fn a_swing_holds_the_bar_and_takes_its_legs_from_the_example() {
    let (clip, stream) = performer(1.57, 14);
    let fingers = Fingers::of(clip.skeleton());
    let swing = stream.example.truth.labels().iter().find(|label| label.name == "swing").unwrap().clone();
    // Without a walk, so that the performer stays below the bar.
    let mut session = session(&clip, &WORLD.replace("motion = \"walk\"\n", ""));
    for pose in clip.poses().take(90) {
        session.step(pose, [Some(false); 2], SECS);
    }
    let (mut swung, mut held, mut off) = (0, 0, 0);
    let (mut likely, mut plain) = (0.0, 0.0);
    for pose in clip.slice(swing.start - 45..swing.end).unwrap().poses() {
        session.step(pose, fingers.closed(pose), SECS);
        let now = *session.state();
        swung += usize::from(now.imitated_feature == Some(1));
        held += usize::from(now.holds[..2] == [Some(1), Some(1)]);
        off += usize::from(now.is_settled && now.solution.error_m > 1e-3);
        if now.imitated_feature == Some(1) {
            likely += session.log_likelihood(1).unwrap();
            session.solve_in_joint_space();
            plain += session.log_likelihood(1).unwrap();
        }
    }
    // Poses are closer to the example than those from joint angles alone.
    assert!(likely > plain, "{likely} {plain}");
    assert!(held > 200 && swung > 200, "{held} {swung}");
    assert_eq!(off, 0);
}
