//! The overhead of Python over Rust: reading a file into arrays, and a step of a live session.

use std::fs;
use std::hint::black_box;
use std::time::Instant;

use marey_examples::playground::{PlaygroundSettings, stream};
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::ReadOptions;
use marey_formats::bvh::{self, BvhOptions};
use marey_formats::file::read_file;
use marey_motion::Take;
use marey_perform::{ADVENTURE, PerformSession, PerformSettings, Recording, World, built_in_motions};
use serde::Deserialize;

use crate::BoxError;
use crate::args::Args;
use crate::clock::race;
use crate::row::{Aim, Row};
use crate::{data, python};

/// The figures that the script prints: the best of its rounds.
#[derive(Debug, Deserialize)]
struct ScriptFigures {
    load_secs: f64,
    step_micros: f64,
}

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    measure(args).unwrap_or_else(|error| {
        eprintln!("the overhead of Python is not measured: {error}");
        Vec::new()
    })
}

fn measure(args: &Args) -> Result<Vec<Row>, BoxError> {
    let folder = data::scratch_folder()?;
    let write = |take: &Take, name: &str| {
        let path = folder.join(name);
        fs::write(&path, bvh::write(take, &BvhOptions::default()).0).map(|()| path)
    };
    let settings = WalkSettings { duration_secs: 92.0, seed: args.seed, ..WalkSettings::default() };
    let file = write(&walk(&settings)?.take, "python-walk.bvh")?;
    let performer = stream(&PlaygroundSettings { seed: args.seed, ..PlaygroundSettings::default() })?;
    let performed = write(&performer.example.take, "python-performer.bvh")?;
    let rounds = if args.quick { 3 } else { 15 };
    let mut read = || read_file(&file, &ReadOptions::default()).map_or(0, |import| import.takes().len());
    let [rust_secs] = race(rounds, [&mut read]);
    let take = read_file(&performed, &ReadOptions::default())?.into_first()?.take;
    let rust_micros = step_micros(&Recording::of_clip(take.first())?, rounds)?;
    let args = [file.display().to_string(), performed.display().to_string(), rounds.to_string()];
    let found: ScriptFigures = python::run("overhead.py", args)?;
    let megabytes = fs::metadata(&file)?.len() as f64 / 1e6;
    Ok(vec![
        Row::new("python: read a BVH into numpy", format!("{megabytes:.1} MB"), 1e3 * found.load_secs, "ms")
            .against("the Rust reader", 1e3 * rust_secs)
            .aim(Aim::RatioAtMost(1.2)),
        Row::new(
            "python: overhead of Session.step",
            "the adventure, p50",
            found.step_micros - rust_micros,
            "µs",
        )
        .against("a step in Rust", rust_micros)
        .aim(Aim::AtMost(5.0)),
    ])
}

/// The median time of a step of a performance, best of several rounds.
fn step_micros(recording: &Recording, rounds: usize) -> Result<f64, BoxError> {
    let motions = built_in_motions()?;
    let secs = (1.0 / recording.rate_hz) as f32;
    let mut best = f64::INFINITY;
    for _ in 0..rounds.max(1) {
        let world = World::from_toml(ADVENTURE)?;
        let mut session =
            PerformSession::new(world, &motions, &recording.calibration, PerformSettings::default())?;
        let mut all = Vec::new();
        for (pose, closed) in recording.poses.iter().zip(&recording.closed) {
            let start = Instant::now();
            black_box(session.step(pose.view(), *closed, secs));
            all.push(1e6 * start.elapsed().as_secs_f64());
        }
        all.sort_by(f64::total_cmp);
        best = best.min(all[all.len() / 2]);
    }
    Ok(best)
}
