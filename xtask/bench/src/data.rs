//! Motion to measure on: real where it is at hand, generated everywhere.

use std::fs;
use std::path::{Path, PathBuf};

/// A file in memory.
pub(crate) struct File {
    /// Its path below the data folder.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Every BVH below a folder, in order of names.
pub(crate) fn bvh_files(folder: &Path) -> Vec<File> {
    let read = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        fs::read(&path).ok().map(|bytes| File { name, bytes })
    };
    marey_capture::files(folder, "bvh").into_iter().filter_map(read).collect()
}

/// A folder for what measurements write, below cargo's target.
pub(crate) fn scratch_folder() -> std::io::Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"));
    let folder = target.join("bench-data");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
