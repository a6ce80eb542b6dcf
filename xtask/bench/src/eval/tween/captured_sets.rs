//! Captured sets of one person each, for gaps.

use std::path::Path;

use marey_capture::{Half, deal, files};
use marey_formats::ReadOptions;
use marey_motion::Clip;
use marey_ops::floor::estimate;

use crate::BoxError;

/// Frame rate of the gaps, as is common.
pub(super) const RATE_HZ: f64 = 30.0;

/// A set: name, folder, start of its files' names, true rate if the files state a wrong one, whether frame 0 is a calibration pose.
type SetSource = (&'static str, &'static str, &'static str, Option<f64>, bool);

const SETS: [SetSource; 8] = [
    ("walks 16", "cmu/walk_path", "16_", None, true),
    ("walks 69", "cmu/walk_path", "69_", None, true),
    ("salsa 60", "cmu/salsa_60_61", "60_", Some(60.0), true),
    ("salsa 61", "cmu/salsa_60_61", "61_", Some(60.0), true),
    ("dance 05", "cmu/dance_gymnastics", "05_", None, true),
    ("dance 49", "cmu/dance_gymnastics", "49_", None, true),
    ("walk styles 91", "cmu/walk_styles", "91_", None, true),
    ("Bandai", "bandai", "", None, false),
];

/// The takes of one person, at [`RATE_HZ`], on the floor.
pub(super) struct CapturedSet {
    pub(super) name: &'static str,
    pub(super) takes: Vec<(Clip, Half)>,
}

/// Every set that the folder of captured motion has.
pub(super) fn captured_sets(folder: &Path) -> Result<Vec<CapturedSet>, BoxError> {
    let mut sets = Vec::new();
    for (name, subfolder, prefix, rate_hz, has_calibration) in SETS {
        let folder = folder.join(subfolder);
        if !folder.is_dir() {
            continue;
        }
        let all = files(&folder, "bvh");
        let mut takes: Vec<(Clip, Half)> = Vec::new();
        for (file, half) in all.iter().zip(deal(&all)) {
            if !file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)) {
                continue;
            }
            let import = marey_formats::read(&std::fs::read(file)?, Some("bvh"), &ReadOptions::default())?;
            let mut clip = import.take()?.first().clone();
            if let Some(rate_hz) = rate_hz {
                clip = clip.with_rate(rate_hz)?;
            }
            clip = clip.slice(usize::from(has_calibration)..clip.frames())?;
            clip = clip.lifted(-estimate(&clip).height_m)?.resampled(RATE_HZ)?;
            if let Some((first, _)) = takes.first() {
                clip = clip.with_skeleton(first.skeleton().clone())?;
            }
            takes.push((clip, half));
        }
        sets.push(CapturedSet { name, takes });
    }
    Ok(sets)
}
