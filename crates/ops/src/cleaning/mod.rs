//! Finds defects of captured motion, repairs short ones, and reports the rest.
//!
//! Optical capture loses and swaps markers. In a file that shows as
//!
//! - **spikes**: a joint or the root is somewhere else for a few frames;
//! - **jumps**: it is somewhere else from one frame to the next, and stays there;
//! - **gaps**: the whole body stands still for some frames because the last pose was repeated, then catches up.
//!
//! A value is compared with the middle of its neighbours. In motion, the two differ by half the acceleration times the square of
//! the frame time; more than a body can do, plus noise, is a defect. The noise is that of the joint in this take: a pelvis that
//! deviates by a tenth of a degree in most frames does not deviate by ten in one. Defects that are close together are one. A short
//! one is replaced by interpolation, for that joint alone. A long one, or one whose two sides do not go together, cannot be
//! repaired without inventing motion: its frames are returned as unusable.
//!
//! A solver that fits a skeleton to markers rotates the spine and the thighs back when it has rotated the pelvis too far, so that
//! head and feet stay where their markers are. So the joints under a repaired one are repaired too, in the same frames, if they
//! deviate as it did (`counter_rotations`).
//!
//! Fingers and toes have few markers, and defects in up to a third of their frames. They never make frames unusable.
//!
//! Limits: slow drift, swapped limbs and noise below the thresholds are not found. A pose that an animator holds for some frames
//! and leaves suddenly looks like a gap.

mod channel;
mod counter_rotations;
mod gaps;
mod settings;

use std::ops::Range;

use channel::{Channel, ChannelValue};
use marey_motion::{Clip, Role, Skeleton};
use serde::{Deserialize, Serialize};
pub use settings::CleaningSettings;

use crate::Result;

/// The kind of a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefectKind {
    /// A joint or the root is somewhere else for a few frames.
    Spike,
    /// The motion before and after do not go together.
    Jump,
    /// Frames are missing: a pose was repeated.
    Gap,
}

impl DefectKind {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            DefectKind::Spike => "spike",
            DefectKind::Jump => "jump",
            DefectKind::Gap => "gap",
        }
    }
}

/// What was done about a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DefectRemedy {
    /// The frames were interpolated.
    Repaired,
    /// The frames are as they were, and cannot be used.
    Unusable,
    /// The frames are as they were; only a finger or toe is wrong.
    Tolerated,
}

/// A range of frames in which a motion is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MotionDefect {
    /// The frames.
    pub frames: Range<usize>,
    /// The kind.
    pub kind: DefectKind,
    /// The joint; `None` for the whole body.
    pub joint: Option<usize>,
    /// What was done about it.
    pub remedy: DefectRemedy,
}

impl MotionDefect {
    fn repaired_spike(joint: usize, frames: Range<usize>) -> Self {
        Self { frames, kind: DefectKind::Spike, joint: Some(joint), remedy: DefectRemedy::Repaired }
    }
}

/// A motion without the defects that could be repaired.
#[derive(Debug, Clone)]
pub struct CleanedClip {
    /// The motion; the same arrays if nothing was repaired.
    pub clip: Clip,
    /// All defects, by time.
    pub defects: Vec<MotionDefect>,
}

impl CleanedClip {
    /// The ranges that cannot be used, joined where they overlap or touch.
    pub fn unusable(&self) -> Vec<Range<usize>> {
        let unusable = self.defects.iter().filter(|defect| defect.remedy == DefectRemedy::Unusable);
        united(unusable.map(|defect| defect.frames.clone()).collect())
    }
}

/// Ranges in order, joined where they overlap or touch.
pub fn united(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut united: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match united.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => united.push(range),
        }
    }
    united
}

/// Repairs a motion.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Vec3};
/// use marey_ops::cleaning::{CleaningSettings, DefectRemedy, clean};
/// // An arm that turns slowly, and points elsewhere in frame 40.
/// let joints = vec![
///     Joint::new("shoulder", None, Vec3::ZERO),
///     Joint::new("elbow", Some(0), Vec3::X),
///     Joint::new("hand", Some(1), Vec3::X),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let angle = |frame: usize| if frame == 40 { 2.0 } else { 0.01 * frame as f32 };
/// let pose = |frame: usize| [Quat::IDENTITY, Quat::from_rotation_z(angle(frame)), Quat::IDENTITY];
/// let parts = ClipParts { rotations: (0..90).flat_map(pose).collect(), positions: vec![Vec3::ZERO; 90] };
/// let cleaned = clean(&Clip::new(skeleton, 120.0, parts)?, &CleaningSettings::default())?;
/// assert_eq!(cleaned.defects.len(), 1);
/// assert_eq!(cleaned.defects[0].remedy, DefectRemedy::Repaired);
/// assert!(cleaned.clip.pose(40).rotations[1].angle_between(Quat::from_rotation_z(0.4)) < 1e-2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn clean(clip: &Clip, settings: &CleaningSettings) -> Result<CleanedClip> {
    settings.validate()?;
    let skeleton = clip.skeleton();
    let (joints, movers) = (skeleton.len(), skeleton.movers().len());
    let mut changed = clip.clone().into_parts();
    let mut defects = Vec::new();
    let mut cleaner = Cleaner { rate_hz: clip.rate_hz(), settings, defects: &mut defects };
    gaps::repair(&mut changed, [joints, movers], gaps::find(clip), &mut cleaner);
    for joint in 0..joints {
        let mut rotations = Channel { values: &mut changed.rotations, offset: joint, stride: joints };
        cleaner.channel(&mut rotations, joint, is_end(skeleton, joint), Limits::of_rotations(clip, settings));
    }
    counter_rotations::repair(&mut changed.rotations, skeleton, cleaner.defects);
    for (offset, &joint) in skeleton.movers().iter().enumerate() {
        let mut positions = Channel { values: &mut changed.positions, offset, stride: movers };
        cleaner.channel(&mut positions, joint, is_end(skeleton, joint), Limits::of_positions(clip, settings));
    }
    let is_repaired = defects.iter().any(|defect| defect.remedy == DefectRemedy::Repaired);
    let clip = if is_repaired { Clip::new(skeleton.clone(), clip.rate_hz(), changed)? } else { clip.clone() };
    defects.sort_by_key(|defect| (defect.frames.start, defect.frames.end, defect.joint));
    Ok(CleanedClip { clip, defects })
}

