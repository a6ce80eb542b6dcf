//! Round trips: a written take is read back as the same motion.

use std::sync::Arc;

use marey_formats::bvh::{self, BvhOptions};
use marey_formats::gltf::{self, Form, GltfOptions, GltfSettings, Shape};
use marey_formats::{NoNeighbours, ReadOptions, WriteOptions, read, write};
use marey_motion::{Clip, ClipParts, Coded, Joint, Quat, Skeleton, Take, Vec3};
use marey_ops::keyframes::KeyTolerance;
use proptest::prelude::*;

use crate::support::takes::{any_take, pair, walker, worst_m};

fn again(take: &Take, options: &GltfOptions) -> Take {
    let (bytes, _) = gltf::write(take, options).unwrap();
    let file = gltf::read(&bytes, &GltfSettings::default(), &NoNeighbours).unwrap();
    assert_eq!(file.takes.len(), 1);
    assert!(file.report.is_empty() || take.frames() == 1, "{:?}", file.report.codes());
    file.takes.into_iter().next().unwrap()
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
    let pair = pair();
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
    assert_eq!(report.codes(), ["file/no-mesh"]);
    // Single floats cannot distinguish the last two of twenty million frames at a high rate.
    let many = 17_000_000;
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; many], positions: vec![Vec3::ZERO; many] };
    let long = Clip::new(clip.skeleton().clone(), 1000.0, parts).unwrap();
    let error = gltf::write(&Take::solo("age", long), &GltfOptions::default()).unwrap_err();
    assert_eq!(error.code().id, "gltf/too-long");
}

proptest! {
    #[test]
    fn any_skeleton_keeps_its_positions(take in any_take(), text in any::<bool>()) {
        let form = if text { Form::Text } else { Form::Binary };
        let found = again(&take, &GltfOptions { form, ..GltfOptions::default() });
        prop_assert!(worst_m(&take, &found) < 1e-4);
        if take.frames() > 1 {
            prop_assert!((found.rate_hz() / take.rate_hz() - 1.0).abs() < 1e-4);
        }
    }
}
