//! A character whose root is its only foot, such as a lamp on its base.
//!
//! Lamouret and van de Panne (1996), section 3: the primitive of such a character is one hop, delimited by the
//! controller that generated it. Here hops are detected in the motion: the base stands, flies, and stands again, and a
//! hop reaches from the stillest frame of one stance to that of the next.
//!
//! Limits: motion is restricted to the vertical plane along +Z. The terrain of an example is unknown; a base at rest is
//! assumed to lie flat on it.

use std::ops::Range;

use marey_motion::{Clip, Contacts, Ground, Role, Skeleton, Vec2, Vec3, WorldPose};

use crate::primitive::{OutlineFrame, Stance, dominant_tag};
use crate::{MotionPrimitive, Result, TraverseError, TraverseExample};

/// Maximum speed of a standing base, in m/s.
const MAX_STANCE_MPS: f32 = 0.12;
/// Minimum duration of a stance, in seconds; a shorter one is a landing that rocks.
const MIN_STANCE_SECS: f64 = 0.08;
/// Minimum length of a hop, in metres.
const MIN_HOP_M: f32 = 0.015;
/// Minimum rise of the base in a hop, in metres; otherwise it slid or rocked.
const MIN_RISE_M: f32 = 0.02;
/// Maximum error of linear interpolation between two outline frames, in metres.
const OUTLINE_ERROR_M: f32 = 0.006;

/// A hopper's sole: the bone ends of its root, in the root's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hopper {
    behind: Vec3,
    ahead: Vec3,
}

impl Hopper {
    /// Finds the sole of a character with two bone ends on its root, one ahead of the other.
    pub(crate) fn of(skeleton: &Skeleton) -> Result<Self> {
        let ends = || skeleton.tips().iter().filter(|tip| tip.parent == 0).map(|tip| tip.offset);
        let behind = ends().reduce(|a, b| if b.z < a.z { b } else { a });
        let ahead = ends().reduce(|a, b| if b.z > a.z { b } else { a });
        match (behind, ahead) {
            (Some(behind), Some(ahead)) if ahead.z > behind.z => Ok(Self { behind, ahead }),
            _ => Err(TraverseError::NoSole),
        }
    }

    /// Half the length of the sole, in metres.
    pub(crate) fn half_length_m(&self) -> f32 {
        0.5 * self.ahead.distance(self.behind)
    }

    /// The middle of the sole, in the root's frame.
    pub(crate) fn middle(&self) -> Vec3 {
        0.5 * (self.ahead + self.behind)
    }

    /// Both ends of the sole in a pose.
    pub(crate) fn ends(&self, pose: &WorldPose) -> [Vec3; 2] {
        [self.behind, self.ahead].map(|end| pose.positions[0] + pose.rotations[0] * end)
    }

    /// The stance of the sole in a pose.
    pub(crate) fn stance(&self, pose: &WorldPose) -> Stance {
        let [behind, ahead] = self.ends(pose);
        let at = 0.5 * (behind + ahead);
        Stance {
            position: at,
            slope_rad: side_view(ahead - behind).to_angle(),
            heading: Ground::new(at.x, at.z, 0.0),
        }
    }

