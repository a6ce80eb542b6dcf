//! Makes a dance partner for a recorded leader.
//!
//! `cargo run -p marey --example follow_leader -- FOLDER` writes `dances.marey` and `pair.bvh`.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::corpus::{CutMethod, DetectedCuts};
use marey::examples::lindy::{self, LindySettings};
use marey::follow::{self, ControlInput, ControlKind, FollowRequest};
use marey::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-follow-leader");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from))
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join("dances.marey");
    if path.exists() {
        std::fs::remove_file(&path)?;
    }
    // The examples are dances of a couple, cut at every second beat of the music.
    let mut corpus = Corpus::create(&path)?;
    let dances = lindy::database(&LindySettings { rate_hz: 30.0, ..LindySettings::default() })?;
    let (new, examples) = dances.split_first().ok_or("there are several dances")?;
    for dance in &examples[..3] {
        let id = corpus.add(&dance.take, &Provenance::default())?.id();
        corpus.store_cuts(id, &DetectedCuts::of(&dance.take, CutMethod::Beats { every: 2 })?)?;
    }

    // Of the new dance, only the leader is given. Every segment of the examples that resembles what the leader does
    // suggests what a follower did at that moment.
    let leader =
        new.take.actors().iter().find(|actor| actor.name == "leader").ok_or("a dance has a leader")?;
    let request = FollowRequest {
        input: ControlInput::Take(Take::new("new dance", vec![leader.clone()])?),
        control: ControlKind::Actor("leader".into()),
        ..FollowRequest::default()
    };
    let outcome = follow::run(&request, &Context::with_corpus(corpus))?;

    let names: Vec<&str> = outcome.take.actors().iter().map(|actor| actor.name.as_str()).collect();
    println!("{} for {:.1} s", names.join(" and "), outcome.take.first().duration_secs());
    let output = folder.join("pair.bvh");
    std::fs::write(&output, bvh::write(&outcome.take, &BvhOptions::default()).0)?;
    println!("wrote {}", output.display());
    Ok(())
}
