//! The physical behaviour that the paper describes, with scripted performers.

#[path = "support/scripted_performer.rs"]
mod scripted_performer;

use std::f32::consts::TAU;

use marey_body::BodyProportions;
use marey_motion::Vec3;
use marey_perform::{Calibration, MarkerSolver, PerformSession, PerformSettings, World, built_in_motions};
use scripted_performer::{ScriptedPerformer, ScriptedPose};

const HZ: f32 = 60.0;

/// A scripted performer and the session that it drives.
struct Stage {
    performer: ScriptedPerformer,
    solver: MarkerSolver,
    session: PerformSession,
}

impl Stage {
    fn new(world: &str) -> Self {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let performer = ScriptedPerformer::new(&skeleton);
        let mut solver =
            MarkerSolver::calibrate(&skeleton, &[performer.markers(&ScriptedPose::default())]).unwrap();
        let standing = solver.solve(&performer.markers(&ScriptedPose::default())).clone();
        let calibration = Calibration::of(solver.skeleton().clone(), [&standing]).unwrap();
        let world = World::from_toml(world).unwrap();
        let session = PerformSession::new(
            world,
            &built_in_motions().unwrap(),
            &calibration,
            PerformSettings::default(),
        )
        .unwrap();
        Self { performer, solver, session }
    }

    fn step(&mut self, act: &ScriptedPose) {
        let pose = self.solver.solve(&self.performer.markers(act));
        self.session.step(pose.view(), act.closed.map(Some), 1.0 / HZ);
        let world = self.session.world_pose();
        assert!(world.positions.iter().all(|at| at.is_finite()));
    }

    fn centre(&self) -> Vec3 {
        self.session.state().centre
    }
}

const GROUND: &str =
    "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\n";

/// A bar within reach of hands overhead, high above the ground.
fn bar() -> Stage {
    let mut stage = Stage::new(
        "[[feature]]\nname = \"bar\"\nlike = \"bar\"\ngeometry = { cylinder = { from = [-1, 2.05, 0], to = [1, 2.05, 0] } }\n",
    );
    // The arms are up before the fall starts.
    stage.step(&ScriptedPose::hang(0.0));
    assert_eq!(stage.session.state().holds[..2], [Some(0), Some(0)], "{:?}", stage.session.state());
    for _ in 0..300 {
        stage.step(&ScriptedPose::hang(0.0));
    }
    stage
}

/// The amplitude of the swing in the next seconds, in radians. The hands follow a function of time.
fn amplitude(stage: &mut Stage, from_secs: f32, secs: f32, hands: impl Fn(f32, f32) -> f32) -> f32 {
    let mut largest = 0f32;
    let mut before = angle(stage);
    for frame in 0..(secs * HZ) as usize {
        let now = angle(stage);
        let rate = (now - before) * HZ;
        before = now;
        stage.step(&ScriptedPose::hang(hands(from_secs + frame as f32 / HZ, rate)));
        largest = largest.max(angle(stage).abs());
    }
    largest
}

/// The angle of the body about the bar; positive forward.
fn angle(stage: &Stage) -> f32 {
    let centre = stage.centre();
    centre.z.atan2(2.05 - centre.y)
}

/// The period of the body's swing below the bar, in seconds.
fn period(stage: &Stage) -> f32 {
    TAU * ((2.05 - stage.centre().y) / 9.81).sqrt()
}

