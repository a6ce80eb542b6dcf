//! Every file under `fixtures/fbx` beside its report.

use std::sync::Once;

use marey_formats::fbx;

pub(crate) use crate::support::fixtures::Fixture;
use crate::support::fixtures::Shelf;
use crate::support::invariants::Promises;

pub(crate) static FBX: Shelf = Shelf {
    name: "fbx",
    folders: &["good", "bad"],
    endings: &["fbx"],
    promises: PROMISES,
    points: None,
    blessed: Once::new(),
};

/// Keys may be far apart, and ufbx does not say where in a text something is.
pub(crate) const PROMISES: Promises = Promises { a_byte_a_frame: false, places_in_text: true };

#[test]
fn good_files_are_read_as_their_reports_say() {
    FBX.check("good", 16);
}

#[test]
fn bad_files_are_refused_or_read_as_their_reports_say() {
    FBX.check("bad", 30);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    FBX.check_codes(&[fbx::codes::ALL], &[]);
}
