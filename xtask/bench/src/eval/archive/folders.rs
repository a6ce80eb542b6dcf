//! The captured folders.

use std::fs;
use std::path::{Path, PathBuf};

use marey_capture::{Half, files_of_half};
use marey_formats::ReadOptions;
use marey_formats::file::read_file;
use marey_measure::travel::mean_speed_mps;

use crate::eval::feet::ruler::median;

/// Metres per unit of CMU's files.
const CMU: f64 = 0.056444;

/// The files of one half of a folder.
pub(super) struct CapturedFolder {
    /// Its path below the captured motion.
    pub(super) name: String,
    pub(super) files: Vec<PathBuf>,
    pub(super) metres_per_unit: f64,
    /// 1 if frame 0 is a calibration pose.
    pub(super) first_frame: usize,
}

/// Every folder of CMU's and Bandai's that holds BVH files, sorted by name.
pub(super) fn all(data: &Path, half: Half) -> Vec<CapturedFolder> {
    let mut folders = vec![data.join("bandai")];
    let cmu = fs::read_dir(data.join("cmu")).into_iter().flatten().flatten().map(|entry| entry.path());
    folders.extend(cmu);
    folders.retain(|folder| has_motion(folder));
    folders.sort();
    let folder = |folder: PathBuf| {
        let is_cmu = folder.starts_with(data.join("cmu"));
        CapturedFolder {
            name: folder.strip_prefix(data).unwrap_or(&folder).display().to_string(),
            files: files_of_half(&folder, "bvh", half),
            metres_per_unit: if is_cmu { CMU } else { 0.01 },
            first_frame: usize::from(is_cmu),
        }
    };
    folders.into_iter().map(folder).filter(|folder| !folder.files.is_empty()).collect()
}

impl CapturedFolder {
    /// The name as part of a file name.
    pub(super) fn slug(&self) -> String {
        self.name.replace(['/', '\\'], "-")
    }

    /// The median speed of its takes, but no slower than a stroll and no faster than a jog: people who stand or climb have to
    /// walk too.
    pub(super) fn speed_mps(&self) -> f64 {
        let speed = |file: &PathBuf| {
            let take = read_file(file, &ReadOptions::default()).ok()?.into_first().ok()?.take;
            Some(f64::from(mean_speed_mps(take.first())))
        };
        median(self.files.iter().filter_map(speed).collect()).clamp(0.6, 2.5)
    }
}

/// Whether a folder holds BVH files.
fn has_motion(folder: &Path) -> bool {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .any(|entry| entry.path().extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bvh")))
}
