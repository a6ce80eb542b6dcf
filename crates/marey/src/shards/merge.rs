//! What the coordinator does: shards into a corpus.

use std::io::Read;

use serde_json::{Value, json};

use super::{Entry, TakeEntry, damaged, entries, opened};
use crate::Error;
use crate::corpus::{Corpus, FoundCuts, Prepared, Provenance, TakeId};
use crate::intake::{Ready, put};
use crate::motion::Report;

/// Puts the takes of a shard in. Gives a row for each of its files, and the number of each of its takes that is new: the same content may be
/// in several files, and is put in, and cut, once.
pub fn put_takes(corpus: &mut Corpus, shard: &[u8]) -> Result<(Vec<Value>, Vec<Option<TakeId>>), Error> {
    let (mut rows, mut new) = (Vec::new(), Vec::new());
    for (entry, takes) in opened(shard)? {
        rows.push(put_entry(corpus, entry, takes, &mut new)?);
    }
    Ok((rows, new))
}

fn put_entry(
    corpus: &mut Corpus,
    entry: Entry,
    takes: Vec<Prepared>,
    new: &mut Vec<Option<TakeId>>,
) -> Result<Value, Error> {
    if let Some(failed) = entry.failed {
        return Ok(failed);
    }
    let ready = entry.takes.into_iter().zip(takes).map(|(told, prepared)| {
        let TakeEntry { source, licence, credit, history, .. } = told;
        (prepared, Provenance { source, licence, credit, history })
    });
    let put = put(corpus, Ready { takes: ready.collect(), report: Report::default() })?;
    new.extend(put.takes.iter().map(|take| (!take.already).then_some(TakeId(take.id))));
    let mut warnings = entry.warnings;
    warnings.extend(put.warnings.into_iter().map(str::to_owned));
    Ok(json!({ "file": entry.file, "ok": true, "takes": put.takes, "warnings": warnings }))
}

/// Puts in how the takes of a shard are cut, by the numbers that [`put_takes`] gave; of the shard, the header alone is read. Gives a row for
/// each take that could not be cut.
pub fn put_cuts(corpus: &mut Corpus, shard: impl Read, new: &[Option<TakeId>]) -> Result<Vec<Value>, Error> {
    let takes: Vec<TakeEntry> = entries(shard)?.into_iter().flat_map(|entry| entry.takes).collect();
    if takes.len() != new.len() {
        return Err(damaged("it is another than was put in"));
    }
    let mut rows = Vec::new();
    for (told, id) in takes.into_iter().zip(new) {
        let Some(id) = *id else { continue };
        if let Some(cuts) = &told.cuts {
            corpus.put_cuts(id, &FoundCuts::from_json(cuts)?)?;
            corpus.sum_up_as(id, &told.summaries)?;
        }
        rows.extend(told.uncut);
    }
    Ok(rows)
}
