//! Removes objects from a corpus.

use rusqlite::{Connection, Transaction, params};
use serde::{Deserialize, Serialize};

use crate::corpus::Change;
use crate::{Corpus, CorpusError, Maker, Result, TakeId, codes};

/// What to remove: takes with their annotations and segments, or only some annotations and segments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RemoveRequest {
    /// Takes, by name or # and number. With `tag` or `made_by`, all takes if empty.
    pub takes: Vec<String>,
    /// Only tags of this name.
    pub tag: Option<String>,
    /// Only segments and annotations by this maker.
    pub made_by: Option<Maker>,
    /// Whether to change nothing and only count.
    pub dry_run: bool,
}

/// Numbers of removed objects.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
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
    pub fn remove(&mut self, request: &RemoveRequest) -> Result<Removed> {
        request.validate()?;
        let takes = request.takes.iter().map(|name| self.find(name)).collect::<Result<Vec<TakeId>>>()?;
        let remove = |transaction: &Transaction<'_>| carry_out(transaction, request, &takes);
        if request.dry_run { self.try_out(remove) } else { self.change(remove) }
    }
}

impl RemoveRequest {
    /// Checks that the request names either tags or a maker.
    pub fn validate(&self) -> Result<()> {
        match (&self.tag, &self.made_by) {
            (Some(_), Some(_)) => {
                Err(CorpusError::request(&codes::NOTHING, "both a tag and a maker are given"))
            }
            _ => Ok(()),
        }
    }
}

fn carry_out(
    transaction: &Transaction<'_>,
    request: &RemoveRequest,
    takes: &[TakeId],
) -> std::result::Result<Removed, Change> {
    let before = counts(transaction)?;
    match (&request.tag, &request.made_by) {
        (Some(name), _) => delete(transaction, "tags", "name", name, takes)?,
        (None, Some(maker)) => {
            let by = maker.to_string();
            for table in MADE {
                delete(transaction, table, "made_by", &by, takes)?;
            }
        }
        (None, None) => {
            for take in takes {
                transaction.execute("DELETE FROM takes WHERE id = ?", [take.0])?;
            }
            let unused = "DELETE FROM skeletons WHERE id NOT IN (SELECT skeleton FROM actors)";
            transaction.execute(unused, [])?;
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
        let message = match (&request.tag, &request.made_by) {
            (Some(name), _) => format!("no tag {name:?}"),
            (None, Some(maker)) => format!("nothing that was made by {maker}"),
            (None, None) => "no take is named".to_owned(),
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
    let in_take = match table {
        "segment_labels" => "segment IN (SELECT id FROM segments WHERE take = ?)",
        _ => "take = ?",
    };
    let of_take = format!("{all} AND {in_take}");
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
