//! An archive read and cut on Ray, against the threads of one machine: the same corpus, and what it costs.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

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

/// What the script found.
#[derive(Debug, Deserialize)]
struct Found {
    clips: usize,
    megabytes: f64,
    /// Seconds of one process with threads: reading, and cutting.
    add_secs: f64,
    segment_secs: f64,
    /// Seconds on Ray: in all, and of that putting shards together.
    ray_secs: f64,
    merge_secs: f64,
    killed_secs: f64,
    equal: bool,
    equal_killed: bool,
    corpus_megabytes: f64,
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
    let subject = format!("{} clips, {:.0} MB", found.clips, found.megabytes);
    let plain = found.add_secs + found.segment_secs;
    let nodes = format!("{subject}, {} nodes of {} processors in all", found.nodes, found.cpus);
    let each = |secs: f64| 1e3 * secs / found.clips as f64;
    let share = |is: bool| if is { 100.0 } else { 0.0 };
    Ok(vec![
        Row::new("cluster: corpora equal to one machine's, bytes", &nodes, share(found.equal), "%")
            .aim(Aim::AtLeast(100.0)),
        Row::new("cluster: the same, a node killed", &nodes, share(found.equal_killed), "%")
            .aim(Aim::AtLeast(100.0)),
        Row::new("cluster: read, cut and merged", &nodes, found.ray_secs, "s").against("threads", plain),
        Row::new("cluster: the same, a node killed", &nodes, found.killed_secs, "s")
            .against("threads", plain),
        Row::new("cluster: merging, by the coordinator", &subject, each(found.merge_secs), "ms a clip"),
        Row::new("cluster: reading, threads of one machine", &subject, each(found.add_secs), "ms a clip"),
        Row::new("cluster: cutting, threads of one machine", &subject, each(found.segment_secs), "ms a clip"),
        Row::new("cluster: the corpus", &subject, found.corpus_megabytes, "MB")
            .against("files", found.megabytes),
    ])
}

/// A folder of generated walks, and of captured motion where it is at hand.
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
