//! The mapping from control to target, given by examples.
//!
//! Hsu, Gentry and Popović (2004), section 3: synchronised motions **A** and **B** as point clouds, cut into instances aᵢ,
//! bᵢ. Redundant instances are removed by complete-linkage clustering (section 4.4).
//!
//! Changed: instances whose durations differ by more than the allowed stretch are never put into one cluster, since neither
//! could replace the other. Clusters may compare control and target together, so that similar leads with different responses
//! are both kept.

use std::ops::Range;

use marey_motion::{PointClip, Vec3};
use marey_ops::OutOfRange;
use marey_ops::cloud::Cloud;
use marey_ops::distances::NearPairs;
use marey_ops::reduction::linkage::{self, complete_linkage};
use marey_plan::SourceRef;

use crate::{ControlMetric, FollowError, Result};

/// A control and the target that was recorded with it, frame by frame.
#[derive(Debug, Clone, PartialEq)]
pub struct ExamplePair {
    /// The take and actor of the target's motion, which plans refer to.
    pub source: SourceRef,
    /// The points that are compared with a new control.
    pub control: PointClip,
    /// The points by which continuity is measured.
    pub target: PointClip,
}

/// A segment of an example that is meaningful as a whole, such as a step or two beats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance {
    /// Number of the example, from 0.
    pub example: usize,
    /// Frames of the example, at least two; the end is the start of the next segment.
    pub frames: Range<usize>,
    /// Label; several instances may share one.
    pub label: String,
}

/// The mapping from control to target: examples and their segmentation.
#[derive(Debug, Clone, PartialEq)]
pub struct Mapping {
    examples: Vec<ExamplePair>,
    instances: Vec<Instance>,
    control_weights: Vec<f32>,
    target_weights: Vec<f32>,
    metric: Option<ControlMetric>,
}

/// The points by which clusters are formed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ClusterBy {
    /// The control only, as in the paper.
    Control,
    /// Control and target under one transform.
    #[default]
    Both,
}

impl Mapping {
    /// Creates a mapping after checking that its parts are consistent. There is one weight for each point of the control and
    /// of the target, 0 to 1000.
    pub fn new(
        examples: Vec<ExamplePair>,
        instances: Vec<Instance>,
        control_weights: Vec<f32>,
        target_weights: Vec<f32>,
    ) -> Result<Self> {
        for &weight in control_weights.iter().chain(&target_weights) {
            OutOfRange::check("weights", weight, 0.0..=1000.0)?;
        }
        for (number, example) in examples.iter().enumerate() {
            let ExamplePair { control, target, .. } = example;
            if control.rate_hz() != target.rate_hz() || control.frames() != target.frames() {
                let describe =
                    |clip: &PointClip| format!("{} frames at {} Hz", clip.frames(), clip.rate_hz());
                return Err(FollowError::NotSynchronised {
                    example: number,
                    control: describe(control),
                    target: describe(target),
                });
            }
            check_points(&format!("control of example {number}"), control, control_weights.len())?;
            check_points(&format!("target of example {number}"), target, target_weights.len())?;
        }
        let mapping = Self { examples, instances, control_weights, target_weights, metric: None };
        for (number, instance) in mapping.instances.iter().enumerate() {
            mapping.check_instance(number, instance)?;
        }
        if mapping.instances.is_empty() {
            return Err(FollowError::Empty);
        }
        Ok(mapping)
    }

    fn check_instance(&self, number: usize, instance: &Instance) -> Result<()> {
        let refuse = |problem: String| {
            Err(FollowError::Instance { instance: number, label: instance.label.clone(), problem })
        };
        let Some(example) = self.examples.get(instance.example) else {
            return refuse(format!("there is no example {}", instance.example));
        };
        let Range { start, end } = instance.frames;
        let frames = example.control.frames();
        if start.saturating_add(2) > end || end > frames {
            return refuse(format!("frames {start}..{end} are not two or more of {frames}"));
        }
        Ok(())
    }

    /// The examples.
    pub fn examples(&self) -> &[ExamplePair] {
        &self.examples
    }

    /// The instances; at least one.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The weight of each control point.
    pub fn control_weights(&self) -> &[f32] {
        &self.control_weights
    }

    /// The weight of each target point.
    pub fn target_weights(&self) -> &[f32] {
        &self.target_weights
    }

    /// The example that an instance belongs to.
    pub fn example_of(&self, instance: usize) -> &ExamplePair {
        &self.examples[self.instances[instance].example]
    }

