//! Invariants of dances over many seeds.

mod two_actors;

use marey_body::BodyProportions;
use marey_examples::lindy::{self, DATABASE, LindySettings, NOVEL, Pattern, TEMPO_BPM, dance, patterns};
use marey_examples::waltz::{WaltzSettings, waltz};
use marey_examples::{Example, TakeJoint, Truth};
use marey_motion::{Coded, Role, Side, Vec3};
use proptest::prelude::*;
use two_actors::{WorldExample, limbs};

/// The largest deviation of a hold from its distance, in metres.
fn largest_hold_error_m(recorded: &WorldExample) -> f32 {
    let truth = &recorded.example.truth;
    let errors = truth.holds().iter().flat_map(|hold| {
        hold.frames.clone().map(|frame| {
            let place = |hand: TakeJoint| recorded.at(hand.actor, hand.role, frame);
            (place(hold.one).distance(place(hold.other)) - hold.gap_m).abs()
        })
    });
    errors.fold(0.0, f32::max)
}

/// All patterns once and more, at three tempos, with three pairs of bodies; and waltzes.
fn assortment() -> Vec<WorldExample> {
    let [one, two, three, four, five, six, seven] = DATABASE;
    let known = vec![one, two, seven, three, six, four, five];
    let n = |i: usize| NOVEL[i - 1];
    let novel = vec![
        n(1),
        n(8),
        n(3),
        n(2),
        n(14),
        n(10),
        n(12),
        n(9),
        n(11),
        n(13),
        n(1),
        n(8),
        n(4),
        three,
        n(5),
        n(8),
        n(6),
        n(8),
        n(7),
    ];
    let mut dances = Vec::new();
    for (seed, tempo_bpm) in [120.0, 152.0, 190.0].into_iter().enumerate() {
        for (half, patterns) in [&known, &novel].into_iter().enumerate() {
            let body = |height_m| BodyProportions { height_m, ..BodyProportions::default() };
            let heights = [(1.78, 1.66), (1.9, 1.65), (1.66, 1.66)][seed];
            let settings = LindySettings {
                seed: (10 * seed + half) as u64,
                leader: body(heights.0),
                follower: body(heights.1),
                ..LindySettings::default()
            };
            dances.push(WorldExample::of(dance(&settings, patterns, tempo_bpm).unwrap()));
        }
    }
    for seed in 0..3 {
        let tempo_bpm = [88.0, 70.0, 110.0][seed as usize];
        dances.push(WorldExample::of(
            waltz(&WaltzSettings { seed, tempo_bpm, ..WaltzSettings::default() }).unwrap(),
        ));
    }
    dances
}

#[test]
fn a_seed_gives_the_same_dance_and_seeds_differ() {
    let settings = |seed| LindySettings { seed, noise_mm: 2.0, ..LindySettings::default() };
    let order = [DATABASE[1], DATABASE[6]];
    let [a, b, c] = [0, 0, 1].map(|seed| dance(&settings(seed), &order, 160.0).unwrap());
    assert_eq!((&a.take, &a.truth), (&b.take, &b.truth));
    assert_ne!(a.take, c.take);
    let waltzes = [0, 0, 1].map(|seed| waltz(&WaltzSettings { seed, ..WaltzSettings::default() }).unwrap());
    assert_eq!((&waltzes[0].take, &waltzes[0].truth), (&waltzes[1].take, &waltzes[1].truth));
    assert_ne!(waltzes[0].take, waltzes[2].take);
}

#[test]
fn a_seed_gives_the_same_dance_at_every_rate_and_with_noise() {
    let at = |rate_hz, noise_mm| {
        let settings = LindySettings { rate_hz, noise_mm, ..LindySettings::default() };
        dance(&settings, &DATABASE[3..5], 140.0).unwrap()
    };
    let (slow, fast, noisy) = (at(30.0, 0.0), at(60.0, 0.0), at(30.0, 5.0));
    for actor in 0..2 {
        let [slow, fast] = [&slow, &fast].map(|dance| &dance.take.actors()[actor].clip);
        for frame in 0..slow.frames() {
            assert_eq!(slow.pose(frame).positions, fast.pose(2 * frame).positions);
        }
    }
    assert_eq!(slow.truth, noisy.truth);
    assert_ne!(slow.take, noisy.take);
}