    /// Segments an example into hops.
    pub(crate) fn hops(&self, index: usize, example: &TraverseExample) -> Vec<MotionPrimitive> {
        let clip = &example.clip;
        let role = clip.skeleton().joints()[0].role.unwrap_or(Role::Hips);
        let annotated: Vec<Range<usize>> = example.contacts.of(role).cloned().collect();
        let stances = self.stances(clip);
        let intervals =
            if annotated.is_empty() { self.detect_stance_intervals(clip, &stances) } else { annotated };
        let speeds = mean_joint_speeds(clip);
        let stillest = |interval: &Range<usize>| {
            interval.clone().min_by(|a, b| speeds[*a].total_cmp(&speeds[*b])).unwrap_or(interval.start)
        };
        let rest_frames: Vec<usize> = intervals.iter().map(stillest).collect();
        let pairs = intervals.windows(2).zip(rest_frames.windows(2));
        let hops = pairs.filter(|(_, rest)| rest[0] < rest[1]).map(|(interval, rest)| {
            let (from, to) = (stances[rest[0]], stances[rest[1]]);
            let displacement = side_view(to.position - from.position);
            let (take_off, landing) = (interval[0].end.max(rest[0]), interval[1].start.min(rest[1]));
            let top = (rest[0]..=rest[1]).map(|frame| stances[frame].position.y).fold(f32::MIN, f32::max);
            MotionPrimitive {
                example: index,
                frames: rest[0]..rest[1],
                take_off,
                landing: landing.max(take_off + 1),
                foot: None,
                length_m: displacement.x,
                height_m: displacement.y,
                previous_height_m: 0.0,
                clearance_m: top - from.position.y.max(to.position.y),
                style: dominant_tag(&example.tags, &(take_off..landing)),
                from,
                to,
                outline: self.outline(clip, rest[0]..rest[1], take_off..landing, &stances),
            }
        });
        hops.filter(|hop| hop.length_m > MIN_HOP_M).collect()
    }

    fn stances(&self, clip: &Clip) -> Vec<Stance> {
        let mut world = WorldPose::scratch(clip.skeleton());
        let stance = |pose| {
            world.set(pose);
            self.stance(&world)
        };
        clip.poses().map(stance).collect()
    }

    /// Detects the stances of the base: intervals in which both ends are slow, separated by a rise.
    fn detect_stance_intervals(&self, clip: &Clip, stances: &[Stance]) -> Vec<Range<usize>> {
        let half_length_m = self.half_length_m();
        let speed = |frame: usize| {
            let (before, after) = (frame.saturating_sub(1), (frame + 1).min(stances.len() - 1));
            let secs = (after - before).max(1) as f32 / clip.rate_hz() as f32;
            let (a, b) = (&stances[before], &stances[after]);
            (a.position.distance(b.position) + half_length_m * (a.slope_rad - b.slope_rad).abs()) / secs
        };
        let min_frames = (MIN_STANCE_SECS * clip.rate_hz()).ceil() as usize;
        let mut runs: Vec<Range<usize>> = Vec::new();
        for frame in (0..stances.len()).filter(|frame| speed(*frame) < MAX_STANCE_MPS) {
            match runs.last_mut() {
                Some(run) if run.end == frame => run.end = frame + 1,
                _ => runs.push(frame..frame + 1),
            }
        }
        let mut intervals: Vec<Range<usize>> = Vec::new();
        for run in runs.into_iter().filter(|run| run.len() >= min_frames) {
            let height = |frame: usize| stances[frame].position.y;
            match intervals.last_mut() {
                Some(interval) => {
                    let higher = height(interval.end - 1).max(height(run.start));
                    let top = (interval.end..run.start).map(height).fold(higher, f32::max);
                    if top - higher < MIN_RISE_M { interval.end = run.end } else { intervals.push(run) }
                }
                None => intervals.push(run),
            }
        }
        intervals
    }

    /// The shape of the character during a hop: at take-off, at landing, and at as many other frames as linear
    /// interpolation needs.
    fn outline(
        &self,
        clip: &Clip,
        frames: Range<usize>,
        flight: Range<usize>,
        stances: &[Stance],
    ) -> Vec<OutlineFrame> {
        let (from, to) = (stances[frames.start], stances[frames.end]);
        let mut world = WorldPose::scratch(clip.skeleton());
        let mut outline_frame = |frame: usize| {
            world.set(clip.pose(frame));
            let fraction = (frame as f32 - flight.start as f32) / flight.len().max(1) as f32;
            let fraction = fraction.clamp(0.0, 1.0);
            let stance = stances[frame];
            let standing_rad = from.slope_rad + fraction * (to.slope_rad - from.slope_rad);
            let bones = bones(&world).map(|bone| bone.map(|end| side_view(end - stance.position)));
            OutlineFrame::new(
                fraction,
                side_view(stance.position - from.position),
                stance.slope_rad - standing_rad,
                bones.collect(),
            )
        };
        let all: Vec<OutlineFrame> = (frames.start..=frames.end).map(&mut outline_frame).collect();
        let mut kept = vec![0];
        for end in [flight.start, flight.end, frames.end].map(|frame| frame - frames.start) {
            let begin = kept[kept.len() - 1];
            self.simplify(&all, begin..end, &mut kept);
        }
        kept.dedup();
        kept.into_iter().map(|index| all[index].clone()).collect()
    }

