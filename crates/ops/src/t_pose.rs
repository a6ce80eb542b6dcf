//! The canonical rest pose of a person: a T-pose.
//!
//! Files rest in many poses: legs apart, arms lowered, all bones along one axis, or in the middle of a step. A rest pose that two
//! bodies share makes their rotations comparable. It is built from the roles of the joints and their offsets, never from a frame
//! of a motion: equal offsets give equal rest poses.
//!
//! 1. The *reference* is the pose of joints without rotation if it stands, because that depends on offsets alone; otherwise the
//!    rest pose of the file.
//! 2. Limbs are straightened by the shortest rotations: arms and fingers point sideways, legs down, feet ahead. A standing
//!    reference keeps the shape of its trunk and its flat soles.
//! 3. If the reference does not stand, the frames of pelvis and chest come from the positions of legs, arms and head, and feet
//!    are pitched by a typical angle. Offsets do not determine the twist of a limb then: [`LimbBends`] does, if it is known.
//!
//! Limits: thumbs, eyes and joints without a role keep their rotation relative to their parent.

use std::f32::consts::FRAC_PI_4;

use glam::{Mat3, Quat, Vec3};
use marey_motion::{Joint, Role, Side, Skeleton};

use crate::Result;
use crate::limb_bends::{LimbBends, nearest_axis};

/// Downward pitch of the bone from ankle to ball, in radians, if the reference does not stand.
const FOOT_PITCH_RAD: f32 = 0.45;
/// Rest rotations that differ by less, in radians, are left as they are.
const EQUAL_RAD: f32 = 1e-3;

/// The T-pose of a skeleton.
#[derive(Debug, Clone, PartialEq)]
pub struct TPose {
    /// The rotation of each joint in the frame of its parent.
    pub rotations: Vec<Quat>,
    /// Whether the file's own rest pose, or that of joints without rotation, stands. If not, the twist of limbs is a guess,
    /// unless their bends are known.
    pub from_standing: bool,
}

impl TPose {
    /// The T-pose that faces +Z. As far as roles are missing, joints keep their rest rotation.
    ///
    /// ```
    /// use marey_motion::{Joint, Role, Skeleton, Vec3};
    /// use marey_ops::limb_bends::LimbBends;
    /// use marey_ops::t_pose::TPose;
    /// // An arm that hangs at rest.
    /// let arm = Skeleton::new(
    ///     vec![
    ///         Joint::new("shoulder", None, Vec3::ZERO).with_role(Role::LeftUpperArm),
    ///         Joint::new("elbow", Some(0), Vec3::NEG_Y).with_role(Role::LeftLowerArm),
    ///     ],
    ///     vec![],
    /// )?;
    /// let pose = TPose::new(&arm, &LimbBends::default());
    /// assert!((pose.rotations[0] * Vec3::NEG_Y).distance(Vec3::X) < 1e-6);
    /// # Ok::<(), marey_motion::MotionError>(())
    /// ```
    pub fn new(skeleton: &Skeleton, bends: &LimbBends) -> Self {
        let reference = Reference::of(skeleton);
        let corrections = Corrections { reference: &reference, bends }.all();
        let world: Vec<Quat> = corrections.iter().zip(&reference.rotations).map(|(c, r)| *c * *r).collect();
        let local = |(joint, rotation): (&Joint, &Quat)| match joint.parent {
            Some(parent) => (world[parent].inverse() * *rotation).normalize(),
            None => rotation.normalize(),
        };
        let rotations = skeleton.joints().iter().zip(&world).map(local).collect();
        Self { rotations, from_standing: reference.stands }
    }

    /// The skeleton with this rest pose. Rotations that are equal but for rounding stay as they are.
    pub fn apply(&self, skeleton: &Skeleton) -> Result<Skeleton> {
        let joints = skeleton.joints().iter().zip(&self.rotations).map(|(joint, &rotation)| {
            let is_equal = joint.rest_rotation.angle_between(rotation) < EQUAL_RAD;
            let rest_rotation = if is_equal { joint.rest_rotation } else { rotation };
            Joint { rest_rotation, ..joint.clone() }
        });
        Ok(Skeleton::new(joints.collect(), skeleton.tips().to_vec())?)
    }
}

/// The skeleton in its T-pose, as far as offsets and rest pose determine it.
pub fn with_t_pose(skeleton: &Skeleton) -> Result<Skeleton> {
    TPose::new(skeleton, &LimbBends::default()).apply(skeleton)
}

