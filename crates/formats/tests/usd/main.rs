//! Tests of the USD writer: the text is read by a plain parser, and by the `pxr` library of the Python package `usd-core` if there is
//! one.

mod parser;
#[path = "../support/mod.rs"]
mod support;
mod usd_core;

use std::sync::Arc;

use marey_formats::gltf::Shape;
use marey_formats::usd::{UsdOptions, write};
use marey_formats::{Format, ReadOptions, WriteOptions, read};
use marey_motion::{Clip, ClipParts, Coded, Joint, Quat, Skeleton, Take, Vec3};
use proptest::prelude::*;

use parser::Animated;
use support::takes::{any_take, pair, walker};

/// Largest deviation of a joint, in metres.
const TOLERANCE_M: f32 = 1e-4;

fn text(take: &Take, options: &UsdOptions) -> String {
    String::from_utf8(write(take, options).unwrap().0).unwrap()
}

/// The largest distance between the joints of a take and those in the text.
fn worst_m(take: &Take, text: &str) -> f32 {
    let found = Animated::all(text);
    assert_eq!(found.len(), take.actors().len());
    let mut worst = 0f32;
    for (actor, animated) in take.actors().iter().zip(&found) {
        let world = actor.clip.world();
        assert_eq!(animated.frames.len(), take.frames());
        for frame in 0..take.frames() {
            let places = animated.positions(frame);
            assert_eq!(places.len(), actor.clip.skeleton().len());
            for (a, b) in world.positions_at(frame).iter().zip(places) {
                worst = worst.max(a.distance(b));
            }
        }
    }
    worst
}

#[test]
fn a_walk_and_a_pair_keep_their_joints() {
    for take in [walker(), pair()] {
        for shape in [Shape::Mannequin, Shape::None] {
            let text = text(&take, &UsdOptions { shape });
            assert!(worst_m(&take, &text) < TOLERANCE_M);
            assert_eq!(text.matches("def Mesh").count() > 0, shape == Shape::Mannequin);
            assert!(text.contains(&format!("timeCodesPerSecond = {}\n", take.rate_hz())));
        }
    }
}

#[test]
fn figures_without_size_have_no_mesh_and_odd_names_are_kept_beside_valid_ones() {
    let skeleton =
        Arc::new(Skeleton::new(vec![Joint::new("a \"b\"\\\n1", None, Vec3::ZERO)], vec![]).unwrap());
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::ZERO, Vec3::X] };
    let take = Take::solo("1 point", Clip::new(skeleton, 30.0, parts).unwrap());
    let (bytes, report) = write(&take, &UsdOptions::default()).unwrap();
    assert_eq!(report.codes(), ["file/no-mesh"]);
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains("uniform token[] jointNames = [\"a \\\"b\\\"\\\\\\n1\"]"), "{text}");
    assert!(
        text.contains("uniform token[] joints = [\"a__b___1\"]")
            && text.contains("defaultPrim = \"_1_point\"")
    );
}

#[test]
fn usd_is_written_but_not_read() {
    let take = walker();
    let bytes = || marey_formats::write(&take, &WriteOptions::for_format(Format::Usda).unwrap()).unwrap().0;
    assert!(bytes() == bytes());
    let error = read(&bytes(), Some("usda"), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code().id, "file/unknown-format");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_skeleton_keeps_its_positions(take in any_take()) {
        prop_assert!(worst_m(&take, &text(&take, &UsdOptions::default())) < TOLERANCE_M);
    }
}
