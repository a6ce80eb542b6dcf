//! How often in-betweens of generated ballet satisfy its grammar: turned out, arms as units, opposed.

use marey_examples::ballet::{BalletSettings, Grammar, ballet};
use marey_motion::{Clip, WorldPose};
use marey_plan::Seed;
use marey_tween::{Dependence, MotionStyle, StyleSettings, TweenSettings, tween};
use rand::RngExt;

use super::slerp::slerp;
use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

/// Number of pairs of poses.
const PAIRS: usize = 60;

/// Minimum ratio of the frames that violate the grammar without the network to those with it.
const MIN_RATIO: f64 = 2.0;

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let phrases = ballet(&BalletSettings { seed: args.seed, ..BalletSettings::default() })?;
    let clips: Vec<Clip> = phrases.iter().map(|phrase| phrase.take.first().clone()).collect();
    let pairs = if args.quick { PAIRS / 4 } else { PAIRS };
    let mut rows = Vec::new();
    let mut violations = Vec::new();
    for dependence in [Dependence::Learned, Dependence::Body, Dependence::None] {
        let style = MotionStyle::learn(&clips, &StyleSettings { dependence, ..StyleSettings::default() })?;
        let mut rng = Seed(args.seed).rng(0);
        let (mut made, mut interpolated) = (RuleCounts::default(), RuleCounts::default());
        for _ in 0..pairs {
            let mut draw = || {
                let clip = &clips[rng.random_range(0..clips.len())];
                (clip, rng.random_range(0..clip.frames()))
            };
            let (from, to) = (draw(), draw());
            let found = match tween(&style, from, to, &TweenSettings::default()) {
                Ok(found) => found,
                Err(error) => {
                    eprintln!("ballet, {dependence:?}: {error}");
                    continue;
                }
            };
            made.add(&found.clip);
            let line = slerp(from.0, from.0.pose(from.1), to.0.pose(to.1), found.clip.frames())?;
            interpolated.add(&line);
        }
        let subject = format!("ballet, {pairs} pairs, dependence {dependence:?}");
        let row = |name: &str, share: f64, baseline: f64| {
            Row::new(name, &subject, share, "share").against("spherical interpolation", baseline)
        };
        let all = row("tween: frames that satisfy the grammar", made.all(), interpolated.all());
        rows.push(if dependence == Dependence::Learned { all.aim(Aim::AtLeast(0.95)) } else { all });
        for (index, name) in ["turned out", "arms as units", "opposed"].into_iter().enumerate() {
            rows.push(row(
                &format!("tween: frames that are {name}"),
                made.rule(index),
                interpolated.rule(index),
            ));
        }
        violations.push(1.0 - made.all());
    }
    if let [learned, .., none] = violations.as_slice() {
        rows.push(
            Row::new("tween: frames that violate the grammar without the network", "ballet", *none, "share")
                .against("with the learned network", *learned)
                .aim(Aim::RatioAtLeast(MIN_RATIO)),
        );
    }
    Ok(rows)
}

/// Counts of frames that satisfy each rule.
#[derive(Default)]
struct RuleCounts {
    frames: usize,
    all: usize,
    rules: [usize; 3],
}

impl RuleCounts {
    /// Counts the frames between the ends.
    fn add(&mut self, clip: &Clip) {
        for frame in 1..clip.frames().saturating_sub(1) {
            let check = Grammar::default().check(&WorldPose::of(clip.skeleton(), clip.pose(frame)));
            let Some(check) = check else { continue };
            self.frames += 1;
            self.all += usize::from(check.all());
            let rules = [check.turned_out, check.arms_as_units, check.opposed];
            self.rules
                .iter_mut()
                .zip(rules)
                .for_each(|(count, is_satisfied)| *count += usize::from(is_satisfied));
        }
    }

    fn all(&self) -> f64 {
        self.all as f64 / self.frames.max(1) as f64
    }

    fn rule(&self, index: usize) -> f64 {
        self.rules[index] as f64 / self.frames.max(1) as f64
    }
}
