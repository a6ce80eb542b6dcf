//! A derived array that is read piece by piece, on demand.

use std::sync::OnceLock;

use rusqlite::Transaction;

use crate::derived::{Number, put};
use crate::{CorpusError, Result};

/// An array of known length, in pieces of equal length except the last. Pieces are cached.
#[derive(Debug)]
pub(crate) struct Pieces<T> {
    kind: String,
    len: usize,
    piece: usize,
    /// Upper bound of integers.
    bound: usize,
    read: Vec<OnceLock<Box<[T]>>>,
}

impl<T: Number> Pieces<T> {
    /// An array that is stored as `kind`, with nothing read yet. Integers in it are below `bound`.
    pub(crate) fn new(kind: impl Into<String>, len: usize, piece: usize, bound: usize) -> Self {
        let read = (0..len.div_ceil(piece)).map(|_| OnceLock::new()).collect();
        Self { kind: kind.into(), len, piece, bound, read }
    }

    /// The same array with all its content in memory.
    pub(crate) fn filled(self, array: &[T]) -> Self {
        for (place, piece) in self.read.iter().zip(array.chunks(self.piece)) {
            // A new cell is empty.
            let _ = place.set(piece.into());
        }
        self
    }

    /// Stores the whole array.
    pub(crate) fn keep(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let all: Vec<T> = self.read.iter().filter_map(OnceLock::get).flatten().copied().collect();
        put(transaction, &self.kind, None, &all, self.piece)
    }

    /// `count` numbers from `start` on, or as many as there are; they must lie in one piece. `read` loads a missing
    /// piece by kind and index.
    pub(crate) fn get(
        &self,
        start: usize,
        count: usize,
        read: impl FnOnce(&str, i64) -> Result<Option<Vec<T>>>,
    ) -> Result<&[T]> {
        let part = start / self.piece;
        let place = self.read.get(part).ok_or_else(|| self.damaged(part))?;
        let piece = match place.get() {
            Some(piece) => piece,
            None => {
                let piece = read(&self.kind, part as i64)?.ok_or_else(|| self.damaged(part))?;
                let wanted = self.piece.min(self.len - part * self.piece);
                if piece.len() != wanted || !piece.iter().all(|number| number.is_sound(self.bound)) {
                    return Err(self.damaged(part));
                }
                place.get_or_init(|| piece.into())
            }
        };
        let from = start % self.piece;
        piece.get(from..piece.len().min(from + count)).ok_or_else(|| self.damaged(part))
    }

    fn damaged(&self, part: usize) -> CorpusError {
        CorpusError::damaged(format!("derived {}, part {part}: it does not fit the rest", self.kind))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_piece_is_read_once_and_only_when_it_is_needed() {
        let pieces = Pieces::<u32>::new("test", 10, 4, 100);
        let reads = Cell::new(0);
        let read = |_: &str, part: i64| {
            reads.set(reads.get() + 1);
            Ok(Some((4 * part as u32..10.min(4 * part as u32 + 4)).collect()))
        };
        assert_eq!(pieces.get(5, 2, read).unwrap(), [5, 6]);
        assert_eq!(pieces.get(4, 4, read).unwrap(), [4, 5, 6, 7]);
        assert_eq!(reads.get(), 1);
        // The last piece is shorter.
        assert_eq!(pieces.get(8, 4, read).unwrap(), [8, 9]);
        assert!(pieces.get(12, 1, read).is_err());
        assert_eq!(reads.get(), 2);
        let all: Vec<u32> = (0..10).collect();
        let full = Pieces::new("test", 10, 4, 100).filled(&all);
        assert_eq!(full.get(3, 1, |_, _| Ok(None)).unwrap(), [3]);
    }

    #[test]
    fn pieces_that_do_not_fit_are_damage() {
        for bad in [None, Some(vec![1, 2, 3]), Some(vec![1, 2, 3, 100])] {
            let pieces = Pieces::<u32>::new("test", 10, 4, 100);
            assert!(pieces.get(0, 1, |_, _| Ok(bad)).is_err());
        }
        let pieces = Pieces::<f32>::new("test", 2, 4, 0);
        assert!(pieces.get(0, 1, |_, _| Ok(Some(vec![0.0, f32::NAN]))).is_err());
    }
}
