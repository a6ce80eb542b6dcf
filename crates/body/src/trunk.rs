//! The trunk of a posed body, and the bones that do not belong to a person.

use marey_motion::{Role, Side, Skeleton, Vec3};

/// Position and orientation of a trunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrunkFrame {
    /// The midpoint of the hip joints, in metres.
    pub pelvis: Vec3,
    /// The midpoint of the shoulder joints, in metres.
    pub shoulders: Vec3,
    /// The unit direction from pelvis to shoulders.
    pub up: Vec3,
    /// The unit direction to the left, orthogonal to `up`.
    pub left: Vec3,
    /// The unit direction that the trunk faces.
    pub ahead: Vec3,
}

impl TrunkFrame {
    /// The trunk of a skeleton whose joints are at these positions; `None` if a hip or shoulder joint is missing.
    pub fn of(skeleton: &Skeleton, positions: &[Vec3]) -> Option<Self> {
        let at = |role: Role| positions.get(skeleton.joint_of(role)?).copied();
        let pair = |role: Role| Some([at(role.on(Side::Left))?, at(role.on(Side::Right))?]);
        Some(Self::new(pair(Role::LeftUpperLeg)?, pair(Role::LeftUpperArm)?))
    }

    /// The trunk between two hip joints and two shoulder joints, left first. Directions that have no length default to +Y and
    /// to any direction orthogonal to `up`.
    pub fn new([hip_left, hip_right]: [Vec3; 2], [shoulder_left, shoulder_right]: [Vec3; 2]) -> Self {
        let (pelvis, shoulders) = (0.5 * (hip_left + hip_right), 0.5 * (shoulder_left + shoulder_right));
        let up = (shoulders - pelvis).normalize_or(Vec3::Y);
        let across = hip_left - hip_right + shoulder_left - shoulder_right;
        let left = (across - up * up.dot(across)).normalize_or(up.any_orthonormal_vector());
        Self { pelvis, shoulders, up, left, ahead: left.cross(up) }
    }
}

/// For each joint, whether its bone belongs to no part of a person: a tail, a prop, a skirt.
///
/// Everything below a head, hand or foot belongs to that part, and so does every joint on the path to one with a role.
pub fn extra_joints(skeleton: &Skeleton) -> Vec<bool> {
    let joints = skeleton.joints();
    let mut is_in_extremity = vec![false; joints.len()];
    for (joint, data) in joints.iter().enumerate() {
        let is_inherited = data.parent.is_some_and(|parent| is_in_extremity.get(parent) == Some(&true));
        if let Some(slot) = is_in_extremity.get_mut(joint) {
            *slot = is_inherited || data.role.is_some_and(is_extremity);
        }
    }
    let mut leads_to_role = vec![false; joints.len()];
    for (joint, data) in joints.iter().enumerate().rev() {
        let leads = leads_to_role.get(joint) == Some(&true) || data.role.is_some();
        for joint in [Some(joint), data.parent].into_iter().flatten() {
            if let Some(slot) = leads_to_role.get_mut(joint) {
                *slot |= leads;
            }
        }
    }
    leads_to_role.into_iter().zip(is_in_extremity).map(|(leads, inside)| !leads && !inside).collect()
}

fn is_extremity(role: Role) -> bool {
    matches!(role, Role::Head | Role::LeftHand | Role::RightHand | Role::LeftFoot | Role::RightFoot)
}

#[cfg(test)]
mod tests {
    use marey_motion::Joint;

    use super::*;
    use crate::BodyProportions;

    #[test]
    fn a_body_at_rest_faces_forward() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let trunk = TrunkFrame::of(&skeleton, &skeleton.rest_positions()).unwrap();
        assert!(trunk.up.distance(Vec3::Y) < 1e-5 && trunk.left.distance(Vec3::X) < 1e-5);
        assert!(trunk.ahead.distance(Vec3::Z) < 1e-5);
    }

    #[test]
    fn a_tail_is_extra_and_a_finger_is_not() {
        let body = BodyProportions::default().skeleton().unwrap();
        let mut joints = body.joints().to_vec();
        let hand = body.joint_of(Role::LeftHand).unwrap();
        joints.push(Joint::new("tail", Some(0), -Vec3::Z));
        joints.push(Joint::new("ring", Some(hand), Vec3::X));
        let skeleton = Skeleton::new(joints, vec![]).unwrap();
        let extra = extra_joints(&skeleton);
        assert!(extra[body.len()] && extra.iter().filter(|is_extra| **is_extra).count() == 1);
    }
}
