//! Every file under `fixtures/acclaim` beside its report.

use std::sync::Once;

use marey_formats::acclaim;

pub(crate) use crate::support::fixtures::Fixture;
use crate::support::fixtures::FixtureSet;
use crate::support::invariants::Invariants;

pub(crate) static ACCLAIM: FixtureSet = FixtureSet {
    name: "acclaim",
    folders: &["good", "good/alone", "bad"],
    endings: &["asf", "amc"],
    invariants: INVARIANTS,
    points: None,
    blessed: Once::new(),
};

/// Places may refer to the skeleton file of a motion.
pub(crate) const INVARIANTS: Invariants = Invariants { needs_a_byte_per_frame: true, places_in_text: false };

#[test]
fn good_files_match_their_reports() {
    ACCLAIM.check("good", 20);
    ACCLAIM.check("good/alone", 2);
}

#[test]
fn bad_files_match_their_reports() {
    ACCLAIM.check("bad", 60);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    ACCLAIM.check_codes(&[acclaim::codes::ALL], &[]);
}
