//! The folder for corpora that verbs make of motion files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::manifest::ArchiveManifest;
use crate::{Error, codes};

/// A draft that is older belongs to a process that was killed.
const ABANDONED: Duration = Duration::from_secs(24 * 3600);

/// The ending of files that hold what one motion file became.
pub(super) const PART_ENDING: &str = "shard";

/// The folder that `MAREY_CACHE` names, or else `marey` in the user's cache folder.
pub(super) fn find() -> Result<PathBuf, Error> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || {
        variable("XDG_CACHE_HOME")
            .or_else(|| variable("LOCALAPPDATA"))
            .or_else(|| variable("HOME").map(|home| home.join(".cache")))
    };
    variable("MAREY_CACHE")
        .or_else(|| user().map(|folder| folder.join("marey")))
        .ok_or_else(|| Error::new(&codes::NO_CACHE, "neither MAREY_CACHE, XDG_CACHE_HOME nor HOME is set"))
}

/// Removes corpora that no record names, records whose files are all gone, and abandoned drafts and parts. What cannot be removed
/// stays.
pub(super) fn remove_unused(folder: &Path) {
    let entries = || fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let has_ending = |path: &Path, ending: &str| path.extension().is_some_and(|other| other == ending);
    let mut used: BTreeSet<String> = BTreeSet::new();
    for record in entries().filter(|path| has_ending(path, "json")) {
        let Some(manifest) = ArchiveManifest::read(&record) else { continue };
        if manifest.files.iter().any(|file| file.path.exists()) {
            used.insert(manifest.key);
            used.extend(manifest.parts);
        } else {
            let _ = fs::remove_file(record);
        }
    }
    let is_used =
        |path: &Path| path.file_stem().is_some_and(|stem| used.contains(stem.to_string_lossy().as_ref()));
    let is_abandoned = |path: &Path| {
        let age =
            fs::metadata(path).and_then(|about| about.modified()).ok().and_then(|time| time.elapsed().ok());
        age.is_some_and(|age| age > ABANDONED)
    };
    for path in entries() {
        let is_corpus = has_ending(&path, "marey") && !is_used(&path);
        // A part that no record names can belong to a corpus that another process is making.
        let is_part = has_ending(&path, PART_ENDING) && !is_used(&path) && is_abandoned(&path);
        if is_corpus || is_part || (has_ending(&path, "part") && is_abandoned(&path)) {
            remove_with_companions(&path);
        }
    }
}

/// Removes a corpus and the files that SQLite keeps beside it. A file that is not there, or cannot be removed, is left alone.
pub(super) fn remove_with_companions(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        let _ = fs::remove_file(name);
    }
}
