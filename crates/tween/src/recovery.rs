//! Recovery of continuous orientations from postures.
//!
//! A posture only stores the nearest of a few hundred orientations for each joint. Playing these directly
//! causes the "jaggies" that section 2 of the paper mentions. But each orientation was learned from frames of
//! the corpus, which have the exact orientation of the joint and its continuation. So the Viterbi algorithm
//! chooses a frame for each joint and step, preferring frames that continue the previous choice, and the same
//! frame for a joint and its parent. The remaining gaps between chosen frames are spread over all steps by
//! least squares: the motion between steps should equal that of the frames, and each joint should stay close
//! to its frame. Given end poses are met exactly.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | oₜ | orientation in the frame chosen for step t | – |
//! | mₜ | gap: rotation vector from the continuation of that frame to oₜ₊₁ | rad |
//! | eₜ | correction: the joint's orientation is oₜ exp(eₜ) | rad |
//! | λ | `KEEP_WEIGHT`: weight of staying close to oₜ | – |
//!
//! Limits: corrections are added as vectors, which is accurate if they are small. They are, because all
//! frames of one orientation are close to each other.

use glam::{Quat, Vec3};
use marey_motion::{CheckedAccess, Ground, LocalPoseRef};
use rayon::prelude::*;

use crate::style_frames::SoleBits;
use crate::{MotionStyle, Posture, Result};

/// Maximum number of frames considered for a joint and step.
const MAX_CANDIDATES: usize = 40;
/// Cost of choosing a different frame than the joint's parent, in rad².
const DIFFERENT_FRAME_COST: f32 = 0.1 * 0.1;
/// Cost of not continuing the previous frame, in rad².
const CUT_COST: f32 = 0.05 * 0.05;
/// λ.
const KEEP_WEIGHT: f32 = 0.15;

/// Postures as motion at the rate of the style.
pub(crate) struct RecoveredMotion {
    /// Steps × joints, with the character facing +Z.
    pub(crate) rotations: Vec<Vec<Quat>>,
    /// Root positions with the character at the origin; only the height varies much.
    pub(crate) roots: Vec<Vec3>,
    /// Ground motion in the frames chosen for the hips.
    pub(crate) travel: Vec<Ground>,
    /// Sole contacts.
    pub(crate) contact_bits: Vec<SoleBits>,
    /// Whether any sole is in contact in the frames chosen for the hips.
    pub(crate) is_grounded: Vec<bool>,
}