#[test]
fn the_database_and_the_test_dances_have_the_sizes_in_the_paper() {
    for seed in [0, 5] {
        let settings = LindySettings { seed, rate_hz: 30.0, ..LindySettings::default() };
        let database = lindy::database(&settings).unwrap();
        let danced = |dances: &[Example]| -> Vec<Pattern> {
            dances.iter().flat_map(|dance| patterns(&dance.truth)).collect()
        };
        let instances =
            |dances: &[Example]| -> usize { dances.iter().map(|dance| dance.truth.labels().len() - 2).sum() };
        let unique = |mut patterns: Vec<Pattern>| {
            patterns.sort();
            patterns.dedup();
            patterns
        };
        assert_eq!((database.len(), instances(&database)), (12, 364));
        assert!(database.iter().all(|dance| unique(patterns(&dance.truth)).len() == 7));
        assert_eq!(unique(danced(&database)), unique(DATABASE.to_vec()));

        let tests = lindy::tests(&settings).unwrap();
        assert_eq!((tests.len(), danced(&tests).len(), instances(&tests)), (3, 91, 364));
        let novel: Vec<Pattern> =
            unique(danced(&tests)).into_iter().filter(|pattern| !DATABASE.contains(pattern)).collect();
        assert!(novel.len() >= 13, "{}", novel.len());
        assert!(novel.iter().all(|pattern| NOVEL.contains(pattern)));

        // Two beats take from 0.63 to 1 second, in all dances.
        let lengths = |dances: &[Example]| -> (f64, f64) {
            let all = dances.iter().flat_map(|dance| {
                let beats = dance.truth.beats();
                let count = (beats.len() - 1) as f64;
                [count * 60.0 * dance.take.rate_hz() / (beats[beats.len() - 1] - beats[0]) as f64]
            });
            all.fold((f64::MAX, 0.0), |(least, most), bpm| (least.min(bpm), most.max(bpm)))
        };
        for (least, most) in [lengths(&database), lengths(&tests)] {
            assert!((119.0..128.0).contains(&least) && (182.0..191.0).contains(&most), "{least} to {most}");
        }
        for dance in &tests {
            let secs = dance.take.frames() as f64 / dance.take.rate_hz();
            assert!((90.0..105.0).contains(&secs), "{secs} s");
        }
    }
}

#[test]
fn holds_keep_their_distance() {
    for recorded in assortment() {
        assert!(!recorded.example.truth.holds().is_empty());
        let error_m = largest_hold_error_m(&recorded);
        assert!(error_m < 1e-3, "{}: {} mm", recorded.example.take.name(), 1000.0 * error_m);
    }
}

#[test]
fn the_followers_right_hand_is_held_all_the_time() {
    for recorded in assortment() {
        for frame in recorded.frames() {
            let hold = recorded.example.truth.holds().iter().find(|hold| {
                hold.other == TakeJoint { actor: 1, role: Role::RightHand } && hold.frames.contains(&frame)
            });
            assert!(hold.is_some(), "frame {frame}");
        }
    }
}

#[test]
fn crosshand_stances_are_held_with_the_right_hand() {
    for recorded in assortment().into_iter().filter(|recorded| recorded.example.take.name() == "lindy") {
        for label in recorded.example.truth.labels().iter().filter(|label| label.name.ends_with("1/2")) {
            let middle = (label.start + label.end) / 2;
            let hand =
                if label.name.starts_with("open crosshand") || label.name.starts_with("closed crosshand") {
                    Role::RightHand
                } else {
                    Role::LeftHand
                };
            let other = TakeJoint { actor: 1, role: Role::RightHand };
            let holds = recorded.example.truth.holds().iter();
            let holding: Vec<Role> = holds
                .filter(|hold| hold.other == other && hold.frames.contains(&middle))
                .map(|hold| hold.one.role)
                .collect();
            assert_eq!(holding, [hand], "{label:?}");
        }
    }
}

