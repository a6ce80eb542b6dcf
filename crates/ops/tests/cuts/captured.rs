//! Access to captured motion.

use std::path::Path;

use marey_capture::bytes;
use marey_formats::{ReadOptions, read};
use marey_motion::Clip;

/// A clip without its calibration pose.
pub(crate) fn open(path: &Path) -> Clip {
    let clip = read(&bytes(path), None, &ReadOptions::default()).unwrap().take().unwrap().first().clone();
    clip.slice(1..clip.frames()).unwrap()
}
