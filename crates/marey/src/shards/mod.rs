//! Files read and cut on many machines, and put into one corpus by one: the corpus is the one that [`intake::add`](crate::intake::add) and
//! [`cuts::segment`](crate::cuts::segment) make of the same files.
//!
//! A shard is what became of some files, in their order: takes as they will be stored, the cuts that were found in them, and the pieces in
//! numbers. It is bytes: the length of a JSON header in eight bytes, the header, and the takes one after another. Whatever takes time is
//! done by [`read`]; who puts shards in writes rows, and no more: [`put_takes`] of all shards, then [`put_cuts`], each in their order.

mod merge;
mod read;

use std::io::Read;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub use self::merge::{put_cuts, put_takes};
pub use self::read::{Errand, errands, method, read};
use crate::Error;
use crate::corpus::{self, Prepared, SegmentSummary, Span};

/// What became of the files of a job.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    /// Why nothing could be read.
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
    /// How many bytes the prepared take has.
    bytes: usize,
    /// The cuts that were found, as JSON.
    cuts: Option<String>,
    /// The pieces in numbers.
    summaries: Vec<(Span, SegmentSummary)>,
    /// Why none could be cut.
    uncut: Option<Value>,
}

/// A failure as a row of a table.
pub fn failed_row(kind: &str, name: &str, failure: &Error) -> Value {
    json!({
        kind: name,
        "ok": false,
        "code": failure.code.id,
        "message": failure.message,
        "place": failure.place.to_string(),
        "hint": failure.code.hint,
    })
}

fn damaged(message: &str) -> Error {
    Error::new(&corpus::codes::DAMAGED, format!("a shard: {message}"))
}

/// The bytes of a shard: its entries, and their takes.
fn closed(entries: &[Entry], takes: &[Vec<u8>]) -> Result<Vec<u8>, Error> {
    let header = serde_json::to_vec(entries).map_err(|error| damaged(&error.to_string()))?;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    takes.iter().for_each(|some| bytes.extend(some));
    Ok(bytes)
}

/// The entries of a shard; the takes behind them are not read.
fn entries(mut shard: impl Read) -> Result<Vec<Entry>, Error> {
    let cut_off = |_| damaged("it is cut off");
    let mut length = [0; 8];
    shard.read_exact(&mut length).map_err(cut_off)?;
    let length = u64::from_le_bytes(length);
    let mut header = Vec::new();
    // As much as is there, whatever the length says.
    let read = shard.take(length).read_to_end(&mut header).map_err(cut_off)?;
    if read as u64 != length {
        return Err(damaged("it is cut off"));
    }
    serde_json::from_slice(&header).map_err(|error| damaged(&error.to_string()))
}

/// The entries of a shard, each with its takes.
fn opened(bytes: &[u8]) -> Result<Vec<(Entry, Vec<Prepared>)>, Error> {
    let cut_off = || damaged("it is cut off");
    let entries = entries(bytes)?;
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(cut_off)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut_off())?;
    let mut rest = rest.get(length..).ok_or_else(cut_off)?;
    let mut all = Vec::new();
    for entry in entries {
        let mut takes = Vec::new();
        for take in &entry.takes {
            let (own, after) = rest.split_at_checked(take.bytes).ok_or_else(cut_off)?;
            takes.push(Prepared::from_bytes(own)?);
            rest = after;
        }
        all.push((entry, takes));
    }
    if rest.is_empty() { Ok(all) } else { Err(damaged("more is in it than it says")) }
}

/// Whether bytes are a whole shard.
pub fn is_whole(bytes: &[u8]) -> bool {
    opened(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::corpus::{Corpus, CutMethod};
    use crate::cuts::{By, segment};
    use crate::examples::walk::{WalkSettings, walk};
    use crate::formats::bvh::{self, BvhOptions};
    use crate::intake::{Job, Wish, add};
    use crate::motion::Observer;

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
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let errands = errands(&names, &[], None).unwrap();
        let wish = Wish { licence: "CC0-1.0".into(), ..Wish::default() };
        errands.chunks(each).map(|some| read(some, &wish, Some(CutMethod::Steps)).unwrap()).collect()
    }

    fn merged(path: &Path, shards: &[Vec<u8>]) -> Vec<u8> {
        let mut corpus = Corpus::create_draft(path).unwrap();
        let put: Vec<_> = shards.iter().map(|shard| put_takes(&mut corpus, shard).unwrap()).collect();
        let rows = put.iter().flat_map(|(rows, _)| rows);
        assert_eq!(rows.filter(|row| row["ok"] == false).count(), 1);
        for (shard, (_, new)) in shards.iter().zip(&put) {
            assert_eq!(put_cuts(&mut corpus, shard.as_slice(), new).unwrap(), [] as [Value; 0]);
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
        let jobs: Vec<Job> =
            files.iter().map(|file| Job { files: vec![file.clone()], refused: None }).collect();
        let wish = Wish { licence: "CC0-1.0".into(), ..Wish::default() };
        add(&mut corpus, &jobs, &wish, Observer::ignore()).unwrap();
        segment(&mut corpus, &[], &By::Method(CutMethod::Steps), None, Observer::ignore()).unwrap();
        drop(corpus);
        let one = fs::read(folder.join("one.marey")).unwrap();
        for each in [1, 4] {
            let shards = read_all(&files, each);
            assert!(shards.iter().all(|shard| is_whole(shard)));
            let many = merged(&folder.join(format!("many-{each}.marey")), &shards);
            assert!(many == one, "shards of {each} give another corpus");
        }
        let shard = &read_all(&files, 6)[0];
        let mut corpus = Corpus::create(&folder.join("cut.marey")).unwrap();
        for cut in [0, 7, 100, shard.len() / 2, shard.len() - 1] {
            assert!(!is_whole(&shard[..cut]));
            assert_eq!(put_takes(&mut corpus, &shard[..cut]).unwrap_err().code.id, "corpus/damaged");
        }
        assert!(put_cuts(&mut corpus, &shard[..100], &[]).is_err());
        // Of a shard that is not whole nothing is put in; numbers of another one are refused.
        assert_eq!(corpus.takes().unwrap(), []);
        assert_eq!(put_cuts(&mut corpus, shard.as_slice(), &[]).unwrap_err().code.id, "corpus/damaged");
        drop(corpus);
        fs::remove_dir_all(&folder).unwrap();
    }
}
