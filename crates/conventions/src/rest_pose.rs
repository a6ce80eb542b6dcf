//! Rest poses: a substitute for one that does not stand, and calibration poses in the first frame.

use glam::{Quat, Vec3};
use marey_motion::{Clip, LocalPoseRef, Role, Side, WorldPose};

use crate::body_measurements;

/// Number of frames sampled.
const SAMPLES: usize = 200;

/// The rotations and index of the frame in which the person stands straightest, as a substitute rest pose. `None` if the
/// rest pose already stands, or if the skeleton is not a person's. Y is up.
pub(super) fn straightest(clip: &Clip) -> Option<(Vec<Quat>, usize)> {
    let skeleton = clip.skeleton();
    let needed =
        [Role::Hips, Role::Head, Role::LeftUpperLeg, Role::RightUpperLeg, Role::LeftFoot, Role::RightFoot];
    if body_measurements::is_standing(skeleton)
        || needed.iter().any(|role| skeleton.joint_of(*role).is_none())
    {
        return None;
    }
    let step = clip.frames().div_ceil(SAMPLES).max(1);
    let mut world = WorldPose::scratch(skeleton);
    let score = |(frame, pose): (usize, LocalPoseRef<'_>)| {
        world.set(pose);
        let legs =
            Side::BOTH.into_iter().filter_map(|side| LimbDirections::new(&world, LimbDirections::leg(side)));
        let trunk = direction(&world, Role::Hips, Role::Head)?;
        Some((frame, trunk.y - legs.map(|leg| leg.upper.y + leg.lower.y).sum::<f32>()))
    };
    let frames = clip.poses().enumerate().step_by(step).filter_map(score);
    let (frame, _) = frames.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some((clip.pose(frame).rotations.to_vec(), frame))
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