    /// Appends the frames that linear interpolation needs in a range, up to its end (Ramer, Douglas and Peucker).
    fn simplify(&self, all: &[OutlineFrame], range: Range<usize>, kept: &mut Vec<usize>) {
        let (from, to) = (&all[range.start], &all[range.end]);
        let error_m = |index: usize| {
            let exact = &all[index];
            let fraction = (index - range.start) as f32 / range.len() as f32;
            let sole = from.sole.lerp(to.sole, fraction).distance(exact.sole);
            let tilt_rad = from.tilt_rad + fraction * (to.tilt_rad - from.tilt_rad);
            let ends = from.bones.iter().zip(&to.bones).zip(&exact.bones).flat_map(|((from, to), exact)| {
                [0, 1].map(|end| from[end].lerp(to[end], fraction).distance(exact[end]))
            });
            sole + ends.fold(self.half_length_m() * (exact.tilt_rad - tilt_rad).abs(), f32::max)
        };
        let between = (range.start + 1..range.end).map(|index| (error_m(index), index));
        if let Some((error_m, index)) = between.reduce(|a, b| if b.0 > a.0 { b } else { a })
            && error_m > OUTLINE_ERROR_M
        {
            self.simplify(all, range.start..index, kept);
            self.simplify(all, index..range.end, kept);
        } else {
            kept.push(range.end);
        }
    }
}

/// End points of all bones except those of the root.
pub(crate) fn bones(world: &WorldPose) -> impl Iterator<Item = [Vec3; 2]> + '_ {
    let skeleton = world.skeleton();
    let inner = skeleton.parents().iter().enumerate().skip(1).filter(|(_, parent)| **parent != 0);
    let inner = inner.map(|(joint, &parent)| [world.positions[parent], world.positions[joint]]);
    let tips = skeleton.tips().iter().zip(world.tips()).filter(|(tip, _)| tip.parent != 0);
    inner.chain(tips.map(|(tip, at)| [world.positions[tip.parent], at]))
}

/// Projects a point to the vertical plane: along and up.
pub(crate) fn side_view(point: Vec3) -> Vec2 {
    Vec2::new(point.z, point.y)
}

/// Mean speed of the joints at each frame, in m/s.
fn mean_joint_speeds(clip: &Clip) -> Vec<f32> {
    let world = clip.world();
    let mean = |frame: usize| {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(clip.frames() - 1));
        let pairs = world.positions_at(before).iter().zip(world.positions_at(after));
        let distance: f32 = pairs.map(|(a, b)| a.distance(*b)).sum();
        distance / world.joints as f32 * clip.rate_hz() as f32 / (after - before).max(1) as f32
    };
    (0..clip.frames()).map(mean).collect()
}

/// Detects the ground contacts of a hopper's base in its motion.
pub fn detect_base_contacts(clip: &Clip) -> Result<Contacts> {
    let hopper = Hopper::of(clip.skeleton())?;
    let role = clip.skeleton().joints()[0].role.unwrap_or(Role::Hips);
    let intervals = hopper.detect_stance_intervals(clip, &hopper.stances(clip));
    let contacts = intervals.into_iter().map(|frames| marey_motion::Contact { role, frames });
    Ok(Contacts::new(contacts.collect(), clip.frames())?)
}
