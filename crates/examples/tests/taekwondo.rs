//! Invariants of bouts over many seeds.

mod two_actors;

use std::collections::BTreeMap;

use marey_body::BodyProportions;
use marey_examples::Truth;
use marey_examples::taekwondo::{
    BoutTruth, Chain, Movement, MovementKind, MovementSpan, Strike, TaekwondoSettings, taekwondo,
};
use marey_motion::{Coded, Role, Side, Vec3};
use two_actors::{WorldExample, apart_m, limbs};

fn settings(seed: u64) -> TaekwondoSettings {
    let legs = [1.0, 1.05, 0.95, 1.02][seed as usize % 4];
    let body = |height_m| BodyProportions { height_m, leg_length: legs, ..BodyProportions::default() };
    let [red, blue] = [[1.76, 1.72], [1.6, 1.66], [1.9, 1.8], [1.45, 1.5]][seed as usize % 4].map(body);
    TaekwondoSettings { seed, duration_secs: 90.0, red, blue, ..TaekwondoSettings::default() }
}

fn bouts() -> impl Iterator<Item = WorldExample> {
    (0..4).map(|seed| WorldExample::of(taekwondo(&settings(seed)).unwrap()))
}

fn bout(recorded: &WorldExample) -> &BoutTruth {
    recorded.example.truth.bout().unwrap()
}

/// The movements of a fighter, sorted by time.
fn movements(recorded: &WorldExample, actor: usize) -> Vec<&MovementSpan> {
    bout(recorded).movements.iter().filter(|moved| moved.actor == actor).collect()
}

/// The point of the striking limb that touches the opponent.
fn striking_point(recorded: &WorldExample, touch: &Strike) -> Vec3 {
    let (actor, role) = (touch.striker.actor, touch.striker.role);
    let side = role.side().unwrap();
    match role.on(Side::Left) {
        Role::LeftHand => recorded.at(actor, Role::LeftMiddleProximal.on(side), touch.frame),
        Role::LeftToes => recorded.at(actor, role, touch.frame),
        // Instep or heel, whichever is closer.
        _ => {
            let clip = recorded.clip(actor);
            let foot = clip.skeleton().joint_of(role).unwrap();
            let (at, turn) = (
                recorded.at(actor, role, touch.frame),
                recorded.worlds[actor].rotations_at(touch.frame)[foot],
            );
            let ball = clip.skeleton().offsets()[clip.skeleton().joint_of(Role::LeftToes.on(side)).unwrap()];
            let heel = clip.skeleton().tips().iter().find(|tip| tip.parent == foot).unwrap().offset;
            let place = Vec3::from(touch.place);
            let points = [0.5 * ball.with_y(0.0), heel].map(|point| at + turn * point);
            if points[0].distance(place) < points[1].distance(place) { points[0] } else { points[1] }
        }
    }
}

#[test]
fn a_seed_gives_the_same_bout_and_seeds_differ() {
    let make = |seed| taekwondo(&TaekwondoSettings { noise_mm: 2.0, ..settings(seed) }).unwrap();
    let [a, b, c] = [4, 4, 8].map(make);
    assert_eq!((&a.take, &a.truth), (&b.take, &b.truth));
    assert_ne!(a.take, c.take);
}

#[test]
fn a_seed_gives_the_same_bout_at_every_rate() {
    let at = |rate_hz| taekwondo(&TaekwondoSettings { rate_hz, duration_secs: 20.0, ..settings(3) }).unwrap();
    let (slow, fast) = (at(30.0), at(120.0));
    for actor in 0..2 {
        let [slow, fast] = [&slow, &fast].map(|bout| &bout.take.actors()[actor].clip);
        for frame in 0..slow.frames() {
            assert_eq!(slow.pose(frame).positions, fast.pose(4 * frame).positions);
        }
    }
}

#[test]
fn movements_cover_every_frame_of_each_fighter_and_end_with_a_landing() {
    for recorded in bouts() {
        for actor in 0..2 {
            let moves = movements(&recorded, actor);
            let mut next = 0;
            for moved in &moves {
                assert_eq!(moved.start, next);
                assert_eq!(moved.kind, moved.movement.kind());
                next = moved.end;
            }
            assert_eq!(next, recorded.frames().end);
            let contacts = &recorded.example.truth.actors()[actor].contacts;
            for moved in &moves[..moves.len() - 1] {
                let lands = [Role::LeftFoot, Role::RightFoot]
                    .iter()
                    .any(|&role| contacts.of(role).any(|frames| frames.start == moved.end));
                assert!(lands, "{moved:?}");
            }
        }
    }
}

