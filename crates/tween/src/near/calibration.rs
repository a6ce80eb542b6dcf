//! How much the examples can be trusted, tried on the corpus itself.
//!
//! Gaps of the corpus are filled from all other takes. The penalty of the regression and the distance at which predictions retreat to the
//! base are those with the smallest error. The share of the prediction that is used is 1 / (1 + (d/d₀)⁴), with d the distance to the
//! nearest examples: far from everything that was seen, the base is the better guess.

use glam::Vec3;
use marey_motion::{CheckedAccess, Observer, Skeleton};

use super::local_ridge::LocalRidge;
use super::model::GapModel;
use super::neighbours::{ExampleGap, GapQuery};
use super::residual::ResidualSamples;
use super::{NearSettings, example_frames::ExampleStretch};
use crate::Result;
use crate::error::check_cancelled;

/// Lengths of the gaps that are tried, in working frames.
const LENGTHS: [usize; 4] = [6, 16, 31, 46];
/// Number of gaps of each length.
const TRIALS: usize = 24;
/// Penalties that are tried.
const PENALTIES: [f32; 3] = [0.1, 0.4, 1.6];
/// Values of d₀ that are tried, relative to the median distance.
const RETREATS: [f32; 5] = [1.3, 2.0, 3.0, 5.0, 8.0];
/// Least value of d₀, relative to the distance of two arbitrary gaps of the corpus. With a few takes the trials say little.
const MIN_RETREAT: f32 = 0.3;
/// Number of nearest examples whose mean distance is d.
const NEAREST: usize = 8;
/// Frames around a trial that are left out, if there is one take only.
const APART_FRAMES: usize = 45;

/// What was found for gaps of one length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LengthCalibration {
    pub(crate) length: usize,
    /// λ of the regression.
    pub(crate) penalty: f32,
    /// d₀.
    pub(crate) retreat: f32,
    /// Median distance of a gap of the corpus to the rest of it.
    pub(crate) usual: f32,
}

impl LengthCalibration {
    /// The share of a prediction that is used at a distance.
    pub(crate) fn share(&self, distance: f32) -> f32 {
        1.0 / (1.0 + (distance / self.retreat).powi(4))
    }
}

/// The mean distance of the nearest gaps; infinite if there are none.
pub(crate) fn mean_distance(gaps: &[ExampleGap]) -> f32 {
    let nearest = gaps.iter().take(NEAREST);
    let count = nearest.len();
    let sum: f32 = nearest.map(|gap| gap.distance.max(0.0).sqrt()).sum();
    if count == 0 { f32::INFINITY } else { sum / count as f32 }
}

/// A gap that was tried.
struct Trial {
    distance: f32,
    /// Squared norm of the truth.
    truth: f32,
    /// For each penalty: product of prediction and truth, and squared norm of the prediction.
    predictions: Vec<[f32; 2]>,
}

impl Trial {
    /// The error relative to that of the base. Gaps in which hardly anything happens count less.
    fn error(&self, penalty: usize, share: f32, mean_truth: f32) -> Result<f32> {
        let [product, square] = *self.predictions.at(penalty)?;
        Ok(((self.truth - 2.0 * share * product + share * share * square).max(0.0)
            / (self.truth + mean_truth).max(1e-9))
        .sqrt())
    }
}

/// Tries gaps of the corpus.
pub(crate) fn calibrate(
    model: &GapModel,
    settings: &NearSettings,
    observer: Observer<'_>,
) -> Result<Vec<LengthCalibration>> {
    let weights = channel_weights(&model.frames.skeleton);
    let mut all = Vec::new();
    for length in LENGTHS {
        let trials = trials(model, length, &weights, settings, observer)?;
        all.extend(best(length, &trials, MIN_RETREAT * model.spread())?);
    }
    Ok(all)
}

fn best(length: usize, trials: &[Trial], min_retreat: f32) -> Result<Option<LengthCalibration>> {
    let mut distances: Vec<f32> = trials.iter().map(|trial| trial.distance).collect();
    distances.sort_by(f32::total_cmp);
    let Some(usual) = distances.get(distances.len() / 2) else { return Ok(None) };
    let usual = usual.max(1e-3);
    let mean_truth = trials.iter().map(|trial| trial.truth).sum::<f32>() / trials.len() as f32;
    let mut best: Option<(f32, LengthCalibration)> = None;
    for (index, penalty) in PENALTIES.into_iter().enumerate() {
        for retreat in RETREATS {
            let found =
                LengthCalibration { length, penalty, retreat: (retreat * usual).max(min_retreat), usual };
            let error = |trial: &Trial| trial.error(index, found.share(trial.distance), mean_truth);
            let error = trials.iter().map(error).sum::<Result<f32>>()?;
            if best.is_none_or(|(least, _)| error < least) {
                best = Some((error, found));
            }
        }
    }
    Ok(best.map(|(_, found)| found))
}

