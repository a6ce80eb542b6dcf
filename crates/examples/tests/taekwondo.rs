//! Bouts of many seeds keep what a bout must keep.

mod seen;

use std::collections::BTreeMap;

use marey_body::BodyProportions;
use marey_examples::Truth;
use marey_examples::taekwondo::{
    BoutTruth, Chain, Kind, Moved, Movement, Strike, TaekwondoSettings, taekwondo,
};
use marey_motion::{Coded, Role, Side, Vec3};
use seen::{Seen, apart_m, limbs};

fn settings(seed: u64) -> TaekwondoSettings {
    let legs = [1.0, 1.05, 0.95, 1.02][seed as usize % 4];
    let body = |height_m| BodyProportions { height_m, leg_length: legs, ..BodyProportions::default() };
    let [red, blue] = [[1.76, 1.72], [1.6, 1.66], [1.9, 1.8], [1.45, 1.5]][seed as usize % 4].map(body);
    TaekwondoSettings { seed, duration_secs: 90.0, red, blue, ..TaekwondoSettings::default() }
}

fn bouts() -> impl Iterator<Item = Seen> {
    (0..4).map(|seed| Seen::of(taekwondo(&settings(seed)).unwrap()))
}

fn bout(seen: &Seen) -> &BoutTruth {
    seen.example.truth.bout().unwrap()
}

/// A fighter's movements, in time.
fn movements(seen: &Seen, actor: usize) -> Vec<&Moved> {
    bout(seen).movements.iter().filter(|moved| moved.actor == actor).collect()
}

/// The point of the striking limb that meets the other.
fn striking_point(seen: &Seen, touch: &Strike) -> Vec3 {
    let (actor, role) = (touch.striker.actor, touch.striker.role);
    let side = role.side().unwrap();
    match role.on(Side::Left) {
        Role::LeftHand => seen.at(actor, Role::LeftMiddleProximal.on(side), touch.frame),
        Role::LeftToes => seen.at(actor, role, touch.frame),
        // Instep or heel: whichever of the two it is.
        _ => {
            let clip = seen.clip(actor);
            let foot = clip.skeleton().joint_of(role).unwrap();
            let (at, turn) =
                (seen.at(actor, role, touch.frame), seen.worlds[actor].rotations_at(touch.frame)[foot]);
            let ball = clip.skeleton().offsets()[clip.skeleton().joint_of(Role::LeftToes.on(side)).unwrap()];
            let heel = clip.skeleton().tips().iter().find(|tip| tip.parent == foot).unwrap().offset;
            let place = Vec3::from(touch.place);
            let points = [0.5 * ball.with_y(0.0), heel].map(|point| at + turn * point);
            if points[0].distance(place) < points[1].distance(place) { points[0] } else { points[1] }
        }
    }
}

#[test]
fn the_same_seed_is_the_same_bout_and_another_is_another() {
    let make = |seed| taekwondo(&TaekwondoSettings { noise_mm: 2.0, ..settings(seed) }).unwrap();
    let [a, b, c] = [4, 4, 8].map(make);
    assert_eq!((&a.take, &a.truth), (&b.take, &b.truth));
    assert_ne!(a.take, c.take);
}

