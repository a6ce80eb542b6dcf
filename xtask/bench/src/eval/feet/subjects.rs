//! The captured subjects.

use std::fs;
use std::path::{Path, PathBuf};

use marey_capture::{Half, files_of_half};

use crate::BoxError;

/// Takes of one subject, or of several that do the same.
pub(super) struct Subject {
    pub(super) name: &'static str,
    folder: &'static str,
    /// How the names of its files begin.
    prefixes: &'static [&'static str],
    pub(super) metres_per_unit: f64,
    /// 1 if frame 0 is a calibration pose.
    pub(super) first_frame: usize,
    /// The rate of the capture, if its files state another.
    captured_hz: Option<f64>,
    pub(super) is_quick: bool,
}

/// Metres per unit of CMU's files.
const CMU: f64 = 0.056444;

const fn cmu(
    name: &'static str,
    folder: &'static str,
    prefixes: &'static [&'static str],
    is_quick: bool,
) -> Subject {
    Subject { name, folder, prefixes, metres_per_unit: CMU, first_frame: 1, captured_hz: None, is_quick }
}

const fn bandai(name: &'static str, prefixes: &'static [&'static str], is_quick: bool) -> Subject {
    let folder = "bandai";
    Subject { name, folder, prefixes, metres_per_unit: 0.01, first_frame: 0, captured_hz: None, is_quick }
}

pub(super) const ALL: &[Subject] = &[
    cmu("walks 07, 08", "cmu/walk_path", &["07_", "08_"], false),
    cmu("walks 16", "cmu/walk_path", &["16_"], true),
    cmu("walks 35", "cmu/walk_path", &["35_"], true),
    cmu("walks 69", "cmu/walk_path", &["69_"], true),
    cmu("walks 104", "cmu/walk_path", &["104_"], false),
    cmu("styles 91", "cmu/walk_styles", &["91_"], false),
    bandai("Bandai 1, styles", &["dataset-1_walk"], true),
    bandai("Bandai 2, turns", &["dataset-2_walk"], false),
    // The files state 120 Hz.
    Subject { captured_hz: Some(60.0), ..cmu("salsa 60", "cmu/salsa_60_61", &["60_"], false) },
    cmu("uneven terrain", "cmu/uneven_terrain", &["03_", "36_"], false),
];

impl Subject {
    /// Its files of one half of the folder, sorted. Files that state a wrong rate are corrected in copies in `scratch`.
    pub(super) fn files(&self, data: &Path, half: Half, scratch: &Path) -> Result<Vec<PathBuf>, BoxError> {
        let mut files = files_of_half(&data.join(self.folder), "bvh", half);
        files.retain(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            self.prefixes.iter().any(|prefix| name.starts_with(prefix))
        });
        let Some(captured_hz) = self.captured_hz else { return Ok(files) };
        let sources = scratch.join("sources");
        fs::create_dir_all(&sources)?;
        let correct = |file: PathBuf| {
            let copy = sources.join(file.file_name().unwrap_or_default());
            fs::write(&copy, with_rate(&fs::read_to_string(file)?, captured_hz))?;
            Ok(copy)
        };
        files.into_iter().map(correct).collect()
    }

    /// Its name as part of a file name.
    pub(super) fn slug(&self) -> String {
        let words = self.name.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
    }
}

/// The text of a BVH file with another rate.
fn with_rate(bvh: &str, rate_hz: f64) -> String {
    let line = |line: &str| match line.trim_start().starts_with("Frame Time:") {
        true => format!("Frame Time: {}", 1.0 / rate_hz),
        false => line.to_owned(),
    };
    bvh.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_rate_is_replaced() {
        let bvh = "MOTION\r\nFrames: 2\r\nFrame Time: .0083333\r\n1 2\r\n3 4\r\n";
        assert_eq!(with_rate(bvh, 50.0), "MOTION\nFrames: 2\nFrame Time: 0.02\n1 2\n3 4\n");
    }
}
