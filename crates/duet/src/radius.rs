//! How far a movement may be from the middle of its group, where nobody says: γ of the paper, from the recordings themselves.
//!
//! The paper sets γ by hand, for two people who were told to repeat movements. Others repeat themselves less: by the paper's γ most of their
//! movements are groups of one, and there is nothing to blend and little to choose. So γ follows from how near movements are to those
//! that are most like them: as near as half of them are.

use crate::candidates::Candidates;

/// γ is no less, in metres. The paper has 40 for the whole vector: centimetres over 25 frames, that is 3.3 cm here.
const LEAST_M: f32 = 0.03;

/// γ for some candidates, in metres.
pub(crate) fn radius_m(candidates: &Candidates) -> f32 {
    let mut nearest: Vec<f32> = candidates
        .classes
        .iter()
        .flat_map(|class| {
            let n = class.members.len();
            // Movements between instants that are next to each other: what all others are made of.
            let steps = move |row: &usize| {
                let candidate = &candidates.all[class.members[*row]];
                candidate.to == candidate.from + 1
            };
            (0..n).filter(steps).filter_map(move |row| {
                let others = (0..n).filter(steps).filter(|other| *other != row);
                others.map(|other| class.squared[row * n + other].sqrt()).reduce(f32::min)
            })
        })
        .collect();
    nearest.sort_by(f32::total_cmp);
    let median = nearest.get(nearest.len() / 2).copied().unwrap_or(0.0);
    LEAST_M.max(median)
}
