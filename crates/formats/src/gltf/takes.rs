//! Builds the takes of a file: its figures, moved by each animation.

use std::sync::Arc;

use glam::{DQuat, DVec3, Quat, Vec3};
use marey_motion::{Actor, Clip, ClipParts, Skeleton, Take};

use super::animation::AnimationCurves;
use super::budget::Budget;
use super::curve::{Curve, Value};
use super::figures::Figure;
use super::nodes::Nodes;
use super::sampling::SampleTimes;
use crate::FormatsError;

/// A figure and its skeleton.
pub(super) struct Body {
    pub(super) figure: Figure,
    pub(super) skeleton: Arc<Skeleton>,
}

/// Builds the take of an animation, with all figures.
pub(super) fn take(
    name: String,
    nodes: &Nodes,
    bodies: &[Body],
    curves: &AnimationCurves,
    times: &SampleTimes,
    budget: &mut Budget,
) -> Result<Take, FormatsError> {
    let mut actors = Vec::with_capacity(bodies.len());
    for body in bodies {
        let (joints, movers) = (body.skeleton.len(), body.skeleton.movers().len());
        let bytes_each = joints * size_of::<Quat>() + movers * size_of::<Vec3>();
        budget.take(times.frames, bytes_each, "the frames of a figure")?;
        let parts = AnimationSampler { nodes, curves, times }.parts(body);
        let clip = Clip::new(body.skeleton.clone(), times.rate_hz, parts)?;
        actors.push(Actor { name: body.figure.name.clone(), clip });
    }
    Ok(Take::new(name, actors)?)
}

/// An animation with its sample times.
struct AnimationSampler<'a> {
    nodes: &'a Nodes,
    curves: &'a AnimationCurves,
    times: &'a SampleTimes,
}

impl AnimationSampler<'_> {
    fn parts(&self, body: &Body) -> ClipParts {
        let (skeleton, figure) = (&body.skeleton, &body.figure);
        let (joints, movers) = (skeleton.len(), skeleton.movers().len());
        let frames = self.times.frames;
        let mut parts = ClipParts {
            rotations: vec![Quat::IDENTITY; frames * joints],
            positions: vec![Vec3::ZERO; frames * movers],
        };
        for (joint, &node) in figure.nodes.iter().enumerate().skip(1) {
            let rest = self.nodes.locals.get(node).map_or(Quat::IDENTITY, |local| local.rotation.as_quat());
            let column = parts.rotations.iter_mut().skip(joint).step_by(joints);
            self.fill(column, self.curves.rotations.get(&node), rest);
        }
        for (mover, &joint) in skeleton.movers().iter().enumerate().skip(1) {
            let Some(&node) = figure.nodes.get(joint) else { continue };
            let Some((local, inherited_scale)) =
                self.nodes.locals.get(node).zip(self.nodes.inherited_scale.get(node))
            else {
                continue;
            };
            let column = parts.positions.iter_mut().skip(mover).step_by(movers);
            self.fill(column, self.curves.translations.get(&node), local.translation.as_vec3());
            for place in parts.positions.iter_mut().skip(mover).step_by(movers) {
                *place = (*inherited_scale * place.as_dvec3()).as_vec3();
            }
        }
        let roots =
            parts.rotations.iter_mut().step_by(joints).zip(parts.positions.iter_mut().step_by(movers));
        self.fill_root(roots, figure.root());
        parts
    }

    /// Fills a column with the values of a curve, or with the rest value without one.
    fn fill<'v, V: Value + 'v>(
        &self,
        column: impl Iterator<Item = &'v mut V>,
        curve: Option<&Curve<V>>,
        rest: V,
    ) {
        let (tolerance, mut past) = (self.times.tolerance_secs(), 0);
        for (frame, slot) in column.enumerate() {
            let value = curve.and_then(|curve| curve.at(self.times.time_of(frame), tolerance, &mut past));
            *slot = value.unwrap_or(rest);
        }
    }

    /// World position and rotation of a root, including the motion of the nodes above it.
    fn fill_root<'v>(&self, column: impl Iterator<Item = (&'v mut Quat, &'v mut Vec3)>, root: usize) {
        let mut path: Vec<(usize, usize, usize)> =
            self.nodes.with_ancestors(root).map(|node| (node, 0, 0)).collect();
        path.reverse();
        let tolerance = self.times.tolerance_secs();
        for (frame, (rotation, position)) in column.enumerate() {
            let time = self.times.time_of(frame);
            let (mut world_rotation, mut at) = (DQuat::IDENTITY, DVec3::ZERO);
            for (node, past_rotation, past_place) in &mut path {
                let Some(local) = self.nodes.locals.get(*node) else { continue };
                let moved =
                    self.curves.translations.get(node).and_then(|c| c.at(time, tolerance, past_place));
                let rotated =
                    self.curves.rotations.get(node).and_then(|c| c.at(time, tolerance, past_rotation));
                let translation = moved.map_or(local.translation, |moved| moved.as_dvec3());
                at += world_rotation * self.nodes.offset(*node, translation);
                world_rotation *= rotated.map_or(local.rotation, |rotated| rotated.as_dquat());
            }
            (*rotation, *position) = (world_rotation.as_quat(), at.as_vec3());
        }
    }
}