/// Whether joints without rotation form a standing person that faces +Z, Y up.
pub fn zero_pose_stands(skeleton: &Skeleton) -> bool {
    let identity = vec![Quat::IDENTITY; skeleton.len()];
    Reference::standing(skeleton, identity)
        .is_some_and(|pose| pose.rotations[0].angle_between(Quat::IDENTITY) < FRAC_PI_4)
}

/// The pose that the T-pose is made from.
struct Reference<'a> {
    skeleton: &'a Skeleton,
    /// World rotation and position of each joint.
    rotations: Vec<Quat>,
    positions: Vec<Vec3>,
    stands: bool,
}

impl<'a> Reference<'a> {
    fn of(skeleton: &'a Skeleton) -> Self {
        let rest = skeleton.rest_world_rotations();
        let identity = vec![Quat::IDENTITY; skeleton.len()];
        let standing = Self::standing(skeleton, identity).or_else(|| Self::standing(skeleton, rest.clone()));
        standing.unwrap_or_else(|| {
            let pose = Self::posed(skeleton, rest, false);
            // Without legs or a head nothing can be said about how it stands: its own rest pose is all there is.
            Self { stands: pose.body_frame().is_none(), ..pose }
        })
    }

    fn posed(skeleton: &'a Skeleton, rotations: Vec<Quat>, stands: bool) -> Self {
        let mut positions: Vec<Vec3> = Vec::with_capacity(skeleton.len());
        for joint in skeleton.joints() {
            positions.push(joint.parent.map_or(Vec3::ZERO, |p| positions[p] + rotations[p] * joint.offset));
        }
        Self { skeleton, rotations, positions, stands }
    }

    /// The pose, turned about the axes so that Y is up and +Z ahead, if it stands then.
    fn standing(skeleton: &'a Skeleton, rotations: Vec<Quat>) -> Option<Self> {
        let pose = Self::posed(skeleton, rotations, true);
        let turn = nearest_axes(pose.body_frame()?)?.inverse();
        let turned = pose.rotations.iter().map(|rotation| turn * *rotation).collect();
        Some(Self::posed(skeleton, turned, true)).filter(Self::is_upright)
    }

    fn at(&self, role: Role) -> Option<Vec3> {
        Some(self.positions[self.skeleton.joint_of(role)?])
    }

    fn direction(&self, from: Role, to: Role) -> Option<Vec3> {
        (self.at(to)? - self.at(from)?).try_normalize()
    }

    /// From the right joint of a pair to the left one.
    fn across(&self, left: Role) -> Option<Vec3> {
        (self.at(left)? - self.at(left.mirrored())?).try_normalize()
    }

    /// The rotation from left, up and ahead as X, Y and Z to where they are in this pose.
    fn body_frame(&self) -> Option<Quat> {
        let left = self.across(Role::LeftUpperLeg).or_else(|| self.across(Role::LeftUpperArm))?;
        let legs = (self.at(Role::LeftUpperLeg)? + self.at(Role::RightUpperLeg)?) * 0.5;
        let top = self.at(Role::Head).or_else(|| self.at(Role::Neck))?;
        frame(left, top - legs)
    }

    /// Whether trunk and legs are those of a person who stands straight, with feet ahead. In a frame of a walk, knees are bent.
    fn is_upright(&self) -> bool {
        let both = |from: Role, to: Role, fits: fn(Vec3) -> bool| {
            let [left, right] = Side::BOTH.map(|side| self.direction(from.on(side), to.on(side)));
            match (left, right.map(|way| Vec3::new(-way.x, way.y, way.z))) {
                (Some(left), Some(right)) => fits(left) && fits(right) && left.distance(right) < 0.3,
                _ => true,
            }
        };
        let is_down: fn(Vec3) -> bool = |way| way.y < -0.75 && way.z.abs() < 0.3;
        both(Role::LeftUpperLeg, Role::LeftLowerLeg, is_down)
            && both(Role::LeftLowerLeg, Role::LeftFoot, is_down)
            && both(Role::LeftFoot, Role::LeftToes, |way| way.z > 0.3)
            && self.direction(Role::Hips, Role::Head).is_none_or(|way| way.y > 0.85)
    }
}

/// The rotation to left, up and ahead from X, Y and Z.
fn frame(left: Vec3, up: Vec3) -> Option<Quat> {
    let left = left.try_normalize()?;
    let up = (up - left * up.dot(left)).try_normalize().filter(|_| up.length() > 1e-4)?;
    Some(Quat::from_mat3(&Mat3::from_cols(left, up, left.cross(up))))
}

