//! Exact nearest-neighbour search: the frames of a whole corpus that are most similar to a frame.
//!
//! Every frame of every actor with two feet has 27 features ([`marey_ops::features`]). An index over all of them
//! ([`marey_ops::nearest`]) is built on first use and stored in the corpus as flat arrays, in parts ([`layout`]): takes that are added
//! form new parts, so that the others are not built again. All are deleted when takes are removed. The features of a take are stored
//! with the take. A stored part is read on demand, so that the first query does not wait for all of it.

mod keep;
mod layout;
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
    /// Distance of its features, in standard deviations of the takes that were there when the moments last doubled; 0 for equal
    /// features.
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
    /// In the order of takes, at least one.
    parts: Vec<Part>,
    /// In the order of takes and actors.
    stretches: Vec<Stretch>,
}

/// Moments that are indexed together: those of consecutive takes.
#[derive(Debug)]
struct Part {
    store: Store,
    /// Its rows among all.
    rows: Range<usize>,
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
        self.parts.last().map_or(0, |part| part.rows.end)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scaled features of a moment.
    pub fn features(&self, moment: Moment) -> Result<&[f32]> {
        let row = self.row_of(moment)?;
        let part = self.part_of(row)?;
        part.store.row(row - part.rows.start)
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
        let mut barred: Vec<Range<usize>> =
            not_near.iter().filter_map(|moment| self.around(*moment, &apart_frames)).collect();
        let mut found = Vec::new();
        // The nearest row of each part; of those that have lost it, the next is searched.
        let search = |part: &Part, barred: &[Range<usize>]| part.nearest(features, passing, barred);
        let mut candidates =
            self.parts.iter().map(|part| search(part, &barred)).collect::<Result<Vec<_>>>()?;
        while found.len() < count {
            let nearest = candidates.iter().flatten();
            let nearest = nearest.min_by(|a, b| a.squared.total_cmp(&b.squared).then(a.row.cmp(&b.row)));
            let Some(next) = nearest.copied() else { break };
            let Some(moment) = self.moment_of(next.row) else { break };
            found.push(FoundMoment { moment, distance: next.squared.sqrt() });
            let around = self.around(moment, &apart_frames).unwrap_or(next.row..next.row + 1);
            barred.push(around.clone());
            for (part, candidate) in self.parts.iter().zip(&mut candidates) {
                if candidate.is_some_and(|candidate| around.contains(&candidate.row)) {
                    *candidate = search(part, &barred)?;
                }
            }
        }
        Ok(found)
    }

    /// The rows of all moments for which `passes` is true, as ranges.
    pub fn rows_where(&self, passes: impl Fn(Moment, Gait) -> bool) -> Result<Vec<Range<usize>>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for stretch in &self.stretches {
            for (frame, row) in stretch.rows.clone().enumerate() {
                let moment = Moment { take: stretch.take, actor: stretch.actor, frame };
                if passes(moment, self.gait_of(row)?) {
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
        self.gait_of(self.row_of(moment)?)
    }

    fn gait_of(&self, row: usize) -> Result<Gait> {
        let part = self.part_of(row)?;
        part.store.gait(row - part.rows.start)
    }

    fn part_of(&self, row: usize) -> Result<&Part> {
        let part = self.parts.get(self.parts.partition_point(|part| part.rows.end <= row));
        part.ok_or_else(|| CorpusError::damaged(format!("the index has no row {row}")))
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

impl Part {
    /// The nearest row that passes and is not barred. Rows are counted from those of the first part.
    fn nearest(
        &self,
        features: &[f32],
        passing: Option<&[Range<usize>]>,
        barred: &[Range<usize>],
    ) -> Result<Option<Neighbour>> {
        let Range { start, end } = self.rows;
        let here = |ranges: &[Range<usize>]| -> Vec<Range<usize>> {
            let within = ranges.iter().map(|range| range.start.max(start)..range.end.min(end));
            within
                .filter(|range| !range.is_empty())
                .map(|range| range.start - start..range.end - start)
                .collect()
        };
        let (passing, barred) = (passing.map(here), here(barred));
        let mask = (passing.is_some() || !barred.is_empty()).then(|| {
            let all = 0..end - start;
            let passing = passing.as_deref().unwrap_or(std::slice::from_ref(&all));
            Mask::from_ranges(all.len(), without(passing, &barred))
        });
        let mut nearest = Vec::new();
        self.store.tree.query(features, mask.as_ref())?.nearest_into(&self.store, 1, &mut nearest)?;
        Ok(nearest.first().map(|found: &Neighbour| Neighbour { row: found.row + start, ..*found }))
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
