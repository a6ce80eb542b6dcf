//! A large folder of motion files, through the command: from files to motion, and once more.

use std::fs;
use std::path::{Path, PathBuf};

use marey_body::BodyProportions;
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::bvh::{self, BvhOptions};
use rayon::prelude::*;

use crate::args::Args;
use crate::row::{Aim, Row};
use crate::{BoxError, data, marey_command};

/// The duration of one walk, in seconds: 2,500 of them are as large as the BVH files of CMU, 3.5 GB.
const WALK_SECS: f64 = 16.0;
const RATE_HZ: f64 = 120.0;
/// The number of people in the archive.
const PEOPLE: u64 = 12;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("the archive is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let takes = if args.quick { 100 } else { 2500 };
    let folder = generate(takes, args.seed)?;
    let cache = data::scratch_folder()?.join("archive-cache");
    if cache.exists() {
        fs::remove_dir_all(&cache)?;
    }
    fs::create_dir_all(&cache)?;
    let bytes: u64 =
        fs::read_dir(&folder)?.flatten().filter_map(|entry| Some(entry.metadata().ok()?.len())).sum();
    let path = cache.join("path.csv");
    fs::write(&path, "t,x,z\n0,0,0\n2,0,2.4\n4,0.8,4.6\n6,2.4,6\n")?;
    // Not in the cache folder, from which corpora that nobody made of files are removed.
    let corpus = data::scratch_folder()?.join(format!("archive-{takes}.marey"));
    if corpus.exists() {
        fs::remove_file(&corpus)?;
    }
    let run = |words: &[&Path]| marey_command::run(words, &cache);
    run(&["corpus".as_ref(), "new".as_ref(), &corpus])?;
    let import = run(&["corpus".as_ref(), "add".as_ref(), &corpus, &folder])?;
    let output = cache.join("out.bvh");
    let follow: [&Path; 6] = ["follow".as_ref(), &folder, &path, "-o".as_ref(), &output, "--force".as_ref()];
    let first = run(&follow)?;
    let second = run(&follow)?;
    let removed = folder.join("walk-0001.bvh");
    let aside = cache.join("walk-0001.bvh");
    fs::rename(&removed, &aside)?;
    let changed = run(&follow);
    fs::rename(&aside, &removed)?;
    let changed = changed?;
    let floor = cache.join("floor.json");
    fs::write(&floor, r#"{"pieces": [[[0, 0], [6, 0]]]}"#)?;
    let out: [&Path; 3] = ["-o".as_ref(), &output, "--force".as_ref()];
    let others: Vec<(&str, Vec<&Path>)> = vec![
        ("corpus ls", vec!["corpus".as_ref(), "ls".as_ref(), &corpus]),
        (
            "corpus query",
            ["corpus", "query"]
                .map(Path::new)
                .into_iter()
                .chain([corpus.as_path()])
                .chain(["--like", "walk-0000:300"].map(Path::new))
                .collect(),
        ),
        ("corpus report", vec!["corpus".as_ref(), "report".as_ref(), &corpus]),
        (
            "wander",
            [Path::new("wander"), &corpus, "--secs".as_ref(), "4".as_ref()].into_iter().chain(out).collect(),
        ),
        (
            "tween",
            [Path::new("tween"), &corpus, "walk-0000@200".as_ref(), "walk-0005@300".as_ref()]
                .into_iter()
                .chain(out)
                .collect(),
        ),
        ("traverse", [Path::new("traverse"), &corpus, &floor].into_iter().chain(out).collect()),
        (
            "vary",
            [Path::new("vary"), &corpus, "--secs".as_ref(), "20".as_ref()].into_iter().chain(out).collect(),
        ),
    ];
    let subject = format!("{takes} generated takes, {:.0} MB", bytes as f64 / 1e6);
    let secs = |name: &str, secs: f64| Row::new(&format!("archive: {name}"), &subject, secs, "s");
    let peak = |name: &str, bytes: u64| {
        let name = format!("archive: peak memory of {name}");
        Row::new(&name, &subject, bytes as f64 / 1e6, "MB").aim(Aim::AtMost(1000.0))
    };
    let megabytes = bytes as f64 / 1e6;
    // Wall time depends on what else runs; processor time much less.
    let cpu_secs = if import.cpu_secs > 0.0 { import.cpu_secs } else { import.secs };
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let mut rows = vec![
        Row::new("archive: import, per second of processor time", &subject, megabytes / cpu_secs, "MB/s")
            .aim(Aim::AtLeast(100.0)),
        Row::new(
            "archive: import, by the clock per core",
            &subject,
            megabytes / import.secs / threads,
            "MB/s",
        ),
        secs("first follow from the folder", first.secs),
        secs("second follow from the folder", second.secs),
        secs("second follow, processor time", second.cpu_secs),
        secs("follow after one file was removed", changed.secs),
        peak("import", import.peak_bytes),
        peak("the first follow", first.peak_bytes),
        peak("the second follow", second.peak_bytes),
    ];
    for (name, words) in others {
        let cost = run(&words)?;
        rows.extend([secs(name, cost.secs), peak(name, cost.peak_bytes)]);
    }
    Ok(rows.into_iter().map(Row::by_clock).collect())
}

/// A folder of generated walks of several people, which is made once for each seed.
fn generate(takes: u64, seed: u64) -> Result<PathBuf, BoxError> {
    let folder = data::scratch_folder()?.join(format!("archive-{takes}-seed{seed}"));
    fs::create_dir_all(&folder)?;
    let one = |number: u64| -> Result<(), String> {
        let file = folder.join(format!("walk-{number:04}.bvh"));
        if file.exists() {
            return Ok(());
        }
        let height_m = 1.5 + 0.03 * (number % PEOPLE) as f32;
        let settings = WalkSettings {
            seed: seed.wrapping_mul(1_000_003) + number,
            duration_secs: WALK_SECS,
            rate_hz: RATE_HZ,
            body: BodyProportions { height_m, ..BodyProportions::default() },
            ..WalkSettings::default()
        };
        let take = walk(&settings).map_err(|error| error.to_string())?.take;
        fs::write(file, bvh::write(&take, &BvhOptions::default()).0).map_err(|error| error.to_string())
    };
    (0..takes).into_par_iter().try_for_each(one)?;
    Ok(folder)
}
