//! Infers the up axis from how the body stands.

use glam::Vec3;
use marey_motion::{Clip, Role, Skeleton, WorldPose};

use crate::UpAxis;
use crate::body_measurements::{self, BodyMeasurements};

/// Number of frames sampled.
const SAMPLES: usize = 200;

/// Evidence for an axis, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    /// The body at rest stands along it.
    rest: f32,
    /// The body in motion stands along it.
    motion: f32,
    /// The hips are about a leg's length up along it.
    hips: f32,
}

impl Evidence {
    /// The rest pose counts most, because swimmers and acrobats do not stand.
    fn score(&self) -> f32 {
        self.rest + 0.8 * self.motion + 0.5 * self.hips
    }
}

/// The axis with the most evidence, and the reason. `None` if the skeleton is not a person's.
pub(super) fn detect(clip: &Clip) -> Option<(UpAxis, String)> {
    let body = BodyMeasurements::new(clip.skeleton())?;
    let (mean_up, hips) = sample_motion(clip)?;
    let at_rest = if body_measurements::is_standing(clip.skeleton()) { body.up } else { Vec3::ZERO };
    let evidence = |axis: UpAxis| {
        let direction = axis.direction();
        let hip_height = hips.dot(direction) / body.hip_height;
        Evidence {
            rest: at_rest.dot(direction).max(0.0),
            motion: mean_up.dot(direction).max(0.0),
            hips: (1.0 - 3.0 * (hip_height - 1.0).abs()).max(0.0),
        }
    };
    let best = UpAxis::ALL
        .into_iter()
        .map(|axis| (axis, evidence(axis)))
        .max_by(|(_, a), (_, b)| a.score().total_cmp(&b.score()))?;
    let (axis, found) = best;
    let mut states = Vec::new();
    if found.rest > 0.7 {
        states.push("at rest");
    }
    if found.motion > 0.7 {
        states.push("in motion");
    }
    let mut text = match states.is_empty() {
        true => format!("the body leans along {axis}"),
        false => format!("the body stands along {axis} {}", states.join(" and ")),
    };
    if found.hips > 0.0 {
        text.push_str(", hips a leg's length up");
    }
    Some((axis, text))
}

/// The mean of the unit vectors from feet to head (shorter than 1 if the direction varies), and the median position of the
/// hips, over sampled frames.
fn sample_motion(clip: &Clip) -> Option<(Vec3, Vec3)> {
    let skeleton: &Skeleton = clip.skeleton();
    let [head, left, right, hips] =
        [Role::Head, Role::LeftFoot, Role::RightFoot, Role::Hips].map(|r| skeleton.joint_of(r));
    let (head, hips) = (head?, hips?);
    let feet = (left.or(right)?, right.or(left)?);
    let step = clip.frames().div_ceil(SAMPLES).max(1);
    let mut world = WorldPose::scratch(clip.skeleton());
    let mut mean_up = Vec3::ZERO;
    let mut hip_positions = Vec::new();
    for pose in clip.poses().step_by(step) {
        world.set(pose);
        let position = |joint: usize| world.positions.get(joint).copied();
        let from = (position(feet.0)? + position(feet.1)?) * 0.5;
        mean_up += (position(head)? - from).normalize_or_zero();
        hip_positions.push(position(hips)?);
    }
    let count = hip_positions.len().max(1) as f32;
    Some((mean_up / count, median(hip_positions)))
}

/// The median of each coordinate.
fn median(mut points: Vec<Vec3>) -> Vec3 {
    let mut coordinate = |component: fn(&Vec3) -> f32| {
        points.sort_by(|a, b| component(a).total_cmp(&component(b)));
        points.get(points.len() / 2).map(component).unwrap_or_default()
    };
    Vec3::new(coordinate(|p| p.x), coordinate(|p| p.y), coordinate(|p| p.z))
}
