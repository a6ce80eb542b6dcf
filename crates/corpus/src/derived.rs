//! Derived data: stored as flat arrays, and deleted when its input changes.

use std::ops::Range;
use std::path::Path;

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use rusqlite::{OptionalExtension, Transaction, params};

use crate::takes::checked;
use crate::{Corpus, CorpusError, Result, TakeId};

/// Arrays that are read whole are stored in pieces of this many numbers, because SQLite limits blobs to a billion
/// bytes.
pub(crate) const WHOLE: usize = 8 << 20;

/// How the kinds of [`Corpus::kept`] start.
const KEPT: &str = "kept ";

/// A number of four bytes, stored little-endian.
pub(crate) trait Number: Pod {
    fn to_le(self) -> Self;

    /// Whether the value is valid: a finite number, or an integer below a bound.
    fn is_sound(self, bound: usize) -> bool;
}

impl Number for f32 {
    fn to_le(self) -> Self {
        f32::from_bits(self.to_bits().to_le())
    }

    fn is_sound(self, _: usize) -> bool {
        self.is_finite()
    }
}

impl Number for u32 {
    fn to_le(self) -> Self {
        u32::to_le(self)
    }

    fn is_sound(self, bound: usize) -> bool {
        (self as usize) < bound
    }
}

/// Stores an array derived from one take, or from all takes, in pieces of a given length.
pub(crate) fn put<T: Number>(
    transaction: &Transaction<'_>,
    kind: &str,
    take: Option<TakeId>,
    array: &[T],
    piece: usize,
) -> rusqlite::Result<()> {
    let take = take.map(|take| take.0);
    transaction.execute("DELETE FROM derived WHERE kind = ? AND take IS ?", params![kind, take])?;
    let sql = "INSERT INTO derived (kind, take, part, crc, bytes) VALUES (?, ?, ?, ?, ?)";
    let mut statement = transaction.prepare_cached(sql)?;
    // An empty array is stored as one empty piece.
    let pieces = array.chunks(piece).chain(array.is_empty().then_some(array));
    for (part, piece) in (0i64..).zip(pieces) {
        let piece: Vec<T> = piece.iter().map(|number| number.to_le()).collect();
        let bytes: &[u8] = cast_slice(&piece);
        statement.execute(params![kind, take, part, crc32fast::hash(bytes), bytes])?;
    }
    Ok(())
}

impl Corpus {
    /// Bytes that depend on the frames of a take and on `kind` alone: the stored ones, or else those that `compute` returns. They are
    /// stored if the file can be written, also if this corpus is open for reading only, and go when the take goes.
    ///
    /// `kind` names the method, its version and its settings.
    pub fn kept<E: From<CorpusError>>(
        &self,
        kind: &str,
        take: TakeId,
        compute: impl FnOnce() -> std::result::Result<Vec<u8>, E>,
    ) -> std::result::Result<Vec<u8>, E> {
        let kind = format!("{KEPT}{kind}");
        let found: Option<(u32, Vec<u8>)> = self.run(|connection| {
            let sql = "SELECT crc, bytes FROM derived WHERE kind = ? AND coalesce(take, -1) = ? AND part = 0";
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row(params![kind, take.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })?;
        if let Some((crc, bytes)) = found
            && checked(&bytes, crc).is_ok()
        {
            return Ok(bytes);
        }
        let bytes = compute()?;
        self.keep_derived(|transaction| {
            let sql = "INSERT OR REPLACE INTO derived (kind, take, part, crc, bytes) VALUES (?, ?, 0, ?, ?)";
            let values = params![kind, take.0, crc32fast::hash(&bytes), bytes];
            transaction.prepare_cached(sql)?.execute(values).map(|_| ())
        });
        Ok(bytes)
    }

    /// Copies what another corpus has derived from takes with the same content. What cannot be copied is computed again when it is
    /// needed.
    pub fn adopt_derived(&mut self, other: &Path) {
        let Some(other) = other.to_str() else { return };
        let copy = "INSERT OR IGNORE INTO derived (kind, take, part, crc, bytes)
                    SELECT kind, takes.id, part, crc, bytes FROM other.derived JOIN other.takes AS theirs ON theirs.id = take
                    JOIN takes ON takes.content = theirs.content WHERE kind LIKE 'retargeted %' OR kind LIKE 'kept %'
                    ORDER BY takes.id, kind, part";
        // A failure leaves the corpus without the copies.
        let _ = self.run(|connection| {
            connection.execute("ATTACH DATABASE ? AS other", [other])?;
            let copied = connection.execute(copy, []);
            connection.execute("DETACH DATABASE other", [])?;
            copied
        });
    }

    /// A whole derived array; `None` if it does not exist.
    pub(crate) fn derived<T: Number>(&self, kind: &str, take: Option<TakeId>) -> Result<Option<Vec<T>>> {
        self.derived_parts(kind, take, 0..i64::MAX)
    }

    /// Some pieces of a derived array; `None` if there are none.
    pub(crate) fn derived_parts<T: Number>(
        &self,
        kind: &str,
        take: Option<TakeId>,
        parts: Range<i64>,
    ) -> Result<Option<Vec<T>>> {
        let sql = "SELECT crc, bytes FROM derived
                   WHERE kind = ? AND coalesce(take, -1) = ? AND part >= ? AND part < ? ORDER BY part";
        let take = take.map_or(-1, |take| take.0);
        let mut wrong = None;
        let array = self.run(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query(params![kind, take, parts.start, parts.end])?;
            let mut array: Option<Vec<T>> = None;
            while let Some(row) = rows.next()? {
                let bytes = row.get_ref(1)?.as_blob().unwrap_or_default();
                match checked(bytes, row.get(0)?) {
                    Ok(bytes) => append(array.get_or_insert_default(), bytes),
                    Err(error) => wrong = Some(error),
                }
            }
            Ok(array)
        })?;
        match wrong {
            Some(error) => Err(error),
            None => Ok(array.map(|mut array| {
                array.iter_mut().for_each(|number| *number = number.to_le());
                array
            })),
        }
    }
}

/// Appends the numbers in some bytes; incomplete numbers are ignored.
fn append<T: Number>(array: &mut Vec<T>, bytes: &[u8]) {
    let before = array.len();
    let whole = bytes.len() / size_of::<T>() * size_of::<T>();
    array.resize(before + whole / size_of::<T>(), T::zeroed());
    if let (Some(places), Some(bytes)) = (array.get_mut(before..), bytes.get(..whole)) {
        cast_slice_mut(places).copy_from_slice(bytes);
    }
}