#[test]
fn pumping_in_phase_raises_the_swing_and_out_of_phase_lowers_it() {
    let mut stage = bar();
    let wave = TAU / period(&stage);
    let small = amplitude(&mut stage, 0.0, 2.0, |secs, _| 0.3 * (wave * secs).sin());
    let large = amplitude(&mut stage, 2.0, 8.0, |secs, _| 0.3 * (wave * secs).sin());
    assert!(large > 1.3 * small && large > 0.15, "{small} {large}");
    // Hands that move with the body instead of against it brake, because the desired rate is opposite to the body's.
    let out = amplitude(&mut stage, 0.0, 1.0, |_, _| 0.0);
    let braked: f32 = {
        let mut wanted = 0.0f32;
        let mut before = angle(&stage);
        for _ in 0..180 {
            let now = angle(&stage);
            wanted = (wanted - 0.5 * (now - before)).clamp(-0.5, 0.5);
            before = now;
            stage.step(&ScriptedPose::hang(wanted));
        }
        amplitude(&mut stage, 0.0, 1.5, |_, _| wanted)
    };
    assert!(braked < 0.5 * out, "{out} {braked}");
}

#[test]
fn an_unpumped_swing_decays() {
    let mut stage = bar();
    let wave = TAU / period(&stage);
    let pumped = amplitude(&mut stage, 0.0, 8.0, |secs, _| 0.3 * (wave * secs).sin());
    let early = amplitude(&mut stage, 0.0, 2.0, |_, _| 0.0);
    let late = amplitude(&mut stage, 0.0, 2.0, |_, _| 0.0);
    assert!(late < 0.7 * early && early < 1.2 * pumped, "{pumped} {early} {late}");
}

#[test]
fn chin_ups_raise_the_body_and_an_opened_hand_lets_go() {
    let mut stage = bar();
    let hanging = stage.centre().y;
    let up = ScriptedPose { arms: [Vec3::new(0.15, 0.35, 0.25); 2], ..ScriptedPose::hang(0.0) };
    for frame in 0..90 {
        stage.step(&ScriptedPose::hang(0.0).lerp(&up, (frame as f32 / 60.0).min(1.0)));
    }
    assert!(stage.centre().y > hanging + 0.25, "{hanging} {}", stage.centre().y);
    let one = ScriptedPose { closed: [true, false], ..ScriptedPose::hang(0.0) };
    for _ in 0..60 {
        stage.step(&one);
    }
    assert_eq!(stage.session.state().holds[..2], [Some(0), None]);
    stage.step(&ScriptedPose::default());
    assert!(stage.session.state().is_flying);
}

/// The pose of a jumping performer by the time since the landing: the knees are bent, stretch while the surface rises, and bend in
/// the air.
fn jumping(secs: f32) -> ScriptedPose {
    let crouched = ScriptedPose { shift: Vec3::NEG_Y * 0.22, ..ScriptedPose::default() };
    let stretched = ScriptedPose { shift: Vec3::Y * 0.03, ..ScriptedPose::default() };
    match secs {
        s if s < 0.12 => crouched,
        s if s < 0.30 => crouched.lerp(&stretched, (s - 0.12) / 0.18),
        s if s < 0.45 => stretched,
        s => stretched.lerp(&crouched, ((s - 0.45) / 0.3).min(1.0)),
    }
}

fn trampoline() -> Stage {
    Stage::new(&format!(
        "start = {{ at = [0, 0.6, 0] }}\n{GROUND}[[feature]]\nname = \"mat\"\nlike = \"trampoline\"\ngeometry = {{ box = {{ min = [-2, 0.5, -2], max = [2, 0.6, 2] }} }}\n"
    )
    .replace("at = [0, 0, 0]", "at = [0, -0.6, 0]"))
}

