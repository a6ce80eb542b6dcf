//! The corpus: import speed, time to the first result of a large corpus, bytes per frame.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use marey_corpus::{Corpus, PreparedTake, Provenance, RemoveRequest};
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::bvh::{self, BvhOptions};
use marey_formats::{ReadOptions, read};
use marey_motion::Take;
use rayon::prelude::*;

use super::first_query;
use crate::args::Args;
use crate::clock::race;
use crate::data::{self, File};
use crate::row::{Aim, Row};

/// The duration of one walk, in seconds.
const WALK_SECS: f64 = 300.0;
const RATE_HZ: f64 = 30.0;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("the corpus is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, String> {
    let mut rows = vec![importing(&generated_files(args)?, "generated walks", args)?];
    if let Some(folder) = marey_capture::folder("") {
        let files = data::bvh_files(&folder.join("cmu"));
        rows.push(importing(&files, &format!("CMU, {} files", files.len()), args)?);
    }
    let large = large_corpus(args)?;
    rows.extend(opening(&large, args)?);
    rows.push(size(&large)?);
    rows.push(adding(&large, args)?);
    Ok(rows)
}

/// The speed from bytes in memory to takes that are flushed to the disk, on all cores and on one.
fn importing(files: &[File], subject: &str, args: &Args) -> Result<Row, String> {
    let folder = data::scratch_folder().map_err(|error| error.to_string())?;
    let path = folder.join(format!("import-{}.marey", std::process::id()));
    let megabytes = files.iter().map(|file| file.bytes.len()).sum::<usize>() as f64 / 1e6;
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let (one, all) = (pool(1).map_err(|e| e.to_string())?, pool(cores).map_err(|e| e.to_string())?);
    let import = |pool: &rayon::ThreadPool| pool.install(|| import_all(files, &path));
    let rounds = if args.quick { 1 } else { 3 };
    let [slow, fast] = race(rounds, [&mut || import(&one), &mut || import(&all)]);
    remove(&path);
    Ok(Row::new("import into a corpus, flushed to the disk", subject, megabytes / fast, "MB/s")
        .against(&format!("one of {cores} cores"), megabytes / slow))
}

/// Reads and prepares a batch of files while the batch before is written, as `marey corpus add` does.
fn import_all(files: &[File], path: &Path) -> usize {
    remove(path);
    let Ok(mut corpus) = Corpus::create(path) else { return 0 };
    let options = ReadOptions::default();
    let prepare = |files: &[File]| -> Vec<PreparedTake> {
        let one = |file: &File| {
            let import = read(&file.bytes, Some("bvh"), &options).ok()?;
            let take = Take::new(file.name.clone(), import.into_first().ok()?.take.into_actors()).ok()?;
            PreparedTake::of(&take).ok()
        };
        files.par_iter().with_max_len(1).filter_map(one).collect()
    };
    let mut windows = files.chunks(4 * rayon::current_num_threads());
    let mut ready = windows.next().map(prepare).unwrap_or_default();
    let mut count = 0;
    while !ready.is_empty() {
        let next = windows.next().unwrap_or_default();
        let (following, added) = rayon::join(
            || prepare(next),
            || ready.iter().filter(|take| corpus.add_prepared(take, &Provenance::default()).is_ok()).count(),
        );
        count += added;
        ready = following;
    }
    count
}

/// Generated walks as BVH files in memory.
fn generated_files(args: &Args) -> Result<Vec<File>, String> {
    let count = if args.quick { 4 } else { 16 };
    let one = |i: u64| {
        let settings =
            WalkSettings { seed: args.seed + i, duration_secs: 60.0, rate_hz: 120.0, ..Default::default() };
        let take = walk(&settings).map_err(|error| error.to_string())?.take;
        Ok(File { name: format!("walk{i}"), bytes: bvh::write(&take, &BvhOptions::default()).0 })
    };
    (0..count).into_par_iter().map(one).collect()
}

/// The path of a corpus of a million frames, which is created once for each seed.
fn large_corpus(args: &Args) -> Result<PathBuf, String> {
    let frames = if args.quick { 100_000 } else { 1_000_000 };
    let folder = data::scratch_folder().map_err(|error| error.to_string())?;
    let path = folder.join(format!("walks-{frames}-seed{}.marey", args.seed));
    let walks = (frames as f64 / (WALK_SECS * RATE_HZ)).ceil() as u64;
    let complete =
        |path: &Path| Corpus::open(path).ok().filter(|c| c.takes().is_ok_and(|t| t.len() as u64 == walks));
    let corpus = match complete(&path) {
        Some(corpus) => corpus,
        None => {
            remove(&path);
            let mut corpus = Corpus::create(&path).map_err(|error| error.to_string())?;
            let seeds: Vec<u64> = (0..walks).map(|i| args.seed.wrapping_mul(1_000_003) + i).collect();
            for batch in seeds.chunks(8) {
                for take in
                    batch.par_iter().map(|seed| prepared_walk(*seed)).collect::<Result<Vec<_>, _>>()?
                {
                    corpus.add_prepared(&take, &Provenance::default()).map_err(|error| error.to_string())?;
                }
            }
            corpus
        }
    };
    corpus.moments().map_err(|error| error.to_string())?;
    Ok(path)
}

