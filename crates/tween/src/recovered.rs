//! From postures back to continuous orientations, as the corpus has them.
//!
//! A posture says of each joint only which of a few hundred orientations it is nearest to; played as they are, these make the
//! "jaggies" that the paper complains of (section 2). But each was learned from frames of the corpus, and those have the joint's own
//! orientation and how it goes on. So for each joint a frame is chosen for each step, the one that goes on most like the one chosen
//! before (Viterbi's algorithm), a joint and the one it depends on from the same frame where that costs little. What the
//! chosen frames still differ by where they meet is spread over all steps: the least squares of how much the motion from each step to
//! the next differs from its frame's own, and a little of how far the joint is from its frame. Ends that are given are met exactly.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | oₜ | orientation in the frame chosen for step t | – |
//! | mₜ | rotation vector from where that frame goes on to, to oₜ₊₁ | rad |
//! | eₜ | correction: the joint's orientation is oₜ exp(eₜ) | rad |
//! | λ | `KEEP`, how much it counts to stay at oₜ | – |
//!
//! Limits: eₜ are taken to add up, which holds for small ones; they are, as orientations of one number are near each other.

use glam::{Quat, Vec3};
use marey_motion::{Ground, LocalPoseRef};
use rayon::prelude::*;

use crate::frames::Touches;
use crate::{Posture, Style};

/// How many frames are considered for a joint and step.
const MOST_CANDIDATES: usize = 40;
/// What it costs to take a joint from another frame than the joint it depends on, and to leave a frame's own way, in rad².
const APART: f32 = 0.1 * 0.1;
const CUT: f32 = 0.05 * 0.05;
/// λ.
const KEEP: f32 = 0.15;

/// Postures as motion at the working rate.
pub(crate) struct Recovered {
    /// Steps × joints, the figure in place and facing ahead.
    pub(crate) rotations: Vec<Vec<Quat>>,
    /// Where the root is in place: its height above the floor is what matters.
    pub(crate) roots: Vec<Vec3>,
    /// How the figure would go on over the floor by its hips' frames.
    pub(crate) travel: Vec<Ground>,
    /// What stands.
    pub(crate) touches: Vec<Touches>,
    /// Whether anything stands in the hips' frames: then the figure is not in the air.
    pub(crate) is_grounded: Vec<bool>,
}

