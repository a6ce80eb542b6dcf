//! Round trips: a written take is read back as the same motion.

use std::sync::Arc;

use marey_examples::walk::{WalkSettings, walk};
use marey_formats::bvh::{self, BvhOptions};
use marey_formats::gltf::{self, Form, GltfOptions, GltfSettings, Shape};
use marey_formats::{NoNeighbours, ReadOptions, WriteOptions, read, write};
use marey_motion::{Actor, Clip, ClipParts, Coded, Joint, Quat, Skeleton, Take, Tip, Vec3};
use marey_ops::keyframes::KeyTolerance;
use proptest::prelude::*;

fn again(take: &Take, options: &GltfOptions) -> Take {
    let (bytes, _) = gltf::write(take, options).unwrap();
    let file = gltf::read(&bytes, &GltfSettings::default(), &NoNeighbours).unwrap();
    assert_eq!(file.takes.len(), 1);
    assert!(file.report.is_empty() || take.frames() == 1, "{:?}", file.report.codes());
    file.takes.into_iter().next().unwrap()
}

/// The largest distance between joints of two takes. Fails if names or order differ.
fn worst_m(a: &Take, b: &Take) -> f32 {
    assert_eq!(a.actors().len(), b.actors().len());
    let mut worst = 0f32;
    for (a, b) in a.actors().iter().zip(b.actors()) {
        let names =
            |actor: &Actor| actor.clip.skeleton().joints().iter().map(|j| j.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(a), names(b));
        assert_eq!(a.clip.frames(), b.clip.frames());
        for (p, q) in a.clip.world().positions.iter().zip(&b.clip.world().positions) {
            worst = worst.max(p.distance(*q));
        }
    }
    worst
}

fn walker() -> Take {
    walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() }).unwrap().take
}

#[test]
fn a_walk_is_read_bit_for_bit() {
    let take = walker();
    for form in [Form::Binary, Form::Text] {
        for shape in [Shape::Mannequin, Shape::None] {
            let options = GltfOptions { form, shape, ..GltfOptions::default() };
            let found = again(&take, &options);
            assert_eq!(found.first().rotations(), take.first().rotations());
            assert_eq!(found.first().positions(), take.first().positions());
            assert_eq!(found.rate_hz(), take.rate_hz());
            assert_eq!(found.first().skeleton().tips(), take.first().skeleton().tips());
            assert_eq!(found.name(), take.name());
        }
    }
}

#[test]
fn bvh_and_glb_of_one_motion_agree() {
    let (text, _) = bvh::write(&walker(), &BvhOptions::default());
    let from_bvh = read(&text, Some("bvh"), &ReadOptions::default()).unwrap();
    let take = from_bvh.take().unwrap();
    let (glb, _) = write(take, &WriteOptions::Gltf(GltfOptions::default())).unwrap();
    let from_glb = read(&glb, None, &ReadOptions::default()).unwrap();
    assert!(worst_m(take, from_glb.take().unwrap()) < 1e-4);
    let roles = |take: &Take| take.first().skeleton().roles().collect::<Vec<_>>();
    assert_eq!(roles(take), roles(from_glb.take().unwrap()));
    assert_eq!(from_glb.take().unwrap().rate_hz(), take.rate_hz());
}

#[test]
fn the_same_take_gives_the_same_bytes() {
    let take = walker();
    let bytes = || gltf::write(&take, &GltfOptions::default()).unwrap().0;
    assert_eq!(bytes(), bytes());
}

#[test]
fn removed_keyframes_cost_no_more_than_the_error() {
    let take = walker();
    let all = gltf::write(&take, &GltfOptions::default()).unwrap().0;
    for (tolerance, most_m) in [(KeyTolerance::Metres(0.002), 0.002), (KeyTolerance::Radians(0.01), 0.05)] {
        let options = GltfOptions { reduce: Some(tolerance), shape: Shape::Mannequin, form: Form::Binary };
        let (bytes, report) = gltf::write(&take, &options).unwrap();
        assert_eq!(report.codes(), ["gltf/reduced"]);
        assert!(bytes.len() < all.len() * 3 / 4, "{} of {}", bytes.len(), all.len());
        let found = again(&take, &options);
        assert_eq!((found.frames(), found.rate_hz()), (take.frames(), take.rate_hz()));
        let (before, after) = (take.first().world(), found.first().world());
        let apart = before.positions.iter().zip(&after.positions).map(|(a, b)| a.distance(*b));
        let apart = apart.fold(0.0, f32::max);
        assert!(apart <= most_m + 1e-5, "{tolerance}: {apart}");
    }
}

