//! Stores shards in a corpus.

use std::io::Read;
use std::ops::Range;

use marey_motion::Report;
use marey_ops::cut::SegmentLengths;
use serde_json::{Value, json};

use super::{Entry, TakeEntry, damaged, decode, decode_entries};
use crate::import::{KnownFingerprints, PreparedFile, PreparedFileTake};
use crate::{BatchItem, Corpus, CutMethod, DetectedCuts, PreparedTake, Provenance, Result, TakeId};

/// Stores the takes of a shard. Returns a row for each of its files, and the id of each of its takes, or `None` if the corpus had
/// the same content already.
pub fn store_takes(corpus: &mut Corpus, shard: &[u8]) -> Result<(Vec<Value>, Vec<Option<TakeId>>)> {
    // An incomplete shard is refused before the corpus is changed.
    let entries = decode(shard)?;
    let mut known = KnownFingerprints::load(corpus)?;
    let StoredShard { rows, new, .. } = store_entries(corpus, entries, &mut known)?;
    Ok((rows, new))
}

/// [`store_takes`] for one of many shards, without loading the fingerprints of the corpus for each. Returns the warnings about
/// storing as well.
pub fn store_takes_with(
    corpus: &mut Corpus,
    shard: &[u8],
    known: &mut KnownFingerprints,
) -> Result<StoredShard> {
    store_entries(corpus, decode(shard)?, known)
}

/// The takes of a shard in a corpus.
#[derive(Debug, Default)]
pub struct StoredShard {
    /// A row for each file.
    pub rows: Vec<Value>,
    /// The id of each take, or `None` if the corpus had the same content already.
    pub new: Vec<Option<TakeId>>,
    /// Takes that were renamed or not added.
    pub report: Report,
}

fn store_entries(
    corpus: &mut Corpus,
    entries: Vec<(Entry, Vec<PreparedTake>)>,
    known: &mut KnownFingerprints,
) -> Result<StoredShard> {
    let mut stored = StoredShard::default();
    for (entry, takes) in entries {
        store_entry(corpus, entry, takes, known, &mut stored)?;
    }
    Ok(stored)
}

fn store_entry(
    corpus: &mut Corpus,
    entry: Entry,
    takes: Vec<PreparedTake>,
    known: &mut KnownFingerprints,
    shard: &mut StoredShard,
) -> Result<()> {
    if let Some(failed) = entry.failed {
        shard.rows.push(failed);
        return Ok(());
    }
    let takes = entry.takes.into_iter().zip(takes).map(|(entry, take)| {
        let TakeEntry { source, licence, credit, history, unusable, fingerprint, .. } = entry;
        let provenance = Provenance { source, licence, credit, history };
        PreparedFileTake { take, provenance, unusable, fingerprint }
    });
    let file = PreparedFile { takes: takes.collect(), report: Report::default() };
    let stored = corpus.store_file(file, known)?;
    shard.new.extend(stored.takes.iter().map(|take| (!take.already).then_some(take.id)));
    let mut warnings = entry.warnings;
    warnings.extend(stored.warnings.into_iter().map(str::to_owned));
    shard.rows.push(json!({ "file": entry.file, "ok": true, "takes": stored.takes, "warnings": warnings }));
    shard.report.absorb(stored.report);
    Ok(())
}

fn cut_again(
    corpus: &mut Corpus,
    id: TakeId,
    method: CutMethod,
    lengths: &SegmentLengths,
    unusable: &[Range<usize>],
) -> Result<()> {
    let take = corpus.take(id)?;
    let cuts = DetectedCuts::of_with(&take, method, lengths, unusable)?;
    let summaries = cuts.summarise(&take)?;
    corpus.store_cuts(id, &cuts)?;
    corpus.store_summaries(id, &summaries).map(drop)
}

/// Stores the cuts of a shard's takes, whose ids [`store_takes`] returned. Reads only the header of the shard. Returns a row for
/// each take in which no cuts could be detected.
pub fn store_cuts(corpus: &mut Corpus, shard: impl Read, new: &[Option<TakeId>]) -> Result<Vec<Value>> {
    let takes: Vec<TakeEntry> = decode_entries(shard)?.into_iter().flat_map(|entry| entry.takes).collect();
    if takes.len() != new.len() {
        return Err(damaged("it is not the one whose takes were stored"));
    }
    let mut rows = Vec::new();
    for (entry, id) in takes.into_iter().zip(new) {
        let Some(id) = *id else { continue };
        let info = corpus.info(id)?;
        if let Some((method, lengths)) = entry.method.filter(|_| info.content != entry.content) {
            // The stored rest pose is that of another take. Contacts can depend on it.
            let result = cut_again(corpus, id, method, &lengths, &entry.unusable);
            let failed = result.map_err(|error| BatchItem::<()> { name: info.name, result: Err(error) });
            rows.extend(failed.err().map(|item| item.to_json("take")));
            continue;
        }
        if let Some(cuts) = &entry.cuts {
            corpus.store_cuts(id, &DetectedCuts::from_json(cuts)?)?;
            corpus.store_summaries(id, &entry.summaries)?;
        }
        rows.extend(entry.uncut);
    }
    Ok(rows)
}