/// Recovers motion from postures; ends that are given, in place and facing ahead, are met.
pub(crate) fn recovered(
    style: &Style,
    postures: &[Posture],
    ends: [Option<LocalPoseRef<'_>>; 2],
    feet: &[Vec<usize>],
) -> Recovered {
    let joints = style.skeleton().len();
    let mut chosen: Vec<Vec<usize>> = vec![Vec::new(); joints];
    for &joint in style.network().order() {
        let states: Vec<u16> = postures.iter().filter_map(|posture| posture.get(joint).copied()).collect();
        let pinned = ends.map(|end| end.and_then(|end| end.rotations.get(joint).copied()));
        let other = style.network().parent(joint).and_then(|other| chosen.get(other));
        let own = choose(style, joint, &states, pinned, other.map_or(&[], Vec::as_slice));
        if let Some(slot) = chosen.get_mut(joint) {
            *slot = own;
        }
    }
    let columns: Vec<Vec<Quat>> = (0..joints)
        .into_par_iter()
        .map(|joint| {
            let pinned = ends.map(|end| end.and_then(|end| end.rotations.get(joint).copied()));
            spread(style, joint, &chosen[joint], pinned)
        })
        .collect();
    let rotations = (0..postures.len())
        .map(|step| columns.iter().filter_map(|column| column.get(step).copied()).collect());
    let hips = chosen.first().map_or(&[][..], Vec::as_slice);
    let root = |frame: usize| style.frames().pose(frame).root_position();
    let roots =
        offset_to(hips.iter().map(|frame| root(*frame)), ends.map(|end| end.map(|end| end.root_position())));
    let touch = |step: usize| {
        let stands = |(point, leg): (usize, &Vec<usize>)| {
            let of_leg = leg.iter().filter_map(|joint| chosen.get(*joint)?.get(step));
            let votes =
                of_leg.clone().filter(|frame| style.frames().touches(**frame) >> point & 1 == 1).count();
            2 * votes > of_leg.count()
        };
        crate::frames::bits(feet.iter().enumerate().map(stands))
    };
    Recovered {
        rotations: rotations.collect(),
        roots,
        travel: hips.iter().map(|frame| style.frames().travel(*frame)).collect(),
        touches: (0..postures.len()).map(touch).collect(),
        is_grounded: hips.iter().map(|frame| style.frames().touches(*frame) != 0).collect(),
    }
}

/// A frame that may be chosen for a step.
#[derive(Clone, Copy)]
struct Candidate {
    frame: usize,
    /// What the best way to it costs, in rad².
    cost: f32,
    /// Which candidate of the step before that comes from.
    before: usize,
}

/// The frame for each step of a joint: each goes on as the one before does, as far as there are such frames.
fn choose(
    style: &Style,
    joint: usize,
    states: &[u16],
    pinned: [Option<Quat>; 2],
    other: &[usize],
) -> Vec<usize> {
    let turn = |frame: usize| style.frames().pose(frame).rotations[joint];
    let mut layers: Vec<Vec<Candidate>> = Vec::with_capacity(states.len());
    for (step, &state) in states.iter().enumerate() {
        let pin = match step {
            0 => pinned[0],
            _ if step + 1 == states.len() => pinned[1],
            _ => None,
        };
        let own = |frame: usize| {
            let off = pin.map_or(0.0, |pin| squared_angle(pin, turn(frame)));
            off + if other.get(step).is_some_and(|other| *other != frame) { APART } else { 0.0 }
        };
        let before = layers.last().map_or(&[][..], Vec::as_slice);
        // Where each frame before goes on to.
        let onward: Vec<(Option<usize>, Quat)> = before
            .iter()
            .map(|candidate| {
                let next = style.frames().next(candidate.frame);
                (next, turn(next.unwrap_or(candidate.frame)))
            })
            .collect();
        let layer = candidates(style, joint, state, before, other.get(step)).into_iter().map(|frame| {
            let here = turn(frame);
            let cut = |(next, onward): &(Option<usize>, Quat)| {
                if *next == Some(frame) { 0.0 } else { CUT + squared_angle(*onward, here) }
            };
            let costs = onward.iter().zip(before).map(|(onward, candidate)| candidate.cost + cut(onward));
            let best = costs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            let (before, cost) = best.unwrap_or((0, 0.0));
            Candidate { frame, cost: cost + own(frame), before }
        });
        let layer = layer.collect();
        layers.push(layer);
    }
    let mut at = layers.last().and_then(|layer| {
        layer.iter().enumerate().min_by(|a, b| a.1.cost.total_cmp(&b.1.cost)).map(|(index, _)| index)
    });
    let mut frames = Vec::with_capacity(states.len());
    for layer in layers.iter().rev() {
        let node = at.and_then(|at| layer.get(at));
        frames.push(node.map_or(0, |node| node.frame));
        at = node.map(|node| node.before);
    }
    frames.reverse();
    frames
}

/// The frames that are considered: those that go on from the ones before, that of the other joint, and some of the rest.
fn candidates(
    style: &Style,
    joint: usize,
    state: u16,
    before: &[Candidate],
    other: Option<&usize>,
) -> Vec<usize> {
    let all = style.frames().instances(joint, state);
    let has = |frame: &usize| u32::try_from(*frame).is_ok_and(|frame| all.binary_search(&frame).is_ok());
    let mut cheapest: Vec<Candidate> = before.to_vec();
    cheapest.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.frame.cmp(&b.frame)));
    let onward = cheapest
        .into_iter()
        .take(MOST_CANDIDATES)
        .filter_map(|candidate| style.frames().next(candidate.frame));
    let mut some: Vec<usize> = onward.filter(has).collect();
    some.extend(other.copied().filter(|other| has(other)));
    let step = all.len().div_ceil(MOST_CANDIDATES).max(1);
    some.extend(all.iter().step_by(step).map(|frame| *frame as usize));
    some.sort_unstable();
    some.dedup();
    some
}

fn squared_angle(a: Quat, b: Quat) -> f32 {
    // Near enough to the angle's square where it is small: 4 (1 − |cos(θ/2)|) · 2 = θ².
    8.0 * (1.0 - a.dot(b).abs().min(1.0))
}

/// The orientations of a joint, from the frames chosen: what these differ by where they meet is spread.
fn spread(style: &Style, joint: usize, frames: &[usize], pinned: [Option<Quat>; 2]) -> Vec<Quat> {
    let turn = |frame: usize| style.frames().pose(frame).rotations[joint];
    let own: Vec<Quat> = frames.iter().map(|frame| turn(*frame)).collect();
    let onward = frames.iter().map(|frame| turn(style.frames().next(*frame).unwrap_or(*frame)));
    let missed: Vec<Vec3> =
        onward.zip(own.iter().skip(1)).map(|(onward, next)| between(onward, *next)).collect();
    let ends =
        [(pinned[0], own.first()), (pinned[1], own.last())].map(|(pin, own)| Some(between(*own?, pin?)));
    let corrections = relaxed(&missed, ends);
    let turned = |(own, correction): (&Quat, Vec3)| (*own * Quat::from_scaled_axis(correction)).normalize();
    let mut made: Vec<Quat> = own.iter().zip(corrections).map(turned).collect();
    // To the bit.
    if let (Some(slot), Some(pin)) = (made.first_mut(), pinned[0]) {
        *slot = pin;
    }
    if let (Some(slot), Some(pin)) = (made.last_mut(), pinned[1]) {
        *slot = pin;
    }
    made
}

