//! An arm that puts its hand somewhere.

use marey_motion::{Error, LocalPose, Quat, Role, Side, Skeleton, Vec3, WorldPose};
use marey_ops::ik::{self, Limb, two_bone};

/// An arm of a skeleton.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm {
    /// Upper joint, elbow, hand.
    joints: [usize; 3],
}

/// The straightest an elbow gets, in radians.
const MIN_FOLD_RAD: f32 = 0.1;

impl Arm {
    /// The arm that ends in a role, which must be a hand.
    pub(super) fn of(skeleton: &Skeleton, role: Role) -> Result<Self, Error> {
        let side = match role {
            Role::LeftHand => Side::Left,
            Role::RightHand => Side::Right,
            _ => return Err(Error::MissingRole { role }),
        };
        let [upper, lower] =
            [Role::LeftUpperArm, Role::LeftLowerArm].map(|role| skeleton.require(role.on(side)));
        let joints = [upper?, lower?, skeleton.require(role)?];
        let hangs = |joint: usize, on: usize| joint != on && skeleton.is_under(joint, on);
        if !hangs(joints[1], joints[0]) || !hangs(joints[2], joints[1]) {
            return Err(Error::MissingRole { role });
        }
        Ok(Self { joints })
    }

    pub(super) fn hand(&self) -> usize {
        self.joints[2]
    }

    /// Bends the arm so that the hand is at a place, turned as it was; where it comes to be. `world` is of the pose as given.
    pub(super) fn reach(&self, pose: &mut LocalPose, world: &WorldPose, place: Vec3) -> Vec3 {
        let [root, middle, end] = self.joints.map(|joint| world.positions[joint]);
        let line = (end - root).normalize_or(Vec3::NEG_Y);
        let off = (middle - root) - line * (middle - root).dot(line);
        // A straight arm folds backwards.
        let front = if off.length() > 0.005 { off } else { world.rotations[0] * Vec3::NEG_Z };
        let fold = ik::Settings { min_fold_rad: MIN_FOLD_RAD, ..ik::Settings::default() };
        let bent = two_bone(&Limb { root, middle, end, front }, place, front, &fold);
        let parent = [Quat::IDENTITY, bent.upper_turn, bent.lower_turn];
        let own = [bent.upper_turn, bent.lower_turn, Quat::IDENTITY];
        for (i, &joint) in self.joints.iter().enumerate() {
            let hangs_on =
                world.skeleton().joints()[joint].parent.map_or(Quat::IDENTITY, |p| world.rotations[p]);
            let turned = own[i] * world.rotations[joint];
            pose.rotations[joint] = ((parent[i] * hangs_on).conjugate() * turned).normalize();
        }
        bent.end
    }
}
