//! Real motion capture, where it is at hand.

use std::path::{Path, PathBuf};

/// A folder of real files: below `MAREY_DATA`, or `../shared/data` beside the project. Says so where it is not there.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn folder(name: &str) -> Option<PathBuf> {
    let told = std::env::var_os("MAREY_DATA").map(PathBuf::from);
    let data = told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let folder = data.join(name);
    if !folder.is_dir() {
        eprintln!("skipped: no motion capture at ../shared/data or MAREY_DATA");
        return None;
    }
    Some(folder)
}

pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder that have an ending, sorted.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|other| other.eq_ignore_ascii_case(ending)) {
            found.push(path);
        }
    }
    found.sort();
    found
}
