//! Joint rotations outside the range of the examples.
//!
//! Ranges are learnt per joint ([`marey_ops::limit`]) and stored by role, so that those of one body apply to
//! another with the same rest pose.

use glam::Vec3;
use marey_motion::{Clip, Role};
use marey_ops::limit::{JointLimit, Turns};
use serde::{Deserialize, Serialize};

use crate::Worst;

/// The range of the rotation of a joint, per component, in radians.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct JointRange {
    /// Role of the joint.
    pub role: Role,
    /// The smallest value of each component.
    pub low_rad: Vec3,
    /// The largest value of each component.
    pub high_rad: Vec3,
}

/// The ranges of joints, by role.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// In the order of roles.
    pub ranges: Vec<JointRange>,
}

/// How far a clip exceeds the ranges.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Beyond {
    /// The largest excess, in degrees; 0 if there is none.
    pub farthest_deg: f64,
    /// Joint and frame of the largest excess.
    pub worst: Option<Worst>,
    /// The share of frames in which any joint exceeds its range, 0 to 1.
    pub share_of_frames: f64,
}

impl Bounds {
    /// Learns ranges from examples, extended by a slack in radians.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use marey_measure::bounds::Bounds;
    /// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
    /// let joints = vec![
    ///     Joint::new("thigh", None, Vec3::ZERO),
    ///     Joint::new("knee", Some(0), Vec3::NEG_Y).with_role(Role::LeftLowerLeg),
    ///     Joint::new("ankle", Some(1), Vec3::NEG_Y),
    /// ];
    /// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
    /// let bent = |degrees: f32| {
    ///     let rotations = vec![Quat::IDENTITY, Quat::from_rotation_x(degrees.to_radians()), Quat::IDENTITY];
    ///     Clip::new(skeleton.clone(), 30.0, ClipParts { rotations, positions: vec![Vec3::ZERO] })
    /// };
    /// // A knee was seen to bend by 0 to 60 degrees. Bending it by 70 is 10 too many; the other way, 5.
    /// let bounds = Bounds::learn([&bent(0.0)?, &bent(60.0)?], 0.0);
    /// assert!((bounds.beyond(&bent(70.0)?).farthest_deg - 10.0).abs() < 1e-3);
    /// assert!((bounds.beyond(&bent(-5.0)?).farthest_deg - 5.0).abs() < 1e-3);
    /// assert_eq!(bounds.beyond(&bent(30.0)?).worst, None);
    /// # Ok::<(), marey_motion::MotionError>(())
    /// ```
    pub fn learn<'a>(examples: impl IntoIterator<Item = &'a Clip>, slack_rad: f32) -> Self {
        let mut seen: Vec<Option<JointRange>> = vec![None; Role::ALL.len()];
        for clip in examples {
            for limit in JointLimit::learn(clip.skeleton(), [clip], slack_rad) {
                // Position and heading are not limited.
                let role = clip.skeleton().joints().get(limit.joint).and_then(|joint| joint.role);
                let role = role.filter(|role| *role != Role::Hips);
                let Some((role, place)) = role.and_then(|role| Some((role, seen.get_mut(role as usize)?)))
                else {
                    continue;
                };
                let range = place.get_or_insert(JointRange {
                    role,
                    low_rad: limit.low_rad,
                    high_rad: limit.high_rad,
                });
                range.low_rad = range.low_rad.min(limit.low_rad);
                range.high_rad = range.high_rad.max(limit.high_rad);
            }
        }
        Self { ranges: seen.into_iter().flatten().collect() }
    }

    /// How far a clip exceeds the ranges; joints without a range are not limited.
    pub fn beyond(&self, clip: &Clip) -> Beyond {
        let turns = Turns::of(clip.skeleton());
        let limit = |range: &JointRange| {
            let joint = clip.skeleton().joint_of(range.role)?;
            Some(JointLimit { joint, low_rad: range.low_rad, high_rad: range.high_rad })
        };
        let limits: Vec<JointLimit> = self.ranges.iter().filter_map(limit).collect();
        let mut worst: Option<(f32, usize, usize)> = None;
        let mut frames_beyond = 0;
        for (frame, pose) in clip.poses().enumerate() {
            let mut is_beyond = false;
            for limit in &limits {
                let Some(rotation) = pose.rotations.get(limit.joint) else { continue };
                let off = limit.beyond_rad(turns.turn(limit.joint, *rotation));
                // Ignore rounding errors.
                if off > 1e-5 {
                    is_beyond = true;
                    if worst.is_none_or(|(most, ..)| off > most) {
                        worst = Some((off, limit.joint, frame));
                    }
                }
            }
            frames_beyond += usize::from(is_beyond);
        }
        Beyond {
            farthest_deg: worst.map_or(0.0, |(off, ..)| f64::from(off.to_degrees())),
            worst: worst.and_then(|(_, joint, frame)| Worst::of_joint(clip.skeleton(), joint, frame)),
            share_of_frames: frames_beyond as f64 / clip.frames() as f64,
        }
    }
}