#[test]
fn all_movements_occur_and_the_chain_is_followed() {
    let chain = Chain::default();
    let mut counts: BTreeMap<Movement, usize> = BTreeMap::new();
    for seed in 0..6 {
        let settings = TaekwondoSettings { duration_secs: 180.0, rate_hz: 30.0, ..settings(seed) };
        let recorded = WorldExample::of(taekwondo(&settings).unwrap());
        let [red, blue] = [0, 1].map(|actor| movements(&recorded, actor));
        assert_eq!(red.len(), blue.len());
        let pairs: Vec<[Movement; 2]> =
            red.iter().zip(&blue).map(|(a, b)| [a.movement, b.movement]).collect();
        // The last movement is standing on guard.
        for pair in pairs[..pairs.len() - 1].windows(2) {
            assert!(chain.joint(pair[0], pair[1]) > 0.0, "{pair:?}");
        }
        for movement in pairs.into_iter().flatten() {
            *counts.entry(movement).or_default() += 1;
        }
    }
    for movement in Movement::ALL {
        let count = counts.get(&movement).copied().unwrap_or(0);
        assert!(count >= 20, "{movement:?}: {count} in six bouts of three minutes");
    }
}

#[test]
fn striking_limbs_are_at_their_targets_at_contact() {
    for recorded in bouts() {
        let touches = &bout(&recorded).touches;
        assert!(touches.len() > 8);
        for touch in touches {
            let miss = striking_point(&recorded, touch).distance(Vec3::from(touch.place));
            assert!(miss < 0.012, "{touch:?} misses by {miss} m");
        }
    }
}

#[test]
fn the_contact_of_every_attack_matches_the_response() {
    for recorded in bouts() {
        for attacker in 0..2 {
            for moved in
                movements(&recorded, attacker).iter().filter(|moved| moved.kind == MovementKind::Offensive)
            {
                let touch = bout(&recorded).touches.iter().find(|touch| {
                    touch.striker.actor == attacker && (moved.start..moved.end).contains(&touch.frame)
                });
                let middle = touch.map_or((moved.start + moved.end) / 2, |touch| touch.frame);
                let responses = movements(&recorded, 1 - attacker);
                let response = responses.iter().find(|response| {
                    response.kind == MovementKind::Defensive
                        && (response.start..response.end).contains(&middle)
                });
                let response = response.unwrap_or_else(|| panic!("{moved:?} has no response"));
                let struck = touch.map(|touch| touch.struck.role.on(Side::Left));
                let is_consistent = match response.movement {
                    Movement::Dodge => struck.is_none(),
                    Movement::Hit => {
                        matches!(struck, Some(Role::Spine | Role::Chest | Role::UpperChest))
                    }
                    Movement::HeadHit => struck == Some(Role::Head),
                    _ => struck == Some(Role::LeftLowerArm),
                };
                assert!(is_consistent, "{moved:?} {response:?} {struck:?}");
            }
        }
    }
}

#[test]
fn planted_feet_do_not_slide_or_sink() {
    for recorded in bouts() {
        for (index, actor) in recorded.example.truth.actors().iter().enumerate() {
            for contact in actor.contacts.all() {
                let first = recorded.sole_point(index, contact.role, contact.frames.start);
                for frame in contact.frames.clone() {
                    let slid = recorded.sole_point(index, contact.role, frame).distance(first);
                    assert!(slid < 1e-4, "{} slides by {slid} m in frame {frame}", contact.role);
                }
            }
            assert!(recorded.lowest(index) > -1e-3, "{}", recorded.lowest(index));
        }
    }
}

