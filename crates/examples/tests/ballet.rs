//! Invariants of ballet phrases over many seeds.

use std::collections::BTreeSet;

use marey_body::BodyProportions;
use marey_examples::Example;
use marey_examples::ballet::{BalletSettings, Grammar, Word, ballet};
use marey_motion::{Clip, Coded, LocalPose, Role, Side, Vec3, WorldPose};

fn settings(seed: u64) -> BalletSettings {
    let height_m = [1.66, 1.5, 1.8][seed as usize % 3];
    let body = BodyProportions { height_m, ..BalletSettings::default().body };
    BalletSettings { seed, phrases: 8, body, ..BalletSettings::default() }
}

fn phrases() -> impl Iterator<Item = Example> {
    (0..4).flat_map(|seed| ballet(&settings(seed)).unwrap())
}

fn bodies(clip: &Clip) -> Vec<WorldPose> {
    clip.poses().map(|pose| WorldPose::of(clip.skeleton(), pose)).collect()
}

/// The point of a sole that touches the floor: the heel of a foot, the ball joint of toes.
fn sole_point(body: &WorldPose, role: Role) -> Vec3 {
    let joint = body.skeleton().joint_of(role).unwrap();
    let at = body.positions[joint];
    if matches!(role, Role::LeftToes | Role::RightToes) {
        return at;
    }
    at + body.rotations[joint] * body.skeleton().tips().iter().find(|tip| tip.parent == joint).unwrap().offset
}

#[test]
fn the_corpus_has_the_size_of_the_papers_corpus() {
    for seed in [0, 7] {
        let all = ballet(&BalletSettings { seed, rate_hz: 4.0, ..BalletSettings::default() }).unwrap();
        let postures: usize = all.iter().map(|phrase| phrase.take.frames()).sum();
        assert_eq!(all.len(), 38);
        assert!((1600..=1800).contains(&postures), "{postures}");
        assert_eq!(all[0].take.first().skeleton().len(), 24, "23 joints beside the root");
        let words: BTreeSet<String> =
            all.iter().flat_map(|phrase| phrase.truth.labels()).map(|label| label.name.clone()).collect();
        for word in Word::DANCED {
            assert!(words.contains(word.name()), "{word:?}");
        }
    }
}

#[test]
fn a_seed_gives_the_same_phrase_at_every_rate_and_seeds_differ() {
    let make = |seed, rate_hz| ballet(&BalletSettings { rate_hz, phrases: 3, ..settings(seed) }).unwrap();
    assert_eq!(make(3, 30.0), make(3, 30.0));
    assert_ne!(make(3, 30.0), make(6, 30.0));
    for (slow, fast) in make(3, 30.0).iter().zip(make(3, 60.0)) {
        for frame in 0..slow.take.frames() {
            let [a, b] = [slow.take.first().pose(frame), fast.take.first().pose(2 * frame)];
            assert_eq!((a.positions, a.rotations), (b.positions, b.rotations));
        }
    }
}

#[test]
fn the_grammar_holds_in_every_frame() {
    let grammar = Grammar::default();
    for phrase in phrases() {
        for (frame, body) in bodies(phrase.take.first()).iter().enumerate() {
            let check = grammar.check(body).unwrap();
            let label = phrase.truth.labels().iter().find(|label| label.end > frame).unwrap();
            assert!(check.all(), "{} frame {frame}, {}: {check:?}", phrase.take.name(), label.name);
        }
    }
}

