//! Removes objects from a corpus.

use rusqlite::{Connection, Transaction, params};

use crate::corpus::Change;
use crate::{Corpus, CorpusError, Maker, Result, TakeId, codes};

/// What to remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// Takes, with their annotations and segments.
    Takes(Vec<TakeId>),
    /// Tags of a name.
    Tags {
        /// The name.
        name: String,
        /// The takes; empty: all.
        takes: Vec<TakeId>,
    },
    /// Segments, tags, markers, contacts and labels by a maker.
    MadeBy {
        /// The maker.
        maker: Maker,
        /// The takes; empty: all.
        takes: Vec<TakeId>,
    },
}

/// Numbers of removed objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Removed {
    /// Takes.
    pub takes: usize,
    /// Segments.
    pub segments: usize,
    /// Tags.
    pub tags: usize,
    /// Markers.
    pub markers: usize,
    /// Contacts.
    pub contacts: usize,
    /// Labels, of takes and of segments.
    pub labels: usize,
}

/// The tables with a maker column; tables of labels come before those that they refer to.
const MADE: [&str; 6] = ["tags", "markers", "contacts", "labels", "segment_labels", "segments"];

impl Corpus {
    /// Removes objects in one transaction, with all data derived from them. Ids are not reused. Fails if there is
    /// nothing to remove.
    pub fn remove(&mut self, what: &Removal) -> Result<Removed> {
        self.change(|transaction| carry_out(transaction, what))
    }

    /// What [`Corpus::remove`] would remove; changes nothing.
    pub fn would_remove(&mut self, what: &Removal) -> Result<Removed> {
        self.try_out(|transaction| carry_out(transaction, what))
    }
}

fn carry_out(transaction: &Transaction<'_>, what: &Removal) -> std::result::Result<Removed, Change> {
    let (Removal::Takes(takes) | Removal::Tags { takes, .. } | Removal::MadeBy { takes, .. }) = what;
    for take in takes {
        crate::annotations::frames_of(transaction, *take)?;
    }
    let before = counts(transaction)?;
    match what {
        Removal::Takes(takes) => {
            for take in takes {
                transaction.execute("DELETE FROM takes WHERE id = ?", [take.0])?;
            }
            let unused = "DELETE FROM skeletons WHERE id NOT IN (SELECT skeleton FROM actors)";
            transaction.execute(unused, [])?;
        }
        Removal::Tags { name, takes } => delete(transaction, "tags", "name", name, takes)?,
        Removal::MadeBy { maker, takes } => {
            let by = maker.to_string();
            for table in MADE {
                delete(transaction, table, "made_by", &by, takes)?;
            }
        }
    }
    let after = counts(transaction)?;
    let removed = Removed {
        takes: before.takes - after.takes,
        segments: before.segments - after.segments,
        tags: before.tags - after.tags,
        markers: before.markers - after.markers,
        contacts: before.contacts - after.contacts,
        labels: before.labels - after.labels,
    };
    if removed == Removed::default() {
        let message = match what {
            Removal::Takes(_) => "no take is named".to_owned(),
            Removal::Tags { name, .. } => format!("no tag {name:?}"),
            Removal::MadeBy { maker, .. } => format!("nothing that was made by {maker}"),
        };
        return Err(CorpusError::refused(&codes::NOTHING, message).into());
    }
    Ok(removed)
}

/// Deletes the rows of a table with a value in a column, in some takes or in all.
fn delete(
    transaction: &Transaction<'_>,
    table: &str,
    column: &str,
    value: &str,
    takes: &[TakeId],
) -> rusqlite::Result<()> {
    let all = format!("DELETE FROM {table} WHERE {column} = ?");
    if takes.is_empty() {
        transaction.execute(&all, [value])?;
    }
    let whose = match table {
        "segment_labels" => "segment IN (SELECT id FROM segments WHERE take = ?)",
        _ => "take = ?",
    };
    let of_take = format!("{all} AND {whose}");
    takes.iter().try_for_each(|take| transaction.execute(&of_take, params![value, take.0]).map(drop))
}

/// Numbers of all objects.
fn counts(connection: &Connection) -> rusqlite::Result<Removed> {
    let count = |table: &str| -> rusqlite::Result<usize> {
        let sql = format!("SELECT count(*) FROM {table}");
        connection.query_row(&sql, [], |row| crate::annotations::number(row, 0))
    };
    Ok(Removed {
        takes: count("takes")?,
        segments: count("segments")?,
        tags: count("tags")?,
        markers: count("markers")?,
        contacts: count("contacts")?,
        labels: count("labels")? + count("segment_labels")?,
    })
}
