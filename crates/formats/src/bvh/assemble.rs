//! Converts rows of numbers to clips, in the file's units and axes.

use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_motion::{Actor, Clip, ClipParts, Joint, Skeleton, Tip};

use super::channel::{Axis, Channel};
use super::euler_to_quat::EulerConverter;
use super::hierarchy::{MAX_LENGTH, Node};
use super::position_channels::{Decision, Mover, PositionChannels, decide_joints, decide_root};
use super::rows::RowResult;
use crate::FormatsError;

/// One figure of the file while its frames are read.
pub(super) struct Figure<'n> {
    /// Its nodes (joints and tips), and the index of the first among all nodes of the file.
    nodes: &'n [Node],
    first_node: usize,
    converter: EulerConverter,
    /// The joints with position channels.
    movers: Vec<MoverColumns>,
    rotations: Vec<Quat>,
    /// Values of the movers, frames × movers; 0 if an axis has no channel.
    values: Vec<Vec3>,
}

/// The position channels of one joint.
struct MoverColumns {
    /// Index among the figure's joints.
    joint: usize,
    offset: Vec3,
    columns: [Option<usize>; 3],
}

impl MoverColumns {
    /// The mover at an index among the values of all movers, frames × movers.
    fn over<'a>(&self, values: &'a [Vec3], stride: usize, index: usize) -> Mover<'a> {
        let axes = Vec3::from(self.columns.map(|column| f32::from(u8::from(column.is_some()))));
        Mover { offset: self.offset, axes, values, stride, index }
    }
}

/// Splits a file's nodes into figures, one for each root.
pub(super) fn figures(nodes: &[Node]) -> Vec<Figure<'_>> {
    let (mut start, mut column) = (0, 0);
    let figure = |part| {
        let figure = Figure::new(part, start, column);
        start += part.len();
        column += part.iter().map(|n| n.channels.len()).sum::<usize>();
        figure
    };
    nodes.chunk_by(is_same_figure).map(figure).collect()
}

/// The nodes of each figure, mutable.
pub(super) fn parts(nodes: &mut [Node]) -> Vec<&mut [Node]> {
    nodes.chunk_by_mut(is_same_figure).collect()
}

/// Whether a node belongs to the figure of the one before it.
fn is_same_figure(_: &Node, node: &Node) -> bool {
    node.parent.is_some()
}

impl<'n> Figure<'n> {
    fn new(nodes: &'n [Node], first_node: usize, mut column: usize) -> Self {
        let (mut turns, mut movers) = (Vec::new(), Vec::new());
        for node in nodes.iter().filter(|n| !n.is_tip) {
            let (mut axes, mut places) = (Vec::new(), [None; 3]);
            for channel in &node.channels {
                match channel {
                    Channel::Rotation(axis) => axes.push((*axis, column)),
                    Channel::Position(axis) => *axis_of(&mut places, *axis) = Some(column),
                    Channel::Other => {}
                }
                column += 1;
            }
            if places.iter().any(Option::is_some) {
                movers.push(MoverColumns { joint: turns.len(), offset: node.offset, columns: places });
            }
            turns.push(axes);
        }
        let converter = EulerConverter::new(&turns);
        Self { nodes, first_node, converter, movers, rotations: Vec::new(), values: Vec::new() }
    }

    /// Bytes of memory per frame.
    pub(super) fn bytes_per_frame(&self) -> usize {
        self.converter.len() * size_of::<Quat>() + self.movers.len() * size_of::<Vec3>()
    }

    /// Reserves memory for a number of frames. Returns whether it is available.
    pub(super) fn reserve(&mut self, frames: usize) -> bool {
        let rotations = frames.saturating_mul(self.converter.len());
        let values = frames.saturating_mul(self.movers.len());
        self.rotations.try_reserve_exact(rotations).is_ok() && self.values.try_reserve_exact(values).is_ok()
    }

    /// Adds a frame from this figure's columns of a row.
    pub(super) fn push(&mut self, row: &[f32]) -> RowResult {
        if self.converter.convert(row, &mut self.rotations).is_none() {
            return RowResult::OutOfRange;
        }
        for mover in &self.movers {
            let value = mover.columns.map(|c| c.and_then(|c| row.get(c)).copied().unwrap_or_default());
            let value = Vec3::from(value);
            if value.abs().max_element() > MAX_LENGTH {
                return RowResult::OutOfRange;
            }
            self.values.push(value);
        }
        RowResult::Accepted
    }

    /// The meaning of position channels in this figure: for its root, and for the other joints.
    pub(super) fn decide(&self, forced: Option<PositionChannels>) -> (Decision, Decision) {
        let stride = self.movers.len();
        let all =
            self.movers.iter().enumerate().map(|(index, m)| (m.joint, m.over(&self.values, stride, index)));
        let (root, rest): (Vec<_>, Vec<_>) = all.partition(|(joint, _)| *joint == 0);
        let rest: Vec<Mover<'_>> = rest.into_iter().map(|(_, m)| m).collect();
        let none = Decision { meaning: PositionChannels::Replace, reason: None };
        let (mut root, mut rest) = (root.first().map_or(none, |(_, m)| decide_root(m)), decide_joints(&rest));
        if let Some(meaning) = forced {
            for decision in [&mut root, &mut rest] {
                decision.meaning = meaning;
                decision.reason = decision.reason.as_ref().map(|_| "set by the user".into());
            }
        }
        (root, rest)
    }

