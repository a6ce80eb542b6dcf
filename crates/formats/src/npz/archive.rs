//! The zip archive around the arrays, with a limit on decompressed bytes.

use std::io::{Cursor, Read};

use marey_motion::Place;
use zip::ZipArchive;

use super::codes;
use crate::FormatsError;
use crate::unique_labels::short;

/// The ending that numpy gives to an array.
pub(super) const ENDING: &str = ".npy";

/// An open archive.
pub(super) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// Remaining number of bytes that may be decompressed, and the limit.
    left: usize,
    limit: usize,
}

impl<'a> Archive<'a> {
    pub(super) fn open(bytes: &'a [u8], limit: usize) -> Result<Self, FormatsError> {
        match ZipArchive::new(Cursor::new(bytes)) {
            Ok(zip) => Ok(Self { zip, left: limit, limit }),
            Err(error) => {
                Err(FormatsError::refused(&codes::NOT_ARCHIVE, Place::default(), error.to_string()))
            }
        }
    }

    /// The names of all entries without their ending, sorted.
    pub(super) fn names(&self) -> Vec<String> {
        let names = self.zip.file_names().filter_map(Result::ok);
        let mut names: Vec<String> = names.map(|name| name.trim_end_matches(ENDING).to_owned()).collect();
        names.sort_unstable();
        names
    }

    /// Decompresses an array, if it exists.
    pub(super) fn inflate(&mut self, name: &str) -> Result<Option<Vec<u8>>, FormatsError> {
        let Some(index) = self.zip.index_for_name(&format!("{name}{ENDING}")) else { return Ok(None) };
        let refuse = |code, message: String| {
            Err(FormatsError::refused(code, Place::default(), format!("{}: {message}", short(name))))
        };
        let entry = match self.zip.by_index(index) {
            Ok(entry) => entry,
            Err(error) => return refuse(&codes::ENTRY, error.to_string()),
        };
        let mut bytes = Vec::new();
        // One byte more than the limit, to detect that it is exceeded.
        let room = u64::try_from(self.left).unwrap_or(u64::MAX).saturating_add(1);
        if let Err(error) = entry.take(room).read_to_end(&mut bytes) {
            return refuse(&codes::ENTRY, error.to_string());
        }
        match self.left.checked_sub(bytes.len()) {
            Some(left) => self.left = left,
            None => {
                return refuse(&codes::LIMIT, format!("more than {} bytes when decompressed", self.limit));
            }
        }
        Ok(Some(bytes))
    }
}