#[test]
fn the_same_seed_is_the_same_bout_at_every_rate() {
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
    for seen in bouts() {
        for actor in 0..2 {
            let moves = movements(&seen, actor);
            let mut next = 0;
            for moved in &moves {
                assert_eq!(moved.start, next);
                assert_eq!(moved.kind, moved.movement.kind());
                next = moved.end;
            }
            assert_eq!(next, seen.frames().end);
            let contacts = &seen.example.truth.actors()[actor].contacts;
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
        let seen = Seen::of(taekwondo(&settings).unwrap());
        let [red, blue] = [0, 1].map(|actor| movements(&seen, actor));
        assert_eq!(red.len(), blue.len());
        let pairs: Vec<[Movement; 2]> =
            red.iter().zip(&blue).map(|(a, b)| [a.movement, b.movement]).collect();
        // The last is standing on guard.
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
fn what_strikes_is_where_it_should_be_when_it_should() {
    for seen in bouts() {
        let touches = &bout(&seen).touches;
        assert!(touches.len() > 8);
        for touch in touches {
            let miss = striking_point(&seen, touch).distance(Vec3::from(touch.place));
            assert!(miss < 0.012, "{touch:?} misses by {miss} m");
        }
    }
}

#[test]
fn every_attack_meets_an_arm_a_body_or_nothing_as_the_answer_says() {
    for seen in bouts() {
        for attacker in 0..2 {
            for moved in movements(&seen, attacker).iter().filter(|moved| moved.kind == Kind::Offensive) {
                let touch = bout(&seen).touches.iter().find(|touch| {
                    touch.striker.actor == attacker && (moved.start..moved.end).contains(&touch.frame)
                });
                let middle = touch.map_or((moved.start + moved.end) / 2, |touch| touch.frame);
                let answers = movements(&seen, 1 - attacker);
                let answer = answers.iter().find(|answer| {
                    answer.kind == Kind::Defensive && (answer.start..answer.end).contains(&middle)
                });
                let answer = answer.unwrap_or_else(|| panic!("{moved:?} is not answered"));
                let struck = touch.map(|touch| touch.struck.role.on(Side::Left));
                let fits = match answer.movement {
                    Movement::Dodge => struck.is_none(),
                    Movement::Hit => {
                        matches!(struck, Some(Role::Spine | Role::Chest | Role::UpperChest))
                    }
                    Movement::HeadHit => struck == Some(Role::Head),
                    _ => struck == Some(Role::LeftLowerArm),
                };
                assert!(fits, "{moved:?} {answer:?} {struck:?}");
            }
        }
    }
}

#[test]
fn planted_feet_stay_and_nothing_sinks() {
    for seen in bouts() {
        for (index, actor) in seen.example.truth.actors().iter().enumerate() {
            for contact in actor.contacts.all() {
                let first = seen.sole_point(index, contact.role, contact.frames.start);
                for frame in contact.frames.clone() {
                    let slid = seen.sole_point(index, contact.role, frame).distance(first);
                    assert!(slid < 1e-4, "{} slides by {slid} m in frame {frame}", contact.role);
                }
            }
            assert!(seen.lowest(index) > -1e-3, "{}", seen.lowest(index));
        }
    }
}

#[test]
fn knees_and_elbows_bend_as_they_should() {
    for seen in bouts() {
        for actor in 0..2 {
            for side in Side::BOTH {
                let leg = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|role| role.on(side));
                for (frame, fold) in seen.folds(actor, leg, Vec3::X).enumerate() {
                    assert!((5.0..145.0).contains(&fold), "a knee at {fold}° in frame {frame}");
                }
                let hinge = if side == Side::Left { Vec3::NEG_Y } else { Vec3::Y };
                let arm = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand].map(|role| role.on(side));
                for (frame, fold) in seen.folds(actor, arm, hinge).enumerate() {
                    assert!((5.0..153.0).contains(&fold), "an elbow at {fold}° in frame {frame}");
                }
            }
        }
    }
}

/// A foot that strikes is at 4 to 9 m/s a tenth of a second before, and still when it arrives.
#[test]
fn nothing_jerks() {
    for seen in bouts() {
        let (most, joint, frame) = seen.greatest_acceleration();
        assert!(most < 450.0, "{joint} in frame {frame}: {most} m/s²");
    }
}

#[test]
fn bodies_do_not_go_through_each_other() {
    let legs = limbs(Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot);
    let arms = limbs(Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand);
    let (trunk, head) = ([Role::Hips, Role::Neck], [Role::Neck, Role::Head]);
    for seen in bouts() {
        let keep = |one: [Role; 2], other: [Role; 2], least_m: f32| {
            let (near_m, frame) = seen.nearest_m(one, other);
            assert!(near_m > least_m, "{one:?} to {other:?}: {near_m} m in frame {frame}");
        };
        keep(trunk, trunk, 0.5);
        keep(head, head, 0.4);
        for limb in legs.into_iter().chain(arms) {
            for solid in [trunk, head] {
                keep(limb, solid, 0.075);
                keep(solid, limb, 0.075);
            }
        }
        for one in legs {
            for other in legs {
                keep(one, other, 0.06);
            }
        }
    }
}

#[test]
fn fighters_face_each_other_at_a_distance_that_changes() {
    for seen in bouts() {
        let mut distances = Vec::new();
        for frame in seen.frames() {
            let way = (seen.at(1, Role::Hips, frame) - seen.at(0, Role::Hips, frame)).with_y(0.0);
            distances.push(way.length());
            let head = seen.clip(0).skeleton().joint_of(Role::Head).unwrap();
            let looks = seen.worlds[0].rotations_at(frame)[head] * Vec3::Z;
            assert!(looks.with_y(0.0).angle_between(way) < 0.9, "frame {frame}");
            assert!(way.length() > 0.7 && way.length() < 2.2, "frame {frame}: {} m", way.length());
        }
        distances.sort_by(f32::total_cmp);
        let spread = distances[distances.len() * 9 / 10] - distances[distances.len() / 10];
        assert!(spread > 0.2, "{spread} m");
        let nearest = apart_m(
            [seen.at(0, Role::Hips, 0), seen.at(0, Role::Neck, 0)],
            [seen.at(1, Role::Hips, 0), seen.at(1, Role::Neck, 0)],
        );
        assert!(nearest > 1.0);
    }
}

#[test]
fn the_truth_survives_being_written() {
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
