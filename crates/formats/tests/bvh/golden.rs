//! Compares world positions with an independent computation from the text of the file, and with numbers computed by hand.

use marey_conventions::{Unit, UpAxis};
use marey_formats::bvh::PositionChannels::{self, Add, Replace};
use marey_formats::{FileTake, MotionFile, ReadOptions};
use marey_motion::WorldPose;

use crate::fixtures::{BVH, Fixture};
use crate::plain_reader::{self, Meaning, Plain, Vector};
use crate::support::expectation::{Expectation, Point};

/// Largest deviation of a position, in metres.
const TOLERANCE_M: f64 = 1e-4;

/// Files below the data folder, and the meaning of position channels of their roots and other joints.
const REAL: [(&str, PositionChannels, PositionChannels); 13] = [
    ("cmu/walk_path/16_27.bvh", Replace, Replace),
    ("cmu/two_person/23_25.bvh", Replace, Replace),
    ("bandai/dataset-1_run_normal_001.bvh", Replace, Replace),
    ("bandai/dataset-2_walk_normal_001.bvh", Replace, Replace),
    ("conformance/bvh/pybvh/bvh_test1.bvh", Replace, Replace),
    ("conformance/bvh/pybvh/bvh_test2.bvh", Replace, Replace),
    ("conformance/bvh/GenoView/Geno_bind.bvh", Replace, Replace),
    ("conformance/bvh/makehuman/dance1.bvh", Replace, Replace),
    ("conformance/bvh/makehuman/walk1.bvh", Add, Add),
    ("conformance/bvh/bvhio/example.bvh", Replace, Replace),
    ("conformance/bvh/bvh-python/test_freebvh.bvh", Replace, Replace),
    ("conformance/bvh/perfume-dev/A_test.bvh", Replace, Replace),
    ("conformance/bvh/AnimatedDrawings/dab.bvh", Replace, Replace),
];

/// A vector of the file, converted to metres with Y up.
fn converted(v: Vector, unit: Unit, up: UpAxis) -> Vector {
    let metres = match unit.to_string().as_str() {
        "m" => 1.0,
        "dm" => 0.1,
        "cm" => 0.01,
        "mm" => 0.001,
        "in" => 0.0254,
        "ft" => 0.3048,
        "cmu" => 0.0254 / 0.45,
        number => number.parse().unwrap(),
    };
    let [x, y, z] = v.map(|value| value * metres);
    match up {
        UpAxis::Y => [x, y, z],
        UpAxis::MinusY => [x, -y, -z],
        UpAxis::Z => [x, z, -y],
        UpAxis::MinusZ => [x, -z, y],
        UpAxis::X => [-y, x, z],
        UpAxis::MinusX => [y, -x, z],
    }
}

fn distance(a: Vector, b: Vector) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// The largest distance of a joint or tip from its position by the plain reader. Panics if figures, joints or frames differ.
fn largest_error(import: &MotionFile, plain: &Plain) -> f64 {
    let mut largest = 0.0f64;
    let FileTake { take, detected } = &import.takes()[0];
    assert_eq!(take.actors().len(), plain.figures.len());
    assert_eq!(take.frames(), plain.frame_count());
    for ((actor, detected), figure) in take.actors().iter().zip(detected).zip(&plain.figures) {
        let mut world = WorldPose::scratch(actor.clip.skeleton());
        for frame in 0..plain.frame_count() {
            world.set(actor.clip.pose(frame));
            let found: Vec<Vector> = world
                .positions
                .iter()
                .copied()
                .chain(world.tips())
                .map(|p| p.to_array().map(f64::from))
                .collect();
            let wanted: Vec<usize> = [figure.joints.as_slice(), &figure.end_sites].concat();
            assert_eq!(found.len(), wanted.len());
            for (found, joint) in found.into_iter().zip(wanted) {
                let wanted = converted(plain.at(frame, joint), detected.unit.value, detected.up_axis.value);
                largest = largest.max(distance(found, wanted));
            }
        }
    }
    largest
}

/// The meaning of position channels in a fixture, from its name.
fn meaning_in(fixture: &Fixture) -> Meaning {
    let name = fixture.path.file_stem().unwrap().to_str().unwrap();
    let of = |suffix: &str| if name.ends_with("-add") || name.ends_with(suffix) { Add } else { Replace };
    Meaning { root: of("-add-to-root"), joints: of("-add-to-joints") }
}

