//! Files read and cut on many machines, and put into one corpus by one: the corpus is the one that [`intake::add`](crate::intake::add) and
//! [`cuts::segment`](crate::cuts::segment) make of the same files.
//!
//! A shard is what became of some files, in their order: takes as they will be stored, and the cuts that were found in them. It is bytes:
//! the length of a JSON header in eight bytes, the header, and the takes one after another.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::corpus::{Corpus, CutMethod, FoundCuts, Prepared, Provenance};
use crate::cuts::sum_up;
use crate::failure::Failure;
use crate::intake::{Job, Ready, Wish, put};
use crate::motion::Report;
use crate::watch::Watch;
use crate::{codes, corpus};

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
    /// Why none could be.
    uncut: Option<Value>,
}

/// A failure as a row of a table.
pub fn failed_row(kind: &str, name: &str, failure: &Failure) -> Value {
    json!({
        kind: name,
        "ok": false,
        "code": failure.code.id,
        "message": failure.message,
        "place": failure.place.to_string(),
        "hint": failure.code.hint,
    })
}

/// Files that are one take, and what they are called where they come from.
#[derive(Debug, Clone)]
pub struct Errand {
    /// The files here, in the order of actors.
    pub files: Vec<PathBuf>,
    /// Where each comes from.
    pub sources: Vec<String>,
}

/// Reads files, and cuts their takes where a method is named.
pub fn read(errands: &[Errand], wish: &Wish, method: Option<CutMethod>) -> Result<Vec<u8>, Failure> {
    let one = |errand: &Errand| -> Result<(Entry, Vec<u8>), Failure> {
        let file = errand.sources.first().cloned().unwrap_or_default();
        let job = Job { files: errand.files.clone(), refused: None };
        match job.read(wish) {
            Ok(ready) => entry(file, &errand.sources.join(" + "), ready, method),
            Err(failure) => {
                let failed = Some(failed_row("file", &file, &failure));
                Ok((Entry { file, failed, warnings: Vec::new(), takes: Vec::new() }, Vec::new()))
            }
        }
    };
    let read: Vec<(Entry, Vec<u8>)> =
        errands.par_iter().with_max_len(1).map(one).collect::<Result<_, Failure>>()?;
    let (entries, takes): (Vec<Entry>, Vec<Vec<u8>>) = read.into_iter().unzip();
    let header = serde_json::to_vec(&entries).map_err(|error| damaged(&error.to_string()))?;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header);
    takes.into_iter().for_each(|some| bytes.extend(some));
    Ok(bytes)
}

/// The entry of a job that was read, and the bytes of its takes.
fn entry(
    file: String,
    source: &str,
    ready: Ready,
    method: Option<CutMethod>,
) -> Result<(Entry, Vec<u8>), Failure> {
    let (mut takes, mut bytes) = (Vec::new(), Vec::new());
    for (prepared, Provenance { licence, credit, history, .. }) in ready.takes {
        let own = prepared.to_bytes()?;
        let found = method.map(|method| cuts(&prepared, method)).transpose();
        let (cuts, uncut) = match found {
            Ok(cuts) => (cuts, None),
            Err(failure) => (None, Some(failed_row("take", prepared.name(), &failure))),
        };
        let source = source.to_owned();
        takes.push(TakeEntry { source, licence, credit, history, bytes: own.len(), cuts, uncut });
        bytes.extend(own);
    }
    let warnings = ready.report.codes().into_iter().map(str::to_owned).collect();
    Ok((Entry { file, failed: None, warnings, takes }, bytes))
}

/// Cuts a take as it will be read from the corpus.
fn cuts(prepared: &Prepared, method: CutMethod) -> Result<String, Failure> {
    let take = prepared.take()?;
    Ok(FoundCuts::of(&take, method)?.to_json(take.frames())?)
}

fn damaged(message: &str) -> Failure {
    Failure::new(&corpus::codes::DAMAGED, format!("a shard: {message}"))
}

/// An entry of a shard, with the bytes of its takes.
type Opened<'a> = (Entry, Vec<&'a [u8]>);

/// The entries of a shard.
fn open(bytes: &[u8]) -> Result<Vec<Opened<'_>>, Failure> {
    let cut_off = || damaged("it is cut off");
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or_else(cut_off)?;
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| cut_off())?;
    let (header, mut rest) = rest.split_at_checked(length).ok_or_else(cut_off)?;
    let entries: Vec<Entry> = serde_json::from_slice(header).map_err(|error| damaged(&error.to_string()))?;
    let mut all = Vec::new();
    for entry in entries {
        let mut takes = Vec::new();
        for take in &entry.takes {
            let (own, after) = rest.split_at_checked(take.bytes).ok_or_else(cut_off)?;
            takes.push(own);
            rest = after;
        }
        all.push((entry, takes));
    }
    if rest.is_empty() { Ok(all) } else { Err(damaged("more is in it than it says")) }
}

