//! Every file under `fixtures/fbx` beside its report.

use std::sync::Once;

use marey_formats::fbx;

pub(crate) use crate::support::fixtures::Fixture;
use crate::support::fixtures::FixtureSet;
use crate::support::invariants::Invariants;

pub(crate) static FBX: FixtureSet = FixtureSet {
    name: "fbx",
    folders: &["good", "bad"],
    endings: &["fbx"],
    invariants: INVARIANTS,
    points: None,
    blessed: Once::new(),
};

/// Keys may be far apart, so frames may be more than bytes.
pub(crate) const INVARIANTS: Invariants = Invariants { needs_a_byte_per_frame: false, places_in_text: true };

#[test]
fn good_files_match_their_reports() {
    FBX.check("good", 16);
}

#[test]
fn bad_files_match_their_reports() {
    FBX.check("bad", 30);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    FBX.check_codes(&[fbx::codes::ALL], &[]);
}