#[test]
fn a_foot_comes_down_on_every_beat() {
    for recorded in assortment() {
        let truth = &recorded.example.truth;
        let near = (0.02 * truth.rate_hz()).ceil() as usize;
        for actor in truth.actors() {
            let landings: Vec<usize> = [Role::LeftFoot, Role::RightFoot]
                .into_iter()
                .flat_map(|role| actor.contacts.of(role).map(|frames| frames.start))
                .collect();
            for &beat in truth.beats() {
                assert!(landings.iter().any(|landing| landing.abs_diff(beat) <= near), "beat at {beat}");
            }
        }
    }
}

#[test]
fn planted_feet_do_not_slide_or_sink() {
    for recorded in assortment() {
        for (index, actor) in recorded.example.truth.actors().iter().enumerate() {
            for contact in actor.contacts.all() {
                // The foot rotates about the ball or the heel. While both are down, the ankle does not move.
                let first = recorded.at(index, contact.role, contact.frames.start);
                if matches!(contact.role, Role::LeftToes | Role::RightToes) {
                    for frame in contact.frames.clone() {
                        let slid = recorded.at(index, contact.role, frame).distance(first);
                        assert!(slid < 1e-4, "{} slides by {slid} m in frame {frame}", contact.role);
                    }
                }
            }
            let lowest = recorded.lowest(index);
            assert!(lowest > -1e-3, "{lowest}");
        }
    }
}

#[test]
fn each_dancer_always_has_a_foot_down() {
    let roles = [Role::LeftFoot, Role::LeftToes, Role::RightFoot, Role::RightToes];
    for recorded in assortment() {
        for actor in recorded.example.truth.actors() {
            for frame in recorded.frames() {
                assert!(roles.iter().any(|&role| actor.contacts.touches(role, frame)), "frame {frame}");
            }
        }
    }
}

#[test]
fn knees_and_elbows_bend_in_the_right_direction() {
    for recorded in assortment() {
        for actor in 0..2 {
            for side in Side::BOTH {
                let leg = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|role| role.on(side));
                for fold in recorded.folds(actor, leg, Vec3::X) {
                    assert!((5.0..95.0).contains(&fold), "a knee at {fold}°");
                }
                // From the T-pose, forearms fold forward.
                let hinge = if side == Side::Left { Vec3::NEG_Y } else { Vec3::Y };
                let arm = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand].map(|role| role.on(side));
                for fold in recorded.folds(actor, arm, hinge) {
                    assert!((5.0..150.0).contains(&fold), "an elbow at {fold}°");
                }
            }
        }
    }
}

#[test]
fn bodies_do_not_penetrate_each_other() {
    let legs = limbs(Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot);
    let feet = Side::BOTH.map(|side| [Role::LeftFoot.on(side), Role::LeftToes.on(side)]);
    let arms = limbs(Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand);
    let (trunk, head) = ([Role::Hips, Role::Neck], [Role::Neck, Role::Head]);
    for recorded in assortment() {
        let check_distance = |one: [Role; 2], other: [Role; 2], min_m: f32| {
            let (near_m, frame) = recorded.nearest_m(one, other);
            let name = recorded.example.take.name();
            assert!(near_m > min_m, "{name}: {one:?} to {other:?}: {near_m} m in frame {frame}");
        };
        check_distance(trunk, trunk, 0.36);
        check_distance(head, head, 0.30);
        for one in legs {
            for other in legs {
                check_distance(one, other, 0.03);
            }
        }
        for one in feet {
            for other in feet {
                check_distance(one, other, 0.04);
            }
        }
        for arm in arms {
            check_distance(arm, trunk, 0.11);
            check_distance(trunk, arm, 0.11);
            check_distance(arm, head, 0.09);
            check_distance(head, arm, 0.09);
        }
    }
}

/// Quick steps at 190 beats per minute move a foot half around in an eighth of a second: 300 to 450 m/s². A joint that flips in one
/// frame has thousands.
#[test]
fn accelerations_are_bounded() {
    for recorded in assortment() {
        let (most, joint, frame) = recorded.largest_acceleration();
        let bound = if recorded.example.take.name() == "waltz" { 100.0 } else { 550.0 };
        assert!(most < bound, "{}: {joint} in frame {frame}: {most} m/s²", recorded.example.take.name());
    }
}

