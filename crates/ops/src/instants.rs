//! Instants at which a foot has settled: candidates for cutting motion that has no beat.
//!
//! Park, Kwon, Shin and Shin, *Analysis and Synthesis of Interactive Two-Character Motions* (2004), section 3.2: movements start and end
//! with footsteps. Each ground contact of a foot gives a candidate: the frame in which the acceleration of the toe crosses zero.
//!
//! One candidate per foot plant is used. The acceleration is that of the toe along its path, the slope of its
//! speed. If it crosses zero several times in a plant, the crossing from deceleration to acceleration with
//! the smallest speed counts. A plant without a crossing, cut short by an end of the clip, gives none.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | v | `speeds`, of the toe | m/s |
//! | a | the slope of v: below 0 before a crossing, not below 0 at it | m/s² |
//!
//! Limits: those of the given contacts. If a skeleton has no toes, ankles are used.

use marey_motion::{Clip, Contacts, Role, Side, Vec3, WorldPose};

use crate::cut::{Cut, CutBy};
use crate::gait;
use crate::smooth::SmoothPath;
use crate::{OutOfRange, Result};

/// Settings of the detection.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InstantSettings {
    /// Standard deviation for smoothing the path of the toe, in seconds; default 0.05; 0 to 0.2. A toe rests
    /// for 0.3.
    pub smoothing_secs: f64,
    /// Settings of foot plants.
    pub gait: gait::GaitSettings,
}

impl Default for InstantSettings {
    fn default() -> Self {
        Self { smoothing_secs: 0.05, gait: gait::GaitSettings::default() }
    }
}

impl InstantSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("smoothing_secs", self.smoothing_secs, 0.0..=0.2)?;
        self.gait.validate()
    }
}

/// An instant at which a foot has settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instant {
    /// The frame.
    pub frame: usize,
    /// The foot.
    pub foot: Side,
}

impl From<Instant> for Cut {
    fn from(instant: Instant) -> Self {
        Cut { frame: instant.frame, label: Role::LeftFoot.on(instant.foot).name().into(), by: CutBy::Instant }
    }
}

/// The instants of a clip in time order, from its contacts ([`crate::contacts::detect`]).
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Contact, Contacts, Joint, Quat, Role, Skeleton, Vec3};
/// use marey_ops::instants::{InstantSettings, instants};
/// // A foot slows down to frame 20 and speeds up from there: it is at 1 cm times the cube of the frames from 20, over 100.
/// let joints = vec![
///     Joint::new("hip", None, Vec3::ZERO),
///     Joint::new("knee", Some(0), Vec3::Y * -0.5),
///     Joint::new("toes", Some(1), Vec3::Y * -0.5).with_role(Role::LeftToes),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let positions = (0..40).map(|f| Vec3::new(0.0, 1.0, 0.0001 * (f as f32 - 20.0).powi(3))).collect();
/// let clip = Clip::new(skeleton, 30.0, ClipParts { rotations: vec![Quat::IDENTITY; 120], positions })?;
/// let contacts = Contacts::new(vec![Contact { role: Role::LeftToes, frames: 12..30 }], 40)?;
/// let found = instants(&clip, &contacts, &InstantSettings::default())?;
/// assert_eq!(found.iter().map(|i| i.frame).collect::<Vec<_>>(), [20]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn instants(clip: &Clip, contacts: &Contacts, settings: &InstantSettings) -> Result<Vec<Instant>> {
    settings.validate()?;
    let plants = gait::plants(contacts, clip.rate_hz(), &settings.gait)?;
    let mut found = Vec::new();
    for foot in Side::BOTH {
        let Some(speeds) = toe_speeds(clip, foot, settings.smoothing_secs) else { continue };
        let own = plants.iter().filter(|plant| plant.foot == foot);
        let frames = own.filter_map(|plant| slowest_crossing(&speeds, plant.frames.clone()));
        found.extend(frames.map(|frame| Instant { frame, foot }));
    }
    found.sort_by_key(|instant| (instant.frame, instant.foot));
    Ok(found)
}

/// The speed of the toe of a foot in each frame, in metres per second; `None` without a toe and an ankle.
fn toe_speeds(clip: &Clip, foot: Side, smoothing_secs: f64) -> Option<Vec<f32>> {
    let skeleton = clip.skeleton();
    let role = |role: Role| skeleton.joint_of(role.on(foot));
    let toe = role(Role::LeftToes).or_else(|| role(Role::LeftFoot))?;
    let mut world = WorldPose::scratch(skeleton);
    let path: Vec<Vec3> = clip
        .poses()
        .map(|pose| {
            world.set(pose);
            world.positions[toe]
        })
        .collect();
    Some(SmoothPath::fit(&path, clip.rate_hz(), smoothing_secs).speeds_mps)
}

/// The frame at which the slope of the speed changes from negative to non-negative and the speed is smallest;
/// the first of several.
fn slowest_crossing(speeds: &[f32], frames: std::ops::Range<usize>) -> Option<usize> {
    let inside = frames.start.max(1)..frames.end.min(speeds.len().saturating_sub(1));
    let crossings = inside.filter(|&f| speeds[f] - speeds[f - 1] < 0.0 && speeds[f + 1] - speeds[f] >= 0.0);
    crossings.min_by(|&a, &b| speeds[a].total_cmp(&speeds[b]).then(a.cmp(&b)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The same from a list of accelerations.
    fn by_accelerations(speeds: &[f32], frames: std::ops::Range<usize>) -> Option<usize> {
        let accelerations: Vec<f32> = speeds.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let mut best: Option<usize> = None;
        for (i, pair) in accelerations.windows(2).enumerate() {
            let frame = i + 1;
            if pair[0] < 0.0
                && pair[1] >= 0.0
                && frames.contains(&frame)
                && best.is_none_or(|b| speeds[frame] < speeds[b])
            {
                best = Some(frame);
            }
        }
        best
    }

    proptest! {
        #[test]
        fn crossings_are_where_accelerations_change_sign(
            speeds in proptest::collection::vec((0u8..9).prop_map(f32::from), 0..40), start in 0usize..20, len in 0usize..30,
        ) {
            let end = (start + len).min(speeds.len());
            prop_assert_eq!(slowest_crossing(&speeds, start..end), by_accelerations(&speeds, start..end));
        }
    }

    #[test]
    fn settings_out_of_range_are_rejected() {
        assert!(InstantSettings { smoothing_secs: 1.0, ..InstantSettings::default() }.validate().is_err());
    }
}