#[test]
fn actors_keep_their_names_and_places() {
    let clip = walker().first().clone();
    let mut parts = clip.clone().into_parts();
    parts.positions.iter_mut().for_each(|p| p.x += 2.0);
    let other = Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts).unwrap();
    let actor = |name: &str, clip| Actor { name: name.into(), clip };
    let pair = Take::new("pair", vec![actor("leader", clip), actor("follower", other)]).unwrap();
    let found = again(&pair, &GltfOptions::default());
    assert_eq!(found.actors()[1].name, "follower");
    assert!(worst_m(&pair, &found) < 1e-6);
}

#[test]
fn errors_of_the_writer_have_codes() {
    let skeleton = Arc::new(Skeleton::new(vec![Joint::new("a", None, Vec3::ZERO)], vec![]).unwrap());
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; 3], positions: vec![Vec3::ZERO; 3] };
    let clip = Clip::new(skeleton, 1e9, parts).unwrap();
    let (_, report) = gltf::write(&Take::solo("point", clip.clone()), &GltfOptions::default()).unwrap();
    assert_eq!(report.codes(), ["gltf/no-mesh"]);
    // Single floats cannot distinguish the last two of twenty million frames at a high rate.
    let many = 17_000_000;
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; many], positions: vec![Vec3::ZERO; many] };
    let long = Clip::new(clip.skeleton().clone(), 1000.0, parts).unwrap();
    let error = gltf::write(&Take::solo("age", long), &GltfOptions::default()).unwrap_err();
    assert_eq!(error.code().id, "gltf/too-long");
}

fn skeleton() -> impl Strategy<Value = Skeleton> {
    let vector = || prop::array::uniform3(-1f32..1.0).prop_map(Vec3::from_array);
    let turn = || {
        prop::array::uniform4(-1f32..1.0).prop_map(|q| {
            let q = Quat::from_array(q);
            if q.length() > 0.1 { q.normalize() } else { Quat::IDENTITY }
        })
    };
    let joint =
        (any::<prop::sample::Index>(), vector(), turn(), prop::bool::weighted(0.2), "[a-c \"\\\\:.é]{0,3}");
    let tips = prop::collection::vec((any::<prop::sample::Index>(), vector()), 0..3);
    (prop::collection::vec(joint, 1..9), tips).prop_map(|(joints, tips)| {
        let made =
            joints.into_iter().enumerate().map(|(i, (parent, offset, rest_rotation, moves, name))| Joint {
                moves,
                rest_rotation,
                ..Joint::new(format!("{name}{i}"), (i > 0).then(|| parent.index(i.max(1))), offset)
            });
        let made: Vec<Joint> = made.collect();
        let tips = tips.into_iter().map(|(p, offset)| Tip { parent: p.index(made.len()), offset }).collect();
        Skeleton::new(made, tips).unwrap()
    })
}

fn take() -> impl Strategy<Value = Take> {
    let rate = prop::sample::select(vec![24.0, 25.0, 30.0, 60.0, 119.88, 120.0]);
    (skeleton(), 1usize..12, rate, any::<u64>()).prop_map(|(skeleton, frames, rate_hz, seed)| {
        let mut state = seed | 1;
        let mut number = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f32 / (1 << 24) as f32 * 2.0 - 1.0
        };
        let skeleton = Arc::new(skeleton);
        let mut parts = ClipParts::default();
        for _ in 0..frames {
            for _ in 0..skeleton.len() {
                parts
                    .rotations
                    .push(Quat::from_xyzw(number(), number(), number(), number() + 1.5).normalize());
            }
            for _ in skeleton.movers() {
                parts.positions.push(Vec3::new(number(), number(), number()));
            }
        }
        Take::solo("any", Clip::new(skeleton, rate_hz, parts).unwrap())
    })
}

proptest! {
    #[test]
    fn any_skeleton_keeps_its_positions(take in take(), text in any::<bool>()) {
        let form = if text { Form::Text } else { Form::Binary };
        let found = again(&take, &GltfOptions { form, ..GltfOptions::default() });
        prop_assert!(worst_m(&take, &found) < 1e-4);
        if take.frames() > 1 {
            prop_assert!((found.rate_hz() / take.rate_hz() - 1.0).abs() < 1e-4);
        }
    }
}
