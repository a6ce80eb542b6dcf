//! Finds captured motion for tests and measurements. The captured files are not part of the project.

mod halves;

pub use halves::{Half, deal, files_of_half};

use std::fs;
use std::path::{Path, PathBuf};

/// A subfolder of the captured motion, or all of it with `""`.
///
/// The captured motion is in the folder that `MAREY_DATA` names, or in `../shared/data` beside the workspace. If there is none,
/// prints that the caller skips what needs it and returns `None`.
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
pub fn folder(subfolder: &str) -> Option<PathBuf> {
    let data = std::env::var_os("MAREY_DATA").map(PathBuf::from);
    let data = data.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let folder = data.join(subfolder);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no captured motion in ../shared/data or MAREY_DATA");
    None
}

/// The files with this extension, in any case, in a folder and its subfolders, sorted.
///
/// # Panics
/// If a folder cannot be listed: a test that cannot read its data has failed.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(folder) = pending.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|other| other.eq_ignore_ascii_case(extension)) {
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
/// If the file cannot be read: a test that cannot read its data has failed.
pub fn bytes(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