/// Recovers motion from postures. Given end poses, at the origin and facing +Z, are met. `feet` are the leg
/// joints of each sole point.
pub(crate) fn recover(
    style: &MotionStyle,
    postures: &[Posture],
    ends: [Option<LocalPoseRef<'_>>; 2],
    feet: &[Vec<usize>],
) -> Result<RecoveredMotion> {
    let joints = style.skeleton().len();
    let mut chosen: Vec<Vec<usize>> = vec![Vec::new(); joints];
    for &joint in style.dependence_tree().order() {
        let states: Vec<u16> = postures.iter().filter_map(|posture| posture.get(joint).copied()).collect();
        let pinned = ends.map(|end| end.and_then(|end| end.rotations.get(joint).copied()));
        let parent = style.dependence_tree().parent(joint).and_then(|parent| chosen.get(parent));
        let own = choose_frames(style, joint, &states, pinned, parent.map_or(&[], Vec::as_slice))?;
        if let Some(slot) = chosen.get_mut(joint) {
            *slot = own;
        }
    }
    let columns: Vec<Vec<Quat>> = chosen
        .par_iter()
        .enumerate()
        .map(|(joint, chosen)| {
            let pinned = ends.map(|end| end.and_then(|end| end.rotations.get(joint).copied()));
            spread_gaps(style, joint, chosen, pinned)
        })
        .collect::<Result<_>>()?;
    let rotations = (0..postures.len())
        .map(|step| columns.iter().filter_map(|column| column.get(step).copied()).collect());
    let hips = chosen.first().map_or(&[][..], Vec::as_slice);
    let root = |frame: usize| style.frames().pose(frame).root_position();
    let roots = offset_to_ends(
        hips.iter().map(|frame| root(*frame)),
        ends.map(|end| end.map(|end| end.root_position())),
    );
    let contact_bits = |step: usize| {
        let is_in_contact = |(point, leg): (usize, &Vec<usize>)| {
            let of_leg = leg.iter().filter_map(|joint| chosen.get(*joint)?.get(step));
            let votes =
                of_leg.clone().filter(|frame| style.frames().contact_bits(**frame) >> point & 1 == 1).count();
            2 * votes > of_leg.count()
        };
        crate::style_frames::bits(feet.iter().enumerate().map(is_in_contact))
    };
    Ok(RecoveredMotion {
        rotations: rotations.collect(),
        roots,
        travel: hips.iter().map(|frame| style.frames().travel(*frame)).collect(),
        contact_bits: (0..postures.len()).map(contact_bits).collect(),
        is_grounded: hips.iter().map(|frame| style.frames().contact_bits(*frame) != 0).collect(),
    })
}

/// A candidate frame for a step.
#[derive(Clone, Copy)]
struct Candidate {
    frame: usize,
    /// Cost of the best sequence that ends here, in rad².
    cost: f32,
    /// Index of the predecessor among the candidates of the previous step.
    before: usize,
}

/// Chooses a frame for each step of a joint (Viterbi algorithm). `parent_frames` are those of the joint it
/// depends on.
fn choose_frames(
    style: &MotionStyle,
    joint: usize,
    states: &[u16],
    pinned: [Option<Quat>; 2],
    parent_frames: &[usize],
) -> Result<Vec<usize>> {
    let rotation = |frame: usize| style.frames().pose(frame).rotations.at(joint).copied();
    let mut layers: Vec<Vec<Candidate>> = Vec::with_capacity(states.len());
    for (step, &state) in states.iter().enumerate() {
        let pin = match step {
            0 => pinned[0],
            _ if step + 1 == states.len() => pinned[1],
            _ => None,
        };
        let own_cost = |frame: usize, own_rotation: Quat| {
            let pin_cost = pin.map_or(0.0, |pin| squared_angle(pin, own_rotation));
            let is_different = parent_frames.get(step).is_some_and(|parent| *parent != frame);
            pin_cost + if is_different { DIFFERENT_FRAME_COST } else { 0.0 }
        };
        let before = layers.last().map_or(&[][..], Vec::as_slice);
        let continuations: Vec<(Option<usize>, Quat)> = before
            .iter()
            .map(|candidate| {
                let next = style.frames().next(candidate.frame);
                Ok((next, rotation(next.unwrap_or(candidate.frame))?))
            })
            .collect::<Result<_>>()?;
        let frames = candidates(style, joint, state, before, parent_frames.get(step));
        let layer = frames.into_iter().map(|frame| {
            let own_rotation = rotation(frame)?;
            let cut = |(next, continuation): &(Option<usize>, Quat)| {
                if *next == Some(frame) { 0.0 } else { CUT_COST + squared_angle(*continuation, own_rotation) }
            };
            let costs = continuations
                .iter()
                .zip(before)
                .map(|(continuation, candidate)| candidate.cost + cut(continuation));
            let best = costs.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
            let (before, cost) = best.unwrap_or((0, 0.0));
            Ok(Candidate { frame, cost: cost + own_cost(frame, own_rotation), before })
        });
        layers.push(layer.collect::<Result<_>>()?);
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
    Ok(frames)
}

/// Returns candidate frames: continuations of the previous candidates, the frame of the parent, and a sample
/// of the rest.
fn candidates(
    style: &MotionStyle,
    joint: usize,
    state: u16,
    before: &[Candidate],
    parent_frame: Option<&usize>,
) -> Vec<usize> {
    let all = style.frames().instances(joint, state);
    let has = |frame: &usize| u32::try_from(*frame).is_ok_and(|frame| all.binary_search(&frame).is_ok());
    let mut cheapest: Vec<Candidate> = before.to_vec();
    cheapest.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.frame.cmp(&b.frame)));
    let continuations = cheapest
        .into_iter()
        .take(MAX_CANDIDATES)
        .filter_map(|candidate| style.frames().next(candidate.frame));
    let mut frames: Vec<usize> = continuations.filter(has).collect();
    frames.extend(parent_frame.copied().filter(|frame| has(frame)));
    let step = all.len().div_ceil(MAX_CANDIDATES).max(1);
    frames.extend(all.iter().step_by(step).map(|frame| *frame as usize));
    frames.sort_unstable();
    frames.dedup();
    frames
}

fn squared_angle(a: Quat, b: Quat) -> f32 {
    // For small angles, 8 (1 − |cos(θ/2)|) ≈ θ².
    8.0 * (1.0 - a.dot(b).abs().min(1.0))
}

/// Returns the orientations of a joint in the chosen frames, with the gaps spread.
fn spread_gaps(
    style: &MotionStyle,
    joint: usize,
    frames: &[usize],
    pinned: [Option<Quat>; 2],
) -> Result<Vec<Quat>> {
    let rotation = |frame: usize| Ok(*style.frames().pose(frame).rotations.at(joint)?);
    let own: Vec<Quat> = frames.iter().map(|frame| rotation(*frame)).collect::<Result<_>>()?;
    let continuations = frames.iter().map(|frame| rotation(style.frames().next(*frame).unwrap_or(*frame)));
    let gaps: Vec<Vec3> = continuations
        .zip(own.iter().skip(1))
        .map(|(continuation, next)| Ok(rotation_vector(continuation?, *next)))
        .collect::<Result<_>>()?;
    let ends = [(pinned[0], own.first()), (pinned[1], own.last())]
        .map(|(pin, own)| Some(rotation_vector(*own?, pin?)));
    let corrections = solve_corrections(&gaps, ends)?;
    let corrected =
        |(own, correction): (&Quat, Vec3)| (*own * Quat::from_scaled_axis(correction)).normalize();
    let mut orientations: Vec<Quat> = own.iter().zip(corrections).map(corrected).collect();
    // The corrected ends are only accurate to rounding errors.
    if let (Some(slot), Some(pin)) = (orientations.first_mut(), pinned[0]) {
        *slot = pin;
    }
    if let (Some(slot), Some(pin)) = (orientations.last_mut(), pinned[1]) {
        *slot = pin;
    }
    Ok(orientations)
}