#[test]
fn labels_cover_every_frame_once_and_cuts_start_them() {
    for recorded in assortment() {
        let truth = &recorded.example.truth;
        let mut next = 0;
        for label in truth.labels() {
            assert_eq!(label.start, next, "{label:?}");
            next = label.end;
        }
        assert_eq!(next, truth.frames());
        for label in truth.labels().iter().skip(1) {
            assert!(truth.cuts().iter().any(|cut| cut.frame == label.start), "{label:?}");
        }
    }
}

#[test]
fn a_turn_rotates_the_follower_once() {
    for (pattern, direction) in [(DATABASE[3], -1.0), (DATABASE[4], 1.0)] {
        let recorded = WorldExample::of(dance(&LindySettings::default(), &[pattern], 150.0).unwrap());
        let heading = |frame: usize| {
            let ahead = recorded.clip(1).pose(frame).root_rotation() * Vec3::Z;
            ahead.x.atan2(ahead.z)
        };
        let turning =
            recorded.example.truth.labels().iter().find(|label| label.name.starts_with("closed")).unwrap();
        let last = recorded.example.truth.frames() - 1;
        let mut turned = 0.0;
        for frame in turning.start..last {
            let step = heading(frame + 1) - heading(frame);
            turned += (step + std::f32::consts::PI).rem_euclid(std::f32::consts::TAU) - std::f32::consts::PI;
        }
        // The couple rotates slightly to the right meanwhile.
        let whole_turn = direction * std::f32::consts::TAU;
        assert!((turned - whole_turn).abs() < 1.2, "{turned} for {pattern:?}");
    }
}

#[test]
fn leads_distinguish_most_but_not_all_turns() {
    let settings = LindySettings::default();
    // Rotation of the leader's chest in the two beats before inside and outside turns.
    let twists = |pattern: Pattern| -> Vec<f32> {
        let order = [pattern; 40];
        let recorded = WorldExample::of(dance(&settings, &order, 150.0).unwrap());
        let labels = recorded.example.truth.labels().iter();
        labels
            .filter(|label| label.name.starts_with("closed") && label.name.ends_with("1/2"))
            .map(|label| {
                let pose = recorded.clip(0).pose(label.end);
                let skeleton = recorded.clip(0).skeleton();
                let spine = [Role::Spine, Role::Chest, Role::UpperChest]
                    .map(|role| pose.rotations[skeleton.joint_of(role).unwrap()]);
                let ahead = spine[0] * spine[1] * spine[2] * Vec3::Z;
                ahead.x.atan2(ahead.z)
            })
            .collect()
    };
    let (outside, inside) = (twists(DATABASE[3]), twists(DATABASE[4]));
    let mean = |v: &[f32]| v.iter().sum::<f32>() / v.len() as f32;
    assert!(mean(&outside) > mean(&inside) + 0.2, "{} {}", mean(&outside), mean(&inside));
    let least = outside.iter().copied().fold(f32::MAX, f32::min);
    let most = inside.iter().copied().fold(f32::MIN, f32::max);
    // They usually differ by 17 degrees, and the least clear ones by less than 3 degrees.
    assert!(least < most + 0.05, "no lead is unclear: {least} {most}");
}

#[test]
fn a_waltz_travels_around_the_floor() {
    let settings = WaltzSettings { duration_secs: 180.0, ..WaltzSettings::default() };
    let recorded = WorldExample::of(waltz(&settings).unwrap());
    let mut angle_rad = 0.0;
    for frame in 1..recorded.frames().end {
        let [before, after] = [frame - 1, frame].map(|frame| recorded.at(0, Role::Hips, frame));
        assert!((1.0..5.5).contains(&after.with_y(0.0).length()), "{after}");
        // Counter-clockwise seen from above: from +Z towards +X.
        angle_rad += before.cross(after).y / before.with_y(0.0).length_squared();
    }
    assert!(angle_rad > 4.0, "{angle_rad} radians");
    let mut kinds: Vec<&str> =
        recorded.example.truth.labels().iter().map(|label| label.name.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, ["ahead", "box", "left turn", "ready", "rest", "right turn"]);
}

