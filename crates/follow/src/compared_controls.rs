//! The controls as the search compares them: mapped by the metric of the mapping, if it has one.

use marey_motion::{PointClip, Vec3};

use crate::{ControlMetric, FollowSettings, Mapping, Result, RigidMotion, Transform};

/// The metric of a search, and the controls of the examples as it compares them.
#[derive(Debug)]
pub(crate) struct ComparedControls {
    metric: Option<ControlMetric>,
    /// The mapped control of each example; none if the metric is plain.
    mapped: Vec<PointClip>,
    /// The weight of each compared point.
    pub(crate) weights: Vec<f32>,
}

impl ComparedControls {
    pub(crate) fn new(mapping: &Mapping, settings: &FollowSettings) -> Result<Self> {
        // A metric does not commute with rotations about other axes than the vertical.
        let metric = mapping.metric().filter(|_| settings.transform != Transform::Rigid).cloned();
        let Some(metric) = metric else {
            return Ok(Self {
                metric: None,
                mapped: Vec::new(),
                weights: mapping.control_weights().to_vec(),
            });
        };
        let mapped = mapping.examples().iter().map(|example| metric.mapped_clip(&example.control));
        let (mapped, weights) = (mapped.collect::<Result<_>>()?, vec![1.0; mapping.control_weights().len()]);
        Ok(Self { metric: Some(metric), mapped, weights })
    }

    /// The compared control of an example.
    pub(crate) fn of<'a>(&'a self, mapping: &'a Mapping, instance: usize) -> &'a PointClip {
        let example = mapping.instances()[instance].example;
        self.mapped.get(example).unwrap_or(&mapping.examples()[example].control)
    }

    /// Points of a control as they are compared.
    pub(crate) fn mapped(&self, points: Vec<Vec3>) -> Vec<Vec3> {
        match &self.metric {
            Some(metric) => metric.mapped(&points),
            None => points,
        }
    }

    /// The motion of an example whose compared points move by `mapped`.
    pub(crate) fn motion(&self, mapped: RigidMotion) -> RigidMotion {
        match &self.metric {
            Some(metric) => metric.unmapped_motion(mapped),
            None => mapped,
        }
    }

    /// By what a translation of compared points is divided.
    pub(crate) fn translation_scale(&self) -> f64 {
        self.metric.as_ref().map_or(1.0, ControlMetric::translation_scale)
    }

    /// What each control point contributes to the cost of deviations, samples × points.
    pub(crate) fn costs(&self, deviations: &[Vec3]) -> Vec<f64> {
        if let Some(metric) = &self.metric {
            return metric.costs(deviations);
        }
        let mut costs = vec![0.0; self.weights.len()];
        for deviation in deviations.chunks_exact(costs.len()) {
            for ((cost, off), &w) in costs.iter_mut().zip(deviation).zip(&self.weights) {
                *cost += f64::from(w) * f64::from(off.length_squared());
            }
        }
        costs
    }
}
