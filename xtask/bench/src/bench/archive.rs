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

/// The duration of one walk, in seconds.
const WALK_SECS: f64 = 6.0;
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
    let corpus = cache.join("archive.marey");
    let words = |words: &[&Path]| words.iter().map(|word| word.to_path_buf()).collect::<Vec<PathBuf>>();
    let new: [&Path; 3] = ["corpus".as_ref(), "new".as_ref(), &corpus];
    marey_command::run(words(&new), &cache)?;
    let add: [&Path; 4] = ["corpus".as_ref(), "add".as_ref(), &corpus, &folder];
    let import = marey_command::run(words(&add), &cache)?;
    let output = cache.join("out.bvh");
    let follow: [&Path; 6] = ["follow".as_ref(), &folder, &path, "-o".as_ref(), &output, "--force".as_ref()];
    let first = marey_command::run(words(&follow), &cache)?;
    let second = marey_command::run(words(&follow), &cache)?;
    let removed = folder.join("walk-0001.bvh");
    let aside = cache.join("walk-0001.bvh");
    fs::rename(&removed, &aside)?;
    let changed = marey_command::run(words(&follow), &cache);
    fs::rename(&aside, &removed)?;
    let changed = changed?;
    let subject = format!("{takes} generated takes, {:.0} MB", bytes as f64 / 1e6);
    // Processor time, because other programs may use the machine at the same time.
    let cpu_secs = if import.cpu_secs > 0.0 { import.cpu_secs } else { import.secs };
    let speed = bytes as f64 / 1e6 / cpu_secs;
    let secs = |name: &str, secs: f64| Row::new(name, &subject, secs, "s");
    let peak =
        |name: &str, bytes: u64| Row::new(name, &subject, bytes as f64 / 1e6, "MB").aim(Aim::AtMost(1000.0));
    let rows = vec![
        Row::new("archive: import, per core", &subject, speed, "MB/s").aim(Aim::AtLeast(100.0)),
        secs("archive: first follow from the folder", first.secs),
        secs("archive: second follow from the folder", second.secs),
        secs("archive: follow after one file was removed", changed.secs),
        peak("archive: peak memory of import", import.peak_bytes),
        peak("archive: peak memory of the first follow", first.peak_bytes),
        peak("archive: peak memory of the second follow", second.peak_bytes),
    ];
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
