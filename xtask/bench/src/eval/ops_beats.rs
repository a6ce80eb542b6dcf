//! Detected beats, compared with the ground truth of generated dances; in captured salsa, the beats of the leader compared with
//! those of the follower.

use std::path::Path;

use marey_capture::Half;
use marey_examples::lindy::{self, LindySettings};
use marey_examples::waltz::{WaltzSettings, waltz};
use marey_formats::{ReadOptions, read};
use marey_motion::{Clip, Take, WorldPose};
use marey_ops::beats::{BeatSettings, Beats, beats};
use rayon::prelude::*;

use super::score::Score;
use super::synthetic_dance::dance;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

type SendError = Box<dyn std::error::Error + Send + Sync>;

/// Motion of one dancer, and the frames of its beats.
struct DancerBeats {
    clip: Clip,
    beats: Vec<usize>,
}

pub(super) fn rows(args: &Args) -> Vec<Row> {
    let (seeds, couples) = if args.quick { (6, 1) } else { (40, 4) };
    let synthetic: Vec<Result<Vec<DancerBeats>, SendError>> =
        (args.seed..args.seed + seeds).into_par_iter().map(synthetic_dance).collect();
    let waltzes = (args.seed..args.seed + 3 * couples).into_par_iter().map(waltz_dancers).collect();
    let lindies = (args.seed..args.seed + couples).into_par_iter().map(lindy_dancers).collect();
    let mut rows = Vec::new();
    for (subject, dances) in [
        (format!("{seeds} synthetic dances, 80 to 190 beats per minute"), synthetic),
        (format!("both dancers of {} generated waltzes, 72 to 108 beats per minute", 3 * couples), waltzes),
        (
            format!("both dancers of {} generated Lindy Hops, 120 to 190 beats per minute", 6 * couples),
            lindies,
        ),
    ] {
        rows.extend(judge(&format!("{subject}, 30 Hz, 5 mm noise"), dances));
    }
    rows.extend(salsa(args).into_iter().map(|row| row.of_half(Half::Report)));
    rows
}

fn judge(subject: &str, dances: Vec<Result<Vec<DancerBeats>, SendError>>) -> Vec<Row> {
    let (mut ours, mut plain) = (Score::default(), Score::default());
    for result in dances {
        match result {
            Ok(dancers) => {
                for DancerBeats { clip, beats: real } in dancers {
                    let found = beats(&clip, &BeatSettings::default()).map(|found| found.frames);
                    ours.add(&real, &found.unwrap_or_default(), 1);
                    plain.add(&real, &minima_of_summed_speed(&clip), 1);
                }
            }
            Err(error) => eprintln!("a dance is skipped: {error}"),
        }
    }
    let baseline = "minima of summed speed";
    vec![
        Row::new("beats: recall", subject, ours.recall(), "share within ±1 frame")
            .against(baseline, plain.recall())
            .aim(Aim::AtLeast(0.95)),
        Row::new("beats: precision", subject, ours.precision(), "share within ±1 frame")
            .against(baseline, plain.precision())
            .aim(Aim::AtLeast(0.95)),
    ]
}

fn synthetic_dance(seed: u64) -> Result<Vec<DancerBeats>, SendError> {
    let bpm = 80.0 + 110.0 * (seed as f64 * 0.618_034).fract();
    let dance = dance(seed, bpm, 40.0).map_err(|error| error.to_string())?;
    Ok(vec![DancerBeats { clip: dance.clip, beats: dance.beats }])
}

fn waltz_dancers(seed: u64) -> Result<Vec<DancerBeats>, SendError> {
    let settings = WaltzSettings {
        seed,
        duration_secs: 40.0,
        rate_hz: 30.0,
        noise_mm: 5.0,
        tempo_bpm: 72.0 + 36.0 * (seed as f64 * 0.618_034).fract(),
        ..Default::default()
    };
    let example = waltz(&settings)?;
    Ok(both(&example.take, example.truth.beats()))
}

/// Every other dance of the database, from slow to quick.
fn lindy_dancers(seed: u64) -> Result<Vec<DancerBeats>, SendError> {
    let settings = LindySettings { seed, rate_hz: 30.0, noise_mm: 5.0, ..Default::default() };
    let dances = lindy::database(&settings)?;
    Ok(dances.iter().step_by(2).flat_map(|example| both(&example.take, example.truth.beats())).collect())
}