    /// Duration of an instance.
    pub fn duration_secs(&self, instance: usize) -> f64 {
        self.instances[instance].frames.len() as f64 / self.example_of(instance).control.rate_hz()
    }

    /// Weighted RMS length of deviations of control points, samples × points.
    pub(crate) fn rms_m(&self, deviations: &[Vec3]) -> f64 {
        let weighted = deviations.iter().zip(self.control_weights.iter().cycle());
        let squared_m2 = weighted.map(|(off, &w)| f64::from(w) * f64::from(off.length_squared())).sum();
        root_mean(squared_m2, &self.control_weights, deviations.len() / self.control_weights.len())
    }

    /// Weighted RMS distance of target points, from a weighted sum of squares over `frames` frames of a join.
    pub(crate) fn jump_m(&self, squared_m2: f64, frames: u8) -> f64 {
        root_mean(squared_m2, &self.target_weights, frames.into())
    }

    /// The same mapping with some of its instances, given by number.
    pub fn with_only(&self, instances: &[usize]) -> Result<Self> {
        self.with_instances(instances.iter().filter_map(|&i| self.instances.get(i).cloned()).collect())
    }

    /// The same examples with other instances.
    pub fn with_instances(&self, instances: Vec<Instance>) -> Result<Self> {
        let weights = (self.control_weights.clone(), self.target_weights.clone());
        let mapping = Self::new(self.examples.clone(), instances, weights.0, weights.1)?;
        Ok(mapping.with_metric(self.metric.clone()))
    }

    /// The same mapping with another metric of the control; `None` for the plain distance of points. Rotations in space
    /// ([`Transform::Rigid`](crate::Transform::Rigid)) always use the plain one.
    pub fn with_metric(self, metric: Option<ControlMetric>) -> Self {
        Self { metric, ..self }
    }

    /// The metric by which controls are compared, if it is not the plain one.
    pub fn metric(&self) -> Option<&ControlMetric> {
        self.metric.as_ref()
    }

    /// The instances that remain if one of each cluster is kept, in ascending order. `stretch` is the share by
    /// which the search may change durations.
    pub fn reduced(
        &self,
        settings: &linkage::LinkageSettings,
        by: ClusterBy,
        stretch: f64,
    ) -> Result<Vec<usize>> {
        let clouds = (0..self.instances.len()).map(|i| self.cloud(i, by)).collect::<Result<Vec<_>>>()?;
        let similar_duration = |a: usize, b: usize| {
            (self.duration_secs(a) / self.duration_secs(b)).ln().abs() <= stretch.ln_1p()
        };
        let near = NearPairs::of(&clouds, settings.threshold_m, similar_duration)?;
        let mut kept = complete_linkage(&near, settings)?.kept;
        kept.sort_unstable();
        Ok(kept)
    }

    /// An instance resampled to a fixed number of frames, as in [`marey_ops::cloud`].
    fn cloud(&self, instance: usize, by: ClusterBy) -> Result<Cloud> {
        let example = self.example_of(instance);
        let Range { start, end } = self.instances[instance].frames;
        let frames = marey_ops::cloud::CloudSettings::default().frames;
        let (mut points, mut weights) = (Vec::new(), self.control_weights.clone());
        if by == ClusterBy::Both {
            weights.extend(&self.target_weights);
        }
        for frame in 0..frames {
            let at = start as f64 + f64::from(frame) / f64::from(frames - 1) * (end - start) as f64;
            sample(&example.control, at, &mut points);
            if by == ClusterBy::Both {
                sample(&example.target, at, &mut points);
            }
        }
        Ok(Cloud::new(points, weights)?)
    }
}

fn root_mean(squared_m2: f64, weights: &[f32], instants: usize) -> f64 {
    let weight = weights.iter().map(|&w| f64::from(w)).sum::<f64>() * instants as f64;
    if weight > 0.0 { (squared_m2 / weight).sqrt() } else { 0.0 }
}

/// Rejects a wrong number of points, and missing points.
pub(crate) fn check_points(what: &str, clip: &PointClip, wanted: usize) -> Result<()> {
    let found = clip.labels().len();
    if found != wanted {
        return Err(FollowError::Points { what: what.into(), found, wanted });
    }
    if clip.missing() > 0 {
        let places = (0..clip.frames()).flat_map(|frame| (0..found).map(move |label| (frame, label)));
        let mut missing = places.filter(|&(frame, label)| clip.get(frame, label).is_none());
        if let Some((frame, label)) = missing.next() {
            let label = clip.labels()[label].clone();
            return Err(FollowError::MissingPoint { what: what.into(), label, frame });
        }
    }
    Ok(())
}

