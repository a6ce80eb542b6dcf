//! Changes of bone lengths. Bones of a skeleton are rigid except for joints with their own translation;
//! motion that was converted frame by frame shows its changes there.

use marey_motion::Clip;
use serde::Serialize;

use crate::Worst;

/// Changes of bone lengths.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stretch {
    /// The largest difference of a bone from its length at rest, in millimetres.
    pub largest_mm: f64,
    /// The joint at its end, and the frame.
    pub worst: Option<Worst>,
}

/// Measures the bones of joints with their own translation; the root has none.
pub fn stretch(clip: &Clip) -> Stretch {
    let skeleton = clip.skeleton();
    let mut worst: Option<(f32, usize, usize)> = None;
    for (frame, pose) in clip.poses().enumerate() {
        for (&joint, position) in skeleton.movers().iter().zip(pose.positions).skip(1) {
            let Some(bone) = skeleton.joints().get(joint) else { continue };
            let off = (position.length() - bone.offset.length()).abs();
            // Hips below a root may translate freely.
            let is_bone = bone.role != Some(marey_motion::Role::Hips);
            if is_bone && worst.is_none_or(|(most, ..)| off > most) {
                worst = Some((off, joint, frame));
            }
        }
    }
    Stretch {
        largest_mm: worst.map_or(0.0, |(off, ..)| 1000.0 * f64::from(off)),
        worst: worst
            .filter(|(off, ..)| *off > 0.0)
            .and_then(|(_, joint, frame)| Worst::of_joint(skeleton, joint, frame)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{ClipParts, Joint, Quat, Skeleton, Vec3};

    use super::*;

    #[test]
    fn growing_bones_are_measured() {
        let mut joints = vec![Joint::new("hip", None, Vec3::Y), Joint::new("knee", Some(0), Vec3::NEG_Y)];
        let steady = Skeleton::new(joints.clone(), vec![]).unwrap();
        joints[1].moves = true;
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let positions = vec![Vec3::Y, Vec3::NEG_Y, Vec3::Y, Vec3::X * 1.004];
        let parts = ClipParts { rotations: vec![Quat::IDENTITY; 4], positions };
        let found = stretch(&Clip::new(skeleton, 30.0, parts).unwrap());
        assert!((found.largest_mm - 4.0).abs() < 1e-3);
        assert_eq!(found.worst, Some(Worst { what: "knee".into(), frame: 1 }));
        let parts = ClipParts { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::X] };
        assert_eq!(stretch(&Clip::new(Arc::new(steady), 30.0, parts).unwrap()).largest_mm, 0.0);
    }
}
