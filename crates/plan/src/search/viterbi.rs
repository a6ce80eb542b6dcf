//! The cheapest cover of a range of frames by candidates of any length.
//!
//! Dynamic programming after Viterbi (*Error bounds for convolutional codes*, 1967), over segments rather
//! than frames as in Hsu, Gentry and Popović (*Example-Based Control of Human Motion*, 2004, section 4): a
//! candidate covers a range of its own length, and the cheapest cover up to its end continues one of the
//! candidates that end where it starts. If every candidate covers one frame, this is the usual algorithm on
//! the states of a hidden Markov model.
//!
//! Time: one evaluation per pair of candidates that can follow each other. Memory: the candidates.

use marey_motion::CheckedAccess;

use crate::Result;
use crate::search::lattice::Lattice;
use crate::search::{CandidateSpan, Cover};

/// Returns the cheapest cover of frames `0..frames`, or `None` if there is none. `link` returns the cost of the
/// second candidate following the first. Candidates that are empty or out of range are ignored.
///
/// ```
/// use marey_plan::search::{CandidateSpan, viterbi};
/// let span = |start, end, cost| CandidateSpan { start, end, cost };
/// // Two short candidates are cheaper than the long one, unless the step between them costs more than 0.5.
/// let spans = [span(0, 4, 1.0), span(4, 9, 1.0), span(0, 9, 2.5)];
/// assert_eq!(viterbi(&spans, 9, |_, _| 0.0)?.unwrap().spans, [0, 1]);
/// assert_eq!(viterbi(&spans, 9, |_, _| 1.0)?.unwrap().spans, [2]);
/// assert_eq!(viterbi(&spans, 10, |_, _| 0.0)?, None);
/// # Ok::<(), marey_plan::PlanError>(())
/// ```
pub fn viterbi(
    spans: &[CandidateSpan],
    frames: usize,
    mut link: impl FnMut(usize, usize) -> f64,
) -> Result<Option<Cover>> {
    let mut lattice = Lattice::new(spans, frames)?;
    // The candidates that end at each frame; at 0, the beginning.
    let mut ending: Vec<Vec<Option<usize>>> = vec![Vec::new(); frames + 1];
    ending.at_mut(0)?.push(None);
    for frame in 0..frames {
        let mut from = std::mem::take(ending.at_mut(frame)?);
        // Ties are broken by the lower index.
        from.sort_unstable();
        lattice.extend_covers(frame, &from, &mut link)?;
        for &span in lattice.starting(frame) {
            ending.at_mut(spans.at(span)?.end)?.push(Some(span));
        }
    }
    lattice.cover(ending.at(frames)?.iter().copied().flatten())
}

#[cfg(test)]
pub(super) mod tests {
    use marey_motion::Coded;
    use proptest::prelude::*;

    use super::*;

    /// All covers from a frame on, enumerated.
    pub(in crate::search) fn naive(
        spans: &[CandidateSpan],
        frames: usize,
        link: &dyn Fn(usize, usize) -> f64,
    ) -> Option<f64> {
        fn from(
            at: usize,
            before: Option<usize>,
            spans: &[CandidateSpan],
            frames: usize,
            link: &dyn Fn(usize, usize) -> f64,
        ) -> Option<f64> {
            if at == frames {
                return Some(0.0);
            }
            let next =
                spans.iter().enumerate().filter(|(_, s)| s.start == at && s.end > at && s.end <= frames);
            let costs = next.filter_map(|(i, span)| {
                let rest = from(span.end, Some(i), spans, frames, link)?;
                Some(span.cost + before.map_or(0.0, |before| link(before, i)) + rest)
            });
            costs.filter(|cost| *cost < f64::INFINITY).min_by(f64::total_cmp)
        }
        from(0, None, spans, frames, link)
    }

    /// Candidates, and the costs between them.
    pub(in crate::search) fn candidates() -> impl Strategy<Value = (Vec<CandidateSpan>, Vec<f64>)> {
        // Integral costs, so that sums do not depend on their order; a few are forbidden.
        let cost = || prop_oneof![8 => (-5i32..20).prop_map(f64::from), 1 => Just(f64::INFINITY)];
        let span = (0usize..8, 0usize..5, cost()).prop_map(|(start, length, cost)| CandidateSpan {
            start,
            end: start + length,
            cost,
        });
        (1usize..14).prop_flat_map(move |count| {
            (prop::collection::vec(span.clone(), count), prop::collection::vec(cost(), count * count))
        })
    }

    proptest! {
        #[test]
        fn search_equals_enumeration((spans, links) in candidates(), frames in 0usize..8) {
            let link = |a: usize, b: usize| links[a * spans.len() + b];
            let found = viterbi(&spans, frames, link).unwrap();
            if frames == 0 {
                prop_assert!(found.is_none());
            } else {
                prop_assert_eq!(found.as_ref().map(|cover| cover.cost), naive(&spans, frames, &link));
            }
            if let Some(Cover { spans: chosen, cost }) = found {
                prop_assert_eq!(spans[chosen[0]].start, 0);
                prop_assert_eq!(spans[*chosen.last().unwrap()].end, frames);
                prop_assert!(chosen.windows(2).all(|pair| spans[pair[0]].end == spans[pair[1]].start));
                let own: f64 = chosen.iter().map(|&i| spans[i].cost).sum();
                let links: f64 = chosen.windows(2).map(|pair| link(pair[0], pair[1])).sum();
                prop_assert_eq!(own + links, cost);
            }
        }
    }

    #[test]
    fn invalid_costs_are_rejected() {
        let span = |start, end, cost| CandidateSpan { start, end, cost };
        let spans = [span(0, 1, f64::NAN)];
        assert_eq!(viterbi(&spans, 1, |_, _| 0.0).unwrap_err().code().id, "plan/cost");
        let spans = [span(0, 1, 0.0), span(1, 2, 0.0)];
        assert_eq!(viterbi(&spans, 2, |_, _| f64::NEG_INFINITY).unwrap_err().code().id, "plan/cost");
    }
}
