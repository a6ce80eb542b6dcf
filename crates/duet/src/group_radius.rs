//! The default of γ, the maximum distance of a movement from its group's mean, estimated from the
//! recordings.
//!
//! The paper sets γ by hand, for people who were asked to repeat movements. Other people repeat
//! themselves less: with the paper's γ, most of their groups have one movement, and there is
//! nothing to blend and little to choose. The default is therefore the median distance of a
//! movement from its nearest neighbour.

use crate::candidates::Candidates;

/// Lower bound of γ, in metres. The paper's value is 40 for the whole vector, in centimetres over
/// 25 frames, which is 3.3 cm here.
const MIN_RADIUS_M: f32 = 0.03;

/// Returns the default of γ, in metres.
pub(crate) fn default_radius_m(candidates: &Candidates) -> f32 {
    let mut nearest: Vec<f32> = candidates
        .classes
        .iter()
        .flat_map(|class| {
            let n = class.members.len();
            // Movements between consecutive cut points, which all others consist of.
            let is_single_step = move |row: &usize| {
                let candidate = &candidates.all[class.members[*row]];
                candidate.to == candidate.from + 1
            };
            (0..n).filter(is_single_step).filter_map(move |row| {
                let others = (0..n).filter(is_single_step).filter(|other| *other != row);
                others.map(|other| class.squared[row * n + other].sqrt()).reduce(f32::min)
            })
        })
        .collect();
    nearest.sort_by(f32::total_cmp);
    let median = nearest.get(nearest.len() / 2).copied().unwrap_or(0.0);
    MIN_RADIUS_M.max(median)
}
