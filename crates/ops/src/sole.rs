//! The points of a foot that stand on the floor.

use marey_motion::{Clip, Quat, Role, Side, Skeleton, Vec3, WorldPose};

/// A part of the sole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The back, which comes down first in a walk.
    Heel,
    /// The front, which leaves last: where the toes bend.
    Ball,
}

impl Part {
    /// Both parts.
    pub const ALL: [Part; 2] = [Part::Heel, Part::Ball];

    /// The role whose contact it makes.
    pub fn role(self, side: Side) -> Role {
        match self {
            Part::Heel => Role::LeftFoot.on(side),
            Part::Ball => Role::LeftToes.on(side),
        }
    }
}

/// A point fixed to a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolePoint {
    /// Which part of the sole it is.
    pub part: Part,
    /// Of which foot.
    pub side: Side,
    joint: usize,
    /// In the joint's frame.
    offset: Vec3,
    rest_m: f32,
}

/// How far the heel is behind the ankle, over how far the ball is ahead of it, in a foot that does not say (Winter's
/// tables, as in figures of the examples: 0.038 to 0.068 of the height).
const HEEL_OVER_BALL: f32 = 0.56;

impl SolePoint {
    /// The points a skeleton has, as far as its roles and tips tell.
    pub fn all(skeleton: &Skeleton) -> Vec<Self> {
        let rest = Rest { skeleton, at: skeleton.rest_positions(), turns: skeleton.rest_world_rotations() };
        let sides = Side::BOTH.into_iter();
        sides.flat_map(|side| Part::ALL.map(|part| rest.point(part, side))).flatten().collect()
    }

    /// How high it is over the lowest point of its foot at rest, in metres: its height over a floor that the foot stands
    /// flat on.
    pub fn rest_m(&self) -> f32 {
        self.rest_m
    }

    /// Where it is, from where the joints are and how they are turned in the world.
    pub fn at(&self, positions: &[Vec3], rotations: &[Quat]) -> Vec3 {
        positions[self.joint] + rotations[self.joint] * self.offset
    }

    /// Where each of these points is in every frame.
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

/// A skeleton at rest, where its feet can be looked at: +Z is ahead.
struct Rest<'a> {
    skeleton: &'a Skeleton,
    at: Vec<Vec3>,
    turns: Vec<Quat>,
}

impl Rest<'_> {
    fn point(&self, part: Part, side: Side) -> Option<SolePoint> {
        let foot = self.skeleton.joint_of(Role::LeftFoot.on(side));
        let toes = self.skeleton.joint_of(Role::LeftToes.on(side));
        let (joint, offset) = match (part, toes) {
            (Part::Heel, _) => (foot?, self.heel(foot?, toes)),
            (Part::Ball, Some(toes)) => (toes, Vec3::ZERO),
            (Part::Ball, None) => (foot?, self.tip(foot?, |way| way.z > 0.0)?),
        };
        let foot = foot.unwrap_or(joint);
        let height = (self.at[joint] + self.turns[joint] * offset).y;
        let lowest = lowest_under(self.skeleton, &self.at, &self.turns, foot).min(height);
        Some(SolePoint { part, side, joint, offset, rest_m: height - lowest })
    }

    /// The tip behind the ankle, or else a point as low as the rest of the foot, and as far back as feet go.
    fn heel(&self, foot: usize, toes: Option<usize>) -> Vec3 {
        self.tip(foot, |way| way.z < 0.0).unwrap_or_else(|| {
            let ahead = toes.map_or(Vec3::ZERO, |toes| self.at[toes] - self.at[foot]).with_y(0.0);
            let down =
                Vec3::NEG_Y * (self.at[foot].y - lowest_under(self.skeleton, &self.at, &self.turns, foot));
            self.turns[foot].inverse() * (down - HEEL_OVER_BALL * ahead)
        })
    }

    /// The first tip of a joint that lies a certain way from it.
    fn tip(&self, joint: usize, lies: impl Fn(Vec3) -> bool) -> Option<Vec3> {
        let tips = self.skeleton.tips().iter().filter(|tip| tip.parent == joint);
        tips.map(|tip| tip.offset).find(|&offset| lies(self.turns[joint] * offset))
    }
}

/// The height of the lowest of a joint and what hangs on it, from where the joints are and how they are turned.
fn lowest_under(skeleton: &Skeleton, positions: &[Vec3], rotations: &[Quat], joint: usize) -> f32 {
    let joints = (joint..skeleton.len()).filter(|&j| skeleton.is_under(j, joint));
    let tips = skeleton.tips().iter().filter(|tip| skeleton.is_under(tip.parent, joint));
    let tips = tips.map(|tip| (positions[tip.parent] + rotations[tip.parent] * tip.offset).y);
    joints.map(|j| positions[j].y).chain(tips).fold(f32::INFINITY, f32::min)
}
