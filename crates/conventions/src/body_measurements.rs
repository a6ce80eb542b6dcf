//! Measures a skeleton at rest: height, up direction, facing.
//!
//! Lengths are measured along bones where possible, because a rest pose need not stand straight.

use glam::Vec3;
use marey_motion::{Role, Side, Skeleton};

/// Measurements of a person, in the skeleton's unit and axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BodyMeasurements {
    /// Standing height, soles to crown.
    pub(super) height: f32,
    /// Unit vector from feet to head at rest.
    pub(super) up: Vec3,
    /// Height of the hips above the soles with straight legs.
    pub(super) hip_height: f32,
}

/// Positions of joints and tips at rest.
struct RestPositions<'s> {
    skeleton: &'s Skeleton,
    positions: Vec<Vec3>,
    tips: Vec<(usize, Vec3)>,
}

impl<'s> RestPositions<'s> {
    fn new(skeleton: &'s Skeleton) -> Self {
        let positions = skeleton.rest_positions();
        let rotations = skeleton.rest_world_rotations();
        let tip = |tip: &marey_motion::Tip| {
            let (position, rotation) = (positions.get(tip.parent)?, rotations.get(tip.parent)?);
            Some((tip.parent, *position + *rotation * tip.offset))
        };
        let tips = skeleton.tips().iter().filter_map(tip).collect();
        Self { skeleton, positions, tips }
    }

    fn position(&self, role: Role) -> Option<Vec3> {
        self.positions.get(self.skeleton.joint_of(role)?).copied()
    }

    /// The midpoint of a role's left and right joints, or the position of the one that exists.
    fn midpoint(&self, role: Role) -> Option<Vec3> {
        let sides = Side::BOTH.map(|side| self.position(role.on(side)));
        match sides {
            [Some(a), Some(b)] => Some((a + b) * 0.5),
            [a, b] => a.or(b),
        }
    }

    /// The direction from one role to another.
    fn direction(&self, from: Role, to: Role) -> Option<Vec3> {
        (self.position(to)? - self.position(from)?).try_normalize()
    }

    /// The total bone length from a joint up to one of its ancestors.
    fn chain_length(&self, from: usize, to: usize) -> f32 {
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

    /// The joints and tips of the subtree of a joint.
    fn subtree_points(&self, joint: usize) -> impl Iterator<Item = Vec3> + '_ {
        let joints =
            self.positions.iter().enumerate().filter(move |(j, _)| self.skeleton.is_under(*j, joint));
        let tips = self.tips.iter().filter(move |(j, _)| self.skeleton.is_under(*j, joint));
        joints.map(|(_, p)| *p).chain(tips.map(|(_, p)| *p))
    }

    /// The extent of a joint's subtree beyond the joint in a direction; at least 0.
    fn reach(&self, joint: usize, direction: Vec3) -> f32 {
        let Some(&from) = self.positions.get(joint) else { return 0.0 };
        self.subtree_points(joint).map(|p| (p - from).dot(direction)).fold(0.0, f32::max)
    }
}

impl BodyMeasurements {
    /// Measures a skeleton. `None` if it lacks hips, a head or a leg, or if these have no size.
    pub(super) fn new(skeleton: &Skeleton) -> Option<Self> {
        let rest = RestPositions::new(skeleton);
        let head = skeleton.joint_of(Role::Head)?;
        let hips = skeleton.joint_of(Role::Hips)?;
        let feet = rest.midpoint(Role::LeftFoot)?;
        let up = (rest.position(Role::Head)? - feet).try_normalize()?;

        let legs = Side::BOTH.into_iter().filter_map(|side| {
            let thigh = skeleton.joint_of(Role::LeftUpperLeg.on(side))?;
            let foot = skeleton.joint_of(Role::LeftFoot.on(side))?;
            Some(rest.chain_length(foot, thigh) + rest.reach(foot, -up))
        });
        let legs: Vec<f32> = legs.collect();
        let leg = legs.iter().sum::<f32>() / legs.len().max(1) as f32;
        let pelvis = (rest.position(Role::Hips)? - rest.midpoint(Role::LeftUpperLeg)?).dot(up).max(0.0);
        let trunk = rest.chain_length(head, hips);
        let mut skull = rest.reach(head, up);
        if skull == 0.0 {
            // No crown in the skeleton: a head is about an eighth of the height.
            skull = (leg + pelvis + trunk) * 0.14;
        }
        let hip_height = leg + pelvis;
        let height = hip_height + trunk + skull;
        (height.is_finite() && leg > 0.0 && trunk > 0.0).then_some(Self { height, up, hip_height })
    }
}

/// Whether a skeleton stands at rest: thighs and shins point away from the trunk.
///
/// Some exporters lay all bones along one axis at rest and form a person only in motion.
pub fn is_standing(skeleton: &Skeleton) -> bool {
    let rest = RestPositions::new(skeleton);
    let Some(trunk) = rest.direction(Role::Hips, Role::Head) else { return false };
    let bones = Side::BOTH.into_iter().flat_map(|side| {
        let [thigh, shin, foot] =
            [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|r| r.on(side));
        [rest.direction(thigh, shin), rest.direction(shin, foot)]
    });
    bones.flatten().all(|bone| bone.dot(trunk) < -0.6)
}

/// The horizontal direction that a body faces at rest, from its left and right sides. Y is up. `None` if the sides
/// cannot be distinguished.
pub(super) fn facing(skeleton: &Skeleton) -> Option<Vec3> {
    let rest = RestPositions::new(skeleton);
    let pairs = [Role::LeftUpperLeg, Role::LeftUpperArm, Role::LeftShoulder, Role::LeftFoot];
    let across = pairs.into_iter().filter_map(|role| {
        let v = rest.position(role)? - rest.position(role.mirrored())?;
        Vec3::new(v.x, 0.0, v.z).try_normalize()
    });
    // If forward is +Z, left is +X.
    across.sum::<Vec3>().try_normalize().map(|left| left.cross(Vec3::Y))
}

/// The horizontal direction that the feet point at rest. Y is up.
pub(super) fn toe_direction(skeleton: &Skeleton) -> Option<Vec3> {
    let rest = RestPositions::new(skeleton);
    let feet = Side::BOTH.into_iter().filter_map(|side| {
        let foot = skeleton.joint_of(Role::LeftFoot.on(side))?;
        let from = *rest.positions.get(foot)?;
        let offsets = rest.subtree_points(foot).map(|p| Vec3::new(p.x - from.x, 0.0, p.z - from.z));
        offsets.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?.try_normalize()
    });
    feet.sum::<Vec3>().try_normalize()
}