/// The nearest rotation that maps axes to axes. `None` if none is within 45° or so.
fn nearest_axes(rotation: Quat) -> Option<Quat> {
    let columns = Mat3::from_quat(rotation);
    let snapped = [columns.x_axis, columns.y_axis].map(nearest_axis);
    frame(snapped[0], snapped[1]).filter(|nearest| nearest.angle_between(rotation) < FRAC_PI_4)
}

/// World rotations that take the joints of the reference to the T-pose.
struct Corrections<'a> {
    reference: &'a Reference<'a>,
    bends: &'a LimbBends,
}

impl Corrections<'_> {
    fn all(&self) -> Vec<Quat> {
        let skeleton = self.reference.skeleton;
        let (chest, top) = self.chest();
        let mut all: Vec<Quat> = Vec::with_capacity(skeleton.len());
        for (j, joint) in skeleton.joints().iter().enumerate() {
            let parent = joint.parent.map_or(Quat::IDENTITY, |parent| all[parent]);
            let is_trunk = !self.reference.stands && top.is_some_and(|top| skeleton.is_under(top, j));
            let correction = match joint.role {
                Some(Role::Hips) => self.hips(),
                _ if is_trunk && all.len() > skeleton.joint_of(Role::Hips).unwrap_or(usize::MAX) => {
                    self.upright(j, chest)
                }
                Some(role) => self.of_role(role, j, parent, &all),
                None => parent,
            };
            all.push(correction.normalize());
        }
        all
    }

    fn hips(&self) -> Quat {
        let frame = if self.reference.stands { None } else { self.reference.body_frame() };
        frame.map_or(Quat::IDENTITY, |frame| frame.inverse())
    }

    /// The correction of a chest in a reference that does not stand, and the joint that bears the arms.
    fn chest(&self) -> (Quat, Option<usize>) {
        let (pose, skeleton) = (self.reference, self.reference.skeleton);
        let arms = [Role::LeftShoulder, Role::LeftUpperArm].into_iter().find_map(|role| {
            let bearer = skeleton.parents()[skeleton.joint_of(role)?];
            let top = pose.at(Role::Neck).or_else(|| pose.at(Role::Head))?;
            let middle = (pose.at(role)? + pose.at(role.mirrored())?) * 0.5;
            let up = [top - middle, top - pose.positions[bearer]];
            let frame = up.into_iter().find_map(|up| frame(pose.across(role)?, up))?;
            Some((frame.inverse(), Some(bearer)))
        });
        arms.unwrap_or((self.hips(), None))
    }

    /// A trunk joint with the bone above it upright.
    fn upright(&self, joint: usize, chest: Quat) -> Quat {
        let (skeleton, at) = (self.reference.skeleton, &self.reference.positions);
        let head = skeleton.joint_of(Role::Neck).or_else(|| skeleton.joint_of(Role::Head));
        let next = head.and_then(|head| {
            (joint + 1..=head).find(|&j| skeleton.parents()[j] == joint && skeleton.is_under(head, j))
        });
        match next.and_then(|next| (at[next] - at[joint]).try_normalize()) {
            Some(bone) => Quat::from_rotation_arc(chest * bone, Vec3::Y) * chest,
            None => chest,
        }
    }

    fn of_role(&self, role: Role, joint: usize, parent: Quat, all: &[Quat]) -> Quat {
        let Some(side) = role.side() else {
            return match role {
                Role::Neck if !self.reference.stands => self.upright(joint, parent),
                _ => parent,
            };
        };
        let outward = if side == Side::Left { Vec3::X } else { Vec3::NEG_X };
        let pointing = |child: Role, goal: Vec3| self.pointing(joint, child.on(side), goal, parent);
        let index = usize::from(side == Side::Right);
        match role.on(Side::Left) {
            Role::LeftShoulder if self.reference.stands => parent,
            Role::LeftShoulder => pointing(Role::LeftUpperArm, outward),
            Role::LeftUpperArm => {
                let straight = pointing(Role::LeftLowerArm, outward);
                self.twisted(joint, straight, outward, self.bends.arms[index], Vec3::Z)
            }
            Role::LeftLowerArm => pointing(Role::LeftHand, outward),
            Role::LeftHand => pointing(Role::LeftMiddleProximal, outward),
            Role::LeftIndexProximal => pointing(Role::LeftIndexIntermediate, outward),
            Role::LeftIndexIntermediate => pointing(Role::LeftIndexDistal, outward),
            Role::LeftMiddleProximal => pointing(Role::LeftMiddleIntermediate, outward),
            Role::LeftMiddleIntermediate => pointing(Role::LeftMiddleDistal, outward),
            Role::LeftRingProximal => pointing(Role::LeftRingIntermediate, outward),
            Role::LeftRingIntermediate => pointing(Role::LeftRingDistal, outward),
            Role::LeftLittleProximal => pointing(Role::LeftLittleIntermediate, outward),
            Role::LeftLittleIntermediate => pointing(Role::LeftLittleDistal, outward),
            Role::LeftUpperLeg => {
                let straight = pointing(Role::LeftLowerLeg, Vec3::NEG_Y);
                self.twisted(joint, straight, Vec3::NEG_Y, self.bends.legs[index], Vec3::NEG_Z)
            }
            Role::LeftLowerLeg => pointing(Role::LeftFoot, Vec3::NEG_Y),
            Role::LeftFoot => self.foot(joint, side, parent),
            Role::LeftToes if !self.reference.stands && !all.is_empty() => {
                Quat::from_rotation_x(-FOOT_PITCH_RAD) * parent
            }
            _ => parent,
        }
    }

    /// The correction that points a joint's bone at a goal.
    fn pointing(&self, joint: usize, child: Role, goal: Vec3, parent: Quat) -> Quat {
        let bone = self.reference.at(child).map(|child| child - self.reference.positions[joint]);
        match bone.and_then(Vec3::try_normalize) {
            Some(bone) => Quat::from_rotation_arc(parent * bone, goal) * parent,
            None => parent,
        }
    }

    /// Twists an upper limb so that it bends towards a goal. A standing reference has its own twist.
    fn twisted(&self, joint: usize, straight: Quat, along: Vec3, bend: Option<Vec3>, goal: Vec3) -> Quat {
        let Some(bend) = bend.filter(|_| !self.reference.stands) else { return straight };
        let bend = straight * self.reference.rotations[joint] * bend;
        let Some(bend) = (bend - along * bend.dot(along)).try_normalize() else { return straight };
        let angle = along.dot(bend.cross(goal)).atan2(bend.dot(goal));
        Quat::from_axis_angle(along, angle) * straight
    }

    /// A standing foot keeps its flat sole and turns ahead; any other is pitched by a typical angle.
    fn foot(&self, joint: usize, side: Side, parent: Quat) -> Quat {
        let Some(toes) = self.reference.at(Role::LeftToes.on(side)) else {
            return if self.reference.stands { Quat::IDENTITY } else { parent };
        };
        let bone = toes - self.reference.positions[joint];
        if self.reference.stands {
            return Quat::from_rotation_y(-bone.x.atan2(bone.z));
        }
        let (sin, cos) = FOOT_PITCH_RAD.sin_cos();
        self.pointing(joint, Role::LeftToes.on(side), Vec3::new(0.0, -sin, cos), parent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pelvis, legs, feet, chest, arms and head, each joint's frame turned by `turn`; rest rotations undo it.
    fn person(turn: impl Fn(usize) -> Quat, arms_down_rad: f32) -> Skeleton {
        let mut joints = vec![Joint::new("hips", None, Vec3::Y).with_role(Role::Hips)];
        let mut add = |parent: usize, offset: Vec3, role: Role| {
            joints.push(Joint::new(role.name(), Some(parent), offset).with_role(role));
            joints.len() - 1
        };
        let chest = add(0, Vec3::new(0.0, 0.3, -0.01), Role::Chest);
        let neck = add(chest, Vec3::Y * 0.2, Role::Neck);
        add(neck, Vec3::new(0.0, 0.1, 0.02), Role::Head);
        for side in Side::BOTH {
            let x = if side == Side::Left { 1.0 } else { -1.0 };
            let arm = Vec3::new(x * arms_down_rad.cos(), -arms_down_rad.sin(), 0.0);
            let mut parent = chest;
            for (role, offset) in [
                (Role::LeftUpperArm, Vec3::new(x * 0.15, 0.15, 0.0)),
                (Role::LeftLowerArm, arm * 0.3),
                (Role::LeftHand, arm * 0.25),
            ] {
                parent = add(parent, offset, role.on(side));
            }
            parent = 0;
            for (role, offset) in [
                (Role::LeftUpperLeg, Vec3::new(x * 0.1, -0.05, 0.0)),
                (Role::LeftLowerLeg, Vec3::new(x * 0.08, -0.4, 0.0)),
                (Role::LeftFoot, Vec3::new(x * 0.02, -0.42, -0.02)),
                (Role::LeftToes, Vec3::new(x * 0.03, -0.07, 0.14)),
            ] {
                parent = add(parent, offset, role.on(side));
            }
        }
        let parents: Vec<Option<usize>> = joints.iter().map(|joint| joint.parent).collect();
        for (j, joint) in joints.iter_mut().enumerate() {
            let above = parents[j].map_or(Quat::IDENTITY, &turn);
            joint.offset = above.inverse() * joint.offset;
            joint.rest_rotation = above.inverse() * turn(j);
        }
        Skeleton::new(joints, vec![]).unwrap()
    }

    fn assert_t_pose(skeleton: &Skeleton) {
        let at = skeleton.rest_positions();
        let way = |from: Role, to: Role| {
            let [from, to] = [from, to].map(|role| at[skeleton.joint_of(role).unwrap()]);
            (to - from).normalize()
        };
        for side in Side::BOTH {
            let x = if side == Side::Left { Vec3::X } else { Vec3::NEG_X };
            for (from, to, goal) in [
                (Role::LeftUpperArm, Role::LeftLowerArm, x),
                (Role::LeftLowerArm, Role::LeftHand, x),
                (Role::LeftUpperLeg, Role::LeftLowerLeg, Vec3::NEG_Y),
                (Role::LeftLowerLeg, Role::LeftFoot, Vec3::NEG_Y),
            ] {
                let way = way(from.on(side), to.on(side));
                assert!(way.distance(goal) < 1e-3, "{from:?} {side:?}: {way}");
            }
            let foot = way(Role::LeftFoot.on(side), Role::LeftToes.on(side));
            assert!(foot.x.abs() < 1e-3 && foot.z > 0.8, "{side:?}: {foot}");
        }
        assert!(way(Role::Hips, Role::Head).y > 0.95);
    }

    #[test]
    fn every_rest_pose_becomes_a_t_pose_and_stays_one() {
        let odd = |j: usize| Quat::from_axis_angle(Vec3::new(1.0, j as f32, 2.0).normalize(), 0.7 * j as f32);
        let plain = |_: usize| Quat::IDENTITY;
        for skeleton in [person(plain, 0.0), person(plain, 0.9), person(odd, 1.3)] {
            let posed = with_t_pose(&skeleton).unwrap();
            assert_t_pose(&posed);
            let again = TPose::new(&posed, &LimbBends::default());
            assert!(again.from_standing);
            assert_eq!(again.apply(&posed).unwrap(), posed);
        }
    }

    #[test]
    fn equal_offsets_give_equal_poses_whatever_the_rest_pose() {
        let skeleton = person(|_| Quat::IDENTITY, 0.4);
        let mid_step = skeleton.joints().iter().enumerate().map(|(j, joint)| Joint {
            rest_rotation: Quat::from_rotation_x(0.2 * j as f32),
            ..joint.clone()
        });
        let other = Skeleton::new(mid_step.collect(), vec![]).unwrap();
        assert!(zero_pose_stands(&skeleton) && zero_pose_stands(&other));
        let poses = [&skeleton, &other].map(|skeleton| TPose::new(skeleton, &LimbBends::default()));
        assert_eq!(poses[0], poses[1]);
    }

    #[test]
    fn bones_along_one_axis_become_a_t_pose_that_bends_as_it_should() {
        // Every joint's bone along its own X axis: without rotation, all bones point the same way.
        let standing = person(|_| Quat::IDENTITY, 0.0);
        let along = |j: usize| {
            let child = standing.joints().iter().find(|joint| joint.parent == Some(j));
            child.map_or(Quat::IDENTITY, |child| Quat::from_rotation_arc(Vec3::X, child.offset.normalize()))
        };
        let rig = person(along, 0.0);
        let joints =
            rig.joints().iter().map(|joint| Joint { rest_rotation: Quat::IDENTITY, ..joint.clone() });
        let rig = Skeleton::new(joints.collect(), vec![]).unwrap();
        assert!(!zero_pose_stands(&rig));
        let knee_bends = along(rig.joint_of(Role::LeftUpperLeg).unwrap()).inverse() * Vec3::NEG_Z;
        let bends = LimbBends { legs: [Some(knee_bends); 2], ..LimbBends::default() };
        let pose = TPose::new(&rig, &bends);
        assert!(!pose.from_standing);
        let posed = pose.apply(&rig).unwrap();
        assert_t_pose(&posed);
        let thigh = posed.rest_world_rotations()[posed.joint_of(Role::LeftUpperLeg).unwrap()];
        assert!((thigh * knee_bends).distance(Vec3::NEG_Z) < 1e-3);
    }
}
