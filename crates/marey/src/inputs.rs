//! Reads the files that a request names.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::formats::file::{read_file, read_terrain_file};
use crate::formats::terrain::TerrainSettings;
use crate::formats::{FormatsError, MotionFile, ReadOptions, find_files};
use crate::motion::{Code, PointClip, Take, Terrain};
use crate::{Error, codes};

/// Largest size of a text file, such as a plan, in bytes.
pub const MAX_TEXT_BYTES: u64 = 1 << 30;

/// One file of a batch, or why it is left out.
#[derive(Debug)]
pub struct Input {
    /// The file, folder or pattern.
    pub path: PathBuf,
    /// The path below the folder or pattern in which it was found; the file name if it was named itself.
    pub relative: PathBuf,
    /// Why there is nothing to read.
    pub refused: Option<Error>,
}

/// The files of a batch.
#[derive(Debug)]
pub struct Inputs {
    /// Without repetitions, in the given order; those of a folder or pattern are sorted by path.
    pub files: Vec<Input>,
    /// Whether one file was named, and no folder or pattern.
    pub is_one_file: bool,
}

/// The files that [`find_files`] finds, as a batch.
pub fn gather(names: &[PathBuf]) -> Result<Inputs, Error> {
    let found = find_files(names)?;
    let input = |file: crate::formats::FoundFile| Input {
        path: file.path,
        relative: file.relative,
        refused: file.error.map(Error::from),
    };
    Ok(Inputs { files: found.files.into_iter().map(input).collect(), is_one_file: found.is_one_file })
}

/// The text of a file, or of a pipe, of at most [`MAX_TEXT_BYTES`].
pub fn text(path: &Path) -> Result<String, Error> {
    let wrong = |error| FormatsError::file(path, error);
    let mut text = String::new();
    let file = fs::File::open(path).map_err(wrong)?;
    // A pipe has no length.
    let is_long = file.metadata().is_ok_and(|about| about.len() > MAX_TEXT_BYTES);
    if is_long
        || file.take(MAX_TEXT_BYTES + 1).read_to_string(&mut text).map_err(wrong)? as u64 > MAX_TEXT_BYTES
    {
        let message = format!("the text has more than {MAX_TEXT_BYTES} bytes");
        return Err(Error::new(&codes::LIMIT, message).in_file(path));
    }
    Ok(text)
}

/// The ground profile in a terrain file.
pub fn terrain(path: &Path) -> Result<Terrain, Error> {
    Ok(read_terrain_file(path, None, &TerrainSettings::default())?)
}

/// A value from a JSON file. If the content does not fit, the error has the code `refused`.
pub fn json<T: DeserializeOwned>(path: &Path, refused: &'static Code) -> Result<T, Error> {
    let wrong = |error: serde_json::Error| Error::new(refused, error.to_string()).in_file(path);
    serde_json::from_str(&text(path)?).map_err(wrong)
}

/// A motion file, read with the conventions that are detected in it.
pub fn import(path: &Path) -> Result<MotionFile, Error> {
    Ok(read_file(path, &ReadOptions::default())?)
}

/// The first take of a motion file.
pub fn take(path: &Path) -> Result<Take, Error> {
    Ok(import(path)?.into_first().map_err(|error| error.in_file(path))?.take)
}

/// The points of a file: a drawn path, or markers.
pub fn points(path: &Path) -> Result<PointClip, Error> {
    match import(path)?.points() {
        Some(points) => Ok(points.clip.clone()),
        None => {
            Err(Error::new(&codes::NOT_A_PATH, "the file contains figures, but a path is needed")
                .in_file(path))
        }
    }
}
