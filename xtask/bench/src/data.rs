//! Captured motion to measure on, and a folder for the files that measurements write.

use std::fs;
use std::path::{Path, PathBuf};

use marey_capture::Half;

use crate::args::{Args, Suite};

/// A file in memory.
pub(crate) struct File {
    /// Its path relative to the folder that was listed.
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// A subfolder of the captured motion, unless the suite leaves it out or there is none.
pub(crate) fn captured(args: &Args, subfolder: &str) -> Option<PathBuf> {
    if args.suite == Suite::Ci { None } else { marey_capture::folder(subfolder) }
}

/// The BVH files in a folder and its subfolders, sorted by name.
pub(crate) fn bvh_files(folder: &Path) -> Vec<File> {
    read_all(folder, marey_capture::files(folder, "bvh"))
}

/// The BVH files of the report half in a folder and its subfolders, sorted by name.
pub(crate) fn bvh_files_to_report(folder: &Path) -> Vec<File> {
    read_all(folder, marey_capture::files_of_half(folder, "bvh", Half::Report))
}

fn read_all(folder: &Path, paths: Vec<PathBuf>) -> Vec<File> {
    let read = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        fs::read(&path).ok().map(|bytes| File { name, bytes })
    };
    paths.into_iter().filter_map(read).collect()
}

/// A folder for the files that measurements write, in cargo's target folder.
pub(crate) fn scratch_folder() -> std::io::Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"));
    let folder = target.join("bench-data");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
