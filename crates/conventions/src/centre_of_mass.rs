//! An approximate centre of mass, accurate enough to recognise free fall.

use marey_motion::{Clip, Role, Vec3, WorldPose};

/// Fraction of the body's mass assigned to each joint. Rounded from D. Winter, "Biomechanics and Motor Control of
/// Human Movement" (2009), table 4.1: trunk and head 58 %, each leg 16 %, each arm 5 %, each at a joint near its middle.
const MASS_FRACTIONS: [(Role, f32); 11] = [
    (Role::Hips, 0.30),
    (Role::Neck, 0.20),
    (Role::Head, 0.08),
    (Role::LeftLowerLeg, 0.12),
    (Role::RightLowerLeg, 0.12),
    (Role::LeftFoot, 0.04),
    (Role::RightFoot, 0.04),
    (Role::LeftLowerArm, 0.03),
    (Role::RightLowerArm, 0.03),
    (Role::LeftHand, 0.02),
    (Role::RightHand, 0.02),
];

/// Centre of mass and lowest point of a person in each frame.
pub(super) struct MassTrack {
    pub(super) centre: Vec<Vec3>,
    pub(super) lowest: Vec<f32>,
}

impl MassTrack {
    /// `None` if the skeleton lacks hips or a foot.
    pub(super) fn new(clip: &Clip) -> Option<Self> {
        let skeleton = clip.skeleton();
        for role in [Role::Hips, Role::LeftFoot, Role::RightFoot] {
            skeleton.joint_of(role)?;
        }
        let joints: Vec<(usize, f32)> = MASS_FRACTIONS
            .iter()
            .filter_map(|(role, fraction)| Some((skeleton.joint_of(*role)?, *fraction)))
            .collect();
        let total: f32 = joints.iter().map(|(_, fraction)| fraction).sum();
        let mut world = WorldPose::scratch(skeleton);
        let (mut centre, mut lowest) = (Vec::with_capacity(clip.frames()), Vec::with_capacity(clip.frames()));
        for pose in clip.poses() {
            world.set(pose);
            let weighted =
                joints.iter().filter_map(|(j, fraction)| Some(*world.positions.get(*j)? * *fraction));
            centre.push(weighted.sum::<Vec3>() / total);
            lowest.push(world.lowest());
        }
        Some(Self { centre, lowest })
    }
}
