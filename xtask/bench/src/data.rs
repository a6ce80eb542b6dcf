//! Motion to measure on: real where it is at hand, generated everywhere.

use std::fs;
use std::path::{Path, PathBuf};

/// A file in memory.
pub(crate) struct File {
    /// Its path below the data folder.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Real motion capture: `MAREY_DATA`, or `../shared/data` beside the project. `None`, with a word, where there is none.
pub(crate) fn real_folder() -> Option<PathBuf> {
    let told = std::env::var_os("MAREY_DATA").map(PathBuf::from);
    let folder = told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("no motion capture at ../shared/data or MAREY_DATA: rows that need it are left out");
    None
}

/// Every BVH below a folder, in order of names.
pub(crate) fn bvh_files(folder: &Path) -> Vec<File> {
    let mut paths = Vec::new();
    let mut todo = vec![folder.to_path_buf()];
    while let Some(here) = todo.pop() {
        for path in fs::read_dir(&here).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh")) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        fs::read(&path).ok().map(|bytes| File { name, bytes })
    };
    paths.into_iter().filter_map(read).collect()
}

/// A folder for what measurements write, below cargo's target.
pub(crate) fn scratch_folder() -> std::io::Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"));
    let folder = target.join("bench-data");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