fn trials(
    model: &GapModel,
    length: usize,
    weights: &[f32],
    settings: &NearSettings,
    observer: Observer<'_>,
) -> Result<Vec<Trial>> {
    let stretches = &model.frames.stretches;
    let is_long = |stretch: &&ExampleStretch| !stretch.is_mirrored && stretch.frames.len() > length + 12;
    let starts: Vec<(&ExampleStretch, usize)> = stretches
        .iter()
        .filter(is_long)
        .flat_map(|stretch| {
            (stretch.frames.start + 10..stretch.frames.end - length - 1).map(move |start| (stretch, start))
        })
        .collect();
    let takes = stretches.iter().map(|stretch| stretch.take).max().map_or(0, |last| last + 1);
    let samples = ResidualSamples::new(length);
    let index = model.index();
    let step = (starts.len() / TRIALS).max(1);
    let chosen = starts.into_iter().skip(step / 2).step_by(step);
    let trial = |(own, start): (&ExampleStretch, usize)| -> Result<Option<Trial>> {
        let query = GapQuery { end: model.known_pose(start + length)?, ..model.known_gap(start, length)? };
        let is_own = |other: &ExampleStretch, at: usize| {
            other.take == own.take
                && (takes > 1 || {
                    // A mirrored stretch has the same frames as its original.
                    let (a, b) = (start - own.frames.start, at - other.frames.start);
                    a.abs_diff(b) < length + APART_FRAMES
                })
        };
        let gaps = index.nearest(&query, length, settings.neighbours, &is_own)?;
        if gaps.is_empty() {
            return Ok(None);
        }
        let ridge = model.ridge(&query, &gaps, length, settings)?;
        let truth = samples.of_example(&model.frames, start, [true, false])?;
        let of_penalty = |penalty: f32| predicted(model, &samples, &ridge, &gaps, penalty, &truth, weights);
        Ok(Some(Trial {
            distance: mean_distance(&gaps),
            truth: product(&truth, &truth, weights),
            predictions: PENALTIES.into_iter().map(of_penalty).collect::<Result<_>>()?,
        }))
    };
    let mut trials = Vec::new();
    for gap in chosen {
        check_cancelled(observer)?;
        trials.extend(trial(gap)?);
    }
    Ok(trials)
}

fn predicted(
    model: &GapModel,
    samples: &ResidualSamples,
    ridge: &LocalRidge,
    gaps: &[ExampleGap],
    penalty: f32,
    truth: &[Vec3],
    weights: &[f32],
) -> Result<[f32; 2]> {
    let weighted: Vec<(usize, f32)> =
        gaps.iter().zip(ridge.weights(f64::from(penalty))).map(|(gap, weight)| (gap.start, weight)).collect();
    let prediction = samples.weighted_sum(&model.frames, &weighted, [true, false])?;
    Ok([product(&prediction, truth, weights), product(&prediction, &prediction, weights)])
}

/// The product of two residuals, each channel weighted.
fn product(a: &[Vec3], b: &[Vec3], weights: &[f32]) -> f32 {
    a.iter().zip(b).zip(weights.iter().cycle()).map(|((a, b), weight)| weight * a.dot(*b)).sum()
}

/// Weights of the channels: a rotation moves everything below its joint, so it counts with the squared distances of the joints below.
fn channel_weights(skeleton: &Skeleton) -> Vec<f32> {
    let positions = skeleton.rest_positions();
    let reach = |(joint, at): (usize, &Vec3)| -> f32 {
        let below = positions.iter().enumerate().filter(|(other, _)| skeleton.is_under(*other, joint));
        below.map(|(_, other)| other.distance_squared(*at)).sum()
    };
    let rotations = positions.iter().enumerate().map(reach);
    let below =
        |joint: &usize| (0..skeleton.len()).filter(|other| skeleton.is_under(*other, *joint)).count() as f32;
    rotations.chain(skeleton.movers().iter().map(below)).collect()
}

/// The calibration for gaps of a length: that of the nearest length that was tried.
pub(crate) fn for_length(all: &[LengthCalibration], length: usize) -> LengthCalibration {
    let ratio = |other: usize| (other as f32 / length.max(1) as f32).ln().abs();
    let nearest = all.iter().min_by(|a, b| ratio(a.length).total_cmp(&ratio(b.length)));
    nearest.copied().unwrap_or(LengthCalibration { length, penalty: PENALTIES[1], retreat: 1.0, usual: 1.0 })
}
