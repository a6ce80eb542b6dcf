//! The joint of the source that each joint of the target follows.

use glam::Quat;
use marey_motion::{Role, Skeleton};

use super::trunk::{Along, Trunk};
use crate::Result;

/// The rotation of a joint of the target.
#[derive(Debug, Clone, Copy)]
enum Rule {
    /// That of a joint of the source, from the T-pose.
    As { joint: usize },
    /// Between two joints of the trunk of the source.
    Between { lower: usize, upper: usize, share: f32 },
    /// Exactly like a joint of the source with the same axes.
    Same { joint: usize },
    /// The rest rotation relative to its parent.
    WithParent,
}

/// The rotations of all joints of the target.
#[derive(Debug)]
pub(super) struct JointRotations {
    rules: Vec<Rule>,
    /// Inverse world rotations of the source at rest.
    unrest: Vec<Quat>,
    /// The target at rest: world rotations, and rotations relative to the parents.
    rest: Vec<Quat>,
    local_rest: Vec<Quat>,
    parents: Vec<usize>,
}

impl JointRotations {
    /// Both skeletons rest in their T-poses.
    pub(super) fn new(source: &Skeleton, target: &Skeleton) -> Result<Self> {
        let pair = Pair { source, target };
        Ok(Self {
            rules: pair.rules()?,
            unrest: source.rest_world_rotations().iter().map(|rotation| rotation.inverse()).collect(),
            rest: target.rest_world_rotations(),
            local_rest: target.joints().iter().map(|joint| joint.rest_rotation).collect(),
            parents: target.parents().to_vec(),
        })
    }

    /// For a target with the joints of the source, whose numbers are given, and the same axes.
    pub(super) fn same(joints: &[usize], target: &Skeleton) -> Self {
        Self {
            rules: joints.iter().map(|&joint| Rule::Same { joint }).collect(),
            unrest: Vec::new(),
            rest: Vec::new(),
            local_rest: Vec::new(),
            parents: target.parents().to_vec(),
        }
    }

    /// World rotations of the target from those of the source.
    pub(super) fn apply(&self, source: &[Quat]) -> Vec<Quat> {
        // D: the world rotation of a joint from rest.
        let turn = |joint: usize| source[joint] * self.unrest[joint];
        let mut world: Vec<Quat> = Vec::with_capacity(self.rules.len());
        for (j, rule) in self.rules.iter().enumerate() {
            let rotation = match *rule {
                Rule::As { joint } => turn(joint) * self.rest[j],
                Rule::Between { lower, upper, share } => turn(lower).slerp(turn(upper), share) * self.rest[j],
                Rule::Same { joint } => source[joint],
                Rule::WithParent if j == 0 => self.rest[0],
                Rule::WithParent => world[self.parents[j]] * self.local_rest[j],
            };
            world.push(rotation.normalize());
        }
        world
    }
}

struct Pair<'a> {
    source: &'a Skeleton,
    target: &'a Skeleton,
}

impl Pair<'_> {
    fn rules(&self) -> Result<Vec<Rule>> {
        let hips = [self.source.require(Role::Hips)?, self.target.require(Role::Hips)?];
        let mut rules: Vec<Rule> =
            self.target.joints().iter().map(|joint| self.by_role(joint.role)).collect();
        self.above_hips(hips, &mut rules);
        for (joint, along) in Trunk::matched(self.source, self.target) {
            rules[joint] = match along {
                Along::At(joint) => Rule::As { joint },
                Along::Between { lower, upper, share } => Rule::Between { lower, upper, share },
            };
        }
        Ok(rules)
    }

    fn by_role(&self, role: Option<Role>) -> Rule {
        let joint = role.and_then(|role| self.source.joint_of(role));
        joint.map_or(Rule::WithParent, |joint| Rule::As { joint })
    }

    /// Joints between the carrier and the hips rotate like the hips; joints above stay at rest.
    fn above_hips(&self, [source_hips, target_hips]: [usize; 2], rules: &mut [Rule]) {
        let mut j = target_hips;
        while !self.target.joints()[j].moves {
            j = self.target.parents()[j];
            rules[j] = Rule::As { joint: source_hips };
        }
        while j != 0 {
            j = self.target.parents()[j];
            rules[j] = Rule::WithParent;
        }
    }
}