#[test]
fn well_timed_jumps_gain_height_and_idle_ones_decay() {
    let mut stage = trampoline();
    for _ in 0..120 {
        stage.step(&ScriptedPose::default());
    }
    let rest = stage.centre().y;
    let mut tops = Vec::new();
    let (mut since, mut top, mut flew) = (0.0f32, 0f32, false);
    for _ in 0..(12.0 * HZ) as usize {
        let now = *stage.session.state();
        if flew && !now.is_flying {
            tops.push(top - rest);
            (since, top) = (0.0, 0.0);
        }
        flew = now.is_flying;
        top = top.max(now.centre.y);
        stage.step(&jumping(since));
        since += 1.0 / HZ;
        if since > 1.6 {
            since = 0.0;
        }
    }
    assert!(tops.len() >= 4, "{tops:?}");
    let best = tops.iter().copied().fold(0.0, f32::max);
    assert!(best > 1.3 * tops[0].max(0.1), "{tops:?}");
    // Without further jumps the bouncing decays.
    let mut late_top = f32::MIN;
    let frames = (8.0 * HZ) as usize;
    for frame in 0..frames {
        stage.step(&ScriptedPose::default());
        if frame >= frames * 3 / 4 {
            late_top = late_top.max(stage.session.state().centre.y - rest);
        }
    }
    assert!(late_top < 0.5 * best, "{late_top} m in the last two seconds, after {tops:?}");
    assert!(!stage.session.state().is_flying, "{:?}", stage.session.state());
}

#[test]
fn strokes_move_a_swimmer_and_floating_does_not() {
    let pool = "[[feature]]\nname = \"pool\"\nlike = \"water\"\ngeometry = { box = { min = [-50, -50, -50], max = [50, 50, 50] } }\nmotion = \"breast-stroke\"\n";
    let mut stage = Stage::new(pool);
    for _ in 0..300 {
        stage.step(&ScriptedPose::default());
    }
    assert!(stage.centre().with_y(0.0).length() < 0.05, "{}", stage.centre());
    for frame in 0..600 {
        let share = (frame as f32 / 60.0 / 1.8).fract();
        stage.step(&stroke(share));
    }
    assert!(stage.centre().z > 1.0, "{}", stage.centre());
    assert!(stage.centre().x.abs() < 0.3);
}

/// A stroke: hands slowly to the front, then quickly out and back to the chest.
fn stroke(share: f32) -> ScriptedPose {
    let (chest, front, out) =
        (Vec3::new(-0.2, -0.1, 0.3), Vec3::new(-0.25, 0.0, 0.9), Vec3::new(0.6, -0.1, 0.5));
    let hand = match share {
        s if s < 0.55 => chest.lerp(front, s / 0.55),
        s if s < 0.75 => front.lerp(out, (s - 0.55) / 0.2),
        s => out.lerp(chest, (s - 0.75) / 0.25),
    };
    ScriptedPose { arms: [hand; 2], ..ScriptedPose::default() }
}

