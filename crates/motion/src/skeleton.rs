//! Skeletons: trees of joints.

use std::collections::HashSet;

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::{MotionError, Result, Role};

/// One joint of a skeleton.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// Name, unique in its skeleton.
    pub name: String,
    /// Index of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// Rest position in the frame of the parent, in metres.
    pub offset: Vec3,
    /// Rest rotation in the frame of the parent.
    #[serde(rename = "rest", default, skip_serializing_if = "is_identity")]
    pub rest_rotation: Quat,
    /// Anatomical role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// Whether the joint has its own translation in every frame. The root always has.
    pub moves: bool,
}

impl Joint {
    /// A joint that rotates but does not translate, without a role and rest rotation.
    pub fn new(name: impl Into<String>, parent: Option<usize>, offset: Vec3) -> Self {
        Self {
            name: name.into(),
            parent,
            offset,
            rest_rotation: Quat::IDENTITY,
            role: None,
            moves: parent.is_none(),
        }
    }

    /// The same joint with a role.
    pub fn with_role(mut self, role: Role) -> Self {
        self.role = Some(role);
        self
    }
}

/// The end of a bone beyond its last joint: a finger tip, the crown of the head, the tip of the toes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tip {
    /// Its joint.
    pub parent: usize,
    /// Its position in the frame of the joint, in metres.
    pub offset: Vec3,
}

/// Joint names, parents, rest pose, roles, and tips.
///
/// Invariants: at least one joint; joint 0 is the only root; parents come before children; names are unique;
/// at most one joint has a given role; every number is finite.
///
/// *Movers* are the joints with their own translation in every frame: the root, and whatever else a file
/// animates. All others only rotate about their offset.
///
/// As JSON, a skeleton is `{"joints": [{"name", "parent", "offset", "rest", "role", "moves"}, …], "tips": [{"parent", "offset"}, …]}`;
/// `rest`, `role` and `tips` are left out if they are the identity, none and empty. It reads back to the bit.
///
/// ```
/// use marey_motion::{Joint, Role, Skeleton, Vec3};
/// let leg = Skeleton::new(
///     vec![
///         Joint::new("hip", None, Vec3::ZERO).with_role(Role::LeftUpperLeg),
///         Joint::new("knee", Some(0), Vec3::new(0.0, -0.4, 0.0)).with_role(Role::LeftLowerLeg),
///         Joint::new("ankle", Some(1), Vec3::new(0.0, -0.4, 0.0)).with_role(Role::LeftFoot),
///     ],
///     vec![],
/// )?;
/// assert_eq!(leg.joint_of(Role::LeftLowerLeg), Some(1));
/// assert_eq!(leg.rest_positions()[2], Vec3::new(0.0, -0.8, 0.0));
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SkeletonJson")]
pub struct Skeleton {
    joints: Vec<Joint>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tips: Vec<Tip>,
    #[serde(skip_serializing)]
    parents: Vec<usize>,
    #[serde(skip_serializing)]
    offsets: Vec<Vec3>,
    #[serde(skip_serializing)]
    movers: Vec<usize>,
    #[serde(skip_serializing)]
    joint_of_role: Vec<Option<usize>>,
}

impl Skeleton {
    /// Checks a tree of joints. Rest rotations are normalised.
    pub fn new(mut joints: Vec<Joint>, tips: Vec<Tip>) -> Result<Self> {
        for joint in joints.iter_mut().filter(|joint| is_rotation(joint.rest_rotation)) {
            joint.rest_rotation = joint.rest_rotation.normalize();
        }
        Self::from_normalised(joints, tips)
    }

    fn from_normalised(mut joints: Vec<Joint>, tips: Vec<Tip>) -> Result<Self> {
        if joints.is_empty() {
            return Err(MotionError::Empty { what: "a skeleton" });
        }
        let mut names = HashSet::with_capacity(joints.len());
        let mut joint_of_role = vec![None; Role::ALL.len()];
        for (j, joint) in joints.iter().enumerate() {
            let wrong = |problem| MotionError::Hierarchy { joint: j, name: joint.name.clone(), problem };
            match joint.parent {
                None if j > 0 => return Err(wrong("is a second root")),
                Some(p) if p >= j => return Err(wrong("comes before its parent")),
                _ => {}
            }
            if !joint.offset.is_finite() || !is_rotation(joint.rest_rotation) {
                return Err(MotionError::NotFinite { what: "a rest offset or rotation", frame: 0, joint: j });
            }
            if !names.insert(joint.name.as_str()) {
                return Err(MotionError::DuplicateName { name: joint.name.clone() });
            }
            claim_role(&joints, &mut joint_of_role, j)?;
        }
        drop(names);
        for tip in &tips {
            if tip.parent >= joints.len() {
                let found = tip.parent;
                return Err(MotionError::Length { what: "a tip's parent", found, wanted: joints.len() });
            }
            if !tip.offset.is_finite() {
                return Err(MotionError::NotFinite { what: "a tip's offset", frame: 0, joint: tip.parent });
            }
        }
        for joint in &mut joints {
            joint.moves |= joint.parent.is_none();
        }
        Ok(Self {
            parents: joints.iter().map(|j| j.parent.unwrap_or(0)).collect(),
            offsets: joints.iter().map(|j| j.offset).collect(),
            movers: joints.iter().enumerate().filter(|(_, j)| j.moves).map(|(i, _)| i).collect(),
            joints,
            tips,
            joint_of_role,
        })
    }

