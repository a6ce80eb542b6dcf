//! The salsa of CMU's library.

use marey_formats::ReadOptions;
use marey_motion::Clip;

use crate::BoxError;
use crate::data::File;

/// The folder of CMU's salsa.
pub(super) const FOLDER: &str = "salsa_60_61";

/// CMU's salsa was captured at 60 Hz, although its files state 120 Hz.
const RATE_HZ: f64 = 60.0;

/// The motion of each file, without its calibration pose, with the file's name.
pub(super) fn clips(files: Vec<File>) -> Result<Vec<(String, Clip)>, BoxError> {
    let mut clips = Vec::new();
    for file in files {
        let import = marey_formats::read(&file.bytes, Some("bvh"), &ReadOptions::default())?;
        let clip = import.take()?.first().clone().with_rate(RATE_HZ)?;
        clips.push((file.name, clip.slice(1..clip.frames())?));
    }
    Ok(clips)
}
