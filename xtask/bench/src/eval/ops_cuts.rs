//! Steps and beats found, against those that generated motion is known to have.

use marey_examples::Style;
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Clip, Role, WorldPose};
use marey_ops::{beats, contacts, gait};

use super::ops_dance::dance;
use crate::args::Args;
use crate::row::{Aim, Row};

type Outcome = Result<(), Box<dyn std::error::Error>>;

pub(super) fn rows(args: &Args) -> Vec<Row> {
    let mut rows = steps(args);
    rows.extend(self::beats(args));
    rows
}

fn steps(args: &Args) -> Vec<Row> {
    let walks = if args.quick { 4 } else { 24 };
    let (mut ours, mut plain) = (Score::default(), Score::default());
    for seed in args.seed..args.seed + walks {
        if let Err(error) = judge_walk(seed, &mut ours, &mut plain) {
            eprintln!("seed {seed} is left out: {error}");
        }
    }
    let subject = format!("{walks} generated walks, 30 Hz, 5 mm noise, floor off 3 cm");
    let baseline = "every start of a heel contact";
    vec![
        Row::new("steps: precision", &subject, ours.precision(), "share within ±2 frames")
            .against(baseline, plain.precision())
            .aim(Aim::AtLeast(0.97)),
        Row::new("steps: recall", subject, ours.recall(), "share within ±2 frames")
            .against(baseline, plain.recall())
            .aim(Aim::AtLeast(0.97)),
    ]
}

fn judge_walk(seed: u64, ours: &mut Score, plain: &mut Score) -> Outcome {
    // From strolling to striding.
    let speed_mps = 0.7 + 0.9 * (seed as f64 * 0.618_034).fract() as f32;
    let style = Style { speed_mps, ..Style::default() };
    let settings =
        WalkSettings { seed, style, duration_secs: 40.0, rate_hz: 30.0, noise_mm: 5.0, ..Default::default() };
    let example = walk(&settings)?;
    let clip = example.take.first().lifted(0.03)?;
    let found = contacts::detect(&clip, &contacts::Settings::default())?.contacts;
    let steps = gait::steps(&found, clip.rate_hz(), &gait::Settings::default())?;
    for role in [Role::LeftFoot, Role::RightFoot] {
        let cuts = example.truth.cuts().iter().filter(|cut| cut.name == role.name());
        let real: Vec<usize> = cuts.map(|cut| cut.frame).collect();
        let own = steps.iter().filter(|step| Role::LeftFoot.on(step.foot) == role);
        ours.add(&real, &own.map(|step| step.frame).collect::<Vec<_>>(), 2);
        let starts = found.of(role).map(|frames| frames.start).filter(|&start| start > 0);
        plain.add(&real, &starts.collect::<Vec<_>>(), 2);
    }
    Ok(())
}

fn beats(args: &Args) -> Vec<Row> {
    let dances = if args.quick { 6 } else { 40 };
    let (mut ours, mut plain) = (Score::default(), Score::default());
    for seed in args.seed..args.seed + dances {
        if let Err(error) = judge_dance(seed, &mut ours, &mut plain) {
            eprintln!("seed {seed} is left out: {error}");
        }
    }
    let subject = format!("{dances} generated dances, 80 to 190 beats a minute, 30 Hz, 5 mm noise");
    let baseline = "minima of summed speed";
    vec![
        Row::new("beats: recall", &subject, ours.recall(), "share within ±1 frame")
            .against(baseline, plain.recall())
            .aim(Aim::AtLeast(0.95)),
        Row::new("beats: precision", subject, ours.precision(), "share within ±1 frame")
            .against(baseline, plain.precision())
            .aim(Aim::AtLeast(0.95)),
    ]
}

fn judge_dance(seed: u64, ours: &mut Score, plain: &mut Score) -> Outcome {
    let bpm = 80.0 + 110.0 * (seed as f64 * 0.618_034).fract();
    let dance = dance(seed, bpm, 40.0)?;
    let found = beats::beats(&dance.clip, &beats::Settings::default())?;
    ours.add(&dance.beats, &found.frames, 1);
    plain.add(&dance.beats, &minima_of_summed_speed(&dance.clip), 1);
    Ok(())
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

/// How many events are true, found, and both.
#[derive(Default)]
struct Score {
    real: usize,
    found: usize,
    matched: usize,
}

impl Score {
    /// Each found event may stand for one true one.
    fn add(&mut self, real: &[usize], found: &[usize], slack: usize) {
        self.real += real.len();
        self.found += found.len();
        let mut free = found.to_vec();
        for &event in real {
            let near = (0..free.len()).filter(|&i| free[i].abs_diff(event) <= slack);
            if let Some(i) = near.min_by_key(|&i| free[i].abs_diff(event)) {
                free.remove(i);
                self.matched += 1;
            }
        }
    }

    fn precision(&self) -> f64 {
        self.matched as f64 / self.found.max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.matched as f64 / self.real.max(1) as f64
    }
}
