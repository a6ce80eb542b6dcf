//! Converts motion: another frame rate, mirrored, and as a GLB file that game engines and Blender read.
//!
//! `cargo run -p marey --example convert -- FOLDER` writes `walk.bvh` and `mirrored.glb`.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::examples::walk::{WalkSettings, walk};
use marey::formats::{self, Format};
use marey::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let temporary = || std::env::temp_dir().join("marey-convert");
    run(&std::env::args_os().nth(1).map_or_else(temporary, PathBuf::from))
}

pub(crate) fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let original = folder.join("walk.bvh");
    let walk = walk(&WalkSettings { duration_secs: 6.0, rate_hz: 60.0, ..WalkSettings::default() })?;
    std::fs::write(&original, bvh::write(&walk.take, &BvhOptions::default()).0)?;

    // Operations on a clip return a new clip, so they can be chained.
    let file = read_file(&original, &ReadOptions::default())?;
    let clip = file.take()?.first().resampled(24.0)?.mirrored();

    let options = WriteOptions::for_format(Format::Glb).ok_or("GLB can be written")?;
    let (bytes, report) = formats::write(&Take::solo("mirrored", clip), &options)?;
    // The report lists what the format cannot represent.
    for code in report.codes() {
        println!("warning: {code}");
    }
    let converted = folder.join("mirrored.glb");
    std::fs::write(&converted, &bytes)?;
    println!("wrote {} ({} bytes)", converted.display(), bytes.len());
    Ok(())
}
