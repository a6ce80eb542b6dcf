//! Makes motion from one pose to another, as near as possible to what the recorded person does.
//!
//! `cargo run -p marey --example tween -- FOLDER` writes `walk.bvh` and `between.bvh`.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::examples::walk::{WalkSettings, walk};
use marey::prelude::*;
use marey::tween::{self, PoseSelector, TweenRequest};

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-tween");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from))
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let walk = walk(&WalkSettings { duration_secs: 20.0, rate_hz: 30.0, ..WalkSettings::default() })?.take;
    std::fs::write(folder.join("walk.bvh"), bvh::write(&walk, &BvhOptions::default()).0)?;

    // A regression on similar gaps of the recordings.
    let request = TweenRequest {
        training: vec![walk.clone()],
        gap_only: true,
        ..TweenRequest::between(
            PoseSelector::Frame(walk.clone(), Some(100)),
            PoseSelector::Frame(walk, Some(400)),
        )
    };
    let outcome = tween::run(&request, &Context::new())?;

    for gap in &outcome.details.gaps {
        let distance = gap.distance.unwrap_or_default();
        println!(
            "{} frames, {distance:.1} times as far as the recordings from each other",
            gap.end - gap.start + 1
        );
    }
    let output = folder.join("between.bvh");
    std::fs::write(&output, bvh::write(&outcome.take, &BvhOptions::default()).0)?;
    println!("wrote {}", output.display());
    Ok(())
}