/// Returns the shortest rotation from one orientation to another, as a rotation vector.
pub(crate) fn rotation_vector(from: Quat, to: Quat) -> Vec3 {
    let rotation = from.inverse() * to;
    (if rotation.w < 0.0 { -rotation } else { rotation }).to_scaled_axis()
}

/// A row of the tridiagonal system.
#[derive(Debug, Clone, Copy)]
struct CorrectionEquation {
    diagonal: f32,
    right: Vec3,
}

/// Returns the eₜ that minimise Σ |eₜ₊₁ − eₜ + mₜ|² + λ Σ |eₜ|² with fixed ends, from one tridiagonal system.
fn solve_corrections(gaps: &[Vec3], ends: [Option<Vec3>; 2]) -> Result<Vec<Vec3>> {
    let count = gaps.len() + 1;
    let before = std::iter::once(None).chain(gaps.iter().map(Some));
    let after = gaps.iter().map(Some).chain(std::iter::once(None));
    let mut equations: Vec<CorrectionEquation> = before
        .zip(after)
        .map(|(before, after)| CorrectionEquation {
            diagonal: KEEP_WEIGHT + before.map_or(0.0, |_| 1.0) + after.map_or(0.0, |_| 1.0),
            right: after.map_or(Vec3::ZERO, |m| *m) - before.map_or(Vec3::ZERO, |m| *m),
        })
        .collect();
    let mut off_diagonal = vec![-1.0f32; gaps.len()];
    // A fixed end has its own equation, and moves to the right-hand side of its neighbour's.
    let last = count - 1;
    for (end, at) in [(ends[0], 0), (ends[1], last)] {
        let Some(end) = end else { continue };
        *equations.at_mut(at)? = CorrectionEquation { diagonal: 1.0, right: end };
        let link = if at == 0 { 0 } else { last.saturating_sub(1) };
        let neighbour = if at == 0 { 1 } else { link };
        let is_given = (neighbour == 0 && ends[0].is_some()) || (neighbour == last && ends[1].is_some());
        if last > 0 {
            *off_diagonal.at_mut(link)? = 0.0;
            if !is_given {
                equations.at_mut(neighbour)?.right += end;
            }
        }
    }
    let mut before: Option<CorrectionEquation> = None;
    let links = [0.0].into_iter().chain(off_diagonal.iter().copied());
    for (equation, link) in equations.iter_mut().zip(links) {
        if let Some(before) = before {
            let factor = link / before.diagonal;
            equation.diagonal -= factor * link;
            equation.right -= factor * before.right;
        }
        before = Some(*equation);
    }
    let mut e: Vec<Vec3> = Vec::with_capacity(count);
    let links = [0.0].into_iter().chain(off_diagonal.iter().rev().copied());
    for (equation, link) in equations.iter().rev().zip(links) {
        let known = e.last().map_or(Vec3::ZERO, |next| link * *next);
        e.push((equation.right - known) / equation.diagonal);
    }
    e.reverse();
    Ok(e)
}

/// Moves positions so that the ends are as given; those in between move by a linear blend of both offsets.
fn offset_to_ends(positions: impl Iterator<Item = Vec3>, ends: [Option<Vec3>; 2]) -> Vec<Vec3> {
    let positions: Vec<Vec3> = positions.collect();
    let offset = |end: Option<Vec3>, position: Option<&Vec3>| {
        end.zip(position).map_or(Vec3::ZERO, |(end, position)| end - *position)
    };
    let (first, last) = (offset(ends[0], positions.first()), offset(ends[1], positions.last()));
    let last_step = positions.len().saturating_sub(1).max(1) as f32;
    let (first, last) = if ends[1].is_none() { (first, first) } else { (first, last) };
    positions
        .iter()
        .enumerate()
        .map(|(step, position)| *position + first.lerp(last, step as f32 / last_step))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The objective of the least-squares problem.
    fn energy(e: &[Vec3], gaps: &[Vec3]) -> f32 {
        let steps = e.windows(2).zip(gaps).map(|(pair, m)| (pair[1] - pair[0] + *m).length_squared());
        steps.sum::<f32>() + KEEP_WEIGHT * e.iter().map(|e| e.length_squared()).sum::<f32>()
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-0.2f32..0.2).prop_map(Vec3::from)
    }

    proptest! {
        #[test]
        fn corrections_are_optimal_and_meet_fixed_ends(
            gaps in prop::collection::vec(vector(), 1..20),
            first in prop::option::of(vector()),
            last in prop::option::of(vector()),
            change in vector(),
            at in any::<prop::sample::Index>(),
        ) {
            let e = solve_corrections(&gaps, [first, last]).unwrap();
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
                prop_assert!(energy(&other, &gaps) >= energy(&e, &gaps) - 1e-6);
            }
        }
    }
}
