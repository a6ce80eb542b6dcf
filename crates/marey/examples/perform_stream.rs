//! Drives a character in a physical world with a stream of markers, as a motion capture system sends it.
//!
//! `cargo run -p marey --example perform_stream -- FOLDER` writes `hero.bvh` and `performer.json`.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use marey::perform::{MarkerLines, MarkerPerformer, WorldFile, perform};
use marey::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-perform-stream");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from))
}

/// Three seconds of a performer who stands and then sways: one line of JSON per frame, 50 per second.
fn stream() -> String {
    let mut lines = String::new();
    for frame in 0..150 {
        let sway_m = if frame < 60 { 0.0 } else { 0.1 * (0.1 * f64::from(frame - 60)).sin() };
        let points = format!(
            r#"{{"Hips": [{sway_m}, 0.94, 0], "LeftHand": [0.3, 0.85, 0], "RightHand": [-0.3, 0.85, 0],
               "LeftFoot": [0.1, 0.07, 0], "RightFoot": [-0.1, 0.07, 0]}}"#
        );
        // Writing to a string cannot fail.
        let _ = writeln!(lines, r#"{{"secs": 0.02, "points": {}}}"#, points.replace('\n', ""));
    }
    lines
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    // Any reader will do: a socket, the standard input, or bytes in memory as here.
    let stream = stream();
    let mut lines = MarkerLines::new(stream.as_bytes(), "markers");
    let performer = MarkerPerformer::new(|| lines.read())?;

    // The first frames measure the performer. The world is the one that comes with Marey.
    let outcome = perform(WorldFile::adventure()?, Box::new(performer), &Context::new())?;

    for event in &outcome.details.events {
        println!("frame {}: holds {:?}", event.frame, event.holds);
    }
    let output = folder.join("hero.bvh");
    std::fs::write(&output, bvh::write(&outcome.take, &BvhOptions::default()).0)?;
    // `perform` makes no plan. It records its input instead: performing the recording gives the same motion.
    let recording = outcome.details.recording.to_text();
    std::fs::write(folder.join("performer.json"), recording)?;
    println!("wrote {}", output.display());
    Ok(())
}
