//! Lists bodies, with the takes of each.

use std::sync::Arc;

use marey_motion::{Role, Skeleton};
use marey_ops::retarget::is_same_body;
use serde::Serialize;

use crate::{Corpus, Result};

/// A body in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BodyRow {
    /// Its number in the list, from 1.
    pub body: usize,
    /// Number of joints.
    pub joints: usize,
    /// Number of joints with a role.
    pub roles: usize,
    /// Height at rest from the lowest point to the highest, in metres.
    pub height_m: f32,
    /// Length of the left leg at rest from hip to ankle, in metres; 0 without a leg.
    pub leg_m: f32,
    /// Duration of its motion, in seconds.
    pub duration_secs: f64,
    /// Its takes, with the number of the actor from 1 behind a `#` if there are several, as in `waltz#2`.
    pub takes: Vec<String>,
}

impl Corpus {
    /// Lists bodies in the order of their first takes. Skeletons with the same joint names, hierarchy and bones are one body, whatever
    /// their rest poses.
    pub fn bodies(&self) -> Result<Vec<BodyRow>> {
        let mut found: Vec<(Arc<Skeleton>, BodyRow)> = Vec::new();
        for take in self.takes()? {
            for number in 0..take.actors.len() {
                let skeleton = self.skeleton(take.id, number)?;
                let name = match take.actors.len() {
                    1 => take.name.clone(),
                    _ => format!("{}#{}", take.name, number + 1),
                };
                let duration_secs = take.frames as f64 / take.rate_hz;
                let is_same =
                    |body: &Arc<Skeleton>| Arc::ptr_eq(body, &skeleton) || is_same_body(body, &skeleton);
                match found.iter_mut().find(|(body, _)| is_same(body)) {
                    Some((_, row)) => {
                        row.duration_secs += duration_secs;
                        row.takes.push(name);
                    }
                    None => {
                        let row = BodyRow::new(found.len() + 1, &skeleton);
                        found.push((skeleton, BodyRow { duration_secs, takes: vec![name], ..row }));
                    }
                }
            }
        }
        Ok(found.into_iter().map(|(_, row)| row).collect())
    }
}

impl BodyRow {
    fn new(body: usize, skeleton: &Skeleton) -> Self {
        let (positions, rotations) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
        let tips = skeleton
            .tips()
            .iter()
            .filter_map(|tip| Some(*positions.get(tip.parent)? + *rotations.get(tip.parent)? * tip.offset));
        let heights: Vec<f32> = positions.iter().copied().chain(tips).map(|at| at.y).collect();
        let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
        let high = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let leg = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot]
            .map(|role| skeleton.joint_of(role).and_then(|joint| positions.get(joint)));
        let leg_m = match leg {
            [Some(hip), Some(knee), Some(ankle)] => hip.distance(*knee) + knee.distance(*ankle),
            _ => 0.0,
        };
        Self {
            body,
            joints: skeleton.len(),
            roles: skeleton.roles().count(),
            height_m: high - low,
            leg_m,
            duration_secs: 0.0,
            takes: Vec::new(),
        }
    }
}
