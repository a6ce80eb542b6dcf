//! The cheapest way to cover time with candidates of any length.
//!
//! Dynamic programming after Viterbi (*Error bounds for convolutional codes*, 1967), over segments rather than frames as in
//! Hsu, Gentry and Popović (*Example-Based Control of Human Motion*, 2004, section 4): a candidate covers a stretch of time
//! of its own length, and the cheapest way to its end goes over the candidates that end where it starts. Where every
//! candidate covers one frame, this is the usual algorithm on the states of a hidden Markov model.
//!
//! Time: one look at every pair of candidates of which one ends where the other starts. Memory: the candidates.

use crate::Result;
use crate::search::lattice::Lattice;
use crate::search::{Cover, Span};

/// The cheapest way to cover frames `0..frames`; `None` where there is none. `link` says what it costs that the second
/// candidate follows the first. Candidates that are empty or reach beyond are passed over.
///
/// ```
/// use marey_plan::search::{Span, viterbi};
/// let span = |start, end, cost| Span { start, end, cost };
/// // Two short candidates, or a long one that costs as much; but the short ones do not follow each other well.
/// let spans = [span(0, 4, 1.0), span(4, 9, 1.0), span(0, 9, 2.5)];
/// assert_eq!(viterbi(&spans, 9, |_, _| 0.0)?.unwrap().spans, [0, 1]);
/// assert_eq!(viterbi(&spans, 9, |_, _| 1.0)?.unwrap().spans, [2]);
/// assert_eq!(viterbi(&spans, 10, |_, _| 0.0)?, None);
/// # Ok::<(), marey_plan::Error>(())
/// ```
pub fn viterbi(
    spans: &[Span],
    frames: usize,
    mut link: impl FnMut(usize, usize) -> f64,
) -> Result<Option<Cover>> {
    let mut lattice = Lattice::new(spans, frames)?;
    // The candidates that end at each frame; at 0, the beginning.
    let mut ending: Vec<Vec<Option<usize>>> = vec![Vec::new(); frames + 1];
    ending[0].push(None);
    for frame in 0..frames {
        let mut from = std::mem::take(&mut ending[frame]);
        // Of ways that cost the same, the one over the candidate with the lower number is taken.
        from.sort_unstable();
        lattice.go_on(frame, &from, &mut link)?;
        for &span in lattice.starting(frame) {
            ending[spans[span].end].push(Some(span));
        }
    }
    let last: Vec<usize> = ending[frames].iter().copied().flatten().collect();
    Ok(lattice.cover(&last))
}

#[cfg(test)]
pub(super) mod tests {
    use marey_motion::Coded;
    use proptest::prelude::*;

    use super::*;

    /// Every way to cover the frames from one on, tried in turn.
    pub(in crate::search) fn naive(
        spans: &[Span],
        frames: usize,
        link: &dyn Fn(usize, usize) -> f64,
    ) -> Option<f64> {
        fn from(
            at: usize,
            before: Option<usize>,
            spans: &[Span],
            frames: usize,
            link: &dyn Fn(usize, usize) -> f64,
        ) -> Option<f64> {
            if at == frames {
                return Some(0.0);
            }
            let next =
                spans.iter().enumerate().filter(|(_, s)| s.start == at && s.end > at && s.end <= frames);
            let ways = next.filter_map(|(i, span)| {
                let rest = from(span.end, Some(i), spans, frames, link)?;
                Some(span.cost + before.map_or(0.0, |before| link(before, i)) + rest)
            });
            ways.filter(|cost| *cost < f64::INFINITY).min_by(f64::total_cmp)
        }
        from(0, None, spans, frames, link)
    }

    /// Candidates, and the costs of following each other.
    pub(in crate::search) fn candidates() -> impl Strategy<Value = (Vec<Span>, Vec<f64>)> {
        // Whole costs, so that sums do not depend on their order; a few are forbidden.
        let cost = || prop_oneof![8 => (-5i32..20).prop_map(f64::from), 1 => Just(f64::INFINITY)];
        let span = (0usize..8, 0usize..5, cost()).prop_map(|(start, length, cost)| Span {
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
        fn it_finds_what_trying_everything_finds((spans, links) in candidates(), frames in 0usize..8) {
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
    fn what_is_no_cost_is_refused() {
        let span = |start, end, cost| Span { start, end, cost };
        let spans = [span(0, 1, f64::NAN)];
        assert_eq!(viterbi(&spans, 1, |_, _| 0.0).unwrap_err().code().id, "plan/cost");
        let spans = [span(0, 1, 0.0), span(1, 2, 0.0)];
        assert_eq!(viterbi(&spans, 2, |_, _| f64::NEG_INFINITY).unwrap_err().code().id, "plan/cost");
    }
}
