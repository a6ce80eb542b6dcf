//! Real motion capture, for tests and measurements that have it at hand. None of it is part of the project.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder below the captured motion, or the whole of it with `""`: in `MAREY_DATA`, or in `../shared/data` beside the
/// project. Where it is not there, says on standard error that what needs it is left out.
#[expect(clippy::print_stderr, reason = "what is skipped says so")]
pub fn folder(below: &str) -> Option<PathBuf> {
    let told = std::env::var_os("MAREY_DATA").map(PathBuf::from);
    let data = told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let folder = data.join(below);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no motion capture at ../shared/data or MAREY_DATA");
    None
}

/// The files below a folder, however deep, whose ending is this one in capitals or not; sorted.
///
/// # Panics
/// Where a folder cannot be listed: a test that cannot see its data has failed.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(here) = todo.pop() {
        let entries = fs::read_dir(&here).unwrap_or_else(|error| panic!("{}: {error}", here.display()));
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|other| other.eq_ignore_ascii_case(ending)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The bytes of a file.
///
/// # Panics
/// Where the file cannot be read: a test that cannot see its data has failed.
pub fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
