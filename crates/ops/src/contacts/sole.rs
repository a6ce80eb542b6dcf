//! The points of a foot that stand on the floor.

use marey_motion::{Clip, Role, Side, Skeleton, Vec3, WorldPose};

/// A point fixed to a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct SolePoint {
    /// What it is a point of: a foot's is its heel, toes' is the ball.
    pub(super) role: Role,
    joint: usize,
    /// In the joint's frame.
    offset: Vec3,
}

impl SolePoint {
    /// The points a skeleton has, as far as its roles tell.
    pub(super) fn all(skeleton: &Skeleton) -> Vec<Self> {
        Side::BOTH
            .into_iter()
            .flat_map(|side| [heel(skeleton, side), ball(skeleton, side)])
            .flatten()
            .collect()
    }

    /// Where each of these points is in every frame.
    pub(super) fn paths(points: &[Self], clip: &Clip) -> Vec<Vec<Vec3>> {
        let mut paths = vec![Vec::with_capacity(clip.frames()); points.len()];
        let mut world = WorldPose::scratch(clip.skeleton());
        for pose in clip.poses() {
            world.set(pose);
            for (path, point) in paths.iter_mut().zip(points) {
                path.push(world.positions[point.joint] + world.rotations[point.joint] * point.offset);
            }
        }
        paths
    }
}

/// The heel: the rearmost tip of the foot, or else the point of the sole under the ankle.
fn heel(skeleton: &Skeleton, side: Side) -> Option<SolePoint> {
    let role = Role::LeftFoot.on(side);
    let joint = skeleton.joint_of(role)?;
    let turn = skeleton.rest_world_rotations()[joint];
    let offset = tip_of(skeleton, joint, |offset| (turn * offset).z < 0.0)
        .unwrap_or_else(|| turn.inverse() * (Vec3::NEG_Y * height_over_sole(skeleton, joint)));
    Some(SolePoint { role, joint, offset })
}

/// The ball: the toes' joint, or else a tip ahead of the ankle.
fn ball(skeleton: &Skeleton, side: Side) -> Option<SolePoint> {
    let role = Role::LeftToes.on(side);
    if let Some(joint) = skeleton.joint_of(role) {
        return Some(SolePoint { role, joint, offset: Vec3::ZERO });
    }
    let joint = skeleton.joint_of(Role::LeftFoot.on(side))?;
    let turn = skeleton.rest_world_rotations()[joint];
    let offset = tip_of(skeleton, joint, |offset| (turn * offset).z > 0.0)?;
    Some(SolePoint { role, joint, offset })
}

/// The first tip of a joint that is on a certain side of it.
fn tip_of(skeleton: &Skeleton, joint: usize, is_there: impl Fn(Vec3) -> bool) -> Option<Vec3> {
    let tips = skeleton.tips().iter().filter(|tip| tip.parent == joint);
    tips.map(|tip| tip.offset).find(|&offset| is_there(offset))
}

/// How high a joint is at rest over the lowest of what hangs on it, in metres.
fn height_over_sole(skeleton: &Skeleton, joint: usize) -> f32 {
    let (at, turns) = (skeleton.rest_positions(), skeleton.rest_world_rotations());
    let joints = (joint..skeleton.len()).filter(|&j| skeleton.is_under(j, joint)).map(|j| at[j].y);
    let tips = skeleton.tips().iter().filter(|tip| skeleton.is_under(tip.parent, joint));
    let lowest = joints
        .chain(tips.map(|tip| (at[tip.parent] + turns[tip.parent] * tip.offset).y))
        .fold(f32::INFINITY, f32::min);
    at[joint].y - lowest
}
