//! A figure whose root is its one foot: a lamp on its base.
//!
//! Lamouret and van de Panne (1996), section 3: the primitive of such a figure is one hop, whose start and end are those of
//! the controller that made it. Here they are seen in the motion: the base stands, flies, and stands again, and a hop
//! reaches from the quietest moment of one standing to that of the next.
//!
//! Limits: it lives in the plane of along (+Z) and up. Ground that an example was made on is not known: a base at rest lies
//! along it.

use std::ops::Range;

use marey_motion::{Clip, Contacts, Ground, Role, Skeleton, Vec2, Vec3, WorldPose};

use crate::primitive::{Instant, Stance, style_of};
use crate::{Error, Example, Primitive, Result};

/// A base that is slower stands, in metres a second.
const STANDS_MPS: f32 = 0.12;
/// Shorter standing is the rocking of a landing, in seconds.
const LEAST_STAND_SECS: f64 = 0.08;
/// A base that comes to stand no farther ahead has not hopped, in metres.
const LEAST_HOP_M: f32 = 0.015;
/// A base that does not rise so far has slid or rocked, in metres.
const LEAST_RISE_M: f32 = 0.02;
/// Between two instants of a hop's outline nothing is farther from where it would be straight on, in metres.
const STRAIGHT_M: f32 = 0.006;

/// A hopper's sole: the ends of its root, in the root's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hopper {
    behind: Vec3,
    ahead: Vec3,
}

impl Hopper {
    /// The sole of a figure with two bone ends on its root, one ahead of the other.
    pub(crate) fn of(skeleton: &Skeleton) -> Result<Self> {
        let ends = || skeleton.tips().iter().filter(|tip| tip.parent == 0).map(|tip| tip.offset);
        let behind = ends().reduce(|a, b| if b.z < a.z { b } else { a });
        let ahead = ends().reduce(|a, b| if b.z > a.z { b } else { a });
        match (behind, ahead) {
            (Some(behind), Some(ahead)) if ahead.z > behind.z => Ok(Self { behind, ahead }),
            _ => Err(Error::NoSole),
        }
    }

    /// From the middle of the sole to its ends, in metres.
    pub(crate) fn half_m(&self) -> f32 {
        0.5 * self.ahead.distance(self.behind)
    }

    /// The middle of the sole in the root's frame.
    pub(crate) fn middle(&self) -> Vec3 {
        0.5 * (self.ahead + self.behind)
    }

    /// Both ends of the sole in a pose.
    pub(crate) fn ends(&self, pose: &WorldPose) -> [Vec3; 2] {
        [self.behind, self.ahead].map(|end| pose.positions[0] + pose.rotations[0] * end)
    }

    /// How the sole stands in a pose.
    pub(crate) fn stance(&self, pose: &WorldPose) -> Stance {
        let [behind, ahead] = self.ends(pose);
        let at = 0.5 * (behind + ahead);
        Stance { at, slope_rad: plane(ahead - behind).to_angle(), way: Ground::new(at.x, at.z, 0.0) }
    }

    /// The hops of an example.
    pub(crate) fn hops(&self, number: usize, example: &Example) -> Vec<Primitive> {
        let clip = &example.clip;
        let role = clip.skeleton().joints()[0].role.unwrap_or(Role::Hips);
        let told: Vec<Range<usize>> = example.contacts.of(role).cloned().collect();
        let stances = self.stances(clip);
        let stands = if told.is_empty() { self.stands(clip, &stances) } else { told };
        let unrest = unrest(clip);
        let quietest = |stand: &Range<usize>| {
            stand.clone().min_by(|a, b| unrest[*a].total_cmp(&unrest[*b])).unwrap_or(stand.start)
        };
        let rests: Vec<usize> = stands.iter().map(quietest).collect();
        let pairs = stands.windows(2).zip(rests.windows(2));
        let hops = pairs.filter(|(_, rest)| rest[0] < rest[1]).map(|(stand, rest)| {
            let (from, to) = (stances[rest[0]], stances[rest[1]]);
            let lead = plane(to.at - from.at);
            let (take_off, landing) = (stand[0].end.max(rest[0]), stand[1].start.min(rest[1]));
            let top = (rest[0]..=rest[1]).map(|frame| stances[frame].at.y).fold(f32::MIN, f32::max);
            Primitive {
                example: number,
                frames: rest[0]..rest[1],
                take_off,
                landing: landing.max(take_off + 1),
                foot: None,
                length_m: lead.x,
                height_m: lead.y,
                before_m: 0.0,
                clearance_m: top - from.at.y.max(to.at.y),
                style: style_of(&example.tags, &(take_off..landing)),
                from,
                to,
                outline: self.outline(clip, rest[0]..rest[1], take_off..landing, &stances),
            }
        });
        hops.filter(|hop| hop.length_m > LEAST_HOP_M).collect()
    }

    fn stances(&self, clip: &Clip) -> Vec<Stance> {
        let mut world = WorldPose::scratch(clip.skeleton());
        let stance = |pose| {
            world.set(pose);
            self.stance(&world)
        };
        clip.poses().map(stance).collect()
    }