/// Whether a joint carries nothing but fingers and toes, and is itself one of them or nameless.
fn is_end(skeleton: &Skeleton, joint: usize) -> bool {
    let carries = |role: Role| skeleton.joint_of(role).is_some_and(|other| skeleton.is_under(other, joint));
    let main = [Role::Hips, Role::Head, Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot];
    let is_person = main.iter().any(|role| skeleton.joint_of(*role).is_some());
    is_person && !main.into_iter().any(carries)
}

/// The limits of a channel, per frame.
#[derive(Clone, Copy)]
struct Limits {
    /// Deviation that an acceleration explains.
    motion: f32,
    /// The least and the largest deviation that noise explains.
    noise: [f32; 2],
    /// The largest deviation of all, beyond which every frame is a defect.
    largest: f32,
    speed: f32,
}

impl Limits {
    fn of_rotations(clip: &Clip, settings: &CleaningSettings) -> Self {
        let secs = (1.0 / clip.rate_hz()) as f32;
        Self {
            motion: 0.5 * settings.angular_acceleration * secs * secs,
            noise: [LEAST_NOISE_RAD.min(settings.noise_rad), settings.noise_rad],
            largest: 2.5,
            speed: settings.jump_rad_per_sec * secs,
        }
    }

    fn of_positions(clip: &Clip, settings: &CleaningSettings) -> Self {
        let secs = (1.0 / clip.rate_hz()) as f32;
        Self {
            motion: 0.5 * settings.acceleration * secs * secs,
            noise: [LEAST_NOISE_M.min(settings.noise_m), settings.noise_m],
            largest: f32::INFINITY,
            speed: settings.jump_mps * secs,
        }
    }

    /// The largest deviation of a channel whose values usually deviate by `usual`.
    fn deviation(&self, usual: f32) -> f32 {
        (self.motion + (NOISE_FACTOR * usual).clamp(self.noise[0], self.noise[1])).min(self.largest)
    }
}

/// How many times its median the deviation of a joint may be. On the tuning half of CMU's takes, 4 in 10,000 rotations exceed it,
/// and no further frames become unusable.
const NOISE_FACTOR: f32 = 30.0;

/// Deviations that noise explains in any take: radians and metres.
const LEAST_NOISE_RAD: f32 = 0.03;
const LEAST_NOISE_M: f32 = 0.003;

/// Collects the defects of a clip.
struct Cleaner<'a> {
    rate_hz: f64,
    settings: &'a CleaningSettings,
    defects: &'a mut Vec<MotionDefect>,
}

impl Cleaner<'_> {
    fn frames(&self, secs: f64) -> usize {
        (secs * self.rate_hz).round() as usize
    }

    /// Repairs the defects of one joint or mover.
    fn channel<T: ChannelValue>(
        &mut self,
        channel: &mut Channel<'_, T>,
        joint: usize,
        is_end: bool,
        limits: Limits,
    ) {
        let longest = if is_end { self.settings.repair_end_secs } else { self.settings.repair_secs };
        let longest = self.frames(longest).max(1);
        let mut jumps: Vec<Range<usize>> = Vec::new();
        let deviation = limits.deviation(channel.median_deviation());
        for run in channel.deviations(deviation, self.frames(self.settings.join_secs)) {
            let speed = channel.speed_across(&run).unwrap_or(f32::INFINITY);
            if run.len() <= longest && speed <= limits.speed {
                channel.interpolate(&run);
                self.defects.push(MotionDefect::repaired_spike(joint, run));
            } else {
                jumps.push(run);
            }
        }
        let remedy = if is_end { DefectRemedy::Tolerated } else { DefectRemedy::Unusable };
        for frames in self.without_excursions(channel, jumps, limits) {
            self.defects.push(MotionDefect { frames, kind: DefectKind::Jump, joint: Some(joint), remedy });
        }
    }

    /// Jumps with their margins. Two jumps, of which the second undoes the first, are one defect with what lies between them.
    fn without_excursions<T: ChannelValue>(
        &self,
        channel: &Channel<'_, T>,
        jumps: Vec<Range<usize>>,
        limits: Limits,
    ) -> Vec<Range<usize>> {
        let most = self.frames(MOST_EXCURSION_SECS);
        let mut joined: Vec<Range<usize>> = Vec::new();
        for jump in jumps {
            if let Some(last) = joined.last_mut() {
                let both = last.start..jump.end;
                let comes_back = channel.speed_across(&both).is_some_and(|speed| speed <= limits.speed);
                if both.len() <= most && comes_back {
                    last.end = jump.end;
                    continue;
                }
            }
            joined.push(jump);
        }
        let margin = self.frames(self.settings.margin_secs);
        let widened =
            |jump: Range<usize>| jump.start.saturating_sub(margin)..(jump.end + margin).min(channel.frames());
        united(joined.into_iter().map(widened).collect())
    }
}

/// The longest time for which a marker is elsewhere and comes back, in seconds.
const MOST_EXCURSION_SECS: f64 = 1.0;

#[cfg(test)]
mod tests;