#[test]
fn knees_and_elbows_bend_in_the_right_direction() {
    for recorded in bouts() {
        for actor in 0..2 {
            for side in Side::BOTH {
                let leg = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|role| role.on(side));
                for (frame, fold) in recorded.folds(actor, leg, Vec3::X).enumerate() {
                    assert!((5.0..145.0).contains(&fold), "a knee at {fold}° in frame {frame}");
                }
                let hinge = if side == Side::Left { Vec3::NEG_Y } else { Vec3::Y };
                let arm = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand].map(|role| role.on(side));
                for (frame, fold) in recorded.folds(actor, arm, hinge).enumerate() {
                    assert!((5.0..153.0).contains(&fold), "an elbow at {fold}° in frame {frame}");
                }
            }
        }
    }
}

/// A striking foot has 4 to 9 m/s a tenth of a second before contact, and zero speed at contact.
#[test]
fn accelerations_are_bounded() {
    for recorded in bouts() {
        let (most, joint, frame) = recorded.largest_acceleration();
        assert!(most < 450.0, "{joint} in frame {frame}: {most} m/s²");
    }
}

#[test]
fn bodies_do_not_penetrate_each_other() {
    let legs = limbs(Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot);
    let arms = limbs(Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand);
    let (trunk, head) = ([Role::Hips, Role::Neck], [Role::Neck, Role::Head]);
    for recorded in bouts() {
        let check_distance = |one: [Role; 2], other: [Role; 2], min_m: f32| {
            let (near_m, frame) = recorded.nearest_m(one, other);
            assert!(near_m > min_m, "{one:?} to {other:?}: {near_m} m in frame {frame}");
        };
        check_distance(trunk, trunk, 0.5);
        check_distance(head, head, 0.4);
        for limb in legs.into_iter().chain(arms) {
            for solid in [trunk, head] {
                check_distance(limb, solid, 0.075);
                check_distance(solid, limb, 0.075);
            }
        }
        for one in legs {
            for other in legs {
                check_distance(one, other, 0.06);
            }
        }
    }
}

#[test]
fn fighters_face_each_other_at_a_distance_that_changes() {
    for recorded in bouts() {
        let mut distances = Vec::new();
        for frame in recorded.frames() {
            let to_opponent =
                (recorded.at(1, Role::Hips, frame) - recorded.at(0, Role::Hips, frame)).with_y(0.0);
            distances.push(to_opponent.length());
            let head = recorded.clip(0).skeleton().joint_of(Role::Head).unwrap();
            let looks = recorded.worlds[0].rotations_at(frame)[head] * Vec3::Z;
            assert!(looks.with_y(0.0).angle_between(to_opponent) < 0.9, "frame {frame}");
            assert!(
                to_opponent.length() > 0.7 && to_opponent.length() < 2.2,
                "frame {frame}: {} m",
                to_opponent.length()
            );
        }
        distances.sort_by(f32::total_cmp);
        let spread = distances[distances.len() * 9 / 10] - distances[distances.len() / 10];
        assert!(spread > 0.2, "{spread} m");
        let nearest = apart_m(
            [recorded.at(0, Role::Hips, 0), recorded.at(0, Role::Neck, 0)],
            [recorded.at(1, Role::Hips, 0), recorded.at(1, Role::Neck, 0)],
        );
        assert!(nearest > 1.0);
    }
}

#[test]
fn the_truth_round_trips_through_json() {
    let truth = taekwondo(&TaekwondoSettings { duration_secs: 15.0, ..settings(0) }).unwrap().truth;
    let json = serde_json::to_string(&truth).unwrap();
    assert_eq!(serde_json::from_str::<Truth>(&json).unwrap(), truth);
    let wrong = json.replace("\"actor\":1", "\"actor\":7");
    assert!(serde_json::from_str::<Truth>(&wrong).unwrap_err().to_string().contains("actor 7"));
}

#[test]
fn settings_out_of_range_are_refused() {
    let tall = BodyProportions { height_m: 1.9, ..BodyProportions::default() };
    for wrong in [
        TaekwondoSettings { duration_secs: 3.0, ..settings(0) },
        TaekwondoSettings { rate_hz: f64::NAN, ..settings(0) },
        TaekwondoSettings { noise_mm: -1.0, ..settings(0) },
        TaekwondoSettings { red: tall, ..settings(0) },
    ] {
        assert_eq!(taekwondo(&wrong).unwrap_err().code().id, "examples/setting");
    }
}