    /// When the base stands, as seen: both its ends are slow for a while, and it has flown since.
    fn stands(&self, clip: &Clip, stances: &[Stance]) -> Vec<Range<usize>> {
        let half_m = self.half_m();
        let speed = |frame: usize| {
            let (before, after) = (frame.saturating_sub(1), (frame + 1).min(stances.len() - 1));
            let secs = (after - before).max(1) as f32 / clip.rate_hz() as f32;
            let (a, b) = (&stances[before], &stances[after]);
            (a.at.distance(b.at) + half_m * (a.slope_rad - b.slope_rad).abs()) / secs
        };
        let least = (LEAST_STAND_SECS * clip.rate_hz()).ceil() as usize;
        let mut runs: Vec<Range<usize>> = Vec::new();
        for frame in (0..stances.len()).filter(|frame| speed(*frame) < STANDS_MPS) {
            match runs.last_mut() {
                Some(run) if run.end == frame => run.end = frame + 1,
                _ => runs.push(frame..frame + 1),
            }
        }
        let mut stands: Vec<Range<usize>> = Vec::new();
        for run in runs.into_iter().filter(|run| run.len() >= least) {
            let height = |frame: usize| stances[frame].at.y;
            match stands.last_mut() {
                Some(stand) => {
                    let higher = height(stand.end - 1).max(height(run.start));
                    let top = (stand.end..run.start).map(height).fold(higher, f32::max);
                    if top - higher < LEAST_RISE_M { stand.end = run.end } else { stands.push(run) }
                }
                None => stands.push(run),
            }
        }
        stands
    }

    /// The figure at a few instants of a hop: take-off, landing, and as many others as it needs.
    fn outline(
        &self,
        clip: &Clip,
        frames: Range<usize>,
        flight: Range<usize>,
        stances: &[Stance],
    ) -> Vec<Instant> {
        let (from, to) = (stances[frames.start], stances[frames.end]);
        let mut world = WorldPose::scratch(clip.skeleton());
        let mut instant = |frame: usize| {
            world.set(clip.pose(frame));
            let share = (frame as f32 - flight.start as f32) / flight.len().max(1) as f32;
            let share = share.clamp(0.0, 1.0);
            let here = stances[frame];
            let own = from.slope_rad + share * (to.slope_rad - from.slope_rad);
            let bones = bones(&world).map(|bone| bone.map(|end| plane(end - here.at)));
            Instant::new(share, plane(here.at - from.at), here.slope_rad - own, bones.collect())
        };
        let all: Vec<Instant> = (frames.start..=frames.end).map(&mut instant).collect();
        let mut kept = vec![0];
        for end in [flight.start, flight.end, frames.end].map(|frame| frame - frames.start) {
            let begin = kept[kept.len() - 1];
            self.straighten(&all, begin..end, &mut kept);
        }
        kept.dedup();
        kept.into_iter().map(|number| all[number].clone()).collect()
    }

    /// Adds the end of some instants, and before it those between without which it would not be nearly straight.
    fn straighten(&self, all: &[Instant], some: Range<usize>, kept: &mut Vec<usize>) {
        let (from, to) = (&all[some.start], &all[some.end]);
        let off_m = |number: usize| {
            let here = &all[number];
            let share = (number - some.start) as f32 / some.len() as f32;
            let sole = from.sole.lerp(to.sole, share).distance(here.sole);
            let tilt_rad = from.tilt_rad + share * (to.tilt_rad - from.tilt_rad);
            let ends = from.bones.iter().zip(&to.bones).zip(&here.bones).flat_map(|((from, to), here)| {
                [0, 1].map(|end| from[end].lerp(to[end], share).distance(here[end]))
            });
            sole + ends.fold(self.half_m() * (here.tilt_rad - tilt_rad).abs(), f32::max)
        };
        let between = (some.start + 1..some.end).map(|number| (off_m(number), number));
        if let Some((off_m, number)) = between.reduce(|a, b| if b.0 > a.0 { b } else { a })
            && off_m > STRAIGHT_M
        {
            self.straighten(all, some.start..number, kept);
            self.straighten(all, number..some.end, kept);
        } else {
            kept.push(some.end);
        }
    }
}

/// The bones of a figure that are not its root's, end to end.
pub(crate) fn bones(world: &WorldPose) -> impl Iterator<Item = [Vec3; 2]> + '_ {
    let skeleton = world.skeleton();
    let inner = skeleton.parents().iter().enumerate().skip(1).filter(|(_, parent)| **parent != 0);
    let inner = inner.map(|(joint, &parent)| [world.positions[parent], world.positions[joint]]);
    let tips = skeleton.tips().iter().zip(world.tips()).filter(|(tip, _)| tip.parent != 0);
    inner.chain(tips.map(|(tip, at)| [world.positions[tip.parent], at]))
}

/// Along and up.
pub(crate) fn plane(point: Vec3) -> Vec2 {
    Vec2::new(point.z, point.y)
}

/// How fast a figure's joints go on average, frame by frame, in metres a second.
fn unrest(clip: &Clip) -> Vec<f32> {
    let world = clip.world();
    let mean = |frame: usize| {
        let (before, after) = (frame.saturating_sub(1), (frame + 1).min(clip.frames() - 1));
        let pairs = world.positions_at(before).iter().zip(world.positions_at(after));
        let gone: f32 = pairs.map(|(a, b)| a.distance(*b)).sum();
        gone / world.joints as f32 * clip.rate_hz() as f32 / (after - before).max(1) as f32
    };
    (0..clip.frames()).map(mean).collect()
}

/// The contacts of a hopper's base as they are seen in its motion.
pub fn seen_contacts(clip: &Clip) -> Result<Contacts> {
    let hopper = Hopper::of(clip.skeleton())?;
    let role = clip.skeleton().joints()[0].role.unwrap_or(Role::Hips);
    let stands = hopper.stands(clip, &hopper.stances(clip));
    let contacts = stands.into_iter().map(|frames| marey_motion::Contact { role, frames });
    Ok(Contacts::new(contacts.collect(), clip.frames())?)
}
