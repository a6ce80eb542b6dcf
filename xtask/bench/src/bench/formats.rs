//! Reading BVH: speed on one core and on all, and memory.

use std::fs;
use std::path::PathBuf;

use marey_formats::bvh::{self, BvhSettings};
use marey_formats::{MotionFile, ReadOptions, read};
use rayon::prelude::*;

use super::peak_memory;
use crate::args::Args;
use crate::clock::race;
use crate::data::{self, File};
use crate::row::{Aim, Row};
use crate::three_js;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Some(folder) = marey_capture::folder("") {
        let folder = folder.join("cmu");
        rows.extend(readers(&data::bvh_files(&folder), &folder, args));
    }
    match generated(args) {
        Ok(path) => {
            rows.extend(peak_memory::row(&path));
            let bytes = fs::read(&path).unwrap_or_default();
            let file = File { name: "generated walk".into(), bytes };
            rows.extend(readers_of(&[file], "generated walk", args, None));
        }
        Err(error) => eprintln!("the generated file is not measured: {error}"),
    }
    rows
}

fn readers(files: &[File], folder: &std::path::Path, args: &Args) -> Vec<Row> {
    // three.js takes as long for a tenth of the files as the other readers take for all.
    let every_tenth: Vec<PathBuf> = files.iter().step_by(10).map(|file| folder.join(&file.name)).collect();
    let subject = format!("CMU, {} files", files.len());
    let mut rows = readers_of(files, &subject, args, Some(&every_tenth));
    rows.push(cores(files, &subject, args));
    rows
}

/// The speed of our reader and of others on one core, on the same bytes.
fn readers_of(files: &[File], subject: &str, args: &Args, for_three_js: Option<&[PathBuf]>) -> Vec<Row> {
    let rounds = if args.quick { 2 } else { 7 };
    let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
    let megabytes = bytes as f64 / 1e6;
    let settings = BvhSettings::default();
    let read_ours = |file: &File| bvh::read(&file.bytes, &settings).map_or(0, |read| read.take.frames());
    let frames: usize = files.iter().map(read_ours).sum();

    let options = ReadOptions::default();
    let read_detected = |file: &File| {
        read(&file.bytes, None, &options)
            .and_then(MotionFile::into_first)
            .map_or(0, |reading| reading.take.frames())
    };
    let [ours, peer, plain, whole] = race(
        rounds,
        [
            &mut || files.iter().map(read_ours).sum(),
            &mut || files.iter().map(|file| with_bvh_anim(&file.bytes)).sum(),
            &mut || files.iter().map(|file| with_split_and_parse(&file.bytes)).sum(),
            &mut || files.iter().map(read_detected).sum(),
        ],
    );

    let speed = |secs: f64| megabytes / secs;
    let mut rows = vec![
        Row::new("read BVH, one core", subject, speed(ours), "MB/s")
            .against("bvh_anim", speed(peer))
            .aim(Aim::RatioAtLeast(6.0)),
        Row::new("read BVH, one core", subject, frames as f64 / ours, "frames/s")
            .against("bvh_anim", frames as f64 / peer),
        Row::new("read BVH, one core", subject, speed(ours), "MB/s")
            .against("split and parse into f32", speed(plain)),
        Row::new("read BVH and detect conventions", subject, speed(whole), "MB/s")
            .against("bvh_anim", speed(peer)),
    ];
    if let Some(reading) = for_three_js.and_then(|files| three_js::read(files, rounds.min(3))) {
        let theirs = reading.bytes as f64 / 1e6 / reading.secs;
        rows.push(
            Row::new("read BVH, one core", subject, speed(ours), "MB/s")
                .against("three.js BVHLoader, Node", theirs),
        );
        let theirs = reading.frames as f64 / reading.secs;
        rows.push(
            Row::new("read BVH, one core", subject, frames as f64 / ours, "frames/s")
                .against("three.js BVHLoader, Node", theirs),
        );
    }
    rows
}

/// The speed on all cores and on one, with everything that opening a folder does.
fn cores(files: &[File], subject: &str, args: &Args) -> Row {
    let options = ReadOptions::default();
    let megabytes = files.iter().map(|file| file.bytes.len()).sum::<usize>() as f64 / 1e6;
    let rounds = if args.quick { 1 } else { 5 };
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
    let read_all = |pool: &Option<rayon::ThreadPool>| {
        let count = || {
            files.par_iter().with_max_len(1).filter(|file| read(&file.bytes, None, &options).is_ok()).count()
        };
        pool.as_ref().map_or(0, |pool| pool.install(count))
    };
    let (one, all) = (pool(1), pool(cores));
    let [slow, fast] = race(rounds, [&mut || read_all(&one), &mut || read_all(&all)]);
    // Cores of a shared machine are not always free: the aim is three quarters of each further core.
    let aim = 1.0 + 0.75 * (cores as f64 - 1.0);
    Row::new("read a folder and detect conventions", subject, megabytes / fast, "MB/s")
        .against(&format!("one of {cores} cores"), megabytes / slow)
        .aim(Aim::RatioAtLeast(aim))
}

fn with_bvh_anim(bytes: &[u8]) -> usize {
    bvh_anim::from_bytes(bytes).map_or(0, |bvh| bvh.frames().len())
}

/// Parses the table of frames into one array, line by line; skips the hierarchy.
fn with_split_and_parse(bytes: &[u8]) -> usize {
    let Ok(text) = std::str::from_utf8(bytes) else { return 0 };
    let mut values: Vec<f32> = Vec::new();
    let mut frames = 0;
    for line in text.lines().skip_while(|line| !line.starts_with("Frame Time")).skip(1) {
        values.extend(line.split_whitespace().filter_map(|word| word.parse::<f32>().ok()));
        frames += 1;
    }
    std::hint::black_box(&values);
    frames
}

/// The path of a BVH file of generated walking, which is written once for each seed: 50 MB, or 10 MB with `--quick`.
fn generated(args: &Args) -> Result<PathBuf, String> {
    let megabytes = if args.quick { 10 } else { 50 };
    let path = data::scratch_folder()
        .map_err(|error| error.to_string())?
        .join(format!("walk-{megabytes}mb-seed{}.bvh", args.seed));
    if path.is_file() {
        return Ok(path);
    }
    let settings = marey_examples::walk::WalkSettings {
        seed: args.seed,
        duration_secs: 60.0,
        rate_hz: 120.0,
        ..Default::default()
    };
    let minute = marey_examples::walk::walk(&settings).map_err(|error| error.to_string())?;
    let clip = minute.take.first().clone();
    let one =
        bvh::write(&marey_motion::Take::solo("walk", clip.clone()), &bvh::BvhOptions::default()).0.len();
    let times = (megabytes * 1_000_000_usize).div_ceil(one).max(1);
    let long = marey_motion::Clip::concat(&vec![clip; times]).map_err(|error| error.to_string())?;
    let (bytes, _) = bvh::write(&marey_motion::Take::solo("walk", long), &bvh::BvhOptions::default());
    fs::write(&path, bytes).map_err(|error| error.to_string())?;
    Ok(path)
}
