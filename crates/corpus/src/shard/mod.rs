//! Reads files on many machines and stores them in one corpus.
//!
//! A shard holds the results for some files, in order: takes in their stored form, the detected cuts, and the summaries of the
//! segments. Its bytes are the length of a JSON header in eight bytes, the header, and the takes. [`read`] does all the work that
//! takes time. Storing shards in order, first [`store_takes`] for all of them and then [`store_cuts`], gives the same bytes as
//! [`Corpus::import`](crate::Corpus::import) and [`Corpus::segment_by_method`](crate::Corpus::segment_by_method) with the same
//! files.

mod merge;
mod read;

use std::io::Read;
use std::ops::Range;

use marey_ops::cut::SegmentLengths;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::merge::{StoredShard, store_cuts, store_takes, store_takes_with};
pub use self::read::{read, read_one};
use crate::import::Fingerprint;
use crate::{CorpusError, CutMethod, PreparedTake, Result, SegmentSummary, Span};

/// The results for one file or group of files.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    /// The error, if the file could not be read.
    failed: Option<Value>,
    warnings: Vec<String>,
    takes: Vec<TakeEntry>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TakeEntry {
    source: String,
    licence: String,
    credit: String,
    history: String,
    /// Frames that cannot be used.
    unusable: Vec<Range<usize>>,
    fingerprint: Option<Fingerprint>,
    /// Bytes of the prepared take.
    bytes: usize,
    /// The hash of the prepared take. The corpus stores another one if it has the body of an actor with another rest pose.
    content: String,
    /// How cuts were detected.
    method: Option<(CutMethod, SegmentLengths)>,
    /// The detected cuts, as JSON.
    cuts: Option<String>,
    /// The summaries of the segments.
    summaries: Vec<(Span, SegmentSummary)>,
    /// The error, if no cuts could be detected.
    uncut: Option<Value>,
}

fn damaged(message: &str) -> CorpusError {
    CorpusError::damaged(format!("a shard: {message}"))
}

fn truncated() -> CorpusError {
    damaged("it is truncated")
}

/// The bytes of a shard.
fn encode(entries: &[Entry], takes: &[Vec<u8>]) -> Result<Vec<u8>> {
    let header = serde_json::to_vec(entries).map_err(|error| damaged(&error.to_string()))?;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    takes.iter().for_each(|some| bytes.extend(some));
    Ok(bytes)
}

/// The entries of a shard, without the takes that follow them.
fn decode_entries(mut shard: impl Read) -> Result<Vec<Entry>> {
    let mut length = [0; 8];
    shard.read_exact(&mut length).map_err(|_| truncated())?;
    let length = u64::from_le_bytes(length);
    let mut header = Vec::new();
    // Memory grows with the bytes that exist, not with the length that the shard declares.
    let read = shard.take(length).read_to_end(&mut header).map_err(|_| truncated())?;
    if read as u64 != length {
        return Err(truncated());
    }
    serde_json::from_slice(&header).map_err(|error| damaged(&error.to_string()))
}

/// The entries of a shard, each with its takes.
fn decode(bytes: &[u8]) -> Result<Vec<(Entry, Vec<PreparedTake>)>> {
    let entries = decode_entries(bytes)?;
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(truncated)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| truncated())?;
    let mut rest = rest.get(length..).ok_or_else(truncated)?;
    let mut all = Vec::new();
    for entry in entries {
        let mut takes = Vec::new();
        for take in &entry.takes {
            let (own, after) = rest.split_at_checked(take.bytes).ok_or_else(truncated)?;
            takes.push(PreparedTake::from_bytes(own)?);
            rest = after;
        }
        all.push((entry, takes));
    }
    if rest.is_empty() { Ok(all) } else { Err(damaged("it is longer than its header declares")) }
}

