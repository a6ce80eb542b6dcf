//! Captured motion to learn from.

use std::path::Path;

use marey_formats::ReadOptions;
use marey_motion::Clip;

use crate::data;

/// CMU's salsa was captured at 60 Hz, whatever its files say.
const RATE_HZ: f64 = 60.0;

/// All of CMU's salsa, both dancers, without calibration poses; each with the name of its file.
pub(super) fn clips(folder: &Path) -> Result<Vec<(String, Clip)>, Box<dyn std::error::Error>> {
    let mut clips = Vec::new();
    for file in data::bvh_files(&folder.join("salsa_60_61")) {
        let import = marey_formats::read(&file.bytes, Some("bvh"), &ReadOptions::default())?;
        let clip = import.take()?.first().clone().with_rate(RATE_HZ)?;
        clips.push((file.name, clip.slice(1..clip.frames())?));
    }
    Ok(clips)
}