    /// Number of joints; at least 1.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Always false.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The joints, parents before children.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The bone ends.
    pub fn tips(&self) -> &[Tip] {
        &self.tips
    }

    /// The parent of each joint; the root's parent is itself.
    pub fn parents(&self) -> &[usize] {
        &self.parents
    }

    /// The rest offset of each joint in its parent's frame, in metres.
    pub fn offsets(&self) -> &[Vec3] {
        &self.offsets
    }

    /// The joints with their own translation, ascending; the root is the first.
    pub fn movers(&self) -> &[usize] {
        &self.movers
    }

    /// The joint with a role.
    pub fn joint_of(&self, role: Role) -> Option<usize> {
        self.joint_of_role.get(role.index()).copied().flatten()
    }

    /// The joint with a role, or an error.
    pub fn require(&self, role: Role) -> Result<usize> {
        self.joint_of(role).ok_or(MotionError::MissingRole { role })
    }

    /// The joint with a name.
    pub fn joint_named(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }

    /// Every assigned role with its joint, in the order of [`Role::ALL`].
    pub fn roles(&self) -> impl Iterator<Item = (Role, usize)> + '_ {
        Role::ALL.iter().filter_map(|&role| Some((role, self.joint_of(role)?)))
    }

    /// The same skeleton with exactly these roles; one entry per joint.
    pub fn with_roles(&self, roles: &[Option<Role>]) -> Result<Self> {
        if roles.len() != self.len() {
            return Err(MotionError::Length { what: "roles", found: roles.len(), wanted: self.len() });
        }
        let mut joints = self.joints.clone();
        for (joint, &role) in joints.iter_mut().zip(roles) {
            joint.role = role;
        }
        Self::new(joints, self.tips.clone())
    }

    /// The skeleton scaled by a factor.
    pub fn scaled(&self, factor: f32) -> Result<Self> {
        let joints = self.joints.iter().map(|j| Joint { offset: j.offset * factor, ..j.clone() });
        let tips = self.tips.iter().map(|tip| Tip { offset: tip.offset * factor, ..*tip });
        Self::new(joints.collect(), tips.collect())
    }

    /// Whether `joint` is `ancestor` or a descendant of it.
    pub fn is_under(&self, joint: usize, ancestor: usize) -> bool {
        let mut j = joint;
        while j > ancestor {
            j = self.parents[j];
        }
        j == ancestor
    }

    /// The world rotation of each joint at rest.
    pub fn rest_world_rotations(&self) -> Vec<Quat> {
        let mut world: Vec<Quat> = Vec::with_capacity(self.len());
        for joint in &self.joints {
            world.push(joint.parent.map_or(Quat::IDENTITY, |p| world[p]) * joint.rest_rotation);
        }
        world
    }

    /// The world position of each joint at rest, with the root at its own offset.
    pub fn rest_positions(&self) -> Vec<Vec3> {
        let rotations = self.rest_world_rotations();
        let mut world: Vec<Vec3> = Vec::with_capacity(self.len());
        for joint in &self.joints {
            world.push(joint.parent.map_or(joint.offset, |p| world[p] + rotations[p] * joint.offset));
        }
        world
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SkeletonJson {
    joints: Vec<Joint>,
    #[serde(default)]
    tips: Vec<Tip>,
}

impl TryFrom<SkeletonJson> for Skeleton {
    type Error = MotionError;

    /// Normalisation is not idempotent to the last bit, so rotations of unit length are kept.
    fn try_from(json: SkeletonJson) -> Result<Self> {
        let is_unit = |joint: &Joint| (joint.rest_rotation.length_squared() - 1.0).abs() <= 1e-6;
        if json.joints.iter().all(is_unit) {
            Self::from_normalised(json.joints, json.tips)
        } else {
            Self::new(json.joints, json.tips)
        }
    }
}

fn is_identity(rotation: &Quat) -> bool {
    *rotation == Quat::IDENTITY
}

/// Records the role of joint `j`, or returns an error if it is taken.
fn claim_role(joints: &[Joint], joint_of_role: &mut [Option<usize>], j: usize) -> Result<()> {
    let Some(role) = joints[j].role else { return Ok(()) };
    if let Some(first) = joint_of_role[role.index()].replace(j) {
        return Err(MotionError::DuplicateRole {
            role,
            first: joints[first].name.clone(),
            second: joints[j].name.clone(),
        });
    }
    Ok(())
}

/// Whether a quaternion can be normalised. A finite one of more than 10¹⁹ cannot: its squared length is not finite.
pub(crate) fn is_rotation(q: Quat) -> bool {
    let length_squared = q.length_squared();
    length_squared.is_finite() && length_squared > 1e-12
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain() -> Vec<Joint> {
        vec![
            Joint::new("a", None, Vec3::ZERO),
            Joint::new("b", Some(0), Vec3::Y),
            Joint::new("c", Some(1), Vec3::Y),
        ]
    }

    fn code(joints: Vec<Joint>, tips: Vec<Tip>) -> &'static str {
        use crate::Coded;
        Skeleton::new(joints, tips).unwrap_err().code().id
    }

    #[test]
    fn invalid_skeletons_are_rejected() {
        assert_eq!(code(vec![], vec![]), "motion/mismatch");
        let mut late = chain();
        late[1].parent = Some(2);
        assert_eq!(code(late, vec![]), "motion/hierarchy");
        let mut two = chain();
        two[2].parent = None;
        assert_eq!(code(two, vec![]), "motion/hierarchy");
        let mut own = chain();
        own[0].parent = Some(0);
        assert_eq!(code(own, vec![]), "motion/hierarchy");
        let mut twin = chain();
        twin[2].name = "b".into();
        assert_eq!(code(twin, vec![]), "motion/duplicate-name");
        let mut nan = chain();
        nan[1].offset.x = f32::NAN;
        assert_eq!(code(nan, vec![]), "motion/not-finite");
        let mut flat = chain();
        flat[1].rest_rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        assert_eq!(code(flat, vec![]), "motion/not-finite");
        let mut long = chain();
        long[1].rest_rotation = Quat::from_xyzw(0.0, 1e30, 0.0, 1.0);
        assert_eq!(code(long, vec![]), "motion/not-finite");
        let mut roles = chain();
        roles[0].role = Some(Role::Head);
        roles[2].role = Some(Role::Head);
        assert_eq!(code(roles, vec![]), "motion/duplicate-role");
        assert_eq!(code(chain(), vec![Tip { parent: 3, offset: Vec3::Y }]), "motion/length");
        assert_eq!(code(chain(), vec![Tip { parent: 2, offset: Vec3::INFINITY }]), "motion/not-finite");
    }

    #[test]
    fn skeletons_read_back_as_they_were() {
        let mut arm =
            Joint::new("arm \"1\"\n", Some(0), Vec3::new(0.1, -1e-9, 3.0e7)).with_role(Role::LeftUpperArm);
        arm.rest_rotation = Quat::from_rotation_x(0.3);
        arm.moves = true;
        let joints = vec![Joint::new("root", None, Vec3::Y), arm, Joint::new("hand", Some(1), Vec3::X)];
        let skeleton = Skeleton::new(joints, vec![Tip { parent: 2, offset: Vec3::splat(0.3) }]).unwrap();
        let text = serde_json::to_string(&skeleton).unwrap();
        let read: Skeleton = serde_json::from_str(&text).unwrap();
        assert_eq!(read, skeleton);
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        for bad in [
            "",
            "{}",
            "{\"joints\":[]}",
            "{\"joints\":[{\"name\":\"a\",\"parent\":3,\"offset\":[0,0,0],\"moves\":true}]}",
        ] {
            assert!(serde_json::from_str::<Skeleton>(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn rest_rotations_rotate_descendants() {
        let mut joints = chain();
        joints[1].rest_rotation = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2);
        let skeleton = Skeleton::new(joints, vec![]).unwrap();
        assert!((skeleton.rest_positions()[2] - Vec3::new(1.0, 1.0, 0.0)).length() < 1e-6);
        assert!(skeleton.is_under(2, 0) && skeleton.is_under(2, 2) && !skeleton.is_under(1, 2));
    }
}
