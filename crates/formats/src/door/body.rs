//! What a skeleton at rest says about the person: how tall, which way up, which way it faces.
//!
//! Lengths along bones are used wherever they will do, since a rest pose need not stand straight.

use glam::Vec3;
use marey_motion::{Role, Side, Skeleton};

/// A person's measures, in the skeleton's own unit and axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Body {
    /// From the soles to the crown, standing.
    pub(super) height: f32,
    /// From feet to head at rest, unit length.
    pub(super) up: Vec3,
    /// Height of the hips over the soles, standing with straight legs.
    pub(super) hip_height: f32,
}

/// Where the parts of a body are at rest.
struct Rest<'s> {
    skeleton: &'s Skeleton,
    positions: Vec<Vec3>,
    tips: Vec<(usize, Vec3)>,
}

impl<'s> Rest<'s> {
    fn of(skeleton: &'s Skeleton) -> Self {
        let positions = skeleton.rest_positions();
        let turns = skeleton.rest_world_rotations();
        let tip = |tip: &marey_motion::Tip| {
            let (at, turn) = (positions.get(tip.parent)?, turns.get(tip.parent)?);
            Some((tip.parent, *at + *turn * tip.offset))
        };
        let tips = skeleton.tips().iter().filter_map(tip).collect();
        Self { skeleton, positions, tips }
    }

    fn at(&self, role: Role) -> Option<Vec3> {
        self.positions.get(self.skeleton.joint_of(role)?).copied()
    }

    /// The middle of a role's two sides, or the one there is.
    fn middle(&self, role: Role) -> Option<Vec3> {
        let sides = Side::BOTH.map(|side| self.at(role.on(side)));
        match sides {
            [Some(a), Some(b)] => Some((a + b) * 0.5),
            [a, b] => a.or(b),
        }
    }

    /// The direction from one role to another.
    fn direction(&self, from: Role, to: Role) -> Option<Vec3> {
        (self.at(to)? - self.at(from)?).try_normalize()
    }

    /// The length of the bones from one joint up to another above it.
    fn chain(&self, from: usize, to: usize) -> f32 {
        let mut length = 0.0;
        let mut joint = from;
        while joint != to {
            let Some(parent) = self.skeleton.joints().get(joint).and_then(|j| j.parent) else { break };
            if let (Some(a), Some(b)) = (self.positions.get(joint), self.positions.get(parent)) {
                length += a.distance(*b);
            }
            joint = parent;
        }
        length
    }

    /// Every point at or below a joint, tips among them.
    fn points_under(&self, joint: usize) -> impl Iterator<Item = Vec3> + '_ {
        let joints =
            self.positions.iter().enumerate().filter(move |(j, _)| self.skeleton.is_under(*j, joint));
        let tips = self.tips.iter().filter(move |(j, _)| self.skeleton.is_under(*j, joint));
        joints.map(|(_, p)| *p).chain(tips.map(|(_, p)| *p))
    }

    /// How far the points under a joint reach beyond it in a direction; at least 0.
    fn reach(&self, joint: usize, direction: Vec3) -> f32 {
        let Some(&from) = self.positions.get(joint) else { return 0.0 };
        self.points_under(joint).map(|p| (p - from).dot(direction)).fold(0.0, f32::max)
    }
}

impl Body {
    /// Measures a skeleton with hips, a head and a leg; `None` without them, or where they have no size.
    pub(super) fn of(skeleton: &Skeleton) -> Option<Self> {
        let rest = Rest::of(skeleton);
        let head = skeleton.joint_of(Role::Head)?;
        let hips = skeleton.joint_of(Role::Hips)?;
        let feet = rest.middle(Role::LeftFoot)?;
        let up = (rest.at(Role::Head)? - feet).try_normalize()?;

        let legs = Side::BOTH.into_iter().filter_map(|side| {
            let thigh = skeleton.joint_of(Role::LeftUpperLeg.on(side))?;
            let foot = skeleton.joint_of(Role::LeftFoot.on(side))?;
            Some(rest.chain(foot, thigh) + rest.reach(foot, -up))
        });
        let legs: Vec<f32> = legs.collect();
        let leg = legs.iter().sum::<f32>() / legs.len().max(1) as f32;
        let pelvis = (rest.at(Role::Hips)? - rest.middle(Role::LeftUpperLeg)?).dot(up).max(0.0);
        let trunk = rest.chain(head, hips);
        let mut skull = rest.reach(head, up);
        if skull == 0.0 {
            // No crown given: a head is about an eighth of a person.
            skull = (leg + pelvis + trunk) * 0.14;
        }
        let hip_height = leg + pelvis;
        let height = hip_height + trunk + skull;
        (height.is_finite() && leg > 0.0 && trunk > 0.0).then_some(Self { height, up, hip_height })
    }
}

/// Whether a skeleton at rest stands: trunk one way, thighs and shins the other. Some exporters keep all bones along
/// one axis at rest, and bend them into a person only in motion.
pub(crate) fn stands(skeleton: &Skeleton) -> bool {
    let rest = Rest::of(skeleton);
    let Some(trunk) = rest.direction(Role::Hips, Role::Head) else { return false };
    let bones = Side::BOTH.into_iter().flat_map(|side| {
        let [thigh, shin, foot] =
            [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|r| r.on(side));
        [rest.direction(thigh, shin), rest.direction(shin, foot)]
    });
    bones.flatten().all(|bone| bone.dot(trunk) < -0.6)
}

/// Which way a body at rest faces, in a skeleton with Y up: a direction along the floor, from its left and right sides.
/// `None` where they cannot be told apart.
pub(super) fn facing(skeleton: &Skeleton) -> Option<Vec3> {
    let rest = Rest::of(skeleton);
    let pairs = [Role::LeftUpperLeg, Role::LeftUpperArm, Role::LeftShoulder, Role::LeftFoot];
    let across = pairs.into_iter().filter_map(|role| {
        let v = rest.at(role)? - rest.at(role.mirrored())?;
        Vec3::new(v.x, 0.0, v.z).try_normalize()
    });
    // Left is +X where forward is +Z.
    across.sum::<Vec3>().try_normalize().map(|left| left.cross(Vec3::Y))
}

/// Which way the feet point at rest, along the floor, in a skeleton with Y up.
pub(super) fn toes(skeleton: &Skeleton) -> Option<Vec3> {
    let rest = Rest::of(skeleton);
    let feet = Side::BOTH.into_iter().filter_map(|side| {
        let foot = skeleton.joint_of(Role::LeftFoot.on(side))?;
        let from = *rest.positions.get(foot)?;
        let far = rest.points_under(foot).map(|p| Vec3::new(p.x - from.x, 0.0, p.z - from.z));
        far.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?.try_normalize()
    });
    feet.sum::<Vec3>().try_normalize()
}
