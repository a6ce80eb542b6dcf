//! Every file under `fixtures/npz` beside its report, and what is done to their bytes.

use std::io::{Cursor, Write};
use std::sync::{LazyLock, Once};

use marey_formats::{Format, ReadOptions, npz, read};
use marey_motion::Coded;
use proptest::prelude::*;

use super::recipes;
use super::writer::Npy;
use crate::damage;
use crate::recipe::{check_all, write_all};
use crate::support::fixtures::{Fixture, Shelf};
use crate::support::invariants::Promises;

static NPZ: Shelf = Shelf {
    name: "npz",
    folders: &["good", "bad"],
    endings: &["npz"],
    promises: Promises { a_byte_a_frame: false, places_in_text: false },
    points: Some(super::golden::points),
    blessed: Once::new(),
};

/// The shelf, once its files are written where that is asked for.
pub(super) fn shelf() -> &'static Shelf {
    static WRITTEN: Once = Once::new();
    WRITTEN.call_once(|| write_all("npz", &recipes::all()));
    &NPZ
}

#[test]
fn files_are_as_their_recipes_make_them() {
    shelf();
    check_all("npz", &recipes::all());
}

#[test]
fn good_files_are_read_as_their_reports_say() {
    shelf().check("good", 10);
    for fixture in shelf().all("good") {
        assert!(!fixture.expectation().points.is_empty(), "{}", fixture.path.display());
        assert!(fixture.expectation().warnings.iter().all(|warning| warning.code == "npz/default-body"));
    }
}

#[test]
fn bad_files_are_refused_or_read_as_their_reports_say() {
    shelf().check("bad", 20);
}

#[test]
fn every_code_occurs_in_a_fixture() {
    shelf().check_codes(&[npz::codes::ALL], &[]);
}

#[test]
fn content_tells_the_format_without_an_ending() {
    for fixture in shelf().all("good") {
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
fn compressed_arrays_are_the_same_motion() {
    let (poses, trans) = (Npy::rows(&recipes::poses(22, 3)), Npy::rows(&recipes::trans(3)));
    let rate = Npy::number(60.0);
    let bytes = deflated(&[
        ("poses.npy", poses.bytes()),
        ("trans.npy", trans.bytes()),
        ("mocap_framerate.npy", rate.bytes()),
    ]);
    let found = read(&bytes, None, &ReadOptions::default()).unwrap();
    let plain = shelf().named("good", "body-only.npz").read().unwrap();
    assert_eq!(found.take().unwrap(), plain.take().unwrap());
}

#[test]
fn a_small_archive_cannot_blow_up() {
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
    damage::truncations(shelf());
}

#[test]
fn every_change_of_a_byte_is_read_or_refused() {
    damage::changes(shelf(), "body-only.npz");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]
    #[test]
    fn spliced_files_are_read_or_refused(splice in damage::spliced()) {
        static FILES: LazyLock<Vec<Fixture>> = LazyLock::new(|| shelf().everything().collect());
        damage::survive(shelf(), &splice.of(&FILES), || format!("{splice:?}"));
    }

    #[test]
    fn damaged_compression_is_read_or_refused(at in any::<prop::sample::Index>(), value in any::<u8>()) {
        static WHOLE: LazyLock<Vec<u8>> =
            LazyLock::new(|| deflated(&[("poses.npy", Npy::rows(&recipes::poses(22, 3)).bytes())]));
        let mut bytes = WHOLE.clone();
        let at = at.index(bytes.len());
        bytes[at] = value;
        damage::survive(shelf(), &bytes, || format!("{value:#04x} at {at}"));
    }
}
