//! The centre of mass and the lowest point of a person, frame by frame.

use marey_body::FigureMasses;
use marey_motion::{Clip, Role, Vec3, WorldPose};

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
        let masses = FigureMasses::of(skeleton);
        let mut world = WorldPose::scratch(skeleton);
        let (mut centre, mut lowest) = (Vec::with_capacity(clip.frames()), Vec::with_capacity(clip.frames()));
        for pose in clip.poses() {
            world.set(pose);
            centre.push(masses.centre(&world));
            lowest.push(world.lowest());
        }
        Some(Self { centre, lowest })
    }
}
