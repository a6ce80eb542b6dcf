//! Every file under `fixtures/npz` with its report, and damaged variants.

use std::io::{Cursor, Write};
use std::sync::{LazyLock, Once};

use marey_formats::{Format, ReadOptions, npz, read};
use marey_motion::Coded;
use proptest::prelude::*;

use super::recipes;
use super::writer::Npy;
use crate::damage;
use crate::recipe::{check_all, write_all};
use crate::support::fixtures::{Fixture, FixtureSet};
use crate::support::invariants::Invariants;

static NPZ: FixtureSet = FixtureSet {
    name: "npz",
    folders: &["good", "bad"],
    endings: &["npz"],
    invariants: Invariants { needs_a_byte_per_frame: false, places_in_text: false },
    points: Some(super::golden::points),
    blessed: Once::new(),
};

/// All fixtures. Writes them first if `MAREY_BLESS` is set.
pub(super) fn fixture_set() -> &'static FixtureSet {
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(|| write_all("npz", &recipes::all()));
    &NPZ
}

#[test]
fn files_match_their_recipes() {
    fixture_set();
    check_all("npz", &recipes::all());
}

#[test]
fn good_files_match_their_reports() {
    fixture_set().check("good", 10);
    for fixture in fixture_set().all("good") {
        assert!(!fixture.expectation().points.is_empty(), "{}", fixture.path.display());
        assert!(fixture.expectation().warnings.iter().all(|warning| warning.code == "npz/default-body"));
    }
}

#[test]
fn bad_files_match_their_reports() {
    fixture_set().check("bad", 20);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    fixture_set().check_codes(&[npz::codes::ALL], &[("npz/replaced-body", "of the writer: see round_trip")]);
}

#[test]
fn the_format_is_recognised_without_an_ending() {
    for fixture in fixture_set().all("good") {
        assert_eq!(Format::sniff(&fixture.bytes), Some(Format::Npz), "{}", fixture.path.display());
    }
}

/// An archive whose arrays are compressed.
fn deflated(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let how = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    for (name, bytes) in arrays {
        writer.start_file(*name, how).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn compressed_arrays_contain_the_same_motion() {
    let (poses, trans) = (Npy::rows(&recipes::poses(22, 3)), Npy::rows(&recipes::trans(3)));
    let rate = Npy::number(60.0);
    let bytes = deflated(&[
        ("poses.npy", poses.bytes()),
        ("trans.npy", trans.bytes()),
        ("mocap_framerate.npy", rate.bytes()),
    ]);
    let found = read(&bytes, None, &ReadOptions::default()).unwrap();
    let plain = fixture_set().named("good", "body-only.npz").read().unwrap();
    assert_eq!(found.take().unwrap(), plain.take().unwrap());
}

#[test]
fn a_small_archive_cannot_exceed_the_limit() {
    let zeros = Npy::new("<f8", "(40000, 66)", vec![0; 40_000 * 66 * 8]);
    let bytes = deflated(&[("poses.npy", zeros.bytes())]);
    assert!(bytes.len() < 100_000, "{} bytes", bytes.len());
    let mut options = ReadOptions::default();
    options.limits.inflated_bytes = 1 << 20;
    let error = read(&bytes, Some("npz"), &options).unwrap_err();
    assert_eq!(error.code().id, "npz/limit");
}

#[test]
fn every_truncation_is_read_or_refused() {
    damage::truncations(fixture_set());
}

#[test]
fn every_change_of_a_byte_is_read_or_refused() {
    damage::changes(fixture_set(), "body-only.npz");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]
    #[test]
    fn spliced_files_are_read_or_refused(splice in damage::spliced()) {
        static FILES: LazyLock<Vec<Fixture>> = LazyLock::new(|| fixture_set().everything().collect());
        damage::survive(fixture_set(), &splice.of(&FILES), || format!("{splice:?}"));
    }

    #[test]
    fn damaged_compression_is_read_or_refused(at in any::<prop::sample::Index>(), value in any::<u8>()) {
        static WHOLE: LazyLock<Vec<u8>> =
            LazyLock::new(|| deflated(&[("poses.npy", Npy::rows(&recipes::poses(22, 3)).bytes())]));
        let mut bytes = WHOLE.clone();
        let at = at.index(bytes.len());
        bytes[at] = value;
        damage::survive(fixture_set(), &bytes, || format!("{value:#04x} at {at}"));
    }
}
