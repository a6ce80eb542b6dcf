//! When two people touch each other, or all but, with what, and where.
//!
//! An end effector (a hand with its forearm, a foot) touches when its capsule comes within a tolerance of any capsule of the other.
//! Touches that overlap in time are one interaction: a kick that is blocked touches by the foot of the one and the forearm of
//! the other. Who strikes is whose end was the faster on the way to it; that stands for the offensive movement, the other for
//! the defensive one (the paper's section 5.1.2).
//!
//! A strike that the other gets away from is an interaction too, though nothing touches: a limb that is thrown at somebody, as fast as
//! limbs that strike are, and stops short of them. Else a kick that is dodged would pass for footwork, and be made where nobody
//! dodges it.

use std::ops::Range;

use marey_motion::{Clip, Role, Vec3, WorldPose};
use serde::{Deserialize, Serialize};

use crate::shape::{Capsule, ENDS, Shape, nearest};

/// Ends that are nearer than this touch, in metres. Radii are good to a centimetre or two.
const NEAR_M: f32 = 0.015;
/// Who is nearer to the other than this with a hand or a foot is within reach, in metres.
const REACH_M: f32 = 0.3;
/// Touches closer in time are one, in seconds.
const MERGED_SECS: f64 = 0.15;
/// Over how long before a touch speeds are compared, in seconds.
const APPROACH_SECS: f64 = 0.2;
/// A limb that stops short of somebody by more than this was not meant for them, in metres.
const MISSED_M: f32 = 0.5;
/// How much nearer a limb comes in the time of its approach, as seen from the hips, when it is thrown at somebody, in metres.
const THROWN_M: f32 = 0.35;
/// A strike that misses is another one than what touches within this time, in seconds.
const APART_SECS: f64 = 0.5;

/// A part of one of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Who, 0 or 1.
    pub person: usize,
    /// What.
    pub role: Role,
}

/// Two people touch, or one strikes at the other and misses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Touch {
    /// When, in frames.
    pub frames: Range<usize>,
    /// When it is closest.
    pub frame: usize,
    /// What touches: a hand or a foot.
    pub striker: Part,
    /// What is touched.
    pub struck: Part,
    /// Where, in the world, in metres: on the struck part.
    pub place: Vec3,
    /// From the joint that is struck to the joint that strikes, in the frame of the world, in metres.
    pub reach: Vec3,
    /// How far apart the two are when it is closest, in metres; below 0 they overlap.
    pub gap_m: f32,
}

impl Touch {
    /// Whether it is a strike that the other got away from.
    pub fn misses(&self) -> bool {
        self.gap_m > NEAR_M
    }
}

/// What one end of one person does to the other in a frame.
#[derive(Debug, Clone, Copy)]
struct Near {
    gap_m: f32,
    struck: Role,
    place: Vec3,
}

/// Both clips, frame by frame: for each person and end where it is, also as seen from the hips, and what it is nearest to.
struct Seen {
    near: [[Vec<Near>; 4]; 2],
    ends: [[Vec<Vec3>; 4]; 2],
    from_hips: [[Vec<Vec3>; 4]; 2],
    frames: usize,
    /// How many frames an approach takes.
    approach: usize,
}

/// The touches of two clips on one clock, in time; and in how many frames they are within reach.
pub(crate) fn touches(clips: [&Clip; 2], shapes: &[Shape; 2]) -> (Vec<Touch>, usize) {
    let seen = Seen::of(clips, shapes);
    let rate_hz = clips[0].rate_hz();
    let frames = |secs: f64| (secs * rate_hz).round() as usize;
    let spans = seen.united(frames(MERGED_SECS));
    let mut all: Vec<Touch> = spans.into_iter().filter_map(|span| seen.touch(span, clips)).collect();
    let apart = frames(APART_SECS);
    for (frame, person, end) in seen.thrown() {
        let is_new = |touch: &Touch| touch.frames.start > frame + apart || frame > touch.frames.end + apart;
        if all.iter().all(is_new) {
            all.extend(seen.at(frame, person, end, frame..frame + 1, clips));
        }
    }
    all.sort_by_key(|touch| touch.frame);
    (all, seen.nearer_than(REACH_M).count())
}

