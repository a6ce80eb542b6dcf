//! Exact nearest-neighbour search: the frames of a whole corpus that are most similar to a frame.
//!
//! Every frame of every actor with two feet has 27 features ([`marey_ops::features`]). An index over all of them
//! ([`marey_ops::nearest`]) is built on first use, stored in the corpus as flat arrays, and deleted when takes are
//! added or removed. The features of a take are stored with the take. A stored index is read on demand, so that the
//! first query does not wait for all of it.

mod keep;
mod store;

use std::ops::Range;

use marey_ops::nearest::{Mask, Neighbour};
use store::Store;

use crate::{CorpusError, Result, TakeId, codes};

/// A frame of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// The take.
    pub take: TakeId,
    /// Index of the actor.
    pub actor: usize,
    /// The frame.
    pub frame: usize,
}

/// A moment that a search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundMoment {
    /// The moment.
    pub moment: Moment,
    /// Distance of its features, in standard deviations of the corpus; 0 for equal features.
    pub distance: f32,
}

/// The rows of one actor's frames.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stretch {
    take: TakeId,
    actor: usize,
    rows: Range<usize>,
}

/// All moments of a corpus at one point in time, ready to be searched.
///
/// Stored moments are read from a snapshot of the file on demand. While a `Moments` exists, later changes stay in the
/// write-ahead log beside the file.
#[derive(Debug)]
pub struct Moments {
    store: Store,
    /// In the order of takes and actors.
    stretches: Vec<Stretch>,
}

/// Speed over the floor in a frame, and turn in the following second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gait {
    /// Speed, in metres per second.
    pub speed_mps: f32,
    /// Turn, in radians; positive to the left.
    pub turn_rad: f32,
}

impl Moments {
    /// Number of moments.
    pub fn len(&self) -> usize {
        self.store.tree.rows()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scaled features of a moment.
    pub fn features(&self, moment: Moment) -> Result<&[f32]> {
        self.store.row(self.row_of(moment)?)
    }

    /// The `count` moments nearest to features, nearest first, among the rows that pass, or all. Of the moments of
    /// one actor within `apart_frames` only the nearest counts, and none within that distance of one of `not_near`.
    pub fn nearest(
        &self,
        features: &[f32],
        count: usize,
        passing: Option<&[Range<usize>]>,
        apart_frames: impl Fn(TakeId) -> usize,
        not_near: &[Moment],
    ) -> Result<Vec<FoundMoment>> {
        let all = 0..self.len();
        let passing_rows = passing.unwrap_or(std::slice::from_ref(&all));
        let mut barred: Vec<Range<usize>> =
            not_near.iter().filter_map(|moment| self.around(*moment, &apart_frames)).collect();
        let mut found = Vec::new();
        let mut nearest: Vec<Neighbour> = Vec::new();
        while found.len() < count {
            let filtered = passing.is_some() || !barred.is_empty();
            let mask = filtered.then(|| Mask::from_ranges(self.len(), without(passing_rows, &barred)));
            let query = self.store.tree.query(features, mask.as_ref())?;
            query.nearest_into(&self.store, 1, &mut nearest)?;
            let Some(next) = nearest.first() else { break };
            let Some(moment) = self.moment_of(next.row) else { break };
            found.push(FoundMoment { moment, distance: next.squared.sqrt() });
            barred.push(self.around(moment, &apart_frames).unwrap_or(next.row..next.row + 1));
        }
        Ok(found)
    }

    /// The rows of all moments for which `passes` is true, as ranges.
    pub fn rows_where(&self, passes: impl Fn(Moment, Gait) -> bool) -> Result<Vec<Range<usize>>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for stretch in &self.stretches {
            for (frame, row) in stretch.rows.clone().enumerate() {
                let moment = Moment { take: stretch.take, actor: stretch.actor, frame };
                if passes(moment, self.store.gait(row)?) {
                    match ranges.last_mut() {
                        Some(last) if last.end == row => last.end = row + 1,
                        _ => ranges.push(row..row + 1),
                    }
                }
            }
        }
        Ok(ranges)
    }

    /// Speed and turn of a moment.
    pub fn gait(&self, moment: Moment) -> Result<Gait> {
        self.store.gait(self.row_of(moment)?)
    }

    fn row_of(&self, moment: Moment) -> Result<usize> {
        let Moment { take, actor, frame } = moment;
        let row = self.stretch_of(moment).filter(|stretch| frame < stretch.rows.len());
        row.map(|stretch| stretch.rows.start + frame).ok_or_else(|| {
            let message =
                format!("frame {frame} of actor {actor} of take {take} is not there, or has no feet");
            CorpusError::refused(&codes::NO_MOMENTS, message)
        })
    }

    fn moment_of(&self, row: usize) -> Option<Moment> {
        let after = self.stretches.partition_point(|stretch| stretch.rows.end <= row);
        let stretch = self.stretches.get(after)?;
        Some(Moment { take: stretch.take, actor: stretch.actor, frame: row.checked_sub(stretch.rows.start)? })
    }

    /// The range that contains a moment, or the last one before it.
    fn stretch_of(&self, moment: Moment) -> Option<&Stretch> {
        let wanted = (moment.take, moment.actor);
        let at = self.stretches.binary_search_by_key(&wanted, |stretch| (stretch.take, stretch.actor));
        self.stretches.get(at.ok()?)
    }

    /// The rows of the same actor that are too close to a moment.
    fn around(&self, moment: Moment, apart_frames: impl Fn(TakeId) -> usize) -> Option<Range<usize>> {
        let stretch = self.stretch_of(moment)?;
        let row = stretch.rows.start + moment.frame;
        let apart = apart_frames(moment.take).max(1);
        Some(row.saturating_sub(apart - 1).max(stretch.rows.start)..(row + apart).min(stretch.rows.end))
    }
}

/// Subtracts ranges from ranges; both lists are sorted.
fn without(ranges: &[Range<usize>], barred: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut barred = barred.to_vec();
    barred.sort_by_key(|range| range.start);
    let mut left = Vec::new();
    for range in ranges {
        let mut start = range.start;
        for bar in barred.iter().filter(|bar| bar.start < range.end && bar.end > range.start) {
            if bar.start > start {
                left.push(start..bar.start);
            }
            start = start.max(bar.end);
        }
        if start < range.end {
            left.push(start..range.end);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_left_is_what_is_in_a_range_and_in_no_bar(
            cuts in prop::collection::btree_set(0usize..60, 0..8), bars in prop::collection::vec((0usize..60, 0usize..9), 0..6),
        ) {
            let cuts: Vec<usize> = cuts.into_iter().collect();
            let ranges: Vec<Range<usize>> = cuts.as_chunks::<2>().0.iter().map(|[a, b]| *a..*b).collect();
            let bars: Vec<Range<usize>> = bars.into_iter().map(|(start, len)| start..start + len).collect();
            let within = |ranges: &[Range<usize>], i: usize| ranges.iter().any(|range| range.contains(&i));
            let left = without(&ranges, &bars);
            for i in 0..80 {
                prop_assert_eq!(within(&left, i), within(&ranges, i) && !within(&bars, i));
            }
        }
    }
}