/// Whether bytes are a whole shard.
pub fn is_whole(bytes: &[u8]) -> bool {
    open(bytes).is_ok_and(|entries| {
        entries.iter().flat_map(|(_, takes)| takes).all(|take| Prepared::from_bytes(take).is_ok())
    })
}

/// Puts shards into a corpus, in their order: all takes first, then how they are cut. Gives a row for each file, and one for each take that
/// could not be cut. `shard` gives the bytes of a shard by its number.
pub fn merge(
    corpus: &mut Corpus,
    count: usize,
    shard: impl Fn(usize) -> Result<Vec<u8>, Failure>,
    watch: Watch<'_>,
) -> Result<Vec<Value>, Failure> {
    let mut rows = Vec::new();
    let mut new = BTreeSet::new();
    for number in 0..count {
        for (entry, takes) in open(&shard(number)?)? {
            rows.push(put_entry(corpus, entry, &takes, &mut new)?);
        }
        watch.tell("shards", number + 1, 2 * count)?;
    }
    for number in 0..count {
        for (entry, takes) in open(&shard(number)?)? {
            for (told, own) in entry.takes.iter().zip(takes) {
                let provenance = Provenance::default();
                let id = corpus.add_prepared(&Prepared::from_bytes(own)?, &provenance)?.id();
                // The same content may be in several files; it is cut once.
                if !new.remove(&id) {
                    continue;
                }
                if let Some(cuts) = &told.cuts {
                    let cutting = corpus.put_cuts(id, &FoundCuts::from_json(cuts)?)?;
                    sum_up(corpus, id, cutting, 0)?;
                }
                rows.extend(told.uncut.clone());
            }
        }
        watch.tell("shards", count + number + 1, 2 * count)?;
    }
    Ok(rows)
}

/// Puts the takes of an entry in, and notes those that are new.
fn put_entry(
    corpus: &mut Corpus,
    entry: Entry,
    takes: &[&[u8]],
    new: &mut BTreeSet<corpus::TakeId>,
) -> Result<Value, Failure> {
    if let Some(failed) = entry.failed {
        return Ok(failed);
    }
    let mut ready = Ready { takes: Vec::new(), report: Report::default() };
    for (told, own) in entry.takes.into_iter().zip(takes) {
        let TakeEntry { source, licence, credit, history, .. } = told;
        ready.takes.push((Prepared::from_bytes(own)?, Provenance { source, licence, credit, history }));
    }
    let put = put(corpus, ready)?;
    new.extend(put.takes.iter().filter(|take| !take.already).map(|take| corpus::TakeId(take.id)));
    let mut warnings = entry.warnings;
    warnings.extend(put.warnings.into_iter().map(str::to_owned));
    Ok(json!({ "file": entry.file, "ok": true, "takes": put.takes, "warnings": warnings }))
}

/// How takes are cut where they are read, by its name.
pub fn method(name: &str, every: usize) -> Result<CutMethod, Failure> {
    match name {
        "steps" => Ok(CutMethod::Steps),
        "instants" => Ok(CutMethod::Instants),
        "beats" => Ok(CutMethod::Beats { every: every.max(1) }),
        _ => Err(Failure::usage(&codes::SETTINGS, format!("there is no method {name:?} to cut by"))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::corpus::Corpus;
    use crate::cuts::{By, segment};
    use crate::examples::walk::{WalkSettings, walk};
    use crate::formats::bvh::{self, BvhOptions};
    use crate::intake::add;

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
        let errand =
            |file: &PathBuf| Errand { files: vec![file.clone()], sources: vec![file.display().to_string()] };
        let errands: Vec<Errand> = files.iter().map(errand).collect();
        let wish = Wish { licence: "CC0-1.0".into(), ..Wish::default() };
        errands.chunks(each).map(|some| read(some, &wish, Some(CutMethod::Steps)).unwrap()).collect()
    }

    fn merged(path: &Path, shards: &[Vec<u8>]) -> Vec<u8> {
        let mut corpus = Corpus::create(path).unwrap();
        let rows = merge(&mut corpus, shards.len(), |i| Ok(shards[i].clone()), Watch::nobody()).unwrap();
        assert_eq!(rows.iter().filter(|row| row["ok"] == false).count(), 1);
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
        add(&mut corpus, &jobs, &wish, Watch::nobody()).unwrap();
        segment(&mut corpus, &[], &By::Method(CutMethod::Steps), None, Watch::nobody()).unwrap();
        drop(corpus);
        let one = fs::read(folder.join("one.marey")).unwrap();
        for each in [1, 4] {
            let shards = read_all(&files, each);
            assert!(shards.iter().all(|shard| is_whole(shard)));
            let many = merged(&folder.join(format!("many-{each}.marey")), &shards);
            assert!(many == one, "shards of {each} give another corpus");
        }
        let shard = &read_all(&files, 6)[0];
        for cut in [0, 7, 100, shard.len() / 2, shard.len() - 1] {
            assert!(!is_whole(&shard[..cut]));
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
