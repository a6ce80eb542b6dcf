//! Captured motion, where it is at hand.

use std::path::{Path, PathBuf};

use marey_formats::{ReadOptions, read};
use marey_motion::Clip;

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

/// A clip without its calibration pose.
pub(crate) fn open(path: &Path) -> Clip {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let clip = read(&bytes, None, &ReadOptions::default()).unwrap().take().unwrap().first().clone();
    clip.slice(1..clip.frames()).unwrap()
}