#[test]
fn tucking_in_flight_speeds_up_the_spin_and_keeps_the_momentum() {
    // Low gravity gives a long flight.
    let mut stage = Stage::new(
        "gravity_mps2 = 1.5\n[[feature]]\nname = \"mat\"\nlike = \"trampoline\"\ngeometry = { box = { min = [-2, -1, -2], max = [2, 0, 2] } }\ndynamics = { spin = 4.0 }\n",
    );
    for _ in 0..60 {
        stage.step(&ScriptedPose::default());
    }
    let crouched = ScriptedPose { shift: Vec3::NEG_Y * 0.3, ..ScriptedPose::default() };
    let stretched =
        ScriptedPose { shift: Vec3::Y * 0.03, arms: [ScriptedPose::arm(3.0); 2], ..ScriptedPose::default() };
    let tucked = ScriptedPose {
        arms: [Vec3::new(0.0, -0.5, 0.4); 2],
        feet: [Vec3::new(0.0, 0.4, 0.3); 2],
        ..ScriptedPose::default()
    };
    let mut flight = Vec::new();
    let mut since = 0;
    for frame in 0..400 {
        let secs = frame as f32 / HZ;
        since += usize::from(stage.session.state().is_flying);
        let swung = [ScriptedPose::arm(0.1 + 2.9 * ((secs - 1.0) / 0.5).clamp(0.0, 1.0)); 2];
        let (crouched, stretched) =
            (ScriptedPose { arms: swung, ..crouched }, ScriptedPose { arms: swung, ..stretched });
        let act = match secs {
            s if s < 1.0 => ScriptedPose::default().lerp(&crouched, s),
            _ if since < 20 => crouched.lerp(&stretched, ((secs - 1.0) / 0.2).min(1.0)),
            _ => stretched.lerp(&tucked, ((since - 20) as f32 / 15.0).min(1.0)),
        };
        stage.step(&act);
        let now = *stage.session.state();
        if !now.is_flying && since > 0 {
            if flight.len() > 10 {
                break;
            }
            // Both feet left and landed at once.
            flight.clear();
            since = 0;
        }
        if now.is_flying {
            let world = stage.session.world_pose();
            let inertia = stage.session.body().masses().inertia(&world.positions, now.centre);
            flight.push((now.momentum, world.rotations[0], inertia));
        }
    }
    let first = flight[0].0;
    assert!(flight.len() > 50 && first.length() > 0.02, "{} frames, {first}", flight.len());
    // Until the landing is prepared.
    let free = &flight[..45];
    for (momentum, ..) in free {
        assert!(momentum.distance(first) <= 1e-3 * first.length(), "{momentum} {first}");
    }
    let rate = |frame: usize| (free[frame + 1].1 * free[frame].1.inverse()).to_scaled_axis().length() * HZ;
    let expected = |frame: usize| (free[frame].2.inverse() * first).length();
    let (slow, fast) = (rate(17), rate(41));
    let ratio = expected(41) / expected(17);
    assert!(ratio > 1.5, "{ratio}");
    assert!(
        (fast / slow / ratio - 1.0).abs() < 0.02,
        "{slow} to {fast}: {}, but the ratio of inertias is {ratio}",
        fast / slow
    );
}

#[test]
fn a_rope_is_held_and_climbed_hand_over_hand() {
    let mut stage = Stage::new(
        "[[feature]]\nname = \"rope\"\nlike = \"rope\"\ngeometry = { rope = { top = [0, 6, 0.35], length_m = 5.5 } }\nmotion = \"climb\"\n",
    );
    let high = Vec3::new(-0.3, 0.75, 0.5);
    let low = Vec3::new(-0.3, 0.0, 0.5);
    let act = |left: Vec3, right: Vec3, closed: [bool; 2]| ScriptedPose {
        arms: [left, right],
        closed,
        ..ScriptedPose::default()
    };
    stage.step(&act(high, low, [true; 2]));
    assert!(stage.session.state().holds[..2].contains(&Some(0)), "{:?}", stage.session.state());
    for _ in 0..120 {
        stage.step(&act(high, low, [true; 2]));
    }
    let hanging = stage.centre();
    assert!(hanging.y > 0.5 && hanging.is_finite(), "{hanging}");
    climb(&mut stage, 240, high, low);
    let climbed = stage.centre().y - hanging.y;
    assert!(climbed > 2.0, "{hanging} {}", stage.centre());
}

/// Climbs hand over hand for some frames: each hand pulls down while the other reaches up, open, and grasps.
fn climb(stage: &mut Stage, frames: usize, high: Vec3, low: Vec3) {
    for frame in 0..frames {
        let share = (frame % 60) as f32 / 60.0;
        let hand = |from: f32| match (share - from).rem_euclid(1.0) {
            s if s < 0.55 => (high.lerp(low, s / 0.55), true),
            s => (low.lerp(high, (s - 0.55) / 0.45), false),
        };
        let ((left, left_closed), (right, right_closed)) = (hand(0.0), hand(0.5));
        stage.step(&ScriptedPose {
            arms: [left, right],
            closed: [left_closed, right_closed],
            ..ScriptedPose::default()
        });
    }
}

