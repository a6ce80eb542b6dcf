//! Reads a motion file: the figures in it, how its numbers were understood, and where joints are.
//!
//! `cargo run -p marey --example read -- FOLDER` writes `walk.bvh` and reads it again.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::examples::walk::{WalkSettings, walk};
use marey::motion::WorldPose;
use marey::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-read");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from))
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join("walk.bvh");
    let walk = walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() })?;
    std::fs::write(&path, bvh::write(&walk.take, &BvhOptions::default()).0)?;

    // Marey detects the format by the content of a file. It converts every file to metres, with Y up.
    let file = read_file(&path, &ReadOptions::default())?;
    let take = file.take()?;
    println!("{}: {} frames at {} Hz", path.display(), take.frames(), take.rate_hz());
    for warning in file.report.codes() {
        println!("warning: {warning}");
    }

    // A take has one or more actors, and each has a clip: a skeleton, and a pose for every frame.
    let clip = take.first();
    let skeleton = clip.skeleton();
    println!("{} joints, the first is {:?}", skeleton.len(), skeleton.joints()[0].name);

    // A clip stores how joints are rotated. Forward kinematics gives their positions, also between two frames.
    let halfway = clip.sample(clip.duration_secs() / 2.0);
    let world = WorldPose::of(skeleton, halfway.view());
    // Joints have different names in every archive. Roles are the same in all of them.
    let head = skeleton.require(Role::Head)?;
    println!("after {:.1} s the head is at {:.2} m", clip.duration_secs() / 2.0, world.positions[head]);
    Ok(())
}
