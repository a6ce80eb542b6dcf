//! Learns a metric of the control from a mapping.
//!
//! Two kinds of classes say which deviations of the control do not matter: segments of one label, or segments whose targets are
//! alike. For each, the covariance of control deviations is shrunk towards the plain metric by several shares. The metric is the
//! one by which the nearest segment of other takes has the nearest target; the plain one unless another is clearly better.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::Vec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::control_metric::{ControlCovariance, ControlMetric};
use crate::mapping::sample;
use crate::transform::squared;
use crate::{FollowSettings, Mapping, Result, RigidMotion, Transform};

/// The largest number of segments to learn from, spread over the mapping.
const MAX_SEGMENTS: usize = 400;
/// The fewest segments to learn from.
const MIN_SEGMENTS: usize = 24;
/// Number of samples by which segments are compared.
const SAMPLES: usize = 6;
/// Number of groups of takes, or of parts of a single take, which are left out in turn.
const FOLDS: usize = 8;
/// Number of other segments of a class that each segment is compared with.
const PARTNERS: usize = 8;
/// Shares of the plain metric that are tried.
const SHRINKAGES: [f64; 3] = [0.3, 0.1, 0.03];
/// The largest error, as a share of the plain metric's, at which another metric is used.
const CLEARLY_BETTER: f64 = 0.98;

/// What says that two segments have the same response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MetricClasses {
    /// Their labels are equal.
    Labels,
    /// Their targets are alike.
    Targets,
}

impl MetricClasses {
    /// What a metric was learnt from, as in "learnt from …".
    pub fn description(self) -> &'static str {
        match self {
            MetricClasses::Labels => "segments of equal labels",
            MetricClasses::Targets => "segments with alike targets",
        }
    }
}

/// A metric, and how it was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct LearntMetric {
    /// The metric.
    pub metric: ControlMetric,
    /// The classes it was learnt from.
    pub classes: MetricClasses,
    /// The share of the plain metric's covariance.
    pub shrinkage: f64,
    /// How far the target of the nearest segment of another take is from a segment's own, on average, in metres.
    pub error_m: f64,
    /// The same with the plain metric.
    pub plain_error_m: f64,
}

/// A segment at a common number of samples.
struct SampledSegment {
    fold: usize,
    label: usize,
    secs: f64,
    control: Vec<Vec3>,
    target: Vec<Vec3>,
}

/// The segments that a metric is learnt from.
struct TrainingSet<'a> {
    mapping: &'a Mapping,
    transform: Transform,
    /// The largest ratio of durations of segments that are compared, as a logarithm.
    stretch_ln: f64,
    segments: Vec<SampledSegment>,
    folds: usize,
    control_weights: Vec<f32>,
    target_weights: Vec<f32>,
}

/// The covariance of all pairs, and of the pairs with a segment of each fold.
struct PairCovariances {
    all: ControlCovariance,
    by_fold: Vec<ControlCovariance>,
}

impl LearntMetric {
    /// The metric by which the nearest segments have the nearest targets; `None` if the plain metric is as good, if there are
    /// few segments, or if the settings allow rotations in space. Of the settings, `transform` and `stretch` matter.
    pub fn learn(mapping: &Mapping, settings: &FollowSettings) -> Result<Option<Self>> {
        if settings.transform == Transform::Rigid {
            return Ok(None);
        }
        let set = TrainingSet::of(mapping, settings);
        if set.segments.len() < MIN_SEGMENTS {
            return Ok(None);
        }
        let plain_error_m = set.error_m(&vec![None; set.folds])?;
        let mut best: Option<Self> = None;
        for classes in [MetricClasses::Labels, MetricClasses::Targets] {
            let covariances = set.covariances(classes)?;
            for shrinkage in SHRINKAGES {
                let whitening = |covariance: &ControlCovariance| {
                    ControlMetric::whitening(covariance, mapping.control_weights(), shrinkage)
                };
                let folds: Option<Vec<Option<ControlMetric>>> = covariances
                    .by_fold
                    .iter()
                    .map(|fold| whitening(&covariances.all.without(fold)).map(Some))
                    .collect();
                let (Some(folds), Some(metric)) = (folds, whitening(&covariances.all)) else { continue };
                let error_m = set.error_m(&folds)?;
                let least = best.as_ref().map_or(CLEARLY_BETTER * plain_error_m, |best| best.error_m);
                if error_m < least {
                    best = Some(Self { metric, classes, shrinkage, error_m, plain_error_m });
                }
            }
        }
        Ok(best)
    }
}

