//! Rest poses: the T-pose of a person, and calibration poses in the first frame.

use glam::{Quat, Vec3};
use marey_motion::{Clip, LocalPoseRef, Role, Side, WorldPose};
use marey_ops::limb_bends::LimbBends;
use marey_ops::t_pose::TPose;

/// The reason for a rest pose that was built from the offsets of joints alone.
pub(super) const BUILT_REASON: &str =
    "joints without rotation do not form a standing person; a T-pose was built from the bones";

/// A person's T-pose, or `None` if legs, hips or head are unknown. Y is up.
pub(super) fn t_pose(clip: &Clip) -> Option<TPose> {
    let skeleton = clip.skeleton();
    let needed =
        [Role::Hips, Role::Head, Role::LeftUpperLeg, Role::RightUpperLeg, Role::LeftFoot, Role::RightFoot];
    if needed.iter().any(|role| skeleton.joint_of(*role).is_none()) {
        return None;
    }
    let pose = TPose::new(skeleton, &LimbBends::default());
    // Offsets alone do not determine how limbs are twisted; which way they bend does.
    Some(if pose.from_standing { pose } else { TPose::new(skeleton, &LimbBends::of(clip)) })
}

/// The reason why the first frame is a calibration pose, or `None` if it is not: a T-pose that is too far from the second
/// frame to be motion. Archives insert one for tools that need it. Y is up.
pub(super) fn starts_in_t_pose(clip: &Clip) -> Option<String> {
    if clip.frames() < 3 {
        return None;
    }
    let (first, second, third) = (clip.pose(0), clip.pose(1), clip.pose(2));
    let (jump, typical) = (largest_rotation(first, second), largest_rotation(second, third));
    let jumps = jump > 8f32.to_radians() && jump > 3.0 * typical;
    (jumps && is_t_pose(&WorldPose::of(clip.skeleton(), first)))
        .then(|| format!("frame 0 is a T-pose, {:.0}° from frame 1", jump.to_degrees()))
}

/// Whether the legs point straight down and the arms straight out.
fn is_t_pose(world: &WorldPose) -> bool {
    let straight = |chain, along: fn(Vec3) -> bool| {
        LimbDirections::new(world, chain)
            .is_some_and(|limb| along(limb.upper) && along(limb.lower) && limb.upper.dot(limb.lower) > 0.94)
    };
    Side::BOTH.into_iter().all(|side| {
        straight(LimbDirections::leg(side), |bone| bone.y < -0.94)
            && straight(LimbDirections::arm(side), |bone| bone.y.abs() < 0.35)
    })
}

/// The directions of a limb's two long bones.
struct LimbDirections {
    upper: Vec3,
    lower: Vec3,
}

impl LimbDirections {
    fn leg(side: Side) -> [Role; 3] {
        [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|role| role.on(side))
    }

    fn arm(side: Side) -> [Role; 3] {
        [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand].map(|role| role.on(side))
    }

    fn new(world: &WorldPose, [a, b, c]: [Role; 3]) -> Option<Self> {
        Some(Self { upper: direction(world, a, b)?, lower: direction(world, b, c)? })
    }
}

fn direction(world: &WorldPose, from: Role, to: Role) -> Option<Vec3> {
    let position = |role| world.positions.get(world.skeleton().joint_of(role)?).copied();
    (position(to)? - position(from)?).try_normalize()
}

/// The largest angle between the rotations of a joint in two poses, without the root.
fn largest_rotation(a: LocalPoseRef<'_>, b: LocalPoseRef<'_>) -> f32 {
    let angle = |(a, b): (&Quat, &Quat)| a.angle_between(*b);
    a.rotations.iter().zip(b.rotations).skip(1).map(angle).fold(0.0, f32::max)
}
