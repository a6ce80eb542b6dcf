//! Every file under `fixtures/acclaim` beside its report.

use std::sync::Once;

use marey_formats::acclaim;

pub(crate) use crate::support::fixtures::Fixture;
use crate::support::fixtures::Shelf;
use crate::support::invariants::Promises;

pub(crate) static ACCLAIM: Shelf = Shelf {
    name: "acclaim",
    folders: &["good", "good/alone", "bad"],
    endings: &["asf", "amc"],
    promises: PROMISES,
    points: None,
    blessed: Once::new(),
};

/// Places may be in the skeleton file of a motion.
pub(crate) const PROMISES: Promises = Promises { a_byte_a_frame: true, places_in_text: false };

#[test]
fn good_files_are_read_as_their_reports_say() {
    ACCLAIM.check("good", 20);
    ACCLAIM.check("good/alone", 2);
}

#[test]
fn bad_files_are_refused_or_read_as_their_reports_say() {
    ACCLAIM.check("bad", 60);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    ACCLAIM.check_codes(&[acclaim::codes::ALL], &[]);
}
