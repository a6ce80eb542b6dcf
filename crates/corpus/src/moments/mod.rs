//! Moments like this one: the frames of a whole corpus that are nearest to a frame, exactly.
//!
//! Every frame of every actor with two feet has 27 numbers ([`marey_ops::features`]); an index over all of them
//! ([`marey_ops::nearest`]) is made when it is first asked for, kept in the corpus as flat arrays, and gone when takes come
//! or go. What was worked out for a take stays with the take. A kept index is read as searches come by, so that the first
//! answer does not wait for all of it.

mod keep;
mod store;

use std::ops::Range;

use marey_ops::nearest::{Found, Mask};
use store::Store;

use crate::{Error, Result, TakeId, codes};

/// A frame of an actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment {
    /// The take.
    pub take: TakeId,
    /// Whose, from 0.
    pub actor: usize,
    /// The frame.
    pub frame: usize,
}

/// A moment that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundMoment {
    /// Which.
    pub moment: Moment,
    /// How far its features are, in deviations of the corpus; 0 for the same.
    pub distance: f32,
}

/// The frames of one actor among all rows.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stretch {
    take: TakeId,
    actor: usize,
    rows: Range<usize>,
}

/// All moments of a corpus as it was when they were asked for, ready to be searched.
///
/// Those that were kept are read from the file as they are needed, whatever is written to it meanwhile; until they are
/// dropped, what is written stays in the log beside the file.
#[derive(Debug)]
pub struct Moments {
    store: Store,
    /// In the order of takes and actors.
    stretches: Vec<Stretch>,
}

/// How fast the figure goes over the floor in a frame, and how it turns in the second after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gait {
    /// In metres a second.
    pub speed_mps: f32,
    /// In radians; to the left is above 0.
    pub turn_rad: f32,
}

impl Moments {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.store.tree.rows()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The features of a moment, as they are compared.
    pub fn features(&self, moment: Moment) -> Result<&[f32]> {
        self.store.row(self.row_of(moment)?)
    }

    /// The `count` moments nearest to features, of those rows that pass, or of all, nearest first. Of moments of one actor that are less
    /// than `apart_frames` apart only the nearest counts, and none that is so near to one of `not_near`.
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
        let mut nearest: Vec<Found> = Vec::new();
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

    /// The rows of every moment for which `passes` is true, as ranges.
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

    /// How a moment goes.
    pub fn gait(&self, moment: Moment) -> Result<Gait> {
        self.store.gait(self.row_of(moment)?)
    }

    fn row_of(&self, moment: Moment) -> Result<usize> {
        let Moment { take, actor, frame } = moment;
        let row = self.stretch_of(moment).filter(|stretch| frame < stretch.rows.len());
        row.map(|stretch| stretch.rows.start + frame).ok_or_else(|| {
            let message =
                format!("frame {frame} of actor {actor} of take {take} is not there, or has no feet");
            Error::refused(&codes::NO_MOMENTS, message)
        })
    }

    fn moment_of(&self, row: usize) -> Option<Moment> {
        let after = self.stretches.partition_point(|stretch| stretch.rows.end <= row);
        let stretch = self.stretches.get(after)?;
        Some(Moment { take: stretch.take, actor: stretch.actor, frame: row.checked_sub(stretch.rows.start)? })
    }

    /// The stretch that a moment is in, or behind.
    fn stretch_of(&self, moment: Moment) -> Option<&Stretch> {
        let wanted = (moment.take, moment.actor);
        let at = self.stretches.binary_search_by_key(&wanted, |stretch| (stretch.take, stretch.actor));
        self.stretches.get(at.ok()?)
    }

    /// The rows of the same actor that are too near to a moment.
    fn around(&self, moment: Moment, apart_frames: impl Fn(TakeId) -> usize) -> Option<Range<usize>> {
        let stretch = self.stretch_of(moment)?;
        let row = stretch.rows.start + moment.frame;
        let apart = apart_frames(moment.take).max(1);
        Some(row.saturating_sub(apart - 1).max(stretch.rows.start)..(row + apart).min(stretch.rows.end))
    }
}

/// Ranges without what others hold; all sorted within themselves.
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
