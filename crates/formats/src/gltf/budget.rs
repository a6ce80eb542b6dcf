//! A memory budget for one file.

use marey_motion::Place;

use super::codes;
use crate::FormatsError;

/// What any file may ask for, in bytes.
const FREE_BYTES: usize = 64 << 20;

/// What each byte of a file may ask for beyond that. A figure of 500 joints of which one has a key a frame takes about 500.
const BYTES_A_BYTE: usize = 1024;

/// Memory that is left to a file. Few bytes can speak of much, by counts without content and by speaking of the same bytes
/// many times: all that is made of a file is taken from here before it is made.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    /// The budget of a file of some bytes, within a limit.
    pub(super) fn of(file_bytes: usize, memory_bytes: usize) -> Self {
        let fair = file_bytes.saturating_mul(BYTES_A_BYTE).saturating_add(FREE_BYTES);
        Self { left: fair.min(memory_bytes) }
    }

    /// Charges the bytes of a number of elements, or returns an error.
    pub(super) fn take(&mut self, count: usize, bytes_each: usize, what: &str) -> Result<(), FormatsError> {
        let left = count.checked_mul(bytes_each).and_then(|bytes| self.left.checked_sub(bytes));
        match left {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                let message = format!("{count} × {bytes_each} bytes for {what}, and {} are left", self.left);
                Err(FormatsError::refused(&codes::LIMIT, Place::default(), message))
            }
        }
    }
}
