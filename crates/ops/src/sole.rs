//! The points of a foot that touch the floor.

use marey_motion::{Clip, Quat, Role, Side, Skeleton, Vec3, WorldPose};

/// A part of the sole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SolePart {
    /// The back, which touches first in a walk.
    Heel,
    /// The front, which leaves last, where the toes bend.
    Ball,
}

impl SolePart {
    /// Both parts.
    pub const ALL: [SolePart; 2] = [SolePart::Heel, SolePart::Ball];

    /// The role of its contacts.
    pub fn role(self, side: Side) -> Role {
        match self {
            SolePart::Heel => Role::LeftFoot.on(side),
            SolePart::Ball => Role::LeftToes.on(side),
        }
    }
}

/// A point fixed to a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolePoint {
    /// The part of the sole.
    pub part: SolePart,
    /// The foot.
    pub side: Side,
    joint: usize,
    /// In the frame of the joint.
    offset: Vec3,
    rest_m: f32,
}

/// Distance of the heel behind the ankle relative to that of the ball before it, for feet without a heel tip
/// (Winter's tables: 0.038 and 0.068 of the height).
const HEEL_OVER_BALL: f32 = 0.56;

impl SolePoint {
    /// The points of a skeleton, as far as its roles and tips define them.
    pub fn all(skeleton: &Skeleton) -> Vec<Self> {
        let rest = Rest { skeleton, at: skeleton.rest_positions(), turns: skeleton.rest_world_rotations() };
        let sides = Side::BOTH.into_iter();
        sides.flat_map(|side| SolePart::ALL.map(|part| rest.point(part, side))).flatten().collect()
    }

    /// Height over the lowest point of the foot at rest, in metres: the height over a floor on which the foot
    /// stands flat.
    pub fn rest_m(&self) -> f32 {
        self.rest_m
    }

    /// Position for given world positions and rotations of the joints.
    pub fn at(&self, positions: &[Vec3], rotations: &[Quat]) -> Vec3 {
        positions[self.joint] + rotations[self.joint] * self.offset
    }

    /// The path of each point over a clip.
    pub fn paths(points: &[Self], clip: &Clip) -> Vec<Vec<Vec3>> {
        let mut paths = vec![Vec::with_capacity(clip.frames()); points.len()];
        let mut world = WorldPose::scratch(clip.skeleton());
        for pose in clip.poses() {
            world.set(pose);
            for (path, point) in paths.iter_mut().zip(points) {
                path.push(point.at(&world.positions, &world.rotations));
            }
        }
        paths
    }
}

/// A skeleton at rest; +Z is forward.
struct Rest<'a> {
    skeleton: &'a Skeleton,
    at: Vec<Vec3>,
    turns: Vec<Quat>,
}

impl Rest<'_> {
    fn point(&self, part: SolePart, side: Side) -> Option<SolePoint> {
        let foot = self.skeleton.joint_of(Role::LeftFoot.on(side));
        let toes = self.skeleton.joint_of(Role::LeftToes.on(side));
        let (joint, offset) = match (part, toes) {
            (SolePart::Heel, _) => (foot?, self.heel(foot?, toes)),
            (SolePart::Ball, Some(toes)) => (toes, Vec3::ZERO),
            (SolePart::Ball, None) => (foot?, self.tip(foot?, |offset| offset.z > 0.0)?),
        };
        let foot = foot.unwrap_or(joint);
        let height = (self.at[joint] + self.turns[joint] * offset).y;
        let lowest = lowest_under(self.skeleton, &self.at, &self.turns, foot).min(height);
        Some(SolePoint { part, side, joint, offset, rest_m: height - lowest })
    }

    /// The tip behind the ankle; without one, a point at the height of the sole and a typical distance behind
    /// the ankle.
    fn heel(&self, foot: usize, toes: Option<usize>) -> Vec3 {
        self.tip(foot, |offset| offset.z < 0.0).unwrap_or_else(|| {
            let ahead = toes.map_or(Vec3::ZERO, |toes| self.at[toes] - self.at[foot]).with_y(0.0);
            let down =
                Vec3::NEG_Y * (self.at[foot].y - lowest_under(self.skeleton, &self.at, &self.turns, foot));
            self.turns[foot].inverse() * (down - HEEL_OVER_BALL * ahead)
        })
    }

    /// The first tip of a joint that lies in a certain direction.
    fn tip(&self, joint: usize, lies: impl Fn(Vec3) -> bool) -> Option<Vec3> {
        let tips = self.skeleton.tips().iter().filter(|tip| tip.parent == joint);
        tips.map(|tip| tip.offset).find(|&offset| lies(self.turns[joint] * offset))
    }
}

/// The lowest height of a joint and its descendants.
fn lowest_under(skeleton: &Skeleton, positions: &[Vec3], rotations: &[Quat], joint: usize) -> f32 {
    let joints = (joint..skeleton.len()).filter(|&j| skeleton.is_under(j, joint));
    let tips = skeleton.tips().iter().filter(|tip| skeleton.is_under(tip.parent, joint));
    let tips = tips.map(|tip| (positions[tip.parent] + rotations[tip.parent] * tip.offset).y);
    joints.map(|j| positions[j].y).chain(tips).fold(f32::INFINITY, f32::min)
}
