//! How far joints turn beyond what they were seen to.
//!
//! Bounds are learnt joint by joint ([`marey_ops::limit`]) and kept by role, so that those of one body can be held against
//! another with the same rest pose.

use glam::Vec3;
use marey_motion::{Clip, Role};
use marey_ops::limit::{Limit, Turns};
use serde::{Deserialize, Serialize};

use crate::Worst;

/// The range of one joint's turns, component by component, in radians.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Whose.
    pub role: Role,
    /// The lowest of each component.
    pub low_rad: Vec3,
    /// The highest of each component.
    pub high_rad: Vec3,
}

/// How far joints were seen to turn, by role.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Bounds {
    /// In the order of roles.
    pub ranges: Vec<Range>,
}

/// How far a clip goes beyond bounds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Beyond {
    /// The farthest, in degrees; 0 where nothing is beyond.
    pub farthest_deg: f64,
    /// The joint, and when.
    pub worst: Option<Worst>,
    /// The share of frames in which any joint is beyond its bounds, 0 to 1.
    pub share_of_frames: f64,
}

impl Bounds {
    /// Learns bounds from examples, with some slack in radians on either side.
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
    /// # Ok::<(), marey_motion::Error>(())
    /// ```
    pub fn learn<'a>(examples: impl IntoIterator<Item = &'a Clip>, slack_rad: f32) -> Self {
        let mut seen: Vec<Option<Range>> = vec![None; Role::ALL.len()];
        for clip in examples {
            for limit in Limit::learn(clip.skeleton(), [clip], slack_rad) {
                // Where a figure stands and which way it goes is not a matter of bounds.
                let role = clip.skeleton().joints()[limit.joint].role.filter(|role| *role != Role::Hips);
                let Some((role, place)) = role.and_then(|role| Some((role, seen.get_mut(role as usize)?)))
                else {
                    continue;
                };
                let range =
                    place.get_or_insert(Range { role, low_rad: limit.low_rad, high_rad: limit.high_rad });
                range.low_rad = range.low_rad.min(limit.low_rad);
                range.high_rad = range.high_rad.max(limit.high_rad);
            }
        }
        Self { ranges: seen.into_iter().flatten().collect() }
    }

    /// How far a clip goes beyond; joints whose roles have no bounds may turn as they like.
    pub fn beyond(&self, clip: &Clip) -> Beyond {
        let turns = Turns::of(clip.skeleton());
        let limit = |range: &Range| {
            let joint = clip.skeleton().joint_of(range.role)?;
            Some(Limit { joint, low_rad: range.low_rad, high_rad: range.high_rad })
        };
        let limits: Vec<Limit> = self.ranges.iter().filter_map(limit).collect();
        let mut worst: Option<(f32, usize, usize)> = None;
        let mut frames_beyond = 0;
        for (frame, pose) in clip.poses().enumerate() {
            let mut is_beyond = false;
            for limit in &limits {
                let off = limit.beyond_rad(turns.turn(limit.joint, pose.rotations[limit.joint]));
                // Rounding is not turning.
                if off > 1e-5 {
                    is_beyond = true;
                    if worst.is_none_or(|(most, ..)| off > most) {
                        worst = Some((off, limit.joint, frame));
                    }
                }
            }
            frames_beyond += usize::from(is_beyond);
        }
        let name = |joint: usize| clip.skeleton().joints()[joint].name.clone();
        Beyond {
            farthest_deg: worst.map_or(0.0, |(off, ..)| f64::from(off.to_degrees())),
            worst: worst.map(|(_, joint, frame)| Worst { what: name(joint), frame }),
            share_of_frames: frames_beyond as f64 / clip.frames() as f64,
        }
    }
}