/// The time to index the moments of a take that was added, beside the time to index all.
fn adding(large: &Path, args: &Args) -> Result<Row, String> {
    let path = large.with_extension("adding.marey");
    fs::copy(large, &path).map_err(|error| error.to_string())?;
    let mut corpus = Corpus::open(&path).map_err(|error| error.to_string())?;
    let index = |corpus: &Corpus| -> Result<f64, String> {
        let start = Instant::now();
        corpus.moments().map_err(|error| error.to_string())?;
        Ok(1e3 * start.elapsed().as_secs_f64())
    };
    let takes = corpus.takes().map_err(|error| error.to_string())?.len() as u64;
    let seed = args.seed.wrapping_mul(1_000_003) + takes;
    let added = corpus.add_prepared(&prepared_walk(seed)?, &Provenance::default());
    let added = added.map_err(|error| error.to_string())?.id();
    let one = index(&corpus)?;
    // A removed take takes the index with it, and leaves the features of the others.
    let removal = RemoveRequest { takes: vec![added.to_string()], ..RemoveRequest::default() };
    corpus.remove(&removal).map_err(|error| error.to_string())?;
    let all = index(&corpus)?;
    drop(corpus);
    remove(&path);
    let row = Row::new("index the moments of a take that was added", format!("to {takes} takes"), one, "ms");
    Ok(row.against("index all", all).aim(Aim::RatioAtMost(0.3)).by_clock())
}

fn prepared_walk(seed: u64) -> Result<PreparedTake, String> {
    let settings = WalkSettings { seed, duration_secs: WALK_SECS, rate_hz: RATE_HZ, ..Default::default() };
    let take = walk(&settings).map_err(|error| error.to_string())?.take;
    let take = Take::new(format!("walk{seed}"), take.into_actors()).map_err(|error| error.to_string())?;
    PreparedTake::of(&take).map_err(|error| error.to_string())
}

/// The time from a path to a result, if the operating system has the file cached.
fn opening(path: &Path, args: &Args) -> Result<Vec<Row>, String> {
    let frames: usize = {
        let corpus = Corpus::open_read_only(path).map_err(|error| error.to_string())?;
        corpus.takes().map_err(|error| error.to_string())?.iter().map(|take| take.frames).sum()
    };
    let subject = format!("{frames} frames, cached file");
    let rounds = if args.quick { 3 } else { 9 };
    let best = |work: &dyn Fn() -> Result<(), marey_corpus::CorpusError>| -> Result<f64, String> {
        let mut best = f64::INFINITY;
        for _ in 0..rounds {
            let start = Instant::now();
            work().map_err(|error| error.to_string())?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        Ok(best * 1e3)
    };
    let first_look = || {
        let corpus = Corpus::open_read_only(path)?;
        let takes = corpus.takes()?;
        let some = takes.get(takes.len() / 2).map(|take| take.id).unwrap_or(marey_corpus::TakeId(1));
        std::hint::black_box((corpus.annotations(some)?, corpus.take_range(some, 4000..4030)?));
        Ok(())
    };
    let read_all = || {
        let corpus = Corpus::open_read_only(path)?;
        for take in corpus.takes()? {
            std::hint::black_box(corpus.take(take.id)?);
        }
        Ok(())
    };
    let everything = best(&read_all)?;
    let row =
        |name, value| Row::new(name, subject.clone(), value, "ms").against("reading every frame", everything);
    let mut rows =
        vec![row("open, list the takes, read a second of one", best(&first_look)?).aim(Aim::AtMost(50.0))];
    rows.extend(first_query::rows(path, &subject, rounds)?);
    Ok(rows)
}

/// The size of the file without derived data, per frame and joint.
fn size(path: &Path) -> Result<Row, String> {
    let without_derived = path.with_extension("without-derived.marey");
    remove(&without_derived);
    fs::copy(path, &without_derived).map_err(|error| error.to_string())?;
    let mut corpus = Corpus::open(&without_derived).map_err(|error| error.to_string())?;
    corpus.forget_derived().and_then(|()| corpus.vacuum()).map_err(|error| error.to_string())?;
    let takes = corpus.takes().map_err(|error| error.to_string())?;
    drop(corpus);
    let bytes = fs::metadata(&without_derived).map_err(|error| error.to_string())?.len() as f64;
    remove(&without_derived);
    let joints = |take: &marey_corpus::TakeInfo| take.actors.iter().map(|actor| actor.joints).sum::<usize>();
    let units: usize = takes.iter().map(|take| take.frames * joints(take)).sum();
    let frames: usize = takes.iter().map(|take| take.frames).sum();
    // A quaternion for each joint and a position for the root.
    let plain_bytes = 16.0 * units as f64 + 12.0 * frames as f64;
    Ok(Row::new(
        "bytes per frame and joint, whole file",
        format!("{frames} frames"),
        bytes / units as f64,
        "B",
    )
    .against("f32 quaternions", plain_bytes / units as f64)
    .aim(Aim::AtMost(10.0)))
}

/// Removes a corpus and the files that SQLite keeps beside it.
fn remove(path: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        // The file need not exist.
        let _ = fs::remove_file(name);
    }
}