/// The rotation vector from one orientation to another, the short way.
pub(crate) fn between(from: Quat, to: Quat) -> Vec3 {
    let turn = from.inverse() * to;
    (if turn.w < 0.0 { -turn } else { turn }).to_scaled_axis()
}

/// The eₜ that make Σ |eₜ₊₁ − eₜ + mₜ|² + λ Σ |eₜ|² least, with ends as given: one tridiagonal system for all axes.
fn relaxed(missed: &[Vec3], ends: [Option<Vec3>; 2]) -> Vec<Vec3> {
    let count = missed.len() + 1;
    let (mut diagonal, mut right) = (vec![KEEP; count], vec![Vec3::ZERO; count]);
    let mut off = vec![-1.0f32; missed.len()];
    for (step, m) in missed.iter().enumerate() {
        diagonal[step] += 1.0;
        diagonal[step + 1] += 1.0;
        right[step] += *m;
        right[step + 1] -= *m;
    }
    // An end that is given is an equation of its own, and known to its neighbour.
    let last = count - 1;
    for (end, at) in [(ends[0], 0), (ends[1], last)] {
        let Some(end) = end else { continue };
        (diagonal[at], right[at]) = (1.0, end);
        let link = if at == 0 { 0 } else { last.saturating_sub(1) };
        let neighbour = if at == 0 { 1 } else { link };
        let is_given = (neighbour == 0 && ends[0].is_some()) || (neighbour == last && ends[1].is_some());
        if last > 0 {
            off[link] = 0.0;
            if !is_given {
                right[neighbour] += end;
            }
        }
    }
    for step in 1..count {
        let share = off[step - 1] / diagonal[step - 1];
        diagonal[step] -= share * off[step - 1];
        let before = right[step - 1];
        right[step] -= share * before;
    }
    let mut e = vec![Vec3::ZERO; count];
    for step in (0..count).rev() {
        let behind = if step + 1 < count { off[step] * e[step + 1] } else { Vec3::ZERO };
        e[step] = (right[step] - behind) / diagonal[step];
    }
    e
}

/// Places, moved so that they end where they should; in between by a share of both.
fn offset_to(places: impl Iterator<Item = Vec3>, ends: [Option<Vec3>; 2]) -> Vec<Vec3> {
    let places: Vec<Vec3> = places.collect();
    let off = |end: Option<Vec3>, place: Option<&Vec3>| {
        end.zip(place).map_or(Vec3::ZERO, |(end, place)| end - *place)
    };
    let (first, last) = (off(ends[0], places.first()), off(ends[1], places.last()));
    let most = places.len().saturating_sub(1).max(1) as f32;
    let (first, last) = if ends[1].is_none() { (first, first) } else { (first, last) };
    places.iter().enumerate().map(|(step, place)| *place + first.lerp(last, step as f32 / most)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What the corrections make least.
    fn energy(e: &[Vec3], missed: &[Vec3]) -> f32 {
        let steps = e.windows(2).zip(missed).map(|(pair, m)| (pair[1] - pair[0] + *m).length_squared());
        steps.sum::<f32>() + KEEP * e.iter().map(|e| e.length_squared()).sum::<f32>()
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-0.2f32..0.2).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn corrections_cannot_be_bettered_and_ends_are_met(
            missed in prop::collection::vec(vector(), 1..20),
            first in prop::option::of(vector()),
            last in prop::option::of(vector()),
            change in vector(),
            at in any::<prop::sample::Index>(),
        ) {
            let e = relaxed(&missed, [first, last]);
            if let Some(first) = first {
                prop_assert!(e[0].distance(first) < 1e-5);
            }
            if let Some(last) = last {
                prop_assert!(e.last().unwrap().distance(last) < 1e-5);
            }
            let at = at.index(e.len());
            let is_pinned = (at == 0 && first.is_some()) || (at + 1 == e.len() && last.is_some());
            if !is_pinned {
                let mut other = e.clone();
                other[at] += 0.1 * change;
                prop_assert!(energy(&other, &missed) >= energy(&e, &missed) - 1e-6);
            }
        }
    }
}
