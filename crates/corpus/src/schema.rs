//! The database schema and its migrations.
//!
//! The version of a file is the number of [`STEPS`] that were applied to it. Steps are never changed once released; a
//! new table or column is a new step. `docs/corpus.md` describes the tables.

use rusqlite::{Connection, Transaction};

/// Identifies an SQLite file as a corpus: `Mary` in its header.
pub(crate) const APPLICATION_ID: i32 = 0x4d61_7279;

/// Each step migrates a file from the version of its index to the next.
const STEPS: [&str; 9] = [
    include_str!("schema/1_takes.sql"),
    include_str!("schema/2_segments.sql"),
    include_str!("schema/3_index.sql"),
    include_str!("schema/4_marks.sql"),
    include_str!("schema/5_characters.sql"),
    include_str!("schema/6_bodies.sql"),
    include_str!("schema/7_derived.sql"),
    include_str!("schema/8_parts.sql"),
    include_str!("schema/9_study.sql"),
];

/// The version that this Marey writes.
pub(crate) const VERSION: i32 = STEPS.len() as i32;

/// The version in a file's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) application_id: i32,
    pub(crate) version: i32,
}

impl Stamp {
    pub(crate) fn of(connection: &Connection) -> rusqlite::Result<Self> {
        let read = |name| connection.pragma_query_value(None, name, |row| row.get(0));
        Ok(Self { application_id: read("application_id")?, version: read("user_version")? })
    }
}

/// Applies the missing steps to a file, in the caller's transaction.
pub(crate) fn migrate(transaction: &Transaction<'_>) -> rusqlite::Result<()> {
    let from = usize::try_from(Stamp::of(transaction)?.version).unwrap_or(0);
    for step in STEPS.iter().skip(from) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)
}