/// Whether bytes are a complete shard.
pub fn is_whole(bytes: &[u8]) -> bool {
    decode(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use marey_examples::walk::{WalkSettings, walk};
    use marey_formats::bvh::{self, BvhOptions};
    use marey_motion::{Coded, Observer};

    use super::*;
    use crate::import::{FileGroup, ImportSettings};
    use crate::{Corpus, CutMethod, ImportRequest};

    /// A folder with walks, the same twice among them, a leg without feet, and a bad file.
    fn folder() -> PathBuf {
        let folder = std::env::temp_dir().join(format!("marey-shards-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for seed in 0..5u64 {
            let settings =
                WalkSettings { duration_secs: 10.0, rate_hz: 30.0, seed: seed % 4, ..Default::default() };
            let take = walk(&settings).unwrap().take;
            fs::write(folder.join(format!("{seed}.bvh")), bvh::write(&take, &BvhOptions::default()).0)
                .unwrap();
        }
        fs::write(folder.join("bad.bvh"), "HIERARCHY\n").unwrap();
        folder
    }

    fn read_all(files: &[PathBuf], each: usize) -> Vec<Vec<u8>> {
        let groups: Vec<FileGroup> = files.iter().map(|file| FileGroup::new(vec![file.clone()])).collect();
        let settings = ImportSettings { licence: "CC0-1.0".into(), ..ImportSettings::default() };
        groups
            .chunks(each)
            .map(|some| read(some, &settings, Some(CutMethod::Steps), &Default::default()).unwrap())
            .collect()
    }

    fn merged(path: &Path, shards: &[Vec<u8>]) -> Vec<u8> {
        let mut corpus = Corpus::create_draft(path).unwrap();
        let put: Vec<_> = shards.iter().map(|shard| store_takes(&mut corpus, shard).unwrap()).collect();
        let rows = put.iter().flat_map(|(rows, _)| rows);
        assert_eq!(rows.filter(|row| row["ok"] == false).count(), 1);
        for (shard, (_, new)) in shards.iter().zip(&put) {
            assert_eq!(store_cuts(&mut corpus, shard.as_slice(), new).unwrap(), [] as [Value; 0]);
        }
        corpus.settle().unwrap();
        drop(corpus);
        fs::read(path).unwrap()
    }

    #[test]
    fn shards_of_any_size_give_the_corpus_of_one_machine() {
        let folder = folder();
        let files: Vec<PathBuf> =
            ["0", "1", "2", "3", "4", "bad"].map(|name| folder.join(format!("{name}.bvh"))).into();
        let mut corpus = Corpus::create(&folder.join("one.marey")).unwrap();
        let request =
            ImportRequest { inputs: files.clone(), licence: "CC0-1.0".into(), ..ImportRequest::default() };
        corpus.import(&request, Observer::ignore()).unwrap();
        corpus
            .segment_by_method(&[], CutMethod::Steps, &Default::default(), None, Observer::ignore())
            .unwrap();
        drop(corpus);
        let one = fs::read(folder.join("one.marey")).unwrap();
        for each in [1, 4] {
            let shards = read_all(&files, each);
            assert!(shards.iter().all(|shard| is_whole(shard)));
            let many = merged(&folder.join(format!("many-{each}.marey")), &shards);
            assert!(many == one, "shards of {each} files give another corpus");
        }
        let shard = &read_all(&files, 6)[0];
        let mut corpus = Corpus::create(&folder.join("cut.marey")).unwrap();
        for cut in [0, 7, 100, shard.len() / 2, shard.len() - 1] {
            assert!(!is_whole(&shard[..cut]));
            assert_eq!(store_takes(&mut corpus, &shard[..cut]).unwrap_err().code().id, "corpus/damaged");
        }
        assert!(store_cuts(&mut corpus, &shard[..100], &[]).is_err());
        // Nothing of an incomplete shard is stored, and the ids of another shard are an error.
        assert_eq!(corpus.takes().unwrap(), []);
        assert_eq!(store_cuts(&mut corpus, shard.as_slice(), &[]).unwrap_err().code().id, "corpus/damaged");
        drop(corpus);
        fs::remove_dir_all(&folder).unwrap();
    }
}
