//! Candidates for ranges of frames, and their succession.

use marey_motion::CheckedAccess;

use crate::Result;
use crate::search::check;

/// A candidate for a range of frames, with its own cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CandidateSpan {
    /// First frame.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The cost of using it here.
    pub cost: f64,
}

/// Candidates that cover a range of frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Cover {
    /// Indices of the candidates, in time order.
    pub spans: Vec<usize>,
    /// The sum of the candidates' costs and of the costs between neighbours.
    pub cost: f64,
}

/// The candidates, with the cheapest partial cover that ends in each.
pub(super) struct Lattice<'a> {
    spans: &'a [CandidateSpan],
    /// The candidates that start at each frame, ascending.
    starting: Vec<Vec<usize>>,
    /// The cost of the cheapest partial cover that ends in each candidate, and the candidate before.
    best: Vec<Option<(f64, Option<usize>)>>,
}

impl<'a> Lattice<'a> {
    pub(super) fn new(spans: &'a [CandidateSpan], frames: usize) -> Result<Self> {
        let mut starting = vec![Vec::new(); frames];
        for (index, span) in spans.iter().enumerate() {
            check(span.cost, || format!("candidate {index}"))?;
            if span.start < span.end && span.end <= frames && span.cost < f64::INFINITY {
                starting.at_mut(span.start)?.push(index);
            }
        }
        Ok(Self { spans, starting, best: vec![None; spans.len()] })
    }

    /// Extends the partial covers that end in `from`, all at `frame` (`None` is the beginning), by the
    /// candidates that start there.
    pub(super) fn extend_covers(
        &mut self,
        frame: usize,
        from: &[Option<usize>],
        link: &mut impl FnMut(usize, usize) -> f64,
    ) -> Result<()> {
        for &next in self.starting.get(frame).into_iter().flatten() {
            for &before in from {
                let so_far = match before {
                    Some(before) => self.cost_to(before)?,
                    None => Some(0.0),
                };
                let Some(so_far) = so_far else { continue };
                let link = before.map_or(0.0, |before| link(before, next));
                let link = check(link, || format!("the step from candidate {before:?} to {next}"))?;
                let cost = so_far + link + self.spans.at(next)?.cost;
                let best = self.best.at_mut(next)?;
                if cost < best.map_or(f64::INFINITY, |(least, _)| least) {
                    *best = Some((cost, before));
                }
            }
        }
        Ok(())
    }

    /// The cost of the cheapest partial cover that ends in a candidate.
    pub(super) fn cost_to(&self, span: usize) -> Result<Option<f64>> {
        Ok(self.best.at(span)?.map(|(cost, _)| cost))
    }

    /// The candidates that start at a frame.
    pub(super) fn starting(&self, frame: usize) -> &[usize] {
        self.starting.get(frame).map_or(&[], Vec::as_slice)
    }

    /// The cheapest cover that ends in one of these candidates.
    pub(super) fn cover(&self, last: impl IntoIterator<Item = usize>) -> Result<Option<Cover>> {
        let mut cheapest: Option<(f64, usize)> = None;
        for span in last {
            let Some(cost) = self.cost_to(span)? else { continue };
            if cheapest.is_none_or(|(least, at)| cost.total_cmp(&least).then(span.cmp(&at)).is_lt()) {
                cheapest = Some((cost, span));
            }
        }
        let Some((cost, last)) = cheapest else { return Ok(None) };
        let mut spans = vec![last];
        let mut at = last;
        while let Some((_, Some(before))) = *self.best.at(at)? {
            spans.push(before);
            at = before;
        }
        spans.reverse();
        Ok(Some(Cover { spans, cost }))
    }
}