    /// The first joint with position channels whose index satisfies a condition.
    pub(super) fn first_mover(&self, is_one: impl Fn(usize) -> bool) -> Option<&'n Node> {
        let mover = self.movers.iter().find(|mover| is_one(mover.joint))?;
        self.nodes.iter().filter(|node| !node.is_tip).nth(mover.joint)
    }

    /// Builds the clip after all frames. Without frames, it is the rest pose.
    pub(super) fn finish(
        mut self,
        rate_hz: f64,
        root: PositionChannels,
        rest: PositionChannels,
    ) -> Result<Actor, FormatsError> {
        let places = self.movers.iter().map(|m| (m, if m.joint == 0 { root } else { rest }));
        let rules: Vec<(usize, Vec3, Vec3)> = places
            .map(|(m, meaning)| {
                // Added to the value on each axis: the OFFSET if values add, or if the axis has no channel.
                let added = |axis: usize, offset: f32| {
                    let has_channel = m.columns.get(axis).is_some_and(Option::is_some);
                    if has_channel && meaning == PositionChannels::Replace { 0.0 } else { offset }
                };
                let plus = Vec3::new(added(0, m.offset.x), added(1, m.offset.y), added(2, m.offset.z));
                (m.joint, m.offset, plus)
            })
            .collect();
        let stride = rules.len().max(1);
        for row in self.values.chunks_exact_mut(stride) {
            for (value, (_, _, plus)) in row.iter_mut().zip(&rules) {
                *value += *plus;
            }
        }
        // A joint that stays at its OFFSET needs no translation; the root always has one.
        let moves: Vec<bool> = rules
            .iter()
            .enumerate()
            .map(|(i, (joint, offset, _))| {
                let tolerance = 1e-5 * offset.length().max(1e-6);
                let mut frames = self.values.iter().skip(i).step_by(stride);
                *joint == 0 || frames.any(|v| (*v - *offset).abs().max_element() > tolerance)
            })
            .collect();
        let moving: Vec<usize> =
            rules.iter().zip(&moves).filter(|(_, moves)| **moves).map(|((joint, ..), _)| *joint).collect();
        let skeleton = Arc::new(self.skeleton(&moving)?);
        let frames = self.rotations.len() / skeleton.len();
        let positions = if moving.first() == Some(&0) {
            keep_moving(std::mem::take(&mut self.values), &moves)
        } else {
            self.with_root_at_rest(&skeleton, &moves, frames)
        };
        let mut parts = ClipParts { rotations: self.rotations, positions };
        if frames == 0 {
            parts.push(marey_motion::LocalPose::rest(&skeleton).view());
        }
        let name = self.nodes.first().map(|n| n.name.clone()).unwrap_or_default();
        Ok(Actor { name, clip: Clip::from_continuous(skeleton, rate_hz, parts)? })
    }

    /// The positions of a figure whose root has no position channels and stays at its OFFSET.
    fn with_root_at_rest(&self, skeleton: &Skeleton, moves: &[bool], frames: usize) -> Vec<Vec3> {
        let root = skeleton.offsets().first().copied().unwrap_or_default();
        let mut rows = self.values.chunks_exact(moves.len().max(1));
        let mut positions = Vec::with_capacity(frames * skeleton.movers().len());
        for _ in 0..frames {
            positions.push(root);
            let row = rows.next().unwrap_or_default().iter().zip(moves);
            positions.extend(row.filter(|(_, moves)| **moves).map(|(value, _)| *value));
        }
        positions
    }

    fn skeleton(&self, moving: &[usize]) -> Result<Skeleton, FormatsError> {
        // The joint index of each node of the figure.
        let mut joint_of_node = Vec::with_capacity(self.nodes.len());
        let (mut joints, mut tips) = (Vec::new(), Vec::new());
        for node in self.nodes {
            let parent = node.parent.and_then(|p| joint_of_node.get(p - self.first_node).copied());
            joint_of_node.push(joints.len());
            if node.is_tip {
                tips.extend(parent.map(|parent| Tip { parent, offset: node.offset }));
            } else {
                let mut joint = Joint::new(node.name.clone(), parent, node.offset);
                joint.moves |= moving.contains(&joints.len());
                joints.push(joint);
            }
        }
        Ok(Skeleton::new(joints, tips)?)
    }
}

/// Keeps the columns that move, in place.
fn keep_moving(mut values: Vec<Vec3>, moves: &[bool]) -> Vec<Vec3> {
    if moves.iter().all(|m| *m) {
        return values;
    }
    let mut column = moves.iter().cycle();
    values.retain(|_| column.next() == Some(&true));
    values
}

fn axis_of<T>(triple: &mut [T; 3], axis: Axis) -> &mut T {
    let [x, y, z] = triple;
    match axis {
        Axis::X => x,
        Axis::Y => y,
        Axis::Z => z,
    }
}
