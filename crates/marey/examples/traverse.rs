//! Lets a lamp hop over terrain that it has never crossed.
//!
//! `cargo run -p marey --example traverse -- FOLDER` writes `lamp.marey` and `crossing.bvh`.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::examples::luxo::{self, LuxoSettings};
use marey::motion::Vec2;
use marey::prelude::*;
use marey::traverse::{self, TraverseRequest};

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-traverse");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from))
}

/// A step of 5 cm up, a gap of 8 cm, and a gentle slope down, in profile.
pub(crate) fn terrain() -> Result<Terrain, Box<dyn Error>> {
    let piece = |points: &[[f32; 2]]| points.iter().copied().map(Vec2::from).collect();
    let ledge = piece(&[[-0.5, 0.0], [1.0, 0.0], [1.0, 0.05], [2.0, 0.05]]);
    let slope = piece(&[[2.08, 0.05], [3.5, 0.0]]);
    Ok(Terrain::new(vec![ledge, slope])?)
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join("lamp.marey");
    if path.exists() {
        std::fs::remove_file(&path)?;
    }
    // The examples: the hops of a lamp over two other terrains.
    let mut corpus = Corpus::create(&path)?;
    for crossing in luxo::datasets(&LuxoSettings::default())? {
        corpus.add(&crossing.example.take, &Provenance::default())?;
    }

    // `traverse` picks the hop that fits the terrain ahead, and bends it so that it lands exactly on the ground.
    let request = TraverseRequest { terrain: terrain()?, ..TraverseRequest::default() };
    let outcome = traverse::run(&request, &Context::with_corpus(corpus))?;

    let details = &outcome.details;
    println!("{} hops of {:.2} m on average", details.hops(), details.mean_length_m());
    let output = folder.join("crossing.bvh");
    std::fs::write(&output, bvh::write(&outcome.take, &BvhOptions::default()).0)?;
    println!("wrote {}", output.display());
    Ok(())
}
