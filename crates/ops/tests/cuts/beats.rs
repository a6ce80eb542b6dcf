//! Beats of whole clips: dancing couples, walks, and motion without a rhythm.

use marey_examples::Example;
use marey_examples::lindy::{self, LindySettings};
use marey_examples::walk::{WalkSettings, walk};
use marey_examples::waltz::{WaltzSettings, waltz};
use marey_motion::{Clip, Coded, Vec3};
use marey_ops::beats::{BeatSettings, beats};

use crate::captured::open;

/// The numbers of true beats, of detected beats, and of matches within a frame, over both dancers.
fn score(example: &Example) -> [usize; 3] {
    let real = example.truth.beats();
    let mut counts = [0; 3];
    for actor in example.take.actors() {
        let found = beats(&actor.clip, &BeatSettings::default()).unwrap().frames;
        let both = real.iter().filter(|beat| found.iter().any(|frame| frame.abs_diff(**beat) <= 1)).count();
        counts.iter_mut().zip([real.len(), found.len(), both]).for_each(|(sum, count)| *sum += count);
    }
    counts
}

fn are_found(name: &str, examples: &[Example]) {
    let counts = examples.iter().map(score).fold([0; 3], |sum, one| std::array::from_fn(|i| sum[i] + one[i]));
    let [real, found, both] = counts.map(|count| count as f64);
    assert!(real > 300.0, "{name}: {real} beats");
    assert!(both >= 0.95 * real, "{name}: {both} found of {real}");
    assert!(both >= 0.95 * found, "{name}: {both} right of {found}");
}

#[test]
fn the_beats_of_waltzes_are_where_feet_come_down() {
    let one = |seed: u64| {
        let tempo_bpm = 75.0 + 11.0 * seed as f64;
        let settings = WaltzSettings {
            seed,
            tempo_bpm,
            duration_secs: 40.0,
            rate_hz: 30.0,
            noise_mm: 5.0,
            ..Default::default()
        };
        waltz(&settings).unwrap()
    };
    are_found("waltz", &(0..4).map(one).collect::<Vec<_>>());
}

#[test]
fn the_beats_of_lindies_are_found_among_triple_steps() {
    let settings = LindySettings { seed: 7, rate_hz: 30.0, noise_mm: 5.0, ..Default::default() };
    let dances = lindy::database(&settings).unwrap();
    are_found("lindy", &dances.into_iter().step_by(3).collect::<Vec<_>>());
}

/// Salsa dancers take three steps to four beats, about evenly, so steps define no beat; the motion repeats
/// every two beats, most clearly in the feet. Some of these takes have no certain rhythm; if both dancers
/// have one, it is mostly the same.
#[test]
fn real_data_couples_keep_one_tempo() {
    let Some(folder) = marey_capture::folder("cmu") else { return };
    let mut tempi = Vec::new();
    for n in ["01", "03", "05", "07", "09", "11", "13", "15"] {
        let of = |subject: &str| {
            let clip = open(&folder.join(format!("salsa_60_61/{subject}_{n}.bvh")));
            // These dances were captured at 60 Hz, whatever their files state.
            beats(&clip.with_rate(60.0).unwrap(), &BeatSettings::default()).unwrap()
        };
        let (leader, follower) = (of("60"), of("61"));
        if !leader.frames.is_empty() && !follower.frames.is_empty() {
            tempi.push((n, leader.tempo_bpm, follower.tempo_bpm, leader.strength, follower.strength));
        }
    }
    let same =
        tempi.iter().filter(|(_, leader, follower, ..)| (leader / follower - 1.0).abs() < 0.05).count();
    assert!(same > 1 && 2 * same > tempi.len(), "{same} of {}: {tempi:?}", tempi.len());
}

#[test]
fn standing_still_and_wandering_about_have_no_beats() {
    let walk = walk(&WalkSettings { duration_secs: 30.0, ..WalkSettings::default() }).unwrap();
    let clip = walk.take.first();
    let pose = clip.slice(0..1).unwrap();
    let still = Clip::concat(&vec![pose; 300]).unwrap();
    assert_eq!(beats(&still, &BeatSettings::default()).unwrap().frames, [0; 0]);
    // Hips that drift in circles of odd lengths, nothing else.
    let mut parts = still.into_parts();
    for (f, position) in parts.positions.iter_mut().enumerate() {
        let t = f as f32 / 60.0;
        *position += Vec3::new((0.9 * t).sin(), 0.0, (0.37 * t).cos());
    }
    let drifting = Clip::new(clip.skeleton().clone(), 60.0, parts).unwrap();
    assert_eq!(beats(&drifting, &BeatSettings::default()).unwrap().frames, [0; 0]);
    // Too short for a rhythm.
    assert_eq!(beats(&clip.slice(0..30).unwrap(), &BeatSettings::default()).unwrap().frames, [0; 0]);
}

#[test]
fn a_steady_walk_has_a_beat_a_step() {
    let settings =
        WalkSettings { duration_secs: 40.0, rate_hz: 30.0, room_m: 50.0, ..WalkSettings::default() };
    let example = walk(&settings).unwrap();
    let found = beats(example.take.first(), &BeatSettings::default()).unwrap();
    let cuts: Vec<usize> = example.truth.cuts().iter().map(|cut| cut.frame).collect();
    let mut steps: Vec<usize> = cuts.windows(2).map(|pair| pair[1] - pair[0]).collect();
    steps.sort_unstable();
    let steps_bpm = 60.0 * 30.0 / steps[steps.len() / 2] as f64;
    assert!((found.tempo_bpm / steps_bpm - 1.0).abs() < 0.1, "{} beats, {steps_bpm} steps", found.tempo_bpm);
}

#[test]
fn settings_out_of_range_are_rejected() {
    let clip =
        walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() }).unwrap().take.first().clone();
    let default = BeatSettings::default();
    for settings in [
        BeatSettings { slowest_bpm: 10.0, ..default.clone() },
        BeatSettings { quickest_bpm: 60.0, ..default.clone() },
        BeatSettings { smoothing_secs: f64::NAN, ..default.clone() },
        BeatSettings { steadiness: -1.0, ..default.clone() },
        BeatSettings { least_strength: 2.0, ..default },
    ] {
        assert_eq!(beats(&clip, &settings).unwrap_err().code().id, "ops/setting");
    }
}
