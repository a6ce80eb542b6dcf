//! An archive read and cut on Ray, against the threads of one machine: the same corpus, and what it costs.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::bvh::{self, BvhOptions};
use serde::Deserialize;

use crate::args::Args;
use crate::row::{Aim, Row};
use crate::{data, python};

/// How many clips are generated; captured ones come on top.
const GENERATED: u64 = 160;
/// How many captured clips are taken at most.
const CAPTURED: usize = 80;

/// How many bouts of two are generated, to be labelled.
const BOUTS: u64 = 8;
/// How many clips, and how many nodes like this machine, the cost is worked out for.
const CLIPS: [f64; 3] = [1e3, 1e5, 1e7];
const NODES: [f64; 3] = [1.0, 10.0, 100.0];

/// What the script found.
#[derive(Debug, Deserialize)]
struct Found {
    clips: usize,
    bouts: usize,
    segments: usize,
    megabytes: f64,
    /// Seconds of one process with threads: reading, and cutting.
    add_secs: f64,
    segment_secs: f64,
    /// Seconds of workers: reading and packing, and that with contacts, cuts and summaries.
    read_secs: f64,
    read_and_cut_secs: f64,
    /// Seconds of the coordinator alone: putting shards together.
    merge_secs: f64,
    worker_megabytes: f64,
    coordinator_megabytes: f64,
    shard_megabytes: f64,
    corpus_megabytes: f64,
    row_bytes: f64,
    /// Seconds on Ray, from files to the corpus.
    ray_secs: f64,
    killed_secs: f64,
    label_secs: f64,
    ray_label_secs: f64,
    distance_secs: f64,
    ray_distance_secs: f64,
    equal: bool,
    equal_killed: bool,
    equal_labels: bool,
    equal_distances: bool,
    cpus: usize,
    nodes: usize,
}

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, Box<dyn Error>> {
    let folder = archive(args)?;
    let found: Found = python::run("cluster.py", [folder.as_os_str()])?;
    Ok([same(&found), overhead(&found), stages(&found), projected(&found)].concat())
}

fn nodes(found: &Found) -> String {
    let Found { clips, megabytes, nodes, cpus, .. } = found;
    format!("{clips} clips, {megabytes:.0} MB, {nodes} nodes of {cpus} processors in all")
}

/// Whether many machines make what one makes.
fn same(found: &Found) -> Vec<Row> {
    let (nodes, pairs) = (nodes(found), found.segments * found.segments.saturating_sub(1) / 2);
    let row = |name: &str, of: String, is: bool| {
        Row::new(name, of, if is { 100.0 } else { 0.0 }, "%").aim(Aim::AtLeast(100.0))
    };
    vec![
        row("cluster: bytes of the corpus as one machine's", nodes.clone(), found.equal),
        row("cluster: the same, a node killed in the middle", nodes, found.equal_killed),
        row("cluster: the same, labelled on islands", format!("{} bouts", found.bouts), found.equal_labels),
        row("cluster: distances as one machine's, bits", format!("{pairs} pairs"), found.equal_distances),
    ]
}

/// What Ray costs against threads.
fn overhead(found: &Found) -> Vec<Row> {
    let (nodes, plain) = (nodes(found), found.add_secs + found.segment_secs);
    let row = |name: &str, of: &str, ray: f64, threads: f64| {
        Row::new(name, of, ray, "s").against("threads of one process", threads)
    };
    let segments = format!("{} segments", found.segments);
    vec![
        row("cluster: files to a cut corpus", &nodes, found.ray_secs, plain),
        row("cluster: the same, a node killed in the middle", &nodes, found.killed_secs, plain),
        row("cluster: labelling, 2 islands", "20 generations", found.ray_label_secs, found.label_secs),
        row("cluster: distances in blocks", &segments, found.ray_distance_secs, found.distance_secs),
    ]
}