/// The points of a fixture's report, recomputed by the plain reader, or a default choice if there are none.
pub(crate) fn points(fixture: &Fixture, wanted: &Expectation) -> Vec<Point> {
    let import = fixture.read().unwrap();
    let plain = plain_reader::read(&fixture.bytes, meaning_in(fixture));
    let mut chosen: Vec<(usize, usize, usize)> =
        wanted.points.iter().map(|p| (p.actor, p.joint, p.frame)).collect();
    if chosen.is_empty() {
        let last_frame = plain.frame_count() - 1;
        for (actor, figure) in plain.figures.iter().enumerate() {
            let last_joint = figure.joints.len() - 1;
            chosen.extend([(actor, last_joint, 0), (actor, last_joint, last_frame)]);
        }
    }
    let point = |(actor, joint, frame): (usize, usize, usize)| {
        let (detected, figure) = (&import.takes()[0].detected[actor], &plain.figures[actor]);
        let at =
            converted(plain.at(frame, figure.joints[joint]), detected.unit.value, detected.up_axis.value);
        // Adding zero removes a negative zero.
        Point { take: 0, actor, joint, frame, at: at.map(|v| (v * 1e6).round() / 1e6 + 0.0) }
    };
    chosen.into_iter().map(point).collect()
}

#[test]
fn good_fixtures_agree_with_the_plain_reader() {
    for fixture in BVH.all("good") {
        let import = fixture.read().unwrap();
        let error = largest_error(&import, &plain_reader::read(&fixture.bytes, meaning_in(&fixture)));
        assert!(error <= TOLERANCE_M, "{}: {error} m", fixture.path.display());
    }
}

#[test]
fn real_data_files_agree_with_the_plain_reader() {
    let Some(folder) = marey_capture::folder("") else { return };
    for (name, root, joints) in REAL {
        let bytes = std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let import = marey_formats::read(&bytes, Some("bvh"), &ReadOptions::default()).unwrap();
        let error = largest_error(&import, &plain_reader::read(&bytes, Meaning { root, joints }));
        assert!(error <= TOLERANCE_M, "{name}: {error} m");
    }
}

/// Positions computed by hand in centimetres, independent of the plain reader.
#[test]
fn positions_agree_with_numbers_computed_by_hand() {
    for (name, actor, joint, frame, wanted) in [
        // The hip at (10, 80, 5), rotated by 90° about Z: the bone of 40 that hung down points to +X.
        ("plain", 0, "knee", 1, [50.0, 80.0, 5.0]),
        // Positions are in the order Z, X, Y. Rotated by 90° about X: five bones of 10 that stood up point to +Z.
        ("channel-mixes", 0, "last", 0, [10.0, 30.0, 80.0]),
        // 90° about Z puts three bones along −X; then about Z and X: the last points to +Z.
        ("channel-mixes", 0, "last", 1, [-20.0, 40.0, 40.0]),
        // (10, 5, 2) under X90, then Z90, Z90, Y90, X90 more each: (10, −2, 5), (−5, −2, 10), (−10, −2, −5), (−2, 10, −5),
        // (−5, 10, 2).
        ("every-order", 0, "zyx", 0, [-12.0, 14.0, 7.0]),
        // Z90 X90 on (0, 1, 3): first (0, −3, 1), then (3, 0, 1); the finger is at (0, 10, 9).
        ("end-sites", 0, "nail", 1, [3.0, 10.0, 10.0]),
        // Half a turn about Y does not change a bone that hangs down.
        ("two-roots", 1, "knee", 1, [100.0, 30.0, -10.0]),
        // (5, 80, 0), then (3, −40, 4) with 4 in place of 4, then 40 down.
        ("positions-on-one-axis", 0, "ankle", 0, [8.0, 0.0, 4.0]),
        // OFFSET and value of the root, then of the knee: (5, 80, 0) + 0, (3, −40, 4) + 0, then 40 down.
        ("positions-add", 0, "ankle", 0, [8.0, 0.0, 4.0]),
        // Hips 95 up along Z; 3 + 42 + 42 down to the right foot, 9 to the right.
        ("person-z-up", 0, "RightFoot", 0, [-9.0, 8.0, 0.0]),
    ] {
        let fixture = BVH.named("good", &format!("{name}.bvh"));
        let import = fixture.read().unwrap();
        let clip = &import.take().unwrap().actors()[actor].clip;
        let joint = clip.skeleton().joint_named(joint).unwrap();
        let found = clip.world().positions_at(frame)[joint].to_array().map(|m| f64::from(m) * 100.0);
        assert!(distance(found, wanted) < 1e-4, "{name}, frame {frame}: {found:?} should be {wanted:?}");
    }
}
