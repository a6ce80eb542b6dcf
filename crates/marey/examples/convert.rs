//! Converts motion: another frame rate, mirrored, and as a GLB file that game engines and Blender read.
//!
//! `cargo run -p marey --example convert -- FOLDER` writes `walk.bvh` and `mirrored.glb`.
#![expect(clippy::print_stdout, reason = "an example prints what it did")]

use std::error::Error;
use std::path::{Path, PathBuf};

use marey::convert::{self, ConvertRequest, MotionEdit};
use marey::examples::walk::{WalkSettings, walk};
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

    // The ending of the output selects the format. A folder or a pattern converts many files at once.
    let converted = folder.join("mirrored.glb");
    let request = ConvertRequest {
        inputs: vec![original],
        output: converted.clone(),
        overwrite: true,
        edit: MotionEdit { mirror: true, resample_hz: Some(24.0), ..MotionEdit::default() },
        ..ConvertRequest::default()
    };
    for file in convert::run(&request, &Context::new())?.files {
        // A file that cannot be converted does not stop the others.
        let written = file.result?;
        // The report lists what the format cannot represent.
        for code in written.report.codes() {
            println!("warning: {code}");
        }
        println!("wrote {} ({} frames)", converted.display(), written.frames);
    }
    Ok(())
}