#[test]
fn a_pole_is_climbed_and_does_not_swing() {
    let pole = "[[feature]]\nname = \"pole\"\nlike = \"pole\"\ngeometry = { cylinder = { from = [0, 0, 0.35], to = [0, 6, 0.35] } }\n";
    let mut stage = Stage::new(pole);
    let (high, low) = (Vec3::new(-0.3, 0.75, 0.5), Vec3::new(-0.3, 0.0, 0.5));
    for _ in 0..120 {
        stage.step(&ScriptedPose { arms: [high, low], closed: [true; 2], ..ScriptedPose::default() });
    }
    assert_eq!(stage.session.state().holds[..2], [Some(0), Some(0)]);
    let hanging = stage.centre();
    climb(&mut stage, 180, high, low);
    let climbed = stage.centre();
    assert!(climbed.y > hanging.y + 1.0, "{hanging} {climbed}");
    assert!(climbed.with_y(0.0).distance(hanging.with_y(0.0)) < 0.15, "{hanging} {climbed}");
}

#[test]
fn rocks_are_climbed_and_each_holds_one_hand_and_one_foot() {
    let mut world = GROUND.to_owned();
    for row in 0..14 {
        for (side, x) in [("left", 0.3), ("right", -0.3)] {
            let y = 0.3 + 0.25 * row as f32;
            world += &format!(
                "[[feature]]\nname = \"{side} {row}\"\nlike = \"rock\"\ngeometry = {{ point = {{ at = [{x}, {y}, 0.35], radius_m = 0.06 }} }}\nengage = {{ within_m = 0.15 }}\n"
            );
        }
    }
    let mut stage = Stage::new(&world);
    let (high, low) = (Vec3::new(0.15, 0.75, 0.5), Vec3::new(0.15, 0.0, 0.5));
    for _ in 0..60 {
        stage.step(&ScriptedPose { arms: [high, low], closed: [true; 2], ..ScriptedPose::default() });
    }
    let (start, mut stood) = (stage.centre(), 0);
    for _ in 0..5 {
        climb(&mut stage, 60, high, low);
        for _ in 0..20 {
            // A step up onto the surface in front.
            let feet = [Vec3::new(0.1, 0.05, 0.25), Vec3::ZERO];
            stage.step(&ScriptedPose {
                arms: [high, low],
                feet,
                closed: [true; 2],
                ..ScriptedPose::default()
            });
            let holds = stage.session.state().holds;
            stood += usize::from(holds[2..].iter().flatten().any(|feature| *feature > 0));
            assert!(holds[0].is_none() || holds[0] != holds[1]);
            assert!(holds[2].is_none_or(|feature| feature == 0) || holds[2] != holds[3]);
        }
    }
    assert!(stage.centre().y > start.y + 1.0, "{start} {}", stage.centre());
    assert!(stood > 0);
}

#[test]
fn a_web_is_shot_at_an_anchor_that_the_arm_points_at() {
    let mut stage = Stage::new(&format!(
        "{GROUND}[[feature]]\nname = \"anchor\"\nlike = \"web\"\ngeometry = {{ point = {{ at = [0, 6, 5], radius_m = 0.1 }} }}\n"
    ));
    for _ in 0..30 {
        stage.step(&ScriptedPose::default());
    }
    // The right arm points up and forward.
    let aim = Vec3::new(0.0, 0.67, 0.67);
    for closed in [false, true] {
        let act = ScriptedPose {
            arms: [ScriptedPose::arm(0.1), aim],
            closed: [false, closed],
            ..ScriptedPose::default()
        };
        for _ in 0..20 {
            stage.step(&act);
        }
    }
    assert_eq!(stage.session.state().holds[1], Some(1), "{:?}", stage.session.state());
    let mut farthest = 0f32;
    for _ in 0..240 {
        stage.step(&ScriptedPose {
            arms: [ScriptedPose::arm(0.1), aim],
            closed: [false, true],
            ..ScriptedPose::default()
        });
        farthest = farthest.max(stage.centre().z);
    }
    assert!(farthest > 1.2, "{farthest}");
    stage.step(&ScriptedPose::default());
    assert_eq!(stage.session.state().holds[1], None);
}
