//! The rest pose: whether the file's is one, and whether the first frame is a calibration pose.

use glam::{Quat, Vec3};
use marey_motion::{Clip, LocalPoseRef, Role, Side, WorldPose};

use super::body;

/// How many frames are looked at.
const SAMPLES: usize = 200;

/// Rest rotations for a person whose joints at rest do not make one: those of the frame in which it stands straightest.
/// `None` where the rest pose stands, or where there is no person. Y is up.
pub(super) fn straightest(clip: &Clip) -> Option<(Vec<Quat>, usize)> {
    let skeleton = clip.skeleton();
    let needed =
        [Role::Hips, Role::Head, Role::LeftUpperLeg, Role::RightUpperLeg, Role::LeftFoot, Role::RightFoot];
    if body::stands(skeleton) || needed.iter().any(|role| skeleton.joint_of(*role).is_none()) {
        return None;
    }
    let step = clip.frames().div_ceil(SAMPLES).max(1);
    let mut world = WorldPose::scratch(skeleton);
    let score = |(frame, pose): (usize, LocalPoseRef<'_>)| {
        world.set(pose);
        let legs = Side::BOTH.into_iter().filter_map(|side| Limb::of(&world, Limb::leg(side)));
        let trunk = direction(&world, Role::Hips, Role::Head)?;
        Some((frame, trunk.y - legs.map(|leg| leg.upper.y + leg.lower.y).sum::<f32>()))
    };
    let frames = clip.poses().enumerate().step_by(step).filter_map(score);
    let (frame, _) = frames.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    Some((clip.pose(frame).rotations.to_vec(), frame))
}

/// Why the first frame is a pose put before the motion, where it is: a T-pose that no one gets out of in a frame. Archives
/// put one there for tools that want it. Y is up.
pub(super) fn starts_in_t_pose(clip: &Clip) -> Option<String> {
    if clip.frames() < 3 {
        return None;
    }
    let (first, second, third) = (clip.pose(0), clip.pose(1), clip.pose(2));
    let (jump, usual) = (largest_turn(first, second), largest_turn(second, third));
    let jumps = jump > 8f32.to_radians() && jump > 3.0 * usual;
    (jumps && is_t_pose(&WorldPose::of(clip.skeleton(), first)))
        .then(|| format!("frame 0 is a T-pose, {:.0}° from frame 1", jump.to_degrees()))
}

/// Whether legs are straight down and arms straight out.
fn is_t_pose(world: &WorldPose) -> bool {
    let straight = |chain, along: fn(Vec3) -> bool| {
        Limb::of(world, chain)
            .is_some_and(|limb| along(limb.upper) && along(limb.lower) && limb.upper.dot(limb.lower) > 0.94)
    };
    Side::BOTH.into_iter().all(|side| {
        straight(Limb::leg(side), |bone| bone.y < -0.94)
            && straight(Limb::arm(side), |bone| bone.y.abs() < 0.35)
    })
}

/// The directions of a limb's two long bones.
struct Limb {
    upper: Vec3,
    lower: Vec3,
}

impl Limb {
    fn leg(side: Side) -> [Role; 3] {
        [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|role| role.on(side))
    }

    fn arm(side: Side) -> [Role; 3] {
        [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand].map(|role| role.on(side))
    }

    fn of(world: &WorldPose, [a, b, c]: [Role; 3]) -> Option<Self> {
        Some(Self { upper: direction(world, a, b)?, lower: direction(world, b, c)? })
    }
}

fn direction(world: &WorldPose, from: Role, to: Role) -> Option<Vec3> {
    let at = |role| world.positions.get(world.skeleton().joint_of(role)?).copied();
    (at(to)? - at(from)?).try_normalize()
}

/// The largest turn of a joint between two poses, the root left aside.
fn largest_turn(a: LocalPoseRef<'_>, b: LocalPoseRef<'_>) -> f32 {
    let turn = |(a, b): (&Quat, &Quat)| a.angle_between(*b);
    a.rotations.iter().zip(b.rotations).skip(1).map(turn).fold(0.0, f32::max)
}
