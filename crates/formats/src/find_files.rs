//! Finds motion files in folders and by patterns.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::{Format, FormatsError, codes};

/// One file to read, or why it cannot be read.
#[derive(Debug, Clone)]
pub struct FoundFile {
    /// The file, or the folder or pattern that contains none.
    pub path: PathBuf,
    /// The path below the folder or the fixed part of the pattern in which it was found; the file name if it was named itself.
    pub relative: PathBuf,
    /// Why there is nothing to read.
    pub error: Option<FormatsError>,
}

/// Files that were found.
#[derive(Debug, Clone)]
pub struct FoundFiles {
    /// Without repetitions, in the given order; those of a folder or pattern are sorted by path.
    pub files: Vec<FoundFile>,
    /// Whether one file was named, and no folder or pattern.
    pub is_one_file: bool,
}

/// Finds files by name, in folders and by patterns.
///
/// A named file is returned whatever its ending, even if it does not exist. Folders, including their subfolders, and
/// patterns give the files with an ending that Marey reads. What cannot be read is returned with an error in its place.
pub fn find_files(names: &[PathBuf]) -> Result<FoundFiles, FormatsError> {
    let mut files = Vec::new();
    let mut is_one_file = names.len() == 1;
    for name in names {
        let pattern = name.to_str().filter(|text| text.contains(['*', '?', '[']) && !name.exists());
        if let Some(pattern) = pattern {
            is_one_file = false;
            add_all(&mut files, name, &fixed_part(name), matches(pattern)?);
        } else if name.is_dir() {
            is_one_file = false;
            add_all(&mut files, name, name, walk(name));
        } else {
            let relative = name.file_name().map_or_else(|| name.clone(), PathBuf::from);
            files.push(FoundFile { path: name.clone(), relative, error: None });
        }
    }
    let mut seen = HashSet::new();
    files.retain(|file| seen.insert(file.path.clone()));
    Ok(FoundFiles { files, is_one_file })
}

/// A path below a folder, or the entry that could not be read.
type Entry = Result<PathBuf, (PathBuf, io::Error)>;

/// Adds the entries of a folder or pattern, or an error if there are none.
fn add_all(files: &mut Vec<FoundFile>, name: &Path, base: &Path, entries: Vec<Entry>) {
    if entries.is_empty() {
        let message = "no motion file here".into();
        let error = FormatsError::File { code: &codes::NO_INPUT, path: name.to_owned(), message };
        files.push(FoundFile { path: name.to_owned(), relative: PathBuf::new(), error: Some(error) });
    }
    for entry in entries {
        let (path, error) = match entry {
            Ok(path) => (path, None),
            Err((path, error)) => {
                let error = FormatsError::file(&path, error);
                (path, Some(error))
            }
        };
        let relative = path.strip_prefix(base).unwrap_or(&path).to_owned();
        files.push(FoundFile { path, relative, error });
    }
}

/// The motion files that match a pattern, and those in folders that match.
fn matches(pattern: &str) -> Result<Vec<Entry>, FormatsError> {
    let paths = glob::glob(pattern)
        .map_err(|error| FormatsError::Pattern { pattern: pattern.into(), message: error.msg.into() })?;
    let mut found = Vec::new();
    for path in paths {
        match path {
            Ok(path) if path.is_dir() => found.extend(walk(&path)),
            Ok(path) if is_motion(&path) => found.push(Ok(path)),
            Ok(_) => {}
            Err(error) => found.push(Err((error.path().to_owned(), error.into()))),
        }
    }
    Ok(found)
}

/// The motion files in a folder and its subfolders, sorted. Links to folders are not followed.
fn walk(folder: &Path) -> Vec<Entry> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                found.push(Err((folder, error)));
                continue;
            }
        };
        for entry in entries {
            match entry.and_then(|entry| Ok((entry.file_type()?, entry.path()))) {
                Ok((kind, path)) if kind.is_dir() => folders.push(path),
                Ok((_, path)) if is_motion(&path) => found.push(Ok(path)),
                Ok(_) => {}
                Err(error) => found.push(Err((folder.clone(), error))),
            }
        }
    }
    found.sort_by(|a, b| path_of(a).cmp(path_of(b)));
    found
}

fn path_of(found: &Entry) -> &Path {
    match found {
        Ok(path) | Err((path, _)) => path,
    }
}

fn is_motion(path: &Path) -> bool {
    path.extension()
        .and_then(|ending| ending.to_str())
        .and_then(Format::from_ending)
        .is_some_and(Format::has_motion)
}

/// The folders of a pattern before its first wildcard.
fn fixed_part(pattern: &Path) -> PathBuf {
    let is_fixed = |part: &Component<'_>| !part.as_os_str().to_string_lossy().contains(['*', '?', '[']);
    pattern.components().take_while(is_fixed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_starts_below_its_fixed_part() {
        assert_eq!(fixed_part(Path::new("a/b/*/c.bvh")), Path::new("a/b"));
        assert_eq!(fixed_part(Path::new("*.bvh")), Path::new(""));
        assert_eq!(fixed_part(Path::new("../[ab]/x.bvh")), Path::new(".."));
    }
}
