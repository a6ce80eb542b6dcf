//! Finding the up axis: BVH does not say it.

use glam::Vec3;
use marey_motion::{Clip, Role, Skeleton, WorldPose};

use super::axis::UpAxis;
use super::body::{self, Body};

/// How many frames are looked at.
const SAMPLES: usize = 200;

/// What speaks for an axis, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    /// The body at rest stands along it.
    rest: f32,
    /// The body in motion stands along it.
    motion: f32,
    /// The hips are about a leg's length up it.
    hips: f32,
}

impl Evidence {
    /// The rest pose counts most: swimmers and acrobats do not stand.
    fn score(&self) -> f32 {
        self.rest + 0.8 * self.motion + 0.5 * self.hips
    }
}

/// The axis with the most evidence, and why; `None` for what is not a person.
pub(super) fn detect(clip: &Clip) -> Option<(UpAxis, String)> {
    let body = Body::of(clip.skeleton())?;
    let (stands, hips) = in_motion(clip)?;
    let at_rest = if body::stands(clip.skeleton()) { body.up } else { Vec3::ZERO };
    let evidence = |axis: UpAxis| {
        let direction = axis.direction();
        let hip_height = hips.dot(direction) / body.hip_height;
        Evidence {
            rest: at_rest.dot(direction).max(0.0),
            motion: stands.dot(direction).max(0.0),
            hips: (1.0 - 3.0 * (hip_height - 1.0).abs()).max(0.0),
        }
    };
    let best = UpAxis::ALL
        .into_iter()
        .map(|axis| (axis, evidence(axis)))
        .max_by(|(_, a), (_, b)| a.score().total_cmp(&b.score()))?;
    let (axis, found) = best;
    let mut why = Vec::new();
    if found.rest > 0.7 {
        why.push("at rest");
    }
    if found.motion > 0.7 {
        why.push("in motion");
    }
    let mut text = match why.is_empty() {
        true => format!("the body leans along {axis}"),
        false => format!("the body stands along {axis} {}", why.join(" and ")),
    };
    if found.hips > 0.0 {
        text.push_str(", hips a leg's length up");
    }
    Some((axis, text))
}

/// Over sampled frames: the mean direction from feet to head, shorter than 1 where it varies, and the middle of the hips' places.
fn in_motion(clip: &Clip) -> Option<(Vec3, Vec3)> {
    let skeleton: &Skeleton = clip.skeleton();
    let [head, left, right, hips] =
        [Role::Head, Role::LeftFoot, Role::RightFoot, Role::Hips].map(|r| skeleton.joint_of(r));
    let (head, hips) = (head?, hips?);
    let feet = (left.or(right)?, right.or(left)?);
    let step = clip.frames().div_ceil(SAMPLES).max(1);
    let mut world = WorldPose::scratch(clip.skeleton());
    let mut stands = Vec3::ZERO;
    let mut places = Vec::new();
    for pose in clip.poses().step_by(step) {
        world.set(pose);
        let at = |joint: usize| world.positions.get(joint).copied();
        let from = (at(feet.0)? + at(feet.1)?) * 0.5;
        stands += (at(head)? - from).normalize_or_zero();
        places.push(at(hips)?);
    }
    let count = places.len().max(1) as f32;
    Some((stands / count, middle(places)))
}

/// The median of each coordinate.
fn middle(mut points: Vec<Vec3>) -> Vec3 {
    let mut coordinate = |of: fn(&Vec3) -> f32| {
        points.sort_by(|a, b| of(a).total_cmp(&of(b)));
        points.get(points.len() / 2).map(of).unwrap_or_default()
    };
    Vec3::new(coordinate(|p| p.x), coordinate(|p| p.y), coordinate(|p| p.z))
}
