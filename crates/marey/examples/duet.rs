//! Lets two fighters go on fighting: learns from a recorded bout and generates a new one.
//!
//! `cargo run -p marey --example duet -- FOLDER` writes `bouts.marey` and `bout.bvh`.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::duet::{self, DuetRequest};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-duet");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from))
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join("bouts.marey");
    if path.exists() {
        std::fs::remove_file(&path)?;
    }
    let mut corpus = Corpus::create(&path)?;
    let settings =
        TaekwondoSettings { seed: 4, duration_secs: 20.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    let bout = taekwondo(&settings)?;
    corpus.add(&bout.take, &Provenance::default())?;

    // The bout has no labels, so `duet` first finds the movements that the fighters repeat, then learns which movement
    // follows which, and when the two interact.
    let request = DuetRequest {
        train_on: vec![bout.take.name().to_owned()],
        secs: 6.0,
        seed: 3,
        ..DuetRequest::default()
    };
    let outcome = duet::run(&request, &Context::with_corpus(corpus))?;

    let details = &outcome.details;
    println!("{} movements, {} of them attacks", details.movements.len(), details.attacks());
    let output = folder.join("bout.bvh");
    std::fs::write(&output, bvh::write(&outcome.take, &BvhOptions::default()).0)?;
    println!("wrote {}", output.display());
    Ok(())
}
