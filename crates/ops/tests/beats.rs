//! Beats of whole clips: of couples who dance, of walks, and of what has none.

use std::path::{Path, PathBuf};

use marey_examples::walk::{WalkSettings, walk};
use marey_formats::{ReadOptions, read};
use marey_motion::{Clip, Coded, Vec3};
use marey_ops::beats::{Settings, beats};

/// Salsa steps come on three beats of four, and feet take turns, so that bodies as a whole seldom slow down on every beat: in
/// most of these takes no rhythm is sure. But where both of a couple have one, it is the same.
#[test]
fn real_data_couples_keep_one_tempo() {
    let Some(folder) = cmu() else { return };
    let mut both = 0;
    for n in ["01", "03", "05", "07", "09", "11", "13", "15"] {
        let of = |subject: &str| {
            let clip = open(&folder.join(format!("salsa_60_61/{subject}_{n}.bvh")));
            beats(&clip, &Settings::default()).unwrap()
        };
        let (leader, follower) = (of("60"), of("61"));
        if !leader.frames.is_empty() && !follower.frames.is_empty() {
            both += 1;
            let ratio = leader.tempo_bpm / follower.tempo_bpm;
            assert!((0.97..1.03).contains(&ratio), "{n}: {} and {}", leader.tempo_bpm, follower.tempo_bpm);
        }
    }
    assert!(both > 0, "no couple has a rhythm");
}

#[test]
fn standing_still_and_wandering_about_have_no_beats() {
    let walk = walk(&WalkSettings { duration_secs: 30.0, ..WalkSettings::default() }).unwrap();
    let clip = walk.take.first();
    let pose = clip.slice(0..1).unwrap();
    let still = Clip::concat(&vec![pose; 300]).unwrap();
    assert_eq!(beats(&still, &Settings::default()).unwrap().frames, [0; 0]);
    // Hips that drift in circles of odd lengths, nothing else.
    let mut parts = still.into_parts();
    for (f, position) in parts.positions.iter_mut().enumerate() {
        let t = f as f32 / 60.0;
        *position += Vec3::new((0.9 * t).sin(), 0.0, (0.37 * t).cos());
    }
    let drifting = Clip::new(clip.skeleton().clone(), 60.0, parts).unwrap();
    assert_eq!(beats(&drifting, &Settings::default()).unwrap().frames, [0; 0]);
    // Too short to tell.
    assert_eq!(beats(&clip.slice(0..30).unwrap(), &Settings::default()).unwrap().frames, [0; 0]);
}

#[test]
fn a_steady_walk_has_a_beat_a_step() {
    let settings =
        WalkSettings { duration_secs: 40.0, rate_hz: 30.0, room_m: 50.0, ..WalkSettings::default() };
    let example = walk(&settings).unwrap();
    let found = beats(example.take.first(), &Settings::default()).unwrap();
    let cuts: Vec<usize> = example.truth.cuts().iter().map(|cut| cut.frame).collect();
    let mut steps: Vec<usize> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_unstable();
    let steps_bpm = 60.0 * 30.0 / steps[steps.len() / 2] as f64;
    assert!((found.tempo_bpm / steps_bpm - 1.0).abs() < 0.1, "{} beats, {steps_bpm} steps", found.tempo_bpm);
}

#[test]
fn settings_out_of_range_are_refused() {
    let clip =
        walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() }).unwrap().take.first().clone();
    let default = Settings::default();
    for settings in [
        Settings { slowest_bpm: 10.0, ..default.clone() },
        Settings { quickest_bpm: 60.0, ..default.clone() },
        Settings { smoothing_secs: f64::NAN, ..default.clone() },
        Settings { steadiness: -1.0, ..default.clone() },
        Settings { least_strength: 2.0, ..default },
    ] {
        assert_eq!(beats(&clip, &settings).unwrap_err().code().id, "ops/setting");
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

/// A clip without its calibration pose. Those dances were captured at 60 Hz, whatever their files say.
fn open(path: &Path) -> Clip {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let clip = read(&bytes, None, &ReadOptions::default()).unwrap().take().unwrap().first().clone();
    clip.slice(1..clip.frames()).unwrap().with_rate(60.0).unwrap()
}
