//! Gaps of the examples that are like a given gap.

use marey_motion::{CheckedAccess, Ground};
use rayon::prelude::*;

use super::example_frames::{ExampleFrames, ExampleStretch};
use super::moment_features::{FeatureSpace, FeatureTable, MomentFeatures};
use super::projection::distance_squared;
use crate::Result;

/// Length of the lever that turns count with, in metres.
const TURN_LEVER_M: f32 = 0.4;

/// Number of frames outside a gap that give its velocity.
const OUTSIDE: usize = 2;

/// What gaps are compared by.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct GapQuery {
    pub(crate) start: MomentFeatures,
    pub(crate) end: MomentFeatures,
    /// The ground of the end relative to that of the start; `None` if it is free.
    pub(crate) travel: Option<Ground>,
}

/// A gap of the examples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ExampleGap {
    /// Its first frame among all.
    pub(crate) start: usize,
    /// Squared distance to the query.
    pub(crate) distance: f32,
}

/// Everything that the search reads.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GapIndex<'a> {
    pub(crate) frames: &'a ExampleFrames,
    pub(crate) space: &'a FeatureSpace,
    pub(crate) table: &'a FeatureTable,
}

impl GapIndex<'_> {
    /// The weight of travel: as if every compared joint were displaced.
    fn travel_weight(&self) -> f32 {
        (self.space.joints.len() as f32).sqrt()
    }

    /// The numbers that describe travel.
    fn travel_features(&self, travel: Ground) -> [f32; 4] {
        let weight = self.travel_weight();
        let (sin, cos) = travel.yaw_rad.sin_cos();
        [weight * travel.x, weight * travel.z, weight * TURN_LEVER_M * sin, weight * TURN_LEVER_M * cos]
    }

    /// The features of a frame in a block.
    pub(crate) fn row(rows: &[f32], components: usize, frame: usize) -> Result<&[f32]> {
        Ok(rows.at(frame * components..(frame + 1) * components)?)
    }

    /// The `count` nearest gaps of `length` frames, nearest first. `is_excluded` leaves stretches out.
    pub(crate) fn nearest(
        &self,
        query: &GapQuery,
        length: usize,
        count: usize,
        is_excluded: &(impl Fn(&ExampleStretch, usize) -> bool + Sync),
    ) -> Result<Vec<ExampleGap>> {
        let (pose, motion) = (self.space.pose.components(), self.space.before.components());
        let needs_after = OUTSIDE * usize::from(!query.end.after.is_empty());
        let travel = query.travel.map(|travel| self.travel_features(travel));
        let of_stretch = |stretch: &ExampleStretch| -> Result<Vec<ExampleGap>> {
            // The first frames have no velocity; neither have the last.
            let starts =
                stretch.frames.start + OUTSIDE..(stretch.frames.end).saturating_sub(length + needs_after);
            let distance = |start: usize| -> Result<f32> {
                let end = start + length;
                let mut distance =
                    distance_squared(&query.start.pose, Self::row(&self.table.pose, pose, start)?)
                        + distance_squared(&query.end.pose, Self::row(&self.table.pose, pose, end)?);
                if !query.start.before.is_empty() {
                    distance +=
                        distance_squared(&query.start.before, Self::row(&self.table.before, motion, start)?);
                }
                if !query.end.after.is_empty() {
                    distance +=
                        distance_squared(&query.end.after, Self::row(&self.table.after, motion, end)?);
                }
                if let Some(travel) = &travel {
                    let own = self.frames.travel(start, end)?;
                    distance += distance_squared(travel, &self.travel_features(own));
                }
                Ok(distance)
            };
            let starts = starts.filter(|start| !is_excluded(stretch, *start));
            starts.map(|start| Ok(ExampleGap { start, distance: distance(start)? })).collect()
        };
        let mut all: Vec<ExampleGap> =
            self.frames.stretches.par_iter().map(of_stretch).collect::<Result<Vec<_>>>()?.concat();
        let order =
            |a: &ExampleGap, b: &ExampleGap| a.distance.total_cmp(&b.distance).then(a.start.cmp(&b.start));
        if all.len() > count {
            all.select_nth_unstable_by(count, order);
            all.truncate(count);
        }
        all.sort_by(order);
        Ok(all)
    }

    /// The squared distance of a moment to a frame, by the blocks that the moment has.
    pub(crate) fn moment_distance(&self, moment: &MomentFeatures, frame: usize) -> Result<f32> {
        let (pose, motion) = (self.space.pose.components(), self.space.before.components());
        let mut distance = distance_squared(&moment.pose, Self::row(&self.table.pose, pose, frame)?);
        for (block, rows) in [(&moment.before, &self.table.before), (&moment.after, &self.table.after)] {
            if !block.is_empty() {
                distance += distance_squared(block, Self::row(rows, motion, frame)?);
            }
        }
        Ok(distance)
    }

    /// The feature vector of an example gap, with the blocks that a query has.
    pub(crate) fn features(&self, query: &GapQuery, start: usize, length: usize) -> Result<Vec<f32>> {
        let (pose, motion) = (self.space.pose.components(), self.space.before.components());
        let end = start + length;
        let mut features = Self::row(&self.table.pose, pose, start)?.to_vec();
        features.extend_from_slice(Self::row(&self.table.pose, pose, end)?);
        if !query.start.before.is_empty() {
            features.extend_from_slice(Self::row(&self.table.before, motion, start)?);
        }
        if !query.end.after.is_empty() {
            features.extend_from_slice(Self::row(&self.table.after, motion, end)?);
        }
        if query.travel.is_some() {
            features.extend(self.travel_features(self.frames.travel(start, end)?));
        }
        Ok(features)
    }

    /// The feature vector of a query.
    pub(crate) fn query_features(&self, query: &GapQuery) -> Vec<f32> {
        let mut features =
            [&query.start.pose[..], &query.end.pose, &query.start.before, &query.end.after].concat();
        features.extend(query.travel.into_iter().flat_map(|travel| self.travel_features(travel)));
        features
    }
}