fn both(take: &Take, beats: &[usize]) -> Vec<DancerBeats> {
    take.actors()
        .iter()
        .map(|actor| DancerBeats { clip: actor.clip.clone(), beats: beats.to_vec() })
        .collect()
}

/// The baseline: frames in which the joints together are slower than just before and after.
fn minima_of_summed_speed(clip: &Clip) -> Vec<usize> {
    let mut world = WorldPose::scratch(clip.skeleton());
    let mut before: Option<Vec<marey_motion::Vec3>> = None;
    let mut speeds = Vec::with_capacity(clip.frames());
    for pose in clip.poses() {
        world.set(pose);
        let here = world.positions.clone();
        let moved = before.map(|before| before.iter().zip(&here).map(|(a, b)| a.distance(*b)).sum::<f32>());
        speeds.push(moved.unwrap_or(0.0));
        before = Some(here);
    }
    let inside = 1..speeds.len().saturating_sub(1);
    inside.filter(|&f| speeds[f] < speeds[f - 1] && speeds[f] <= speeds[f + 1]).collect()
}

/// CMU's salsa has no ground truth, but both dancers hear the same music: their beats are detected independently and compared.
fn salsa(args: &Args) -> Vec<Row> {
    let Some(folder) = data::captured(args, "cmu/salsa_60_61") else { return Vec::new() };
    let files = data::bvh_files_to_report(&folder);
    let trials = files.iter().filter_map(|file| file.name.strip_prefix("60_"));
    let couples: Vec<[Beats; 2]> = trials.filter_map(|trial| couple(&folder, trial)).collect();
    let with_rhythm: Vec<&[Beats; 2]> =
        couples.iter().filter(|both| both.iter().all(|one| !one.frames.is_empty())).collect();
    let same = |both: &&[Beats; 2]| (both[0].tempo_bpm / both[1].tempo_bpm - 1.0).abs() < 0.05;
    let agreed: Vec<&[Beats; 2]> = with_rhythm.iter().copied().filter(same).collect();
    let near = 0.1 * SALSA_HZ;
    let (mut shared, mut by_chance, mut all) = (0.0, 0.0, 0.0);
    for [leader, follower] in agreed.iter().copied() {
        let is_near =
            |frame: &&usize| follower.frames.iter().any(|other| other.abs_diff(**frame) as f64 <= near);
        shared += leader.frames.iter().filter(is_near).count() as f64;
        by_chance += leader.frames.len() as f64 * (2.0 * near + 1.0) * follower.tempo_bpm / (60.0 * SALSA_HZ);
        all += leader.frames.len() as f64;
    }
    let subject = format!("{} couples of CMU's salsa, 60 Hz", couples.len());
    let count = |list: usize| list as f64;
    vec![
        Row::new(
            "beats: couples with a rhythm in both dancers",
            &subject,
            count(with_rhythm.len()),
            "couples",
        )
        .against("all couples", count(couples.len())),
        Row::new("beats: couples with the same tempo, within 5 %", &subject, count(agreed.len()), "couples")
            .against("couples with a rhythm", count(with_rhythm.len())),
        Row::new(
            "beats: of these, leader beats within 0.1 s of a follower beat",
            subject,
            shared / f64::max(all, 1.0),
            "share",
        )
        .against("expected by chance", by_chance / f64::max(all, 1.0)),
    ]
}

/// The rate that the salsa was captured at. Its files state 120 Hz.
const SALSA_HZ: f64 = 60.0;

fn couple(folder: &Path, trial: &str) -> Option<[Beats; 2]> {
    let of = |subject: &str| {
        let bytes = std::fs::read(folder.join(format!("{subject}_{trial}"))).ok()?;
        let take = read(&bytes, None, &ReadOptions::default()).ok()?.into_first().ok()?.take;
        let clip = take.first();
        let clip = clip.slice(1..clip.frames()).ok()?.with_rate(SALSA_HZ).ok()?;
        beats(&clip, &BeatSettings::default()).ok()
    };
    Some([of("60")?, of("61")?])
}
