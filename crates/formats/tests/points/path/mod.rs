//! Drawn paths, as CSV and JSON.

use std::sync::{LazyLock, Once};

use marey_formats::{ReadOptions, path, read};
use proptest::prelude::*;

use crate::damage;
use crate::support::fixtures::{Fixture, FixtureSet};
use crate::support::invariants::Invariants;

static PATH: FixtureSet = FixtureSet {
    name: "path",
    folders: &["good", "bad"],
    endings: &["csv", "json"],
    invariants: Invariants { needs_a_byte_per_frame: false, places_in_text: true },
    points: None,
    blessed: Once::new(),
};

#[test]
fn good_files_match_their_reports() {
    PATH.check("good", 10);
    for fixture in PATH.all("good") {
        let wanted = fixture.expectation();
        assert!(!wanted.points.is_empty() && wanted.warnings.is_empty(), "{}", fixture.path.display());
    }
}

#[test]
fn bad_files_match_their_reports() {
    PATH.check("bad", 40);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    let drawings = [
        &path::codes::BAD_SVG,
        &path::codes::UNSUPPORTED_SVG,
        &path::codes::SVG_SCALE,
        &path::codes::MORE_LINES,
    ];
    let not_here = drawings.map(|code| (code.id, "drawings are read as waypoints only"));
    PATH.check_codes(&[path::codes::ALL], &not_here);
}

#[test]
fn the_format_is_recognised_without_an_ending() {
    for fixture in PATH.all("good") {
        assert!(read(&fixture.bytes, None, &ReadOptions::default()).is_ok(), "{}", fixture.path.display());
    }
    for other in ["", "hello, world\n", "{\"asset\": {\"version\": \"2.0\"}}", "1 2 3\n", "a,b\n1,2\n"] {
        assert_eq!(path::sniff(other.as_bytes()), None, "{other}");
    }
}

#[test]
fn every_truncation_is_read_or_refused() {
    damage::truncations(&PATH);
}

#[test]
fn every_change_of_a_byte_is_read_or_refused() {
    for name in ["stamped.csv", "heights.csv", "objects.json"] {
        damage::changes(&PATH, name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]
    #[test]
    fn spliced_files_are_read_or_refused(splice in damage::spliced()) {
        static FILES: LazyLock<Vec<Fixture>> = LazyLock::new(|| PATH.everything().collect());
        damage::survive(&PATH, &splice.of(&FILES), || format!("{splice:?}"));
    }
}
