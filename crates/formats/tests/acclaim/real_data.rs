//! CMU's archive, where it is at hand.

use std::path::{Path, PathBuf};

/// Every motion of the archive that is there in both formats, and the folder of its BVH.
pub(crate) const PAIRS: [(&str, &str); 11] = [
    ("07_01", "walk_path"),
    ("16_11", "walk_path"),
    ("16_17", "walk_path"),
    ("18_01", "two_person"),
    ("19_01", "two_person"),
    ("36_01", "uneven_terrain"),
    ("43_02", "playground_climb"),
    ("49_06", "dance_gymnastics"),
    ("55_01", "dance_gymnastics"),
    ("60_01", "salsa_60_61"),
    ("61_01", "salsa_60_61"),
];

/// The folder of CMU's files: below `MAREY_DATA`, or `../shared/data` beside the project. Says so where it is not there.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn cmu() -> Option<PathBuf> {
    let told = std::env::var_os("MAREY_DATA").map(PathBuf::from);
    let data = told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let folder = data.join("cmu");
    if !folder.is_dir() {
        eprintln!("skipped: no motion capture at ../shared/data or MAREY_DATA");
        return None;
    }
    Some(folder)
}

pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
