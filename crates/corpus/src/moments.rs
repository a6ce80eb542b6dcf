//! Moments like this one: the frames of a whole corpus that are nearest to a frame, exactly.
//!
//! Every frame of every actor with two feet has 27 numbers ([`marey_ops::features`]); an index over all of them
//! ([`marey_ops::nearest`]) is made when it is first asked for, kept in the corpus as flat arrays, and gone when takes come
//! or go. What was worked out for a take stays with the take.

use std::ops::Range;

use marey_motion::Take;
use marey_ops::features::{self, DIMS, Scale, features};
use marey_ops::nearest::{Index, IndexParts, Mask};
use rayon::prelude::*;

use crate::derived::put;
use crate::{Corpus, Error, Result, TakeId, TakeInfo, codes};

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

/// All moments of a corpus, ready to be searched.
#[derive(Debug)]
pub struct Moments {
    index: Index,
    scale: Scale,
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

impl Corpus {
    /// The moments of all takes: as kept, where nothing has changed; else worked out, and kept where the corpus may be
    /// written.
    pub fn moments(&mut self) -> Result<Moments> {
        if let Some(kept) = self.kept_moments()? {
            return Ok(kept);
        }
        let mut table = Vec::new();
        let mut stretches = Vec::new();
        let takes = self.takes()?;
        for take in &takes {
            for (actor, some) in self.features_of(take)? {
                let start = table.len() / DIMS;
                table.extend_from_slice(&some);
                stretches.push(Stretch { take: take.id, actor, rows: start..table.len() / DIMS });
            }
        }
        if table.is_empty() {
            return Err(Error::refused(&codes::NO_MOMENTS, "no take has an actor with two feet"));
        }
        let scale = Scale::fit(&table, &features::Settings::default())?;
        scale.apply(&mut table);
        let moments = Moments { index: Index::build(table, DIMS)?, scale, stretches };
        if !self.is_read_only()? {
            self.keep_moments(&moments, &takes)?;
        }
        Ok(moments)
    }

    /// The features of each actor of a take that has any, kept with the take where it may be written.
    fn features_of(&mut self, take: &TakeInfo) -> Result<Vec<(usize, Vec<f32>)>> {
        let kept = self.derived::<f32>("features", Some(take.id))?;
        let per_actor = take.frames * DIMS;
        if let Some(all) = kept.filter(|all| all.len() == per_actor * take.actors.len()) {
            // An actor without feet has no numbers: not one of them is one.
            let of_actors = all.chunks(per_actor).map(<[f32]>::to_vec).enumerate();
            return Ok(of_actors.filter(|(_, some)| some.iter().all(|v| v.is_finite())).collect());
        }
        let whole: Take = self.take(take.id)?;
        let settings = features::Settings::default();
        let of_actors: Vec<Vec<f32>> = whole
            .actors()
            .par_iter()
            .map(|actor| features(&actor.clip, &settings).unwrap_or_else(|_| vec![f32::NAN; per_actor]))
            .collect();
        if !self.is_read_only()? {
            let all = of_actors.concat();
            self.change(|transaction| put(transaction, "features", Some(take.id), &all))?;
        }
        let of_actors = of_actors.into_iter().enumerate();
        Ok(of_actors.filter(|(_, some)| some.iter().all(|v| v.is_finite())).collect())
    }

    /// Keeps the moments of some takes, where these are still all there are.
    fn keep_moments(&mut self, moments: &Moments, takes: &[TakeInfo]) -> Result<()> {
        let Moments { index, scale, stretches } = moments;
        let parts = index.parts();
        let rows =
            |stretch: &Stretch| [stretch.take.0 as u32, stretch.actor as u32, stretch.rows.len() as u32];
        let stretches: Vec<u32> = stretches.iter().flat_map(rows).collect();
        self.change(|transaction| {
            let sql = "SELECT count(*), coalesce(max(id), 0) FROM takes";
            let now: (i64, i64) = transaction.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            if now != (takes.len() as i64, takes.last().map_or(0, |take| take.id.0)) {
                return Ok(());
            }
            for (kind, array) in [
                ("index scale", &[scale.mean.as_slice(), &scale.factor].concat()),
                ("index mean", &parts.mean),
                ("index axes", &parts.axes),
                ("index boxes", &parts.boxes),
                ("index coordinates", &parts.coordinates),
                ("index table", &parts.table),
            ] {
                put(transaction, kind, None, array)?;
            }
            put(transaction, "index order", None, &parts.order)?;
            put(transaction, "index stretches", None, &stretches)
        })
    }

