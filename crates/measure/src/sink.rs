//! Depth below the floor.

use marey_motion::{Clip, Terrain, Vec2, Vec3, WorldPose};
use serde::Serialize;

use crate::Worst;

/// Deeper frames count as sunk, in metres.
const COUNTED_M: f32 = 0.01;

/// Depth below the floor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sink {
    /// The largest depth of any joint or tip below the floor, in centimetres; 0 if there is none.
    pub deepest_cm: f64,
    /// The deepest joint, or the joint of the deepest tip, and the frame.
    pub worst: Option<Worst>,
    /// The share of frames more than a centimetre deep, 0 to 1.
    pub share_of_frames: f64,
}

/// Measures the depth of joints and tips below a level floor.
pub fn sink(clip: &Clip, floor_m: f32) -> Sink {
    deepest(clip, |point| floor_m - point.y)
}

/// Measures the depth of joints and tips in uneven ground along +Z.
pub fn sink_in(clip: &Clip, terrain: &Terrain) -> Sink {
    deepest(clip, |point| terrain.depth_m(Vec2::new(point.z, point.y)))
}

/// The deepest point, by a depth function.
fn deepest(clip: &Clip, depth_m: impl Fn(Vec3) -> f32) -> Sink {
    let skeleton = clip.skeleton();
    let mut world = WorldPose::scratch(skeleton);
    let mut deepest = (0.0, None);
    let mut sunk = 0;
    for (frame, pose) in clip.poses().enumerate() {
        world.set(pose);
        let joints = world.positions.iter().enumerate().map(|(joint, at)| (joint, depth_m(*at)));
        let tips = skeleton.tips().iter().zip(world.tips()).map(|(tip, at)| (tip.parent, depth_m(at)));
        let (joint, depth) = joints
            .chain(tips)
            .fold((0, f32::NEG_INFINITY), |deep, point| if point.1 > deep.1 { point } else { deep });
        sunk += usize::from(depth > COUNTED_M);
        if depth > deepest.0 {
            deepest = (depth, Worst::of_joint(skeleton, joint, frame));
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

    use marey_motion::{ClipParts, Joint, Quat, Skeleton, Tip};

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
        // The tip is 0.1 m along: there a hollow begins, deeper than the foot is.
        let points = [(-1.0, -0.5), (0.05, -0.5), (0.09, -0.02), (1.0, -0.02)];
        let hollow = Terrain::new(vec![points.map(|(x, y)| Vec2::new(x, y)).to_vec()]).unwrap();
        let found = sink_in(&clip, &hollow);
        assert!((found.deepest_cm - 1.0).abs() < 1e-4, "{found:?}");
    }
}