/// Appends the points at a fractional frame, interpolated linearly and clamped to the first and last frame.
pub(crate) fn sample(clip: &PointClip, frame: f64, into: &mut Vec<Vec3>) {
    let last = clip.frames() - 1;
    let at = frame.max(0.0).min(last as f64);
    let before = at as usize;
    let share = (at - before as f64) as f32;
    let (a, b) = (clip.frame(before), clip.frame((before + 1).min(last)));
    into.extend(a.iter().zip(b).map(|(a, b)| a.lerp(*b, share)));
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    fn line(frames: usize, slope: f32, rate_hz: f64) -> PointClip {
        let points = (0..frames).map(|f| Some(Vec3::new(slope * f as f32, 0.0, (f * f) as f32 * 0.001)));
        PointClip::new(vec!["a".into()], rate_hz, points.collect()).unwrap()
    }

    fn example(control: PointClip, target: PointClip) -> ExamplePair {
        ExamplePair { source: SourceRef { take: "t".into(), actor: 0 }, control, target }
    }

    fn instance(frames: Range<usize>) -> Instance {
        Instance { example: 0, frames, label: "step".into() }
    }

    #[test]
    fn inconsistent_parts_are_rejected() {
        let make = |examples: Vec<ExamplePair>, instances: Vec<Instance>, weights: Vec<f32>| {
            Mapping::new(examples, instances, weights, vec![1.0]).unwrap_err().code().id
        };
        let good = example(line(20, 0.1, 30.0), line(20, 0.2, 30.0));
        assert!(Mapping::new(vec![good.clone()], vec![instance(0..20)], vec![1.0], vec![1.0]).is_ok());
        assert_eq!(make(vec![good.clone()], vec![], vec![1.0]), "follow/empty");
        assert_eq!(make(vec![], vec![instance(0..2)], vec![1.0]), "follow/instance");
        assert_eq!(make(vec![good.clone()], vec![instance(3..4)], vec![1.0]), "follow/instance");
        assert_eq!(make(vec![good.clone()], vec![instance(3..21)], vec![1.0]), "follow/instance");
        assert_eq!(make(vec![good.clone()], vec![instance(0..20)], vec![1.0; 2]), "follow/points");
        assert_eq!(make(vec![good.clone()], vec![instance(0..20)], vec![-1.0]), "ops/setting");
        let late = example(line(20, 0.1, 30.0), line(20, 0.2, 60.0));
        assert_eq!(make(vec![late], vec![instance(0..20)], vec![1.0]), "follow/not-synchronised");
        let gap = PointClip::new(vec!["a".into()], 30.0, vec![Some(Vec3::ZERO), None, None]).unwrap();
        let missing = Mapping::new(vec![example(gap, line(3, 0.1, 30.0))], vec![], vec![1.0], vec![1.0]);
        let missing = missing.unwrap_err();
        assert_eq!((missing.code().id, missing.place().frame), ("follow/missing-point", Some(1)));
    }

    #[test]
    fn one_instance_of_each_cluster_is_kept() {
        let (still, quick) = (line(40, 0.02, 30.0), line(40, 0.05, 30.0));
        let examples = vec![
            example(still.clone(), still.clone()),
            example(still.clone(), quick.clone()),
            example(quick, still.clone()),
        ];
        let piece = |example, frames| Instance { example, frames, label: "a".into() };
        let instances =
            vec![piece(0, 0..20), piece(0, 0..21), piece(1, 0..20), piece(2, 0..20), piece(0, 0..33)];
        let mapping = Mapping::new(examples, instances, vec![1.0], vec![1.0]).unwrap();
        let settings = linkage::LinkageSettings { threshold_m: 0.05, ..Default::default() };
        let kept = |by, stretch| mapping.reduced(&settings, by, stretch).unwrap();
        assert_eq!(kept(ClusterBy::Control, 0.1).len(), 3);
        assert_eq!(kept(ClusterBy::Both, 0.1).len(), 4);
        let small = mapping.with_only(&kept(ClusterBy::Both, 0.1)).unwrap();
        assert_eq!(small.instances().len(), 4);
    }
}
