//! The body that moves: a tree of joints.

use std::collections::HashSet;

use glam::{Quat, Vec3};

use crate::{Error, Result, Role};

/// One joint, as a skeleton is built from.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// Name, unique in its skeleton.
    pub name: String,
    /// Index of the parent; `None` for the root.
    pub parent: Option<usize>,
    /// Where the joint is in its parent's frame at rest, in metres.
    pub offset: Vec3,
    /// How the joint is turned in its parent's frame at rest.
    pub rest_rotation: Quat,
    /// What the joint is for.
    pub role: Option<Role>,
    /// Whether the joint has a translation of its own in every frame. The root always has.
    pub moves: bool,
}

impl Joint {
    /// A joint that turns but does not move, without a role, unturned at rest.
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

/// The end of a bone beyond its last joint: a finger tip, the crown of the head, the point of the toes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tip {
    /// The joint it is fixed to.
    pub parent: usize,
    /// Where it is in that joint's frame, in metres.
    pub offset: Vec3,
}

/// Joint names, parents, rest pose, roles, and tips.
///
/// Always: at least one joint; joint 0 is the only root; parents come before children; names are unique; at most
/// one joint has a given role; every number is finite.
///
/// *Movers* are the joints with a translation of their own in every frame: the root, and whatever else a file
/// animates. The rest only turn about their offset.
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
/// # Ok::<(), marey_motion::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    tips: Vec<Tip>,
    parents: Vec<usize>,
    offsets: Vec<Vec3>,
    movers: Vec<usize>,
    joint_of_role: Vec<Option<usize>>,
}

