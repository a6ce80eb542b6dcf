//! What can be worked out again: kept as flat bytes beside what it was made from, and gone when that changes.

use rusqlite::params;

use crate::takes::checked;
use crate::{Corpus, Result, TakeId};

impl Corpus {
    /// Keeps what was derived from a take, or from all takes together, in parts that can be read one by one.
    pub(crate) fn put_derived(&mut self, kind: &str, take: Option<TakeId>, parts: &[Vec<u8>]) -> Result<()> {
        self.change(|transaction| {
            let take = take.map(|take| take.0);
            transaction.execute("DELETE FROM derived WHERE kind = ? AND take IS ?", params![kind, take])?;
            let sql = "INSERT INTO derived (kind, take, part, crc, bytes) VALUES (?, ?, ?, ?, ?)";
            let mut statement = transaction.prepare_cached(sql)?;
            for (part, bytes) in (0i64..).zip(parts) {
                statement.execute(params![kind, take, part, crc32fast::hash(bytes), bytes])?;
            }
            Ok::<_, rusqlite::Error>(())
        })
    }

    /// All parts of what was derived, in order; none where it was never made, or has gone.
    pub(crate) fn derived(&self, kind: &str, take: Option<TakeId>) -> Result<Vec<Vec<u8>>> {
        let rows: Vec<(u32, Vec<u8>)> = self.run(|connection| {
            let sql =
                "SELECT crc, bytes FROM derived WHERE kind = ? AND coalesce(take, -1) = ? ORDER BY part";
            let mut statement = connection.prepare_cached(sql)?;
            let take = take.map_or(-1, |take| take.0);
            statement.query_map(params![kind, take], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        })?;
        for (crc, bytes) in &rows {
            checked(bytes, *crc)?;
        }
        Ok(rows.into_iter().map(|(_, bytes)| bytes).collect())
    }
}
