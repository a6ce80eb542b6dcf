//! How far joints turn beyond what they were seen to.
//!
//! Nobody says how far the joints of a figure may turn; examples show how far they do. A joint's turn from rest, against
//! its parent and in the axes of the world at rest, is written as a rotation vector, and for each of its three components
//! the lowest and the highest are kept. So bounds learnt on one skeleton hold for another with the same rest pose, however
//! its joint axes lie.
//!
//! Limits: a box of three components allows combinations that were never seen. What was never seen need not be impossible:
//! the slack says how much more is allowed.

use glam::{Quat, Vec3};
use marey_motion::{Clip, Role, Skeleton};
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
        let mut seen: Vec<Option<(Vec3, Vec3)>> = vec![None; Role::ALL.len()];
        for clip in examples {
            let turns = Turns::of(clip.skeleton());
            for pose in clip.poses() {
                for &(role, joint) in &turns.joints {
                    let turn = turns.turn(joint, pose.rotations[joint]);
                    if let Some(place) = seen.get_mut(role as usize) {
                        let (low, high) = place.unwrap_or((turn, turn));
                        *place = Some((low.min(turn), high.max(turn)));
                    }
                }
            }
        }
        let range = |(role, seen): (&Role, Option<(Vec3, Vec3)>)| {
            let (low, high) = seen?;
            let slack = Vec3::splat(slack_rad);
            Some(Range { role: *role, low_rad: low - slack, high_rad: high + slack })
        };
        Self { ranges: Role::ALL.iter().zip(seen).filter_map(range).collect() }
    }

    /// How far a clip goes beyond; joints whose roles have no bounds may turn as they like.
    pub fn beyond(&self, clip: &Clip) -> Beyond {
        let turns = Turns::of(clip.skeleton());
        let mut worst: Option<(f32, usize, usize)> = None;
        let mut frames_beyond = 0;
        for (frame, pose) in clip.poses().enumerate() {
            let mut is_beyond = false;
            for range in &self.ranges {
                let Some(joint) = clip.skeleton().joint_of(range.role) else { continue };
                let turn = turns.turn(joint, pose.rotations[joint]);
                let off = (turn - range.high_rad).max(range.low_rad - turn).max(Vec3::ZERO).length();
                // Rounding is not turning.
                if off > 1e-5 {
                    is_beyond = true;
                    if worst.is_none_or(|(most, ..)| off > most) {
                        worst = Some((off, joint, frame));
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

/// What turns are told from: each joint's rest, and its parent's in the world.
struct Turns {
    joints: Vec<(Role, usize)>,
    unrest: Vec<Quat>,
    parents: Vec<Quat>,
}

impl Turns {
    fn of(skeleton: &Skeleton) -> Self {
        let world = skeleton.rest_world_rotations();
        let parent = |joint: usize| skeleton.joints()[joint].parent.map_or(Quat::IDENTITY, |p| world[p]);
        // Where a figure stands and which way it goes is not a matter of bounds.
        let joints = skeleton.roles().filter(|&(role, joint)| role != Role::Hips && joint != 0);
        Self {
            joints: joints.collect(),
            unrest: skeleton.joints().iter().map(|joint| joint.rest_rotation.inverse()).collect(),
            parents: (0..skeleton.len()).map(parent).collect(),
        }
    }

    /// A joint's turn from rest as a rotation vector, in the axes of the world at rest.
    fn turn(&self, joint: usize, local: Quat) -> Vec3 {
        let turn = local * self.unrest[joint];
        let turn = if turn.w < 0.0 { -turn } else { turn };
        self.parents[joint] * turn.to_scaled_axis()
    }
}
