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
    let (mut rows, mut new) = (Vec::new(), Vec::new());
    let entries = decode(shard)?;
    let mut known = KnownFingerprints::load(corpus)?;
    for (entry, takes) in entries {
        rows.push(store_entry(corpus, entry, takes, &mut known, &mut new)?);
    }
    Ok((rows, new))
}

fn store_entry(
    corpus: &mut Corpus,
    entry: Entry,
    takes: Vec<PreparedTake>,
    known: &mut KnownFingerprints,
    new: &mut Vec<Option<TakeId>>,
) -> Result<Value> {
    if let Some(failed) = entry.failed {
        return Ok(failed);
    }
    let takes = entry.takes.into_iter().zip(takes).map(|(entry, take)| {
        let TakeEntry { source, licence, credit, history, unusable, fingerprint, .. } = entry;
        let provenance = Provenance { source, licence, credit, history };
        PreparedFileTake { take, provenance, unusable, fingerprint }
    });
    let file = PreparedFile { takes: takes.collect(), report: Report::default() };
    let stored = corpus.store_file(file, known)?;
    new.extend(stored.takes.iter().map(|take| (!take.already).then_some(take.id)));
    let mut warnings = entry.warnings;
    warnings.extend(stored.warnings.into_iter().map(str::to_owned));
    Ok(json!({ "file": entry.file, "ok": true, "takes": stored.takes, "warnings": warnings }))
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
