//! Building a corpus on Ray compared with the threads of one machine: equality of the results, and costs.

use std::fs;
use std::path::PathBuf;

use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::bvh::{self, BvhOptions};
use serde::Deserialize;

use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};
use crate::{data, python};

/// Number of generated walks.
const GENERATED: u64 = 160;
/// Maximum number of captured clips.
const CAPTURED: usize = 80;

/// Number of generated bouts, for labelling.
const BOUTS: u64 = 8;
/// Numbers of clips, and of nodes like this machine, for the projected costs.
const CLIPS: [f64; 3] = [1e3, 1e5, 1e7];
const NODES: [f64; 3] = [1.0, 10.0, 100.0];

/// The figures that the script prints.
#[derive(Debug, Deserialize)]
struct ScriptFigures {
    clips: usize,
    bouts: usize,
    segments: usize,
    megabytes: f64,
    /// Seconds of one process with threads: reading, and segmenting.
    add_secs: f64,
    segment_secs: f64,
    /// Seconds of all workers: reading and packing; the same with contacts, cuts and summaries.
    read_secs: f64,
    read_and_cut_secs: f64,
    /// Seconds of the coordinator alone: merging shards.
    merge_secs: f64,
    worker_megabytes: f64,
    coordinator_megabytes: f64,
    shard_megabytes: f64,
    corpus_megabytes: f64,
    row_bytes: f64,
    /// Seconds on Ray, from files to the corpus; with a node killed meanwhile.
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
        eprintln!("the cluster is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let folder = archive(args)?;
    let found: ScriptFigures = python::run("cluster.py", [folder.as_os_str()])?;
    Ok([equality(&found), overhead(&found), stages(&found), projected(&found)].concat())
}

fn nodes(found: &ScriptFigures) -> String {
    let ScriptFigures { clips, megabytes, nodes, cpus, .. } = found;
    format!("{clips} clips, {megabytes:.0} MB, {nodes} nodes with {cpus} processors in total")
}

/// Whether a cluster gives the same results as one machine.
fn equality(found: &ScriptFigures) -> Vec<Row> {
    let (nodes, pairs) = (nodes(found), found.segments * found.segments.saturating_sub(1) / 2);
    let row = |name: &str, of: String, is_equal: bool| {
        Row::new(name, of, if is_equal { 100.0 } else { 0.0 }, "%").aim(Aim::AtLeast(100.0))
    };
    vec![
        row("cluster: corpus has the same bytes as on one machine", nodes.clone(), found.equal),
        row("cluster: same bytes after a node was killed", nodes, found.equal_killed),
        row(
            "cluster: same bytes after labelling on islands",
            format!("{} bouts", found.bouts),
            found.equal_labels,
        ),
        row(
            "cluster: distances have the same bits as on one machine",
            format!("{pairs} pairs"),
            found.equal_distances,
        ),
    ]
}

/// The time on Ray compared with threads.
fn overhead(found: &ScriptFigures) -> Vec<Row> {
    let (nodes, plain) = (nodes(found), found.add_secs + found.segment_secs);
    let row = |name: &str, of: &str, ray: f64, threads: f64| {
        Row::new(name, of, ray, "s").against("threads of one process", threads)
    };
    let segments = format!("{} segments", found.segments);
    vec![
        row("cluster: from files to a segmented corpus", &nodes, found.ray_secs, plain),
        row("cluster: from files to a segmented corpus, a node killed", &nodes, found.killed_secs, plain),
        row("cluster: labelling, 2 islands", "20 generations", found.ray_label_secs, found.label_secs),
        row("cluster: distances in blocks", &segments, found.ray_distance_secs, found.distance_secs),
    ]
}

/// The cost of a clip at each stage.
fn stages(found: &ScriptFigures) -> Vec<Row> {
    let subject = format!("{} clips, {:.2} MB each", found.clips, found.megabytes / found.clips as f64);
    let each = |name: &str, value: f64, unit: &'static str| {
        Row::new(name, &subject, value / found.clips as f64, unit)
    };
    vec![
        each("cluster: read and pack a clip, one processor", 1e3 * found.read_secs, "ms"),
        each(
            "cluster: contacts, cuts and summaries of a clip, one processor",
            1e3 * (found.read_and_cut_secs - found.read_secs),
            "ms",
        ),
        each("cluster: merge a clip, coordinator", 1e3 * found.merge_secs, "ms"),
        each("cluster: size of a clip as a shard", 1e3 * found.shard_megabytes, "kB"),
        each("cluster: size of a clip in the corpus", 1e3 * found.corpus_megabytes, "kB")
            .against("its file", 1e3 * found.megabytes / found.clips as f64),
        Row::new("cluster: size of a clip's row in the result table", &subject, found.row_bytes, "bytes"),
        Row::new("cluster: peak memory of a worker", &subject, found.worker_megabytes, "MB"),
        Row::new("cluster: peak memory of the coordinator", &subject, found.coordinator_megabytes, "MB"),
    ]
}

/// The projected time of many clips on many nodes: the larger of the workers' and the coordinator's time.
fn projected(found: &ScriptFigures) -> Vec<Row> {
    let clips = found.clips as f64;
    let (work, merge) = (found.read_and_cut_secs / clips, found.merge_secs / clips);
    let mut rows = Vec::new();
    for clip_count in CLIPS {
        for nodes in NODES {
            let (workers, coordinator) =
                (clip_count * work / (nodes * found.cpus as f64), clip_count * merge);
            let subject = format!("{clip_count:.0e} clips, {nodes} nodes of {} processors", found.cpus);
            rows.push(
                Row::new(
                    "projection: from files to a segmented corpus",
                    subject,
                    workers.max(coordinator) / 3600.0,
                    "h",
                )
                .against("the coordinator alone", coordinator / 3600.0),
            );
        }
        let corpus = 1e-3 * clip_count * found.corpus_megabytes / clips;
        rows.push(
            Row::new("projection: size of the corpus", format!("{clip_count:.0e} clips"), corpus, "GB")
                .against("size of the shards", 1e-3 * clip_count * found.shard_megabytes / clips),
        );
    }
    let bound = work / merge / found.cpus as f64;
    let subject = format!("nodes of {} processors", found.cpus);
    rows.push(Row::new("projection: largest useful number of nodes", subject, bound, "nodes"));
    rows
}

/// Writes a folder of generated walks and bouts, and of captured motion if there is any.
fn archive(args: &Args) -> Result<PathBuf, BoxError> {
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
            // Spread evenly over all files.
            let step = (files.len() / captured).max(1);
            for (number, file) in files.iter().step_by(step).take(captured).enumerate() {
                fs::copy(file, folder.join(format!("captured-{number:04}.bvh")))?;
            }
        }
        None => eprintln!("the archive has no captured motion: none was found"),
    }
    Ok(folder)
}