    fn kept_moments(&self) -> Result<Option<Moments>> {
        let Some(stretches) = self.derived::<u32>("index stretches", None)? else { return Ok(None) };
        let mut rows = 0;
        let stretch = |three: &[u32; 3]| {
            let [take, actor, count] = *three;
            rows += count as usize;
            Stretch { take: TakeId(take.into()), actor: actor as usize, rows: rows - count as usize..rows }
        };
        let stretches = stretches.as_chunks().0.iter().map(stretch).collect();
        let floats = |kind| Ok::<_, Error>(self.derived::<f32>(kind, None)?.unwrap_or_default());
        let parts = IndexParts {
            table: floats("index table")?,
            mean: floats("index mean")?,
            axes: floats("index axes")?,
            order: self.derived("index order", None)?.unwrap_or_default(),
            coordinates: floats("index coordinates")?,
            boxes: floats("index boxes")?,
        };
        let scale = floats("index scale")?;
        let (mean, factor) = scale.split_at(scale.len() / 2);
        let scale = Scale { mean: mean.to_vec(), factor: factor.to_vec() };
        let index =
            Index::from_parts(parts).map_err(|error| Error::damaged(format!("the index: {error}")))?;
        if index.rows() != rows || scale.mean.len() != DIMS {
            return Err(Error::damaged("the index does not fit the takes"));
        }
        Ok(Some(Moments { index, scale, stretches }))
    }
}

impl Moments {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.index.rows()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The features of a moment, as they are compared.
    pub fn features(&self, moment: Moment) -> Result<&[f32]> {
        match self.row_of(moment) {
            Some(row) => Ok(self.index.row(row)),
            None => {
                let Moment { take, actor, frame } = moment;
                let message =
                    format!("frame {frame} of actor {actor} of take {take} is not there, or has no feet");
                Err(Error::refused(&codes::NO_MOMENTS, message))
            }
        }
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
        while found.len() < count {
            let filtered = passing.is_some() || !barred.is_empty();
            let mask = filtered.then(|| Mask::from_ranges(self.len(), without(passing_rows, &barred)));
            let Some(next) = self.index.nearest(features, 1, mask.as_ref())?.into_iter().next() else {
                break;
            };
            let Some(moment) = self.moment_of(next.row) else { break };
            found.push(FoundMoment { moment, distance: next.squared.sqrt() });
            barred.push(self.around(moment, &apart_frames).unwrap_or(next.row..next.row + 1));
        }
        Ok(found)
    }

    /// The rows of every moment for which `passes` is true, as ranges.
    pub fn rows_where(&self, passes: impl Fn(Moment, Gait) -> bool + Sync) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for stretch in &self.stretches {
            for (frame, row) in stretch.rows.clone().enumerate() {
                let moment = Moment { take: stretch.take, actor: stretch.actor, frame };
                if passes(moment, self.gait_of(row)) {
                    match ranges.last_mut() {
                        Some(last) if last.end == row => last.end = row + 1,
                        _ => ranges.push(row..row + 1),
                    }
                }
            }
        }
        ranges
    }

    /// How a moment goes.
    pub fn gait(&self, moment: Moment) -> Option<Gait> {
        self.row_of(moment).map(|row| self.gait_of(row))
    }

    fn gait_of(&self, row: usize) -> Gait {
        let values = self.index.row(row);
        // As the features were before they were scaled.
        let at = |i: usize| -> f32 {
            let (value, mean, factor) = (values.get(i), self.scale.mean.get(i), self.scale.factor.get(i));
            match (value, mean, factor) {
                (Some(value), Some(mean), Some(factor)) if *factor != 0.0 => value / factor + mean,
                (_, Some(mean), _) => *mean,
                _ => 0.0,
            }
        };
        Gait { speed_mps: at(12).hypot(at(14)), turn_rad: at(25).atan2(at(26)) }
    }

    fn row_of(&self, moment: Moment) -> Option<usize> {
        let stretch = self.stretch(|stretch| (stretch.take, stretch.actor) == (moment.take, moment.actor))?;
        (moment.frame < stretch.rows.len()).then(|| stretch.rows.start + moment.frame)
    }

    fn moment_of(&self, row: usize) -> Option<Moment> {
        let after = self.stretches.partition_point(|stretch| stretch.rows.end <= row);
        let stretch = self.stretches.get(after)?;
        Some(Moment { take: stretch.take, actor: stretch.actor, frame: row.checked_sub(stretch.rows.start)? })
    }

    fn stretch(&self, wanted: impl Fn(&Stretch) -> bool) -> Option<&Stretch> {
        self.stretches.iter().find(|stretch| wanted(stretch))
    }

    /// The rows of the same actor that are too near to a moment.
    fn around(&self, moment: Moment, apart_frames: impl Fn(TakeId) -> usize) -> Option<Range<usize>> {
        let stretch = self.stretch(|stretch| (stretch.take, stretch.actor) == (moment.take, moment.actor))?;
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