/// What a clip costs at each stage.
fn stages(found: &Found) -> Vec<Row> {
    let subject = format!("{} clips, {:.2} MB each", found.clips, found.megabytes / found.clips as f64);
    let each = |name: &str, value: f64, unit: &'static str| {
        Row::new(name, &subject, value / found.clips as f64, unit)
    };
    vec![
        each("cluster: a clip read and packed, one processor", 1e3 * found.read_secs, "ms"),
        each(
            "cluster: a clip's contacts, cuts, summaries, one processor",
            1e3 * (found.read_and_cut_secs - found.read_secs),
            "ms",
        ),
        each("cluster: a clip put in, by the coordinator", 1e3 * found.merge_secs, "ms"),
        each("cluster: a clip as a shard", 1e3 * found.shard_megabytes, "kB"),
        each("cluster: a clip in the corpus", 1e3 * found.corpus_megabytes, "kB")
            .against("its file", 1e3 * found.megabytes / found.clips as f64),
        Row::new("cluster: a clip's row in the table of results", &subject, found.row_bytes, "bytes"),
        Row::new("cluster: the most memory of a worker", &subject, found.worker_megabytes, "MB"),
        Row::new("cluster: the most memory of the coordinator", &subject, found.coordinator_megabytes, "MB"),
    ]
}

/// How long many clips would take on many nodes: who is slower, all workers together or the coordinator.
fn projected(found: &Found) -> Vec<Row> {
    let clips = found.clips as f64;
    let (work, put) = (found.read_and_cut_secs / clips, found.merge_secs / clips);
    let mut rows = Vec::new();
    for many in CLIPS {
        for nodes in NODES {
            let (workers, coordinator) = (many * work / (nodes * found.cpus as f64), many * put);
            let subject = format!("{many:.0e} clips, {nodes} nodes of {} processors", found.cpus);
            rows.push(
                Row::new(
                    "projection: files to a cut corpus",
                    subject,
                    workers.max(coordinator) / 3600.0,
                    "h",
                )
                .against("the coordinator alone", coordinator / 3600.0),
            );
        }
        let corpus = 1e-3 * many * found.corpus_megabytes / clips;
        rows.push(
            Row::new("projection: the corpus", format!("{many:.0e} clips"), corpus, "GB")
                .against("shards beside it", 1e-3 * many * found.shard_megabytes / clips),
        );
    }
    let bound = work / put / found.cpus as f64;
    let subject = format!("nodes of {} processors", found.cpus);
    rows.push(Row::new("projection: more nodes than this gain nothing", subject, bound, "nodes"));
    rows
}

/// A folder of generated walks and bouts, and of captured motion where it is at hand.
fn archive(args: &Args) -> Result<PathBuf, Box<dyn Error>> {
    let folder = data::scratch_folder()?.join(format!("cluster-{}-{}", args.seed, args.quick));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let (generated, captured) = if args.quick { (24, 8) } else { (GENERATED, CAPTURED) };
    for number in 0..generated {
        let seed = args.seed.wrapping_mul(1000) + number;
        let settings = WalkSettings { duration_secs: 20.0, rate_hz: 60.0, seed, ..WalkSettings::default() };
        let (bytes, _) = bvh::write(&walk(&settings)?.take, &BvhOptions::default());
        fs::write(folder.join(format!("walk-{number:04}.bvh")), bytes)?;
    }
    for number in 0..if args.quick { 2 } else { BOUTS } {
        let seed = args.seed.wrapping_mul(1000) + number;
        let settings =
            TaekwondoSettings { duration_secs: 20.0, rate_hz: 60.0, seed, ..TaekwondoSettings::default() };
        let (bytes, _) = bvh::write(&taekwondo(&settings)?.take, &BvhOptions::default());
        fs::write(folder.join(format!("bout-{number:04}.bvh")), bytes)?;
    }
    match marey_capture::folder("") {
        Some(real) => {
            let files = marey_capture::files(&real, "bvh");
            // Spread over the whole of what is there.
            let step = (files.len() / captured).max(1);
            for (number, file) in files.iter().step_by(step).take(captured).enumerate() {
                fs::copy(file, folder.join(format!("captured-{number:04}.bvh")))?;
            }
        }
        None => eprintln!("captured motion is left out: it is not at hand"),
    }
    Ok(folder)
}
