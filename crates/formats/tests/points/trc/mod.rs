//! TRC files.

use std::sync::{LazyLock, Once};

use marey_formats::{ReadOptions, read, trc};
use marey_motion::Coded;
use proptest::prelude::*;

use crate::damage;
use crate::support::fixtures::{Fixture, FixtureSet};
use crate::support::invariants::Invariants;

static TRC: FixtureSet = FixtureSet {
    name: "trc",
    folders: &["good", "bad"],
    endings: &["trc"],
    invariants: Invariants { needs_a_byte_per_frame: true, places_in_text: true },
    points: None,
    blessed: Once::new(),
};

#[test]
fn good_files_match_their_reports() {
    TRC.check("good", 8);
    for fixture in TRC.all("good") {
        let wanted = fixture.expectation();
        assert!(!wanted.points.is_empty(), "{}", fixture.path.display());
        assert!(wanted.warnings.iter().all(|warning| warning.code == "conventions/up-axis"));
    }
}

#[test]
fn bad_files_match_their_reports() {
    TRC.check("bad", 20);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    TRC.check_codes(&[trc::codes::ALL], &[]);
}

#[test]
fn the_format_is_recognised_without_an_ending() {
    for fixture in TRC.all("good") {
        assert!(read(&fixture.bytes, None, &ReadOptions::default()).is_ok(), "{}", fixture.path.display());
    }
}

#[test]
fn a_few_bytes_do_not_become_gigabytes() {
    let names: String = (0..100_000).map(|i| format!("\t{i}\t\t")).collect();
    let rows: String = (1..5_000).map(|i| format!("{i}\n")).collect();
    let text = format!("PathFileType\nDataRate\tUnits\n50\tmm\nFrame#\tTime{names}\n{rows}");
    let error = read(text.as_bytes(), None, &ReadOptions::default()).unwrap_err();
    assert_eq!(error.code().id, "trc/limit");
}

#[test]
fn every_truncation_is_read_or_refused() {
    damage::truncations(&TRC);
}

#[test]
fn every_change_of_a_byte_is_read_or_refused() {
    for name in ["plain.trc", "gaps.trc"] {
        damage::changes(&TRC, name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]
    #[test]
    fn spliced_files_are_read_or_refused(splice in damage::spliced()) {
        static FILES: LazyLock<Vec<Fixture>> = LazyLock::new(|| TRC.everything().collect());
        damage::survive(&TRC, &splice.of(&FILES), || format!("{splice:?}"));
    }
}
