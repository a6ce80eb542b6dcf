//! How deep a figure is in the floor.

use marey_motion::{Clip, WorldPose};
use serde::Serialize;

use crate::Worst;

/// Deeper than this, in metres, a frame counts as sunk.
const COUNTED_M: f32 = 0.01;

/// How deep a figure is in the floor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sink {
    /// The deepest that any joint or bone end is below the floor, in centimetres; 0 where none is.
    pub deepest_cm: f64,
    /// The joint that is deepest, or whose bone ends there, and when.
    pub worst: Option<Worst>,
    /// The share of frames that are more than a centimetre deep, 0 to 1.
    pub share_of_frames: f64,
}

/// Measures how deep joints and bone ends are below a floor.
pub fn sink(clip: &Clip, floor_m: f32) -> Sink {
    let skeleton = clip.skeleton();
    let mut world = WorldPose::scratch(skeleton);
    let mut deepest = (0.0, None);
    let mut sunk = 0;
    for (frame, pose) in clip.poses().enumerate() {
        world.set(pose);
        let joints = world.positions.iter().enumerate().map(|(joint, at)| (joint, at.y));
        let tips = skeleton.tips().iter().zip(world.tips()).map(|(tip, at)| (tip.parent, at.y));
        let (joint, height) = joints
            .chain(tips)
            .fold((0, f32::INFINITY), |low, point| if point.1 < low.1 { point } else { low });
        let depth = floor_m - height;
        sunk += usize::from(depth > COUNTED_M);
        if depth > deepest.0 {
            deepest = (depth, Some(Worst { what: skeleton.joints()[joint].name.clone(), frame }));
        }
    }
    Sink {
        deepest_cm: 100.0 * f64::from(deepest.0),
        worst: deepest.1,
        share_of_frames: sunk as f64 / clip.frames() as f64,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{ClipParts, Joint, Quat, Skeleton, Tip, Vec3};

    use super::*;

    #[test]
    fn the_deepest_point_is_found() {
        let joints = vec![Joint::new("hip", None, Vec3::Y), Joint::new("foot", Some(0), Vec3::NEG_Y)];
        let tips = vec![Tip { parent: 1, offset: Vec3::new(0.0, -0.02, 0.1) }];
        let skeleton = Arc::new(Skeleton::new(joints, tips).unwrap());
        let heights = [1.1, 1.02, 0.99, 1.015];
        let positions = heights.map(|y| Vec3::Y * y).to_vec();
        let clip =
            Clip::new(skeleton, 30.0, ClipParts { rotations: vec![Quat::IDENTITY; 8], positions }).unwrap();
        let found = sink(&clip, 0.0);
        assert!((found.deepest_cm - 3.0).abs() < 1e-4);
        assert_eq!(found.worst, Some(Worst { what: "foot".into(), frame: 2 }));
        assert_eq!(found.share_of_frames, 0.25);
        assert_eq!(sink(&clip, -1.0).worst, None);
    }
}