/// The interpolation of two postures joint by joint often violates the grammar, so the grammar is a meaningful test.
#[test]
fn the_grammar_fails_halfway_between_many_postures() {
    let grammar = Grammar::default();
    let all = ballet(&BalletSettings { rate_hz: 4.0, ..settings(0) }).unwrap();
    let poses: Vec<LocalPose> =
        all.iter().flat_map(|phrase| phrase.take.first().poses().map(|pose| pose.to_owned())).collect();
    let skeleton = all[0].take.first().skeleton();
    let (mut broken, mut pairs) = (0, 0);
    for i in 0..poses.len() {
        let [a, b] = [&poses[i], &poses[(i * 37 + 101) % poses.len()]];
        for share in [0.25, 0.5, 0.75] {
            let mut between = a.clone();
            for (turn, other) in between.rotations.iter_mut().zip(&b.rotations) {
                *turn = turn.slerp(*other, share);
            }
            let body = WorldPose::of(skeleton, between.view());
            broken += usize::from(!grammar.check(&body).unwrap().all());
            pairs += 1;
        }
    }
    let share = broken as f64 / pairs as f64;
    assert!(share > 0.15, "{share}");
}

#[test]
fn standing_feet_do_not_slide_or_sink() {
    for phrase in phrases() {
        let bodies = bodies(phrase.take.first());
        for contact in phrase.truth.contacts().unwrap().all() {
            let first = sole_point(&bodies[contact.frames.start], contact.role);
            for frame in contact.frames.clone() {
                let slid = sole_point(&bodies[frame], contact.role).distance(first);
                assert!(
                    slid < 1e-4,
                    "{}: {} slides by {slid} m in frame {frame}",
                    phrase.take.name(),
                    contact.role
                );
            }
        }
        let lowest = bodies.iter().map(WorldPose::lowest).fold(f32::INFINITY, f32::min);
        assert!(lowest > -2e-3, "{}: {lowest}", phrase.take.name());
    }
}

#[test]
fn a_foot_is_always_down_and_no_knee_locks_or_bends_backwards() {
    for phrase in phrases() {
        let contacts = phrase.truth.contacts().unwrap();
        for (frame, body) in bodies(phrase.take.first()).iter().enumerate() {
            let toes = [Role::LeftToes, Role::RightToes];
            assert!(toes.iter().any(|&role| contacts.touches(role, frame)), "frame {frame}");
            for side in Side::BOTH {
                let at = |role: Role| body.positions[body.skeleton().joint_of(role.on(side)).unwrap()];
                let (thigh, shank) = (
                    at(Role::LeftLowerLeg) - at(Role::LeftUpperLeg),
                    at(Role::LeftFoot) - at(Role::LeftLowerLeg),
                );
                let hip = body.skeleton().joint_of(Role::LeftUpperLeg.on(side)).unwrap();
                let hinge = body.rotations[hip] * Vec3::X;
                let fold = thigh.angle_between(shank).to_degrees() * thigh.cross(shank).dot(hinge).signum();
                assert!((4.0..140.0).contains(&fold), "{}: {fold}° in frame {frame}", phrase.take.name());
            }
        }
    }
}

/// The bound allows for the knee of a leg that is thrown to hip height within half a second.
#[test]
fn accelerations_are_bounded() {
    for phrase in phrases() {
        let bodies = bodies(phrase.take.first());
        let rate = phrase.take.rate_hz() as f32;
        for (frame, w) in bodies.windows(3).enumerate() {
            for j in 0..w[0].positions.len() {
                let acceleration =
                    (w[0].positions[j] - 2.0 * w[1].positions[j] + w[2].positions[j]).length() * rate * rate;
                let joint = &phrase.take.first().skeleton().joints()[j].name;
                assert!(
                    acceleration < 260.0,
                    "{}: {joint} in frame {frame}: {acceleration} m/s²",
                    phrase.take.name()
                );
            }
        }
    }
}

#[test]
fn labels_cover_every_frame_once() {
    for phrase in phrases() {
        let mut next = 0;
        for label in phrase.truth.labels() {
            assert_eq!(label.start, next);
            next = label.end;
        }
        assert_eq!(next, phrase.take.frames());
    }
}

#[test]
fn settings_out_of_range_are_refused() {
    for wrong in [
        BalletSettings { phrases: 0, ..settings(0) },
        BalletSettings { rate_hz: 1.0, ..settings(0) },
        BalletSettings { noise_mm: f32::NAN, ..settings(0) },
    ] {
        assert_eq!(ballet(&wrong).unwrap_err().code().id, "examples/setting");
    }
}