#[test]
fn the_truth_round_trips_through_json() {
    for truth in [
        dance(&LindySettings::default(), &DATABASE[1..2], 130.0).unwrap().truth,
        waltz(&WaltzSettings { duration_secs: 12.0, ..WaltzSettings::default() }).unwrap().truth,
    ] {
        let json = serde_json::to_string(&truth).unwrap();
        assert_eq!(serde_json::from_str::<Truth>(&json).unwrap(), truth);
        let wrong = json.replace("\"actor\":1", "\"actor\":7");
        assert!(serde_json::from_str::<Truth>(&wrong).unwrap_err().to_string().contains("actor 7"));
    }
}

#[test]
fn invalid_dances_are_refused() {
    let settings = LindySettings::default();
    let code = |result: Result<Example, marey_examples::ExamplesError>| result.unwrap_err().code().id;
    assert_eq!(code(dance(&settings, &[DATABASE[1], DATABASE[0]], 150.0)), "examples/stance");
    assert_eq!(code(dance(&settings, &DATABASE[..1], TEMPO_BPM.end() + 1.0)), "examples/setting");
    let small = BodyProportions { height_m: 1.5, ..BodyProportions::default() };
    assert_eq!(
        code(dance(&LindySettings { leader: small, ..settings }, &DATABASE[..1], 150.0)),
        "examples/setting"
    );
    let floor = WaltzSettings { floor_m: 0.5, ..WaltzSettings::default() };
    assert_eq!(code(waltz(&floor)), "examples/setting");
    assert_eq!(code(waltz(&WaltzSettings { leader: small, ..WaltzSettings::default() })), "examples/setting");
}

prop_compose! {
    /// A leader, and a follower who is not taller.
    fn any_pair()(
        height_m in 1.4f32..1.9, shorter_m in 0f32..0.28, legs in prop::array::uniform2(0.94f32..1.06),
        shoulders in prop::array::uniform2(0.85f32..1.15), hips in prop::array::uniform2(0.85f32..1.15),
    ) -> [BodyProportions; 2] {
        let body = |i: usize, height_m: f32| BodyProportions {
            height_m, leg_length: legs[i], shoulder_width: shoulders[i], hip_width: hips[i],
        };
        [body(0, height_m), body(1, (height_m - shorter_m).max(1.4))]
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_pair_of_bodies_keeps_its_holds(
        [leader, follower] in any_pair(), seed in any::<u64>(), tempo_bpm in 120f64..190.0, first in 0usize..14,
    ) {
        let settings = LindySettings { seed, leader, follower, ..LindySettings::default() };
        let novel = NOVEL[first];
        let next = NOVEL.iter().chain(&DATABASE).find(|pattern| pattern.first.from == novel.second.to).unwrap();
        let recorded = WorldExample::of(dance(&settings, &[novel, *next], tempo_bpm).unwrap());
        prop_assert!(largest_hold_error_m(&recorded) < 1e-3, "{} m", largest_hold_error_m(&recorded));
        let duration_secs = 15.0;
        let settings = WaltzSettings { seed, leader, follower, duration_secs, ..WaltzSettings::default() };
        let recorded = WorldExample::of(waltz(&settings).unwrap());
        prop_assert!(largest_hold_error_m(&recorded) < 1e-3, "waltz: {} m", largest_hold_error_m(&recorded));
    }
}

#[test]
fn the_most_different_pairs_keep_their_holds() {
    let body = |height_m, leg_length, width| BodyProportions {
        height_m,
        leg_length,
        shoulder_width: width,
        hip_width: width,
    };
    for (tall_m, short_m) in [(1.68, 1.4), (1.9, 1.62), (1.6, 1.4), (1.4, 1.4), (1.9, 1.9)] {
        for legs in [[0.94, 1.06], [1.06, 0.94]] {
            for widths in [[0.85, 0.85], [0.85, 1.15], [1.15, 0.85]] {
                let leader = body(tall_m, legs[0], widths[0]);
                let follower = body(short_m, legs[1], widths[1]);
                let settings = WaltzSettings {
                    seed: 5855443724328860571,
                    leader,
                    follower,
                    duration_secs: 15.0,
                    ..WaltzSettings::default()
                };
                let largest_error_m = largest_hold_error_m(&WorldExample::of(waltz(&settings).unwrap()));
                assert!(largest_error_m < 5e-4, "{leader:?} and {follower:?}: {largest_error_m} m");
            }
        }
    }
}
