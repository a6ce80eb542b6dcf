//! Walks along a drawn path, with the steps of a recorded walk.
//!
//! `cargo run -p marey --example follow_path -- FOLDER` writes `walks.marey`, `walk.bvh` and `plan.json`.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::corpus::{CutMethod, DetectedCuts};
use marey::examples::walk::{WalkSettings, walk};
use marey::follow::{self, ControlInput, FollowRequest};
use marey::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-follow-path");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from))
}

/// Part of a circle of 4 m at 1.2 m/s, as x and z on the floor, ten points per second.
pub(crate) fn curve() -> ControlInput {
    let points = (0..=60).map(|i| 0.03 * i as f32).map(|turn| [4.0 - 4.0 * turn.cos(), 4.0 * turn.sin()]);
    ControlInput::Path { points: points.collect(), rate_hz: Some(10.0) }
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    // Examples come from a corpus: a file of takes that are cut into segments, here into steps.
    let path = folder.join("walks.marey");
    if path.exists() {
        std::fs::remove_file(&path)?;
    }
    let mut corpus = Corpus::create(&path)?;
    let walk = walk(&WalkSettings { duration_secs: 40.0, rate_hz: 30.0, ..WalkSettings::default() })?;
    let id = corpus.add(&walk.take, &Provenance::default())?.id();
    corpus.store_cuts(id, &DetectedCuts::of(&walk.take, CutMethod::Steps)?)?;

    let request = FollowRequest { input: curve(), ..FollowRequest::default() };
    let outcome = follow::run(&request, &Context::with_corpus(corpus))?;

    let pieces = &outcome.details.interpretation.pieces;
    println!("{} frames made of {} segments", outcome.take.frames(), pieces.len());
    let output = folder.join("walk.bvh");
    std::fs::write(&output, bvh::write(&outcome.take, &BvhOptions::default()).0)?;
    // The plan lists which segment plays when and where. It can be edited; `marey realise` turns it into motion again.
    if let Some(plan) = &outcome.plan {
        std::fs::write(folder.join("plan.json"), plan.to_json()?)?;
    }
    println!("wrote {}", output.display());
    Ok(())
}
