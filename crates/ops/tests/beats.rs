//! Beats of dances: two who dance together keep one tempo.

use std::path::{Path, PathBuf};

use marey_formats::{ReadOptions, read};
use marey_motion::Clip;
use marey_ops::beats::{Beats, Settings, beats};

#[test]
fn real_data_couples_keep_one_tempo() {
    let Some(folder) = cmu() else { return };
    for n in ["01", "03", "05", "07", "09", "11", "13", "15"] {
        let of = |subject: &str| -> (Clip, Beats) {
            let clip = open(&folder.join(format!("salsa_60_61/{subject}_{n}.bvh")));
            let found = beats(&clip, &Settings::default()).unwrap();
            (clip, found)
        };
        let ((clip, leader), (_, follower)) = (of("60"), of("61"));
        let near = |a: &usize| follower.frames.iter().any(|b| a.abs_diff(*b) as f64 <= 0.08 * clip.rate_hz());
        let shared = leader.frames.iter().filter(|a| near(a)).count();
        println!(
            "{n}: {} Hz {:.0} s  {:.1} bpm {:.2}  {:.1} bpm {:.2}  {shared} of {} and {}",
            clip.rate_hz(),
            clip.duration_secs(),
            leader.tempo_bpm,
            leader.strength,
            follower.tempo_bpm,
            follower.strength,
            leader.frames.len(),
            follower.frames.len()
        );
    }
}

/// The folder of CMU's files: below `MAREY_DATA`, or `../shared/data` beside the project. Says so where it is not there.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn cmu() -> Option<PathBuf> {
    let told = std::env::var_os("MAREY_DATA").map(PathBuf::from);
    let data = told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"));
    let folder = data.join("cmu");
    if !folder.is_dir() {
        eprintln!("skipped: no motion capture at ../shared/data or MAREY_DATA");
        return None;
    }
    Some(folder)
}

/// A clip without its calibration pose.
fn open(path: &Path) -> Clip {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let clip = read(&bytes, None, &ReadOptions::default()).unwrap().take.first().clone();
    clip.slice(1..clip.frames()).unwrap()
}