impl Seen {
    fn of(clips: [&Clip; 2], shapes: &[Shape; 2]) -> Self {
        let mut worlds = clips.map(|clip| WorldPose::scratch(clip.skeleton()));
        let mut placed: [Vec<Capsule>; 2] = [Vec::new(), Vec::new()];
        let frames = clips[0].frames().min(clips[1].frames());
        let approach = ((APPROACH_SECS * clips[0].rate_hz()).round() as usize).max(1);
        let mut seen = Self {
            near: Default::default(),
            ends: Default::default(),
            from_hips: Default::default(),
            frames,
            approach,
        };
        for frame in 0..frames {
            for (person, world) in worlds.iter_mut().enumerate() {
                world.set(clips[person].pose(frame));
                shapes[person].place(world, &mut placed[person]);
                let hips = world.skeleton().joint_of(Role::Hips).unwrap_or(0);
                for (end, role) in ENDS.into_iter().enumerate() {
                    let joint = world.skeleton().joint_of(role).unwrap_or(0);
                    seen.ends[person][end].push(world.positions[joint]);
                    seen.from_hips[person][end].push(world.positions[joint] - world.positions[hips]);
                }
            }
            for (person, near) in seen.near.iter_mut().enumerate() {
                for (end, role) in ENDS.into_iter().enumerate() {
                    near[end].push(nearest_of(role, &placed[person], &placed[1 - person]));
                }
            }
        }
        seen
    }

    /// Frames in which any end is nearer to the other than so.
    fn nearer_than(&self, gap_m: f32) -> impl Iterator<Item = usize> {
        let is_near = move |frame: &usize| self.near.iter().flatten().any(|ends| ends[*frame].gap_m <= gap_m);
        (0..self.frames).filter(is_near)
    }

    /// Frames in which any end touches; what is close in time is one.
    fn united(&self, merged: usize) -> Vec<Range<usize>> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        for frame in self.nearer_than(NEAR_M) {
            match spans.last_mut() {
                Some(last) if frame - last.end < merged.max(1) => last.end = frame + 1,
                _ => spans.push(frame..frame + 1),
            }
        }
        spans
    }

    /// When limbs that are thrown at the other are nearest to them without touching, whose, and which; the nearest first.
    fn thrown(&self) -> Vec<(usize, usize, usize)> {
        let mut found: Vec<(f32, usize, usize, usize)> = Vec::new();
        for (person, of_ends) in self.near.iter().enumerate() {
            for (end, near) in of_ends.iter().enumerate() {
                let from_hips = &self.from_hips[person][end];
                for frame in self.approach..self.frames {
                    let gap_m = near[frame].gap_m;
                    let around = frame - self.approach..(frame + self.approach + 1).min(self.frames);
                    let is_least = near[around].iter().all(|other| other.gap_m >= gap_m);
                    let thrown_m = from_hips[frame].distance(from_hips[frame - self.approach]);
                    let came_m = near[frame - self.approach].gap_m - gap_m;
                    let is_near = gap_m > NEAR_M && gap_m <= MISSED_M;
                    if is_near && is_least && thrown_m.min(came_m) >= THROWN_M {
                        found.push((gap_m, frame, person, end));
                    }
                }
            }
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        found.into_iter().map(|(_, frame, person, end)| (frame, person, end)).collect()
    }

    /// What happens in a span: the fastest end that touches in it strikes.
    fn touch(&self, span: Range<usize>, clips: [&Clip; 2]) -> Option<Touch> {
        let mut best: Option<(f32, usize, usize, usize)> = None;
        for (person, of_ends) in self.near.iter().enumerate() {
            for (end, near) in of_ends.iter().enumerate() {
                let touched = span.clone().filter(|&frame| near[frame].gap_m <= NEAR_M);
                let Some(first) = touched.clone().next() else { continue };
                let closer =
                    |best: usize, next: usize| if near[next].gap_m < near[best].gap_m { next } else { best };
                let frame = touched.reduce(closer).unwrap_or(first);
                let path = &self.ends[person][end][first.saturating_sub(self.approach)..=first];
                let way: f32 = path.windows(2).map(|p| p[0].distance(p[1])).sum();
                if best.is_none_or(|best| way > best.0) {
                    best = Some((way, frame, person, end));
                }
            }
        }
        let (_, frame, person, end) = best?;
        self.at(frame, person, end, span, clips)
    }

    /// What an end does to the other in a frame.
    fn at(
        &self,
        frame: usize,
        person: usize,
        end: usize,
        frames: Range<usize>,
        clips: [&Clip; 2],
    ) -> Option<Touch> {
        let Near { gap_m, struck, place } = self.near[person][end][frame];
        let theirs = WorldPose::of(clips[1 - person].skeleton(), clips[1 - person].pose(frame));
        let joint = theirs.skeleton().joint_of(struck)?;
        Some(Touch {
            frames,
            frame,
            striker: Part { person, role: ENDS[end] },
            struck: Part { person: 1 - person, role: struck },
            place,
            reach: self.ends[person][end][frame] - theirs.positions[joint],
            gap_m,
        })
    }
}

