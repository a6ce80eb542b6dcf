//! Which files are meant: files, folders and patterns.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::Error;
use crate::codes;
use crate::formats::file::{read_file, read_terrain_file};
use crate::formats::terrain::TerrainSettings;
use crate::formats::{Format, MotionFile, ReadOptions};
use crate::motion::{Code, PointClip, Take, Terrain};

/// One file to read, or what became of the search for it.
#[derive(Debug)]
pub struct Input {
    /// The file, folder or pattern.
    pub path: PathBuf,
    /// The file's path below the folder or pattern that gave it; its name where it was named itself.
    pub relative: PathBuf,
    /// Why there is nothing to read.
    pub refused: Option<Error>,
}

/// All files that are meant.
#[derive(Debug)]
pub struct Inputs {
    /// Without repetitions, in the order named; those of a folder or pattern sorted by path.
    pub files: Vec<Input>,
    /// Whether one file was named, and no folder or pattern.
    pub is_one_file: bool,
}

/// The text of a file.
pub fn text(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path)
        .map_err(|error| Error::from(crate::formats::FormatsError::file(path, error)).in_file(path))
}

/// Ground in profile, from a terrain file.
pub fn terrain(path: &Path) -> Result<Terrain, Error> {
    read_terrain_file(path, None, &TerrainSettings::default())
        .map_err(|error| Error::from(error).in_file(path))
}

/// What is written in a file as JSON; refused by a code of its own where it is something else.
pub fn json<T: DeserializeOwned>(path: &Path, refused: &'static Code) -> Result<T, Error> {
    let wrong = |error: serde_json::Error| Error::new(refused, error.to_string()).in_file(path);
    serde_json::from_str(&text(path)?).map_err(wrong)
}

/// A motion file as it is read where nobody says otherwise.
pub fn import(path: &Path) -> Result<MotionFile, Error> {
    read_file(path, &ReadOptions::default()).map_err(|error| Error::from(error).in_file(path))
}

/// The first take of a motion file.
pub fn take(path: &Path) -> Result<Take, Error> {
    Ok(import(path)?.into_first().map_err(|error| Error::from(error).in_file(path))?.take)
}

/// The points of a file: a drawn path, or markers.
pub fn points(path: &Path) -> Result<PointClip, Error> {
    match import(path)?.points() {
        Some(points) => Ok(points.clip.clone()),
        None => Err(Error::new(&codes::NOT_A_PATH, "figures, where a path is wanted").in_file(path)),
    }
}

/// Finds the files. A file is taken whatever its ending; folders, with all folders in them, and patterns give the files
/// with an ending that Marey reads. What does not exist is kept, to be refused in its place.
pub fn gather(names: &[PathBuf]) -> Result<Inputs, Error> {
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
            files.push(Input { path: name.clone(), relative, refused: None });
        }
    }
    let mut seen = HashSet::new();
    files.retain(|input| seen.insert(input.path.clone()));
    Ok(Inputs { files, is_one_file })
}

/// What was found below a folder.
type Found = Result<PathBuf, (PathBuf, io::Error)>;

/// Adds what a folder or pattern gave; a word of refusal where it gave nothing.
fn add_all(files: &mut Vec<Input>, name: &Path, base: &Path, found: Vec<Found>) {
    if found.is_empty() {
        let failure = Error::new(&codes::NO_INPUT, "no motion file here").in_file(name);
        files.push(Input { path: name.to_owned(), relative: PathBuf::new(), refused: Some(failure) });
    }
    for result in found {
        let (path, refused) = match result {
            Ok(path) => (path, None),
            Err((path, error)) => {
                let failure = Error::from(crate::formats::FormatsError::file(&path, error)).in_file(&path);
                (path, Some(failure))
            }
        };
        let relative = path.strip_prefix(base).unwrap_or(&path).to_owned();
        files.push(Input { path, relative, refused });
    }
}

/// The motion files that match a pattern, and those in folders that do.
fn matches(pattern: &str) -> Result<Vec<Found>, Error> {
    let paths = glob::glob(pattern)
        .map_err(|error| Error::usage(&codes::PATTERN, format!("{pattern:?}: {}", error.msg)))?;
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

/// The motion files in a folder and all folders in it, sorted. Links to folders are not followed.
fn walk(folder: &Path) -> Vec<Found> {
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

fn path_of(found: &Found) -> &Path {
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
