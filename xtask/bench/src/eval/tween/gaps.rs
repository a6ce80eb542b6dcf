//! Filling gaps in captured motion that was not used for training.

use marey_capture::Half;
use marey_measure::tween::{TweenScores, tween as scores};
use marey_motion::{Clip, Ground};
use marey_plan::Seed;
use marey_tween::{MotionStyle, StyleSettings, TweenSettings, tween};
use rand::RngExt;

use super::log_likelihood::log_likelihood;
use super::salsa;
use super::slerp::slerp;
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::Row;

/// Frame rate of the gaps, as is common.
const RATE_HZ: f64 = 30.0;
/// Lengths of the gaps, in frames.
const GAPS: [usize; 3] = [5, 15, 30];
/// Number of gaps of each length.
const GAPS_EACH: usize = 60;
/// The trial of the report half that is held out, for both dancers.
const HELD_OUT: &str = "_15.bvh";

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let Some(folder) = data::captured(args, "cmu") else { return Ok(Vec::new()) };
    let clips = salsa::clips(data::bvh_files(&folder.join(salsa::FOLDER)))?;
    let (test, train): (Vec<_>, Vec<_>) = clips.into_iter().partition(|(name, _)| name.ends_with(HELD_OUT));
    let at_rate = |clips: Vec<(String, Clip)>| -> Result<Vec<Clip>, marey_motion::MotionError> {
        clips.into_iter().map(|(_, clip)| clip.resampled(RATE_HZ)).collect()
    };
    let (test, train) = (at_rate(test)?, at_rate(train)?);
    let style_settings = StyleSettings { max_pose_error_rad: 3.2, ..StyleSettings::default() };
    let style = MotionStyle::learn(&train, &style_settings)?;
    let gaps = if args.quick { GAPS_EACH / 6 } else { GAPS_EACH };
    let mut rows = Vec::new();
    for gap in GAPS {
        let mut rng = Seed(args.seed).rng(gap as u64);
        let (mut filled, mut interpolated, mut copied) =
            (GapScores::default(), GapScores::default(), GapScores::default());
        let mut captured = 0.0;
        for _ in 0..gaps {
            let clip = &test[rng.random_range(0..test.len())];
            let clip = clip.clone().with_skeleton(style.skeleton().clone())?;
            let start = rng.random_range(0..clip.frames() - gap - 2);
            let end = start + gap + 1;
            let truth = clip.slice(start..end + 1)?;
            let settings = TweenSettings {
                rate_hz: RATE_HZ,
                frames: Some(gap + 2),
                keeps_end_position: true,
                ..TweenSettings::default()
            };
            let Ok(found) = tween(&style, (&clip, start), (&clip, end), &settings) else { continue };
            filled.add(&style, &found.clip, &truth)?;
            interpolated.add(&style, &slerp(&truth, truth.pose(0), truth.pose(gap + 1), gap + 2)?, &truth)?;
            if let Some(example) = nearest(&train, &truth)? {
                copied.add(&style, &example.with_skeleton(style.skeleton().clone())?, &truth)?;
            }
            captured += log_likelihood(&style, &truth, &truth)?;
        }
        let subject = format!("CMU salsa, trial 15 held out, gaps of {gap} frames at 30 Hz");
        rows.push(Row::new(
            "tween: gaps filled with the exact number of frames",
            &subject,
            filled.count as f64 / gaps as f64,
            "share",
        ));
        let of = |sum: &GapScores| {
            [
                ("L2P", sum.mean(|scores| scores.l2p)),
                ("L2Q", sum.mean(|scores| scores.l2q)),
                ("NPSS", sum.mean(|scores| scores.npss)),
            ]
        };
        for (index, (name, value)) in of(&filled).into_iter().enumerate() {
            for (baseline, other) in
                [("spherical interpolation", &interpolated), ("nearest example", &copied)]
            {
                let unit = if name == "L2P" { "m" } else { "" };
                let row = Row::new(&format!("tween: {name} of a filled gap"), &subject, value, unit);
                rows.push(row.against(baseline, of(other)[index].1));
            }
        }
        let others = [
            ("spherical interpolation", interpolated.log_likelihood()),
            ("nearest example", copied.log_likelihood()),
            ("captured motion", captured / filled.count.max(1) as f64),
        ];
        for (baseline, other) in others {
            let what = "tween: log-likelihood of a step of a filled gap";
            rows.push(Row::new(what, &subject, filled.log_likelihood(), "nats").against(baseline, other));
        }
    }
    Ok(rows.into_iter().map(|row| row.of_half(Half::Report)).collect())
}

/// Scores of several gaps.
#[derive(Default)]
struct GapScores {
    count: usize,
    all: Vec<TweenScores>,
    log_likelihood: f64,
}

impl GapScores {
    /// Compares the frames between the ends.
    fn add(&mut self, style: &MotionStyle, made: &Clip, truth: &Clip) -> Result<(), BoxError> {
        let inside = 1..truth.frames() - 1;
        self.all.push(scores(&made.slice(inside.clone())?, &truth.slice(inside)?, None)?);
        self.log_likelihood += log_likelihood(style, made, truth)?;
        self.count += 1;
        Ok(())
    }

    fn log_likelihood(&self) -> f64 {
        self.log_likelihood / self.count.max(1) as f64
    }

    fn mean(&self, of: impl Fn(&TweenScores) -> f64) -> f64 {
        self.all.iter().map(of).sum::<f64>() / self.count.max(1) as f64
    }
}

/// The part of the examples whose ends are nearest to those of a gap, placed at the start of the gap.
fn nearest(examples: &[Clip], truth: &Clip) -> Result<Option<Clip>, BoxError> {
    let frames = truth.frames();
    let ground = |clip: &Clip, frame: usize| -> Result<Ground, marey_motion::MotionError> {
        let one = clip.slice(frame..frame + 1)?;
        Ok(one.ground_track().frames.first().copied().unwrap_or_default())
    };
    let (first, last) = (truth.pose(0), truth.pose(frames - 1));
    let mut best: Option<(f32, &Clip, usize)> = None;
    for clip in examples {
        for start in 0..clip.frames().saturating_sub(frames) {
            let off = |at: usize, wanted: marey_motion::LocalPoseRef<'_>| -> f32 {
                // The heading of the root does not matter, so only the other joints are compared.
                let turns = clip.pose(at).rotations.iter().zip(wanted.rotations).skip(1);
                turns.map(|(a, b)| 1.0 - a.dot(*b).abs()).sum()
            };
            let off = off(start, first) + off(start + frames - 1, last);
            if best.is_none_or(|(least, ..)| off < least) {
                best = Some((off, clip, start));
            }
        }
    }
    let Some((_, clip, start)) = best else { return Ok(None) };
    let there = ground(truth, 0)? * ground(clip, start)?.inverse();
    Ok(Some(clip.slice(start..start + frames)?.moved(there)))
}
