//! The path over the ground, separate from the body.

use crate::{Clip, Ground, MotionError, Result, Role, WorldPose};

/// Ground position and heading of a character in each frame: the ground under its hips.
///
/// Removing the track leaves the body over the origin; applying it again gives the original clip.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundTrack {
    /// `world_from_body` of each frame.
    pub frames: Vec<Ground>,
}

impl Clip {
    /// The ground under the joint with the role Hips, or under the root if no joint has it.
    ///
    /// The heading is the rotation from rest about the vertical; while a character is upside down, it keeps
    /// the last heading.
    pub fn ground_track(&self) -> GroundTrack {
        let hips = self.skeleton().joint_of(Role::Hips).unwrap_or(0);
        let rest_from_body = self.skeleton().rest_world_rotations()[hips].inverse();
        let mut world = WorldPose::scratch(self.skeleton());
        let mut yaw_rad = 0.0;
        let frames = self.poses().map(|pose| {
            world.set(pose);
            let (position, rotation) = (world.positions[hips], world.rotations[hips] * rest_from_body);
            yaw_rad = Ground::under(position, rotation).map_or(yaw_rad, |ground| ground.yaw_rad);
            Ground::new(position.x, position.z, yaw_rad)
        });
        GroundTrack { frames: frames.collect() }
    }

    /// The body over the origin, heading along +Z.
    pub fn without_ground(&self, track: &GroundTrack) -> Result<Clip> {
        let inverse: Vec<Ground> = track.frames.iter().map(|g| g.inverse()).collect();
        self.carried(&inverse)
    }

    /// The body on its path: the inverse of [`Clip::without_ground`].
    pub fn with_ground(&self, track: &GroundTrack) -> Result<Clip> {
        self.carried(&track.frames)
    }

    /// The clip transformed in the ground plane.
    pub fn moved(&self, world_from_here: Ground) -> Clip {
        self.carry(|_| world_from_here)
    }

    /// The clip raised by `by_m` metres.
    pub fn lifted(&self, by_m: f32) -> Result<Clip> {
        let movers = self.skeleton().movers().len();
        let mut parts = self.clone().into_parts();
        parts.positions.iter_mut().step_by(movers).for_each(|root| root.y += by_m);
        Clip::new(self.skeleton().clone(), self.rate_hz(), parts)
    }

    /// Transforms the root of each frame by its own ground motion.
    fn carried(&self, by: &[Ground]) -> Result<Clip> {
        if by.len() != self.frames() {
            return Err(MotionError::Length {
                what: "a ground track",
                found: by.len(),
                wanted: self.frames(),
            });
        }
        Ok(self.carry(|frame| by[frame]))
    }

    fn carry(&self, by: impl Fn(usize) -> Ground) -> Clip {
        let (joints, movers) = (self.skeleton().len(), self.skeleton().movers().len());
        let mut parts = self.clone().into_parts();
        for frame in 0..self.frames() {
            let ground = by(frame);
            let rotation = &mut parts.rotations[frame * joints];
            *rotation = ground.rotation() * *rotation;
            let position = &mut parts.positions[frame * movers];
            *position = ground.point(*position);
        }
        self.with_parts(parts)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{ClipParts, Joint, Quat, Skeleton, Vec3};

    /// A static root above hips that carry the motion, as in some archives.
    fn walker() -> Clip {
        let mut hips = Joint::new("hips", Some(0), Vec3::Y).with_role(Role::Hips);
        hips.moves = true;
        let joints = vec![Joint::new("root", None, Vec3::ZERO), hips, Joint::new("head", Some(1), Vec3::Y)];
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let mut parts = ClipParts::default();
        for f in 0..50 {
            let t = f as f32 * 0.2;
            let turn = Quat::from_rotation_y(t) * Quat::from_rotation_x(0.4 * t.sin());
            parts.rotations.extend([Quat::IDENTITY, turn, Quat::IDENTITY]);
            parts.positions.extend([Vec3::ZERO, Vec3::new(t.sin(), 0.9, t)]);
        }
        Clip::new(skeleton, 30.0, parts).unwrap()
    }

    #[test]
    fn removing_and_restoring_the_ground_track_is_lossless() {
        let clip = walker();
        let track = clip.ground_track();
        let body = clip.without_ground(&track).unwrap();
        for pose in body.poses() {
            let world = WorldPose::of(body.skeleton(), pose);
            assert!(world.positions[1].x.abs() < 1e-5 && world.positions[1].z.abs() < 1e-5);
            assert!(Ground::under(Vec3::ZERO, world.rotations[1]).unwrap().yaw_rad.abs() < 1e-4);
        }
        let back = body.with_ground(&track).unwrap().world();
        for (a, b) in back.positions.iter().zip(&clip.world().positions) {
            assert!(a.distance(*b) < 1e-4);
        }
    }

    #[test]
    fn tracks_of_another_length_are_rejected() {
        let clip = walker();
        let short = GroundTrack { frames: vec![Ground::IDENTITY; 3] };
        assert!(clip.with_ground(&short).is_err());
    }
}
