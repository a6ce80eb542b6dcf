//! Covering a range of frames by beam search.
//!
//! Beam search after Lowerre (*The HARPY Speech Recognition System*, 1976), as Hsu, Gentry and Popović
//! (*Example-Based Control of Human Motion*, 2004, section 4.4) use it to speed up
//! [`viterbi`](crate::search::viterbi): at every boundary, only the cheapest partial covers are continued.
//!
//! Limits: the result may not be the cheapest. If the partial covers that are kept cannot be continued, the
//! search finds none, even if one exists. It is exact if the width is the number of candidates.

use marey_motion::CheckedAccess;

use crate::Result;
use crate::search::lattice::Lattice;
use crate::search::{CandidateSpan, Cover};

/// Returns a cheap cover of frames `0..frames`. Keeps the cheapest `width` partial covers (at least one) at
/// every boundary, and is otherwise like [`viterbi`](crate::search::viterbi).
///
/// ```
/// use marey_plan::search::{CandidateSpan, beam};
/// let span = |start, end, cost| CandidateSpan { start, end, cost };
/// // The cheaper first candidate is expensive to continue.
/// let spans = [span(0, 1, 1.0), span(0, 1, 2.0), span(1, 2, 0.0)];
/// let link = |a, _| if a == 0 { 5.0 } else { 0.0 };
/// assert_eq!(beam(&spans, 2, 1, link)?.unwrap().cost, 6.0);
/// assert_eq!(beam(&spans, 2, 2, link)?.unwrap().cost, 2.0);
/// # Ok::<(), marey_plan::PlanError>(())
/// ```
pub fn beam(
    spans: &[CandidateSpan],
    frames: usize,
    width: usize,
    mut link: impl FnMut(usize, usize) -> f64,
) -> Result<Option<Cover>> {
    let mut lattice = Lattice::new(spans, frames)?;
    let mut ending: Vec<Vec<usize>> = vec![Vec::new(); frames + 1];
    for frame in 0..frames {
        let mut kept: Vec<(f64, usize)> = Vec::new();
        for span in std::mem::take(ending.at_mut(frame)?) {
            kept.extend(lattice.cost_to(span)?.map(|cost| (cost, span)));
        }
        kept.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        kept.truncate(width.max(1));
        // In index order, so that ties are broken as without a beam.
        kept.sort_by_key(|&(_, span)| span);
        let from: Vec<Option<usize>> =
            if frame == 0 { vec![None] } else { kept.into_iter().map(|(_, span)| Some(span)).collect() };
        lattice.extend_covers(frame, &from, &mut link)?;
        for &span in lattice.starting(frame) {
            ending.at_mut(spans.at(span)?.end)?.push(span);
        }
    }
    lattice.cover(ending.at(frames)?.iter().copied())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::search::viterbi;
    use crate::search::viterbi::tests::{candidates, naive};

    proptest! {
        #[test]
        fn a_wide_beam_is_exact_and_a_narrow_one_never_cheaper((spans, links) in candidates(), frames in 1usize..8) {
            let link = |a: usize, b: usize| links[a * spans.len() + b];
            let exact = viterbi(&spans, frames, link).unwrap();
            let wide = beam(&spans, frames, spans.len(), link).unwrap();
            prop_assert_eq!(wide.as_ref().map(|cover| cover.cost), naive(&spans, frames, &link));
            prop_assert_eq!(wide, exact.clone());
            if let Some(narrow) = beam(&spans, frames, 1, link).unwrap() {
                prop_assert!(narrow.cost >= exact.unwrap().cost);
            }
        }
    }
}
