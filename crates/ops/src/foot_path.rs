//! The path of a foot, and legs that follow it.

use marey_motion::{Clip, ClipParts, Contacts, Quat, Role, Side, Vec3, WorldPose, smoothstep};

use crate::Result;
use crate::reach::Reach;

/// Time in which a foot leaves its path before and after a contact, in seconds.
const EASE_SECS: f64 = 0.1;

/// Position and rotation of a foot in every frame, in the world.
#[derive(Debug, Clone)]
pub(crate) struct FootPath {
    pub(crate) side: Side,
    limb: Reach,
    pub(crate) positions: Vec<Vec3>,
    pub(crate) rotations: Vec<Quat>,
}

impl FootPath {
    /// The paths of the feet of a clip. A leg without its joints has none.
    pub(crate) fn all(clip: &Clip) -> Vec<Self> {
        let world = clip.world();
        let path = |side: Side| {
            let limb = Reach::of(clip.skeleton(), Role::LeftFoot.on(side)).ok()?;
            let frames = 0..clip.frames();
            let positions = frames.clone().map(|frame| world.positions_at(frame)[limb.end()]).collect();
            let rotations = frames.map(|frame| world.rotations_at(frame)[limb.end()]).collect();
            Some(Self { side, limb, positions, rotations })
        };
        Side::BOTH.into_iter().filter_map(path).collect()
    }

    /// Whether heel or ball of the foot stand in a frame.
    pub(crate) fn stands(&self, contacts: &Contacts, frame: usize) -> bool {
        [Role::LeftFoot, Role::LeftToes].iter().any(|role| contacts.touches(role.on(self.side), frame))
    }

    /// 1 while the foot stands, and less the farther the next contact is away.
    pub(crate) fn contact_weights(&self, contacts: &Contacts, rate_hz: f64) -> Vec<f32> {
        let frames = self.positions.len();
        let mut away = vec![f32::INFINITY; frames];
        for frame in (0..frames).filter(|&frame| self.stands(contacts, frame)) {
            away[frame] = 0.0;
        }
        for frame in 1..frames {
            away[frame] = away[frame].min(away[frame - 1] + 1.0);
        }
        for frame in (1..frames).rev() {
            away[frame - 1] = away[frame - 1].min(away[frame] + 1.0);
        }
        let ease = (EASE_SECS * rate_hz).max(1.0) as f32;
        away.into_iter().map(|frames| 1.0 - smoothstep(frames / ease)).collect()
    }
}

/// The clip with its legs bent so that feet follow their paths; `weight` of a path and a frame is 0 where a foot stays as it is.
pub(crate) fn follow(clip: &Clip, paths: &[FootPath], weight: impl Fn(usize, usize) -> f32) -> Result<Clip> {
    let skeleton = clip.skeleton();
    let mut world = WorldPose::scratch(skeleton);
    let mut parts = ClipParts::default();
    for (frame, pose) in clip.poses().enumerate() {
        let mut pose = pose.to_owned();
        for (index, path) in paths.iter().enumerate() {
            let weight = weight(index, frame);
            if weight <= 0.0 {
                continue;
            }
            world.set(pose.view());
            let foot = path.limb.end();
            let turned = world.rotations[foot].slerp(path.rotations[frame], weight);
            let above = skeleton.joints()[foot].parent.map_or(Quat::IDENTITY, |above| world.rotations[above]);
            pose.rotations[foot] = (above.inverse() * turned).normalize();
            world.set(pose.view());
            let place = world.positions[foot].lerp(path.positions[frame], weight);
            path.limb.put(&mut pose, &world, place);
        }
        parts.push(pose.view());
    }
    Ok(Clip::new(skeleton.clone(), clip.rate_hz(), parts)?)
}