impl<'a> TrainingSet<'a> {
    fn of(mapping: &'a Mapping, settings: &FollowSettings) -> Self {
        let count = mapping.instances().len();
        let used = count.min(MAX_SEGMENTS);
        let chosen: Vec<usize> = (0..used).map(|number| number * count / used).collect();
        let mut takes: Vec<usize> = chosen.iter().map(|&i| mapping.instances()[i].example).collect();
        takes.sort_unstable();
        takes.dedup();
        let folds = if takes.len() > 1 { takes.len().min(FOLDS) } else { FOLDS.min(used) };
        let mut labels = BTreeMap::new();
        let segments = chosen.iter().enumerate().map(|(number, &i)| {
            let instance = &mapping.instances()[i];
            let example = mapping.example_of(i);
            let fold = match takes.len() {
                0 | 1 => number * folds / used,
                _ => takes.binary_search(&instance.example).unwrap_or(0) % folds,
            };
            let next = labels.len();
            let label = *labels.entry(instance.label.as_str()).or_insert(next);
            let (mut control, mut target) = (Vec::new(), Vec::new());
            let Range { start, end } = instance.frames;
            for at in 0..SAMPLES {
                let frame = start as f64 + at as f64 / (SAMPLES - 1) as f64 * (end - start) as f64;
                sample(&example.control, frame, &mut control);
                sample(&example.target, frame, &mut target);
            }
            SampledSegment { fold, label, secs: mapping.duration_secs(i), control, target }
        });
        Self {
            mapping,
            transform: settings.transform,
            stretch_ln: settings.stretch.ln_1p(),
            segments: segments.collect(),
            folds,
            control_weights: mapping.control_weights().repeat(SAMPLES),
            target_weights: mapping.target_weights().repeat(SAMPLES),
        }
    }

    /// Whether one of two segments may stand in for the other.
    fn comparable(&self, one: &SampledSegment, other: &SampledSegment) -> bool {
        (one.secs / other.secs).ln().abs() <= self.stretch_ln + 1e-9
    }

    /// The segments that each segment is compared with.
    fn partners(&self, classes: MetricClasses) -> Result<Vec<Vec<usize>>> {
        let near = |number: usize| -> Result<Vec<usize>> {
            let segment = &self.segments[number];
            let mut others = Vec::new();
            for (other, candidate) in self.segments.iter().enumerate() {
                if other == number || !self.comparable(segment, candidate) {
                    continue;
                }
                let rank = match classes {
                    MetricClasses::Labels if segment.label != candidate.label => continue,
                    // The next ones of the class, as if it were a circle.
                    MetricClasses::Labels => {
                        ((other + self.segments.len() - number) % self.segments.len()) as f64
                    }
                    MetricClasses::Targets => {
                        self.transform.align(&segment.target, &candidate.target, &self.target_weights)?.1
                    }
                };
                others.push((rank, other));
            }
            others.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            Ok(others.into_iter().take(PARTNERS).map(|(_, other)| other).collect())
        };
        (0..self.segments.len()).into_par_iter().map(near).collect()
    }

    fn covariances(&self, classes: MetricClasses) -> Result<PairCovariances> {
        let points = self.mapping.control_weights().len();
        let zero = || ControlCovariance::zeros(points);
        let mut found = PairCovariances { all: zero(), by_fold: (0..self.folds).map(|_| zero()).collect() };
        let mut moved = Vec::new();
        for (number, partners) in self.partners(classes)?.into_iter().enumerate() {
            for other in partners {
                let (x, a) = (&self.segments[number], &self.segments[other]);
                let (motion, _) = self.transform.align(&x.control, &a.control, &self.control_weights)?;
                moved.clear();
                motion.apply(&a.control, &mut moved);
                let deviations: Vec<Vec3> = x.control.iter().zip(&moved).map(|(x, a)| *x - *a).collect();
                let add = |covariance: &mut ControlCovariance| {
                    deviations.chunks_exact(points).for_each(|deviation| covariance.add(deviation));
                };
                add(&mut found.all);
                add(&mut found.by_fold[x.fold]);
                if a.fold != x.fold {
                    add(&mut found.by_fold[a.fold]);
                }
            }
        }
        Ok(found)
    }

    /// How far the target of the nearest segment of another fold is, on average, if the segments of each fold are compared by
    /// its metric; in metres.
    fn error_m(&self, metrics: &[Option<ControlMetric>]) -> Result<f64> {
        let ones = vec![1.0; self.control_weights.len()];
        let error = |fold: usize| -> Result<(f64, usize)> {
            let metric = metrics[fold].as_ref();
            let weights = if metric.is_some() { &ones } else { &self.control_weights };
            let mapped = |segment: &SampledSegment| match metric {
                Some(metric) => metric.mapped(&segment.control),
                None => segment.control.clone(),
            };
            let mapped: Vec<Vec<Vec3>> = self.segments.iter().map(mapped).collect();
            let (mut sum, mut count) = (0.0, 0);
            let mut moved = Vec::new();
            for (number, segment) in self.segments.iter().enumerate().filter(|(_, one)| one.fold == fold) {
                let mut best: Option<(f64, RigidMotion, usize)> = None;
                for (other, candidate) in self.segments.iter().enumerate() {
                    if candidate.fold == fold || !self.comparable(segment, candidate) {
                        continue;
                    }
                    let (motion, cost) = self.transform.align(&mapped[number], &mapped[other], weights)?;
                    if best.is_none_or(|(least, ..)| cost < least) {
                        best = Some((cost, motion, other));
                    }
                }
                let Some((_, motion, other)) = best else { continue };
                let motion = metric.map_or(motion, |metric| metric.unmapped_motion(motion));
                moved.clear();
                motion.apply(&self.segments[other].target, &mut moved);
                let squared_m2 = squared(&segment.target, &moved, &self.target_weights);
                sum += self.mapping.jump_m(squared_m2, SAMPLES as u8);
                count += 1;
            }
            Ok((sum, count))
        };
        let folds = (0..self.folds).into_par_iter().map(error).collect::<Result<Vec<_>>>()?;
        let (sum, count) =
            folds.into_iter().fold((0.0, 0), |total, fold| (total.0 + fold.0, total.1 + fold.1));
        Ok(sum / count.max(1) as f64)
    }
}