/// The nearest capsule of another body to an end.
fn nearest_of(end: Role, own: &[Capsule], other: &[Capsule]) -> Near {
    let mut best = Near { gap_m: f32::INFINITY, struck: Role::Hips, place: Vec3::ZERO };
    for mine in own.iter().filter(|capsule| capsule.end == Some(end)) {
        for theirs in other {
            let gap_m = mine.gap_m(theirs);
            if gap_m < best.gap_m {
                let (_, place) = nearest((mine.from, mine.to), (theirs.from, theirs.to));
                best = Near { gap_m, struck: theirs.role, place };
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use marey_examples::taekwondo::{Kind, Movement, TaekwondoSettings, taekwondo};

    use crate::Pair;

    #[test]
    fn the_touches_of_a_bout_are_found_by_who_strikes() {
        let settings = TaekwondoSettings {
            seed: 11,
            duration_secs: 60.0,
            rate_hz: 30.0,
            ..TaekwondoSettings::default()
        };
        let example = taekwondo(&settings).unwrap();
        let pair = Pair::of_take(&example.take).unwrap();
        let real = &example.truth.bout().unwrap().touches;
        let found = |touch: &&marey_examples::taekwondo::Touch| {
            pair.touches.iter().any(|seen| {
                seen.frame.abs_diff(touch.frame) <= 3 && seen.striker.person == touch.striker.actor
            })
        };
        let matched = real.iter().filter(found).count();
        assert!(matched * 10 >= real.len() * 9, "{matched} of {}", real.len());
        let (missed, met): (Vec<_>, Vec<_>) = pair.touches.iter().partition(|touch| touch.misses());
        assert!(met.len() <= real.len() + real.len() / 5, "{} of {}", met.len(), real.len());
        // What misses is an attack, and the other gets away from it.
        let moves = &example.truth.bout().unwrap().movements;
        let does = |actor: usize, frame: usize| {
            moves.iter().find(|moved| moved.actor == actor && (moved.start..moved.end).contains(&frame))
        };
        for touch in &missed {
            let [attack, answer] = [touch.striker.person, touch.struck.person].map(|p| does(p, touch.frame));
            assert_eq!(attack.unwrap().kind, Kind::Offensive, "{touch:?}");
            assert_eq!(answer.unwrap().movement, Movement::Dodge, "{touch:?}");
        }
        assert!(missed.len() > 2, "{}", missed.len());
    }
}