impl Skeleton {
    /// Checks and keeps a tree of joints.
    pub fn new(mut joints: Vec<Joint>, tips: Vec<Tip>) -> Result<Self> {
        if joints.is_empty() {
            return Err(Error::Empty { what: "a skeleton" });
        }
        let mut names = HashSet::with_capacity(joints.len());
        let mut joint_of_role = vec![None; Role::ALL.len()];
        for (j, joint) in joints.iter().enumerate() {
            let wrong = |problem| Error::Hierarchy { joint: j, name: joint.name.clone(), problem };
            match joint.parent {
                None if j > 0 => return Err(wrong("is a second root")),
                Some(p) if p >= j => return Err(wrong("comes before its parent")),
                _ => {}
            }
            if !joint.offset.is_finite() || !is_rotation(joint.rest_rotation) {
                return Err(Error::NotFinite { what: "a rest offset or rotation", frame: 0, joint: j });
            }
            if !names.insert(joint.name.as_str()) {
                return Err(Error::DuplicateName { name: joint.name.clone() });
            }
            claim_role(&joints, &mut joint_of_role, j)?;
        }
        drop(names);
        for tip in &tips {
            if tip.parent >= joints.len() {
                let found = tip.parent;
                return Err(Error::Length { what: "a tip's parent", found, wanted: joints.len() });
            }
            if !tip.offset.is_finite() {
                return Err(Error::NotFinite { what: "a tip's offset", frame: 0, joint: tip.parent });
            }
        }
        for joint in &mut joints {
            joint.rest_rotation = joint.rest_rotation.normalize();
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

    /// How many joints there are; at least 1.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Always false: a skeleton has a root.
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

    /// The parent of each joint; the root's is itself.
    pub fn parents(&self) -> &[usize] {
        &self.parents
    }

    /// The rest offset of each joint in its parent's frame, in metres.
    pub fn offsets(&self) -> &[Vec3] {
        &self.offsets
    }

    /// The joints that have a translation of their own, ascending; the root is the first.
    pub fn movers(&self) -> &[usize] {
        &self.movers
    }

    /// The joint with a role.
    pub fn joint_of(&self, role: Role) -> Option<usize> {
        self.joint_of_role.get(role.index()).copied().flatten()
    }

    /// The joint with a role, or an error that names it.
    pub fn require(&self, role: Role) -> Result<usize> {
        self.joint_of(role).ok_or(Error::MissingRole { role })
    }

    /// The joint with a name.
    pub fn joint_named(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }

    /// Every role that is taken, with its joint, in the order of [`Role::ALL`].
    pub fn roles(&self) -> impl Iterator<Item = (Role, usize)> + '_ {
        Role::ALL.iter().filter_map(|&role| Some((role, self.joint_of(role)?)))
    }

    /// The same skeleton with these roles and no others; one entry a joint.
    pub fn with_roles(&self, roles: &[Option<Role>]) -> Result<Self> {
        if roles.len() != self.len() {
            return Err(Error::Length { what: "roles", found: roles.len(), wanted: self.len() });
        }
        let mut joints = self.joints.clone();
        for (joint, &role) in joints.iter_mut().zip(roles) {
            joint.role = role;
        }
        Self::new(joints, self.tips.clone())
    }

    /// The same skeleton, so many times as large.
    pub fn scaled(&self, factor: f32) -> Result<Self> {
        let joints = self.joints.iter().map(|j| Joint { offset: j.offset * factor, ..j.clone() });
        let tips = self.tips.iter().map(|tip| Tip { offset: tip.offset * factor, ..*tip });
        Self::new(joints.collect(), tips.collect())
    }

    /// Whether `ancestor` is `joint` or above it.
    pub fn is_under(&self, joint: usize, ancestor: usize) -> bool {
        let mut j = joint;
        while j > ancestor {
            j = self.parents[j];
        }
        j == ancestor
    }

    /// How each joint is turned in the world at rest.
    pub fn rest_world_rotations(&self) -> Vec<Quat> {
        let mut world: Vec<Quat> = Vec::with_capacity(self.len());
        for joint in &self.joints {
            world.push(joint.parent.map_or(Quat::IDENTITY, |p| world[p]) * joint.rest_rotation);
        }
        world
    }

    /// Where each joint is at rest, the root at its own offset.
    pub fn rest_positions(&self) -> Vec<Vec3> {
        let rotations = self.rest_world_rotations();
        let mut world: Vec<Vec3> = Vec::with_capacity(self.len());
        for joint in &self.joints {
            world.push(joint.parent.map_or(joint.offset, |p| world[p] + rotations[p] * joint.offset));
        }
        world
    }
}

/// Notes the role of joint `j`, or says who has it already.
fn claim_role(joints: &[Joint], joint_of_role: &mut [Option<usize>], j: usize) -> Result<()> {
    let Some(role) = joints[j].role else { return Ok(()) };
    if let Some(first) = joint_of_role[role.index()].replace(j) {
        return Err(Error::DuplicateRole {
            role,
            first: joints[first].name.clone(),
            second: joints[j].name.clone(),
        });
    }
    Ok(())
}

/// Finite, and long enough to be normalised.
pub(crate) fn is_rotation(q: Quat) -> bool {
    q.is_finite() && q.length_squared() > 1e-12
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
    fn every_broken_promise_is_refused() {
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
        let mut roles = chain();
        roles[0].role = Some(Role::Head);
        roles[2].role = Some(Role::Head);
        assert_eq!(code(roles, vec![]), "motion/duplicate-role");
        assert_eq!(code(chain(), vec![Tip { parent: 3, offset: Vec3::Y }]), "motion/length");
        assert_eq!(code(chain(), vec![Tip { parent: 2, offset: Vec3::INFINITY }]), "motion/not-finite");
    }

    #[test]
    fn rest_rotations_turn_what_hangs_below() {
        let mut joints = chain();
        joints[1].rest_rotation = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2);
        let skeleton = Skeleton::new(joints, vec![]).unwrap();
        assert!((skeleton.rest_positions()[2] - Vec3::new(1.0, 1.0, 0.0)).length() < 1e-6);
        assert!(skeleton.is_under(2, 0) && skeleton.is_under(2, 2) && !skeleton.is_under(1, 2));
    }
}
