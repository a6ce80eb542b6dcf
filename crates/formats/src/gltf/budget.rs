//! A memory budget for one file.

use marey_motion::Place;

use super::codes;
use crate::FormatsError;

/// Bytes that a file of any size may request.
const FREE_BYTES: usize = 64 << 20;

/// Bytes that each byte of a file allows in addition. A figure of 500 joints of which one has a key per frame needs about 500.
const BYTES_PER_BYTE: usize = 1024;

/// The remaining memory budget of a file.
///
/// A small file can request much memory, through counts without content or many references to the same bytes. Every allocation is
/// therefore charged here first.
#[derive(Debug)]
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    /// The budget of a file of this size, within a limit.
    pub(super) fn of(file_bytes: usize, memory_bytes: usize) -> Self {
        let fair = file_bytes.saturating_mul(BYTES_PER_BYTE).saturating_add(FREE_BYTES);
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
                let message = format!("{what} needs {count} × {bytes_each} bytes; {} are left", self.left);
                Err(FormatsError::refused(&codes::LIMIT, Place::default(), message))
            }
        }
    }
}
