//! Growth of time, memory and output of each verb with the size of an archive, through the command.
//!
//! Corpora of generated walks double in size, first by the number of takes, then by the length of one take. The exponent between the
//! two largest, ln(b / a) / ln 2, is 1 for work in proportion to the archive, and 2 for work on all pairs. Processor time is counted
//! in hundredths of a second, so that verbs that take less than a tenth of a second have no exponent of time.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use marey_examples::walk::{WalkSettings, walk};
use marey_formats::bvh::{self, BvhOptions};

use crate::args::Args;
use crate::marey_command::{self, CommandCost};
use crate::row::{Aim, Row};
use crate::{BoxError, data};

const MOST_GROWTH: f64 = 1.1;
/// Least processor time that has an exponent, in seconds.
const LEAST_SECS: f64 = 0.1;
/// Least memory that has an exponent, in bytes: the program itself takes less.
const LEAST_BYTES: f64 = 100e6;
const RATE_HZ: f64 = 30.0;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("growth is not measured: {error}");
        Vec::new()
    })
}

/// An archive of walks.
#[derive(Debug, Clone, Copy)]
struct Archive {
    takes: u64,
    secs: f64,
}

/// A verb: its name and its arguments. `IN` is the folder of files, `CORPUS` the corpus, `OUT` the output without its ending, `PATH` a
/// drawn path.
type Verb = (&'static str, &'static [&'static str]);

const ON_TAKES: &[Verb] = &[
    ("corpus add", &["corpus", "add", "CORPUS", "IN"]),
    ("corpus segment", &["corpus", "segment", "CORPUS", "--by", "steps"]),
    ("corpus report", &["corpus", "report", "CORPUS"]),
    ("corpus cluster, K-means", &["corpus", "cluster", "CORPUS", "--method", "kmeans"]),
    ("follow", &["follow", "CORPUS", "PATH", "-o", "OUT.bvh", "--force"]),
    ("wander", &["wander", "CORPUS", "-o", "OUT.bvh", "--secs", "10", "--force"]),
    ("tween", &["tween", "CORPUS", "walk-0000@20", "walk-0001@60", "-o", "OUT.bvh", "--gap-only", "--force"]),
    ("corpus check", &["corpus", "check", "CORPUS"]),
    ("inspect", &["inspect", "IN", "--json"]),
];

const ON_FRAMES: &[Verb] = &[
    ("corpus add", &["corpus", "add", "CORPUS", "IN"]),
    ("corpus segment", &["corpus", "segment", "CORPUS", "--by", "steps"]),
    ("convert", &["convert", "IN/walk-0000.bvh", "OUT.glb", "--force"]),
    ("check", &["check", "IN/walk-0000.bvh"]),
    ("vary", &["vary", "CORPUS", "-o", "OUT.bvh", "--plan", "OUT.json", "--force"]),
    ("realise", &["realise", "CORPUS", "OUT.json", "-o", "OUT.glb", "--force"]),
    ("follow", &["follow", "CORPUS", "PATH", "-o", "OUT.bvh", "--force"]),
    ("wander", &["wander", "CORPUS", "-o", "OUT.bvh", "--secs", "10", "--force"]),
];

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let (takes, secs) = if args.quick { (20, 60.0) } else { (100, 300.0) };
    let by_takes = [1, 2, 4].map(|n| Archive { takes: n * takes, secs: 6.0 });
    let by_frames = [1.0, 2.0, 4.0].map(|n| Archive { takes: 1, secs: n * secs });
    let mut rows = Vec::new();
    for (what, archives, verbs) in [("takes", by_takes, ON_TAKES), ("frames", by_frames, ON_FRAMES)] {
        let costs = archives.map(|archive| costs(archive, verbs));
        let [_, Ok(half), Ok(whole)] = &costs else {
            return Err(costs.into_iter().find_map(Result::err).unwrap_or_else(|| "no costs".into()));
        };
        for ((verb, (half, half_out)), (whole, whole_out)) in verbs.iter().zip(half).zip(whole) {
            rows.extend(exponents(verb.0, what, [half, whole], [*half_out, *whole_out]));
        }
    }
    Ok(rows)
}

/// The exponents of one verb.
fn exponents(verb: &str, what: &str, costs: [&CommandCost; 2], output: [u64; 2]) -> Vec<Row> {
    let row = |name: &str, [half, whole]: [f64; 2], unit: &str, least: f64| {
        let subject = format!("{verb}, twice the {what}: {half:.1} → {whole:.1} {unit}");
        let exponent = (whole / half).ln() / 2f64.ln();
        let row = Row::new(&format!("growth: {name}"), subject, exponent, "exponent");
        (half >= least).then(|| row.aim(Aim::AtMost(MOST_GROWTH)).by_clock())
    };
    let megabytes = |bytes: [f64; 2]| bytes.map(|bytes| bytes / 1e6);
    [
        row("processor time", costs.map(|cost| cost.cpu_secs), "s", LEAST_SECS),
        row("peak memory", megabytes(costs.map(|cost| cost.peak_bytes as f64)), "MB", LEAST_BYTES / 1e6),
        row("output", megabytes(output.map(|bytes| bytes as f64)), "MB", 0.01),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What each verb costs on an archive, and the size of what it wrote.
fn costs(archive: Archive, verbs: &[Verb]) -> Result<Vec<(CommandCost, u64)>, BoxError> {
    let folder = data::scratch_folder()?.join(format!("growth-{}-{}", archive.takes, archive.secs));
    let (input, work) = (folder.join("in"), folder.join("work"));
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work)?;
    generate(&input, archive)?;
    fs::write(work.join("path.csv"), "t,x,z\n0,0,0\n2,0,2.4\n4,0.8,4.6\n6,2.4,6\n")?;
    let corpus = work.join("c.marey");
    marey_command::run(["corpus".into(), "new".into(), corpus.clone().into_os_string()], &work)?;
    let mut costs = Vec::new();
    for (name, args) in verbs {
        let before = size_of(&work);
        let args = args.iter().map(|word| place(word, &input, &work, &corpus));
        let cost = marey_command::run(args, &work).map_err(|error| format!("{name}: {error}"))?;
        costs.push((cost, size_of(&work).saturating_sub(before)));
        for file in ["OUT.bvh", "OUT.glb"] {
            let _ = fs::remove_file(work.join(file));
        }
    }
    let _ = fs::remove_dir_all(&work);
    Ok(costs)
}

/// A word of a command with its places filled in.
fn place(word: &str, input: &Path, work: &Path, corpus: &Path) -> OsString {
    match word {
        "CORPUS" => corpus.into(),
        "IN" => input.into(),
        "PATH" => work.join("path.csv").into(),
        _ if word.starts_with("OUT") => work.join(word).into(),
        _ => word.strip_prefix("IN/").map_or_else(|| word.into(), |file| input.join(file).into()),
    }
}

/// Bytes of the files in a folder.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|about| about.len()).sum()
}

/// Writes generated walks, unless they are there.
fn generate(folder: &PathBuf, archive: Archive) -> Result<(), BoxError> {
    fs::create_dir_all(folder)?;
    for number in 0..archive.takes {
        let file = folder.join(format!("walk-{number:04}.bvh"));
        if !file.exists() {
            let (duration_secs, seed) = (archive.secs, number + 1);
            let settings = WalkSettings { duration_secs, seed, rate_hz: RATE_HZ, ..WalkSettings::default() };
            fs::write(file, bvh::write(&walk(&settings)?.take, &BvhOptions::default()).0)?;
        }
    }
    Ok(())
}
