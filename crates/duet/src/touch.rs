//! When two people touch each other, with what, and where.
//!
//! An end effector (a hand with its forearm, a foot) touches when its capsule comes within a tolerance of any capsule of the other.
//! Touches that overlap in time are one interaction: a kick that is blocked touches by the foot of the one and the forearm of
//! the other. Who strikes is whose end was the faster on the way to it; that stands for the offensive movement, the other for
//! the defensive one (the paper's section 5.1.2).

use std::ops::Range;

use marey_motion::{Clip, Role, Vec3, WorldPose};
use serde::{Deserialize, Serialize};

use crate::shape::{Capsule, ENDS, Shape, nearest};

/// Ends that are nearer than this touch, in metres. Radii are good to a centimetre or two.
const NEAR_M: f32 = 0.015;
/// Touches closer in time are one, in seconds.
const MERGED_SECS: f64 = 0.15;
/// Over how long before a touch speeds are compared, in seconds.
const APPROACH_SECS: f64 = 0.2;

/// A part of one of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Who, 0 or 1.
    pub person: usize,
    /// What.
    pub role: Role,
}

/// Two people touch.
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
}

/// What one end of one person does to the other in a frame.
#[derive(Debug, Clone, Copy)]
struct Near {
    gap_m: f32,
    struck: Role,
    place: Vec3,
}

/// The touches of two clips on one clock.
pub(crate) fn touches(clips: [&Clip; 2], shapes: &[Shape; 2]) -> Vec<Touch> {
    let mut worlds = clips.map(|clip| WorldPose::scratch(clip.skeleton()));
    let mut placed: [Vec<Capsule>; 2] = [Vec::new(), Vec::new()];
    let frames = clips[0].frames().min(clips[1].frames());
    // Of each person and end, frame by frame.
    let mut near: [[Vec<Option<Near>>; 4]; 2] = Default::default();
    let mut ends: [[Vec<Vec3>; 4]; 2] = Default::default();
    for frame in 0..frames {
        for (person, world) in worlds.iter_mut().enumerate() {
            world.set(clips[person].pose(frame));
            shapes[person].place(world, &mut placed[person]);
            for (end, role) in ENDS.into_iter().enumerate() {
                let joint = world.skeleton().joint_of(role).unwrap_or(0);
                ends[person][end].push(world.positions[joint]);
            }
        }
        for (person, near) in near.iter_mut().enumerate() {
            for (end, role) in ENDS.into_iter().enumerate() {
                near[end].push(nearest_of(role, &placed[person], &placed[1 - person]));
            }
        }
    }
    let rate_hz = clips[0].rate_hz();
    let spans = united(&near, (MERGED_SECS * rate_hz).round() as usize);
    spans.into_iter().filter_map(|span| touch(span, &near, &ends, clips, rate_hz)).collect()
}

/// The nearest capsule of another body to an end, where it is within the tolerance.
fn nearest_of(end: Role, own: &[Capsule], other: &[Capsule]) -> Option<Near> {
    let mut best: Option<Near> = None;
    for mine in own.iter().filter(|capsule| capsule.end == Some(end)) {
        for theirs in other {
            let gap_m = mine.gap_m(theirs);
            if gap_m <= NEAR_M && best.is_none_or(|best| gap_m < best.gap_m) {
                let (_, place) = nearest((mine.from, mine.to), (theirs.from, theirs.to));
                best = Some(Near { gap_m, struck: theirs.role, place });
            }
        }
    }
    best
}

/// Frames in which any end touches; what is close in time is one.
fn united(near: &[[Vec<Option<Near>>; 4]; 2], merged: usize) -> Vec<Range<usize>> {
    let frames = near[0][0].len();
    let touching = |frame: usize| near.iter().flatten().any(|ends| ends[frame].is_some());
    let mut spans: Vec<Range<usize>> = Vec::new();
    for frame in (0..frames).filter(|&frame| touching(frame)) {
        match spans.last_mut() {
            Some(last) if frame - last.end < merged.max(1) => last.end = frame + 1,
            _ => spans.push(frame..frame + 1),
        }
    }
    spans
}

/// What happens in a span: the fastest end that touches in it strikes.
fn touch(
    span: Range<usize>,
    near: &[[Vec<Option<Near>>; 4]; 2],
    ends: &[[Vec<Vec3>; 4]; 2],
    clips: [&Clip; 2],
    rate_hz: f64,
) -> Option<Touch> {
    let mut best: Option<(f32, usize, usize, usize, Near)> = None;
    for (person, of_ends) in near.iter().enumerate() {
        for (end, of_frames) in of_ends.iter().enumerate() {
            let touched = span.clone().filter_map(|frame| Some((frame, of_frames[frame]?)));
            let closest = touched.reduce(|best, next| if next.1.gap_m < best.1.gap_m { next } else { best });
            let Some((frame, closest)) = closest else { continue };
            let first = span.clone().find(|&f| of_frames[f].is_some()).unwrap_or(frame);
            let from = first.saturating_sub((APPROACH_SECS * rate_hz).round() as usize);
            let way: f32 = ends[person][end][from..=first].windows(2).map(|p| p[0].distance(p[1])).sum();
            if best.is_none_or(|best| way > best.0) {
                best = Some((way, person, end, frame, closest));
            }
        }
    }
    let (_, person, end, frame, closest) = best?;
    let struck = WorldPose::of(clips[1 - person].skeleton(), clips[1 - person].pose(frame));
    let joint = struck.skeleton().joint_of(closest.struck)?;
    Some(Touch {
        frames: span,
        frame,
        striker: Part { person, role: ENDS[end] },
        struck: Part { person: 1 - person, role: closest.struck },
        place: closest.place,
        reach: ends[person][end][frame] - struck.positions[joint],
    })
}

#[cfg(test)]
mod tests {
    use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};

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
        assert!(
            pair.touches.len() <= real.len() + real.len() / 5,
            "{} of {}",
            pair.touches.len(),
            real.len()
        );
    }
}
