//! Covering time with only the best few ways kept.
//!
//! Beam search after Lowerre (*The HARPY Speech Recognition System*, 1976), as Hsu, Gentry and Popović
//! (*Example-Based Control of Human Motion*, 2004, section 4.4) use it to make [`viterbi`](crate::search::viterbi) fast: at
//! every boundary, only the cheapest ways that end there go on.
//!
//! Limits: the way that is found need not be the cheapest, and where the few that were kept lead nowhere, none is found
//! though there may be one. With a width of all candidates it is exact.

use crate::Result;
use crate::search::lattice::Lattice;
use crate::search::{Cover, Span};

/// A cheap way to cover frames `0..frames`, where at every boundary the cheapest `width` ways (at least one) are followed.
/// Otherwise as [`viterbi`](crate::search::viterbi).
///
/// ```
/// use marey_plan::search::{Span, beam};
/// let span = |start, end, cost| Span { start, end, cost };
/// // The cheaper beginning cannot be gone on from cheaply.
/// let spans = [span(0, 1, 1.0), span(0, 1, 2.0), span(1, 2, 0.0)];
/// let link = |a, _| if a == 0 { 5.0 } else { 0.0 };
/// assert_eq!(beam(&spans, 2, 1, link)?.unwrap().cost, 6.0);
/// assert_eq!(beam(&spans, 2, 2, link)?.unwrap().cost, 2.0);
/// # Ok::<(), marey_plan::Error>(())
/// ```
pub fn beam(
    spans: &[Span],
    frames: usize,
    width: usize,
    mut link: impl FnMut(usize, usize) -> f64,
) -> Result<Option<Cover>> {
    let mut lattice = Lattice::new(spans, frames)?;
    let mut ending: Vec<Vec<usize>> = vec![Vec::new(); frames + 1];
    for frame in 0..frames {
        let mut kept: Vec<(f64, usize)> =
            ending[frame].drain(..).filter_map(|span| Some((lattice.cost_to(span)?, span))).collect();
        kept.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        kept.truncate(width.max(1));
        // In the order of their numbers, so that ties fall as they do without a beam.
        kept.sort_by_key(|&(_, span)| span);
        let from: Vec<Option<usize>> =
            if frame == 0 { vec![None] } else { kept.into_iter().map(|(_, span)| Some(span)).collect() };
        lattice.go_on(frame, &from, &mut link)?;
        for &span in lattice.starting(frame) {
            ending[spans[span].end].push(span);
        }
    }
    Ok(lattice.cover(&ending[frames]))
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
