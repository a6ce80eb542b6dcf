//! Makes the motion from one pose to another, in the style of recorded motion.
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

    // The style is a graph of how each joint moves in the recordings. The result is the likeliest path through it.
    let request = TweenRequest {
        training: vec![walk.clone()],
        from: PoseSelector::Frame(walk.clone(), Some(100)),
        to: PoseSelector::Frame(walk, Some(400)),
        ..TweenRequest::default()
    };
    let outcome = tween::run(&request, &Context::new())?;

    let details = &outcome.details;
    let optimality = if details.is_optimal { "the likeliest path" } else { "the likeliest path found" };
    println!("{} steps, {:.0} nats: {optimality}", details.steps, details.neg_log_likelihood);
    let output = folder.join("between.bvh");
    std::fs::write(&output, bvh::write(&outcome.take, &BvhOptions::default()).0)?;
    println!("wrote {}", output.display());
    Ok(())
}
