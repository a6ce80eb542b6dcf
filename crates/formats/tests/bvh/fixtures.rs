//! Every file under `fixtures/bvh` beside its report.

use std::sync::Once;

use marey_conventions::{codes as conventions, roles};
use marey_formats::bvh;

use crate::golden;
pub(crate) use crate::support::fixtures::Fixture;
use crate::support::fixtures::FixtureSet;
use crate::support::invariants::Invariants;

pub(crate) static BVH: FixtureSet = FixtureSet {
    name: "bvh",
    folders: &["good", "bad"],
    endings: &["bvh"],
    invariants: INVARIANTS,
    points: Some(golden::points),
    blessed: Once::new(),
};

pub(crate) const INVARIANTS: Invariants = Invariants { needs_a_byte_per_frame: true, places_in_text: true };

/// Codes that no file can produce, with reasons.
const NOT_IN_FIXTURES: [(&str, &str); 18] = [
    ("bvh/renamed", "of the writer: see round_trip"),
    ("bvh/rest-offset", "of the writer: see round_trip"),
    ("file/reader-left-out", "only in builds without a cargo feature"),
    ("conventions/unit-doubtful", "BVH states no unit: see the tests of marey-conventions"),
    ("conventions/up-axis-doubtful", "BVH states no axis: see the tests of marey-conventions"),
    ("file/exists", "of the file system: see file.rs"),
    ("file/full", "of the file system: see file.rs"),
    ("file/io", "of the file system: see file.rs"),
    ("file/is-folder", "of the file system: see file.rs"),
    ("file/no-figure", "of points: see the tests of marker files"),
    ("file/no-mesh", "of the writers: see the round trips of FBX and glTF"),
    ("file/one-actor", "of the writers: see the round trips of NPZ and VRMA"),
    ("file/no-input", "of the search for files: see the command's tests of inspect"),
    ("file/not-found", "of the file system: see file.rs"),
    ("file/pattern", "of the search for files: see the command's tests of inspect"),
    ("file/permission", "of the file system: see file.rs"),
    ("conventions/rate-corrected", "on request only: see the tests of frame rates in conventions"),
    ("file/same-output", "of the command: see its tests of convert"),
];

#[test]
fn good_files_match_their_reports() {
    BVH.check("good", 12);
    for fixture in BVH.all("good") {
        assert!(!fixture.expectation().points.is_empty(), "{}", fixture.path.display());
    }
}

#[test]
fn bad_files_match_their_reports() {
    BVH.check("bad", 60);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    let lists = [bvh::codes::ALL, conventions::ALL, marey_formats::codes::ALL, roles::codes::ALL];
    BVH.check_codes(&lists, &NOT_IN_FIXTURES);
}
