//! Computes moments and stores them.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use marey_motion::Take;
use marey_ops::features::{self, DIMS, FeatureScale, features};
use marey_ops::nearest::NearestIndex;
use rayon::prelude::*;

use super::layout::{Layout, PartKey};
use super::store::{Snapshot, Store};
use super::{Gait, Moments, Part, Stretch};
use crate::derived::{WHOLE, put};
use crate::{Corpus, CorpusError, Result, TakeId, TakeInfo, codes};

/// The number of moments of each actor of a take, stored with it.
const COUNTS: &str = "moments";
/// The name and number of rows of each part. Deleted when takes are added or removed, as are the stretches.
const PARTS: &str = "index parts";
/// The take, the actor and the number of rows of each stretch.
const STRETCHES: &str = "index stretches";
/// The array of the first part that holds the scale of features.
const SCALE: &str = "scale";

impl Corpus {
    /// The moments of all takes: loaded if nothing has changed. Otherwise the parts that are missing are computed, and stored if that
    /// is possible.
    pub fn moments(&self) -> Result<Moments> {
        let snapshot = Arc::new(Mutex::new(self.snapshot()?));
        if let Some(kept) = kept_moments(&snapshot)? {
            return Ok(kept);
        }
        let takes = self.takes()?;
        let counts = takes.iter().map(|take| self.moment_counts(take)).collect::<Result<Vec<_>>>()?;
        let count = |take: usize| counts.get(take).into_iter().flatten().map(|count| *count as usize).sum();
        let layout = Layout::of((0..takes.len()).map(count));
        let with_moments = |range: &Range<usize>| {
            let takes = takes.iter().enumerate().take(range.end).skip(range.start);
            takes.filter(|(index, _)| count(*index) > 0).map(|(_, take)| take)
        };
        let (mut parts, mut stretches) = (Vec::<Part>::new(), Vec::new());
        let mut scale = None;
        for range in &layout.parts {
            let scaled = layout.parts.first().into_iter().flat_map(with_moments);
            let key = PartKey::of(scaled, with_moments(range));
            let rows: usize = range.clone().map(count).sum();
            let start = parts.last().map_or(0, |part| part.rows.end);
            let mut row = start;
            for (take, counts) in takes.iter().zip(&counts).take(range.end).skip(range.start) {
                for (actor, count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
                    stretches.push(Stretch { take: take.id, actor, rows: row..row + *count as usize });
                    row += *count as usize;
                }
            }
            let store = match Store::kept(key, rows, &snapshot)? {
                Some(kept) => kept,
                None => {
                    let mut table = self.feature_table(with_moments(range))?;
                    if scale.is_none() {
                        scale = Some(match parts.first() {
                            None => FeatureScale::fit(&table, &features::FeatureSettings::default())?,
                            Some(first) => {
                                let takes = layout.parts.first().into_iter().flat_map(with_moments);
                                self.scale_of(first.store.key, takes)?
                            }
                        });
                    }
                    let gaits: Vec<Gait> = table.as_chunks::<DIMS>().0.iter().map(Gait::of).collect();
                    scale.iter().for_each(|scale| scale.apply(&mut table));
                    let (tree, leaves) = NearestIndex::build(&table, DIMS)?.into_halves();
                    Store::made(key, tree, &leaves, &gaits)
                }
            };
            parts.push(Part { store, rows: start..row });
        }
        let moments = Moments { parts, stretches };
        if moments.is_empty() {
            return Err(CorpusError::refused(&codes::NO_MOMENTS, "no take has an actor with two feet"));
        }
        self.keep_moments(&moments, scale.as_ref(), &takes);
        Ok(moments)
    }

    /// The number of moments of each actor of a take: its frames, or 0 for an actor without feet.
    fn moment_counts(&self, take: &TakeInfo) -> Result<Vec<u32>> {
        let kept = self.derived::<u32>(COUNTS, Some(take.id))?;
        match kept.filter(|counts| counts.len() == take.actors.len()) {
            Some(counts) => Ok(counts),
            None => Ok(counts_of(take, &self.features_of(take)?)),
        }
    }

    /// The features of takes, not scaled, in the order of takes and actors.
    fn feature_table<'a>(&self, takes: impl Iterator<Item = &'a TakeInfo>) -> Result<Vec<f32>> {
        let mut table = Vec::new();
        for take in takes {
            self.features_of(take)?.iter().for_each(|(_, some)| table.extend_from_slice(some));
        }
        Ok(table)
    }

    /// The scale that the first part was made with, which depends on its takes.
    fn scale_of<'a>(
        &self,
        first: PartKey,
        takes: impl Iterator<Item = &'a TakeInfo>,
    ) -> Result<FeatureScale> {
        let kept = self.derived::<f32>(&first.kind(SCALE), None)?.unwrap_or_default();
        match kept.split_at_checked(DIMS) {
            Some((mean, factor)) if factor.len() == DIMS => {
                Ok(FeatureScale { mean: mean.to_vec(), factor: factor.to_vec() })
            }
            _ => Ok(FeatureScale::fit(&self.feature_table(takes)?, &features::FeatureSettings::default())?),
        }
    }

    /// The features of each actor of a take that has any, stored with the take if that is possible.
    fn features_of(&self, take: &TakeInfo) -> Result<Vec<(usize, Vec<f32>)>> {
        let per_actor = take.frames * DIMS;
        // The features of an actor without feet are all NaN.
        let with_feet = |of_actors: Vec<Vec<f32>>| {
            let of_actors = of_actors.into_iter().enumerate();
            of_actors.filter(|(_, some)| some.iter().all(|v| v.is_finite())).collect::<Vec<_>>()
        };
        let kept = self.derived::<f32>("features", Some(take.id))?;
        let kept = kept.filter(|all| all.len() == per_actor * take.actors.len());
        let is_kept = kept.is_some();
        let all = match kept {
            Some(all) => all,
            None => {
                let whole: Take = self.take(take.id)?;
                let settings = features::FeatureSettings::default();
                let of_actor = |clip| features(clip, &settings).unwrap_or_else(|_| vec![f32::NAN; per_actor]);
                let of_actors: Vec<_> =
                    whole.actors().par_iter().map(|actor| of_actor(&actor.clip)).collect();
                of_actors.concat()
            }
        };
        let found = with_feet(all.chunks(per_actor).map(<[f32]>::to_vec).collect());
        // Earlier versions stored features without counts.
        if !is_kept || self.derived::<u32>(COUNTS, Some(take.id))?.is_none() {
            let counts = counts_of(take, &found);
            self.keep_derived(|transaction| {
                put(transaction, COUNTS, Some(take.id), &counts, WHOLE)?;
                if is_kept { Ok(()) } else { put(transaction, "features", Some(take.id), &all, WHOLE) }
            });
        }
        Ok(found)
    }

    /// Stores the moments of some takes, if these are still all takes, and deletes parts of others.
    fn keep_moments(&self, moments: &Moments, scale: Option<&FeatureScale>, takes: &[TakeInfo]) {
        let Moments { parts, stretches } = moments;
        let rows =
            |stretch: &Stretch| [stretch.take.0 as u32, stretch.actor as u32, stretch.rows.len() as u32];
        let stretches: Vec<u32> = stretches.iter().flat_map(rows).collect();
        let of_part = |part: &Part| part.store.key.0.into_iter().chain([part.rows.len() as u32]);
        let index: Vec<u32> = parts.iter().flat_map(of_part).collect();
        let names: Vec<String> = parts.iter().map(|part| part.store.key.to_string()).collect();
        self.keep_derived(|transaction| {
            let sql = "SELECT count(*), coalesce(max(id), 0) FROM takes";
            let now: (i64, i64) = transaction.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            if now != (takes.len() as i64, takes.last().map_or(0, |take| take.id.0)) {
                return Ok(());
            }
            let sql =
                "SELECT DISTINCT substr(kind, 6, 32) FROM derived WHERE kind >= 'part ' AND kind < 'part!'";
            let mut statement = transaction.prepare(sql)?;
            let stored: Vec<String> =
                statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            for old in stored.iter().filter(|name| !names.contains(name)) {
                let sql =
                    "DELETE FROM derived WHERE kind >= 'part ' || ?1 || ' ' AND kind < 'part ' || ?1 || '!'";
                transaction.execute(sql, [old])?;
            }
            parts.iter().try_for_each(|part| part.store.keep(transaction))?;
            if let (Some(scale), Some(first)) = (scale, parts.first()) {
                let numbers = [scale.mean.as_slice(), &scale.factor].concat();
                put(transaction, &first.store.key.kind(SCALE), None, &numbers, WHOLE)?;
            }
            put(transaction, PARTS, None, &index, WHOLE)?;
            put(transaction, STRETCHES, None, &stretches, WHOLE)
        });
    }
}

/// The number of moments of each actor, from the features of those that have any.
fn counts_of(take: &TakeInfo, features: &[(usize, Vec<f32>)]) -> Vec<u32> {
    let has_feet = |actor: usize| features.iter().any(|(other, _)| *other == actor);
    (0..take.actors.len()).map(|actor| if has_feet(actor) { take.frames as u32 } else { 0 }).collect()
}

/// Loads the moments that are stored for the takes as they are, if there are any.
fn kept_moments(snapshot: &Snapshot) -> Result<Option<Moments>> {
    let corpus = snapshot.lock().unwrap_or_else(PoisonError::into_inner);
    let (stretches, index) = (corpus.derived::<u32>(STRETCHES, None)?, corpus.derived::<u32>(PARTS, None)?);
    drop(corpus);
    let (Some(stretches), Some(index)) = (stretches, index) else { return Ok(None) };
    let mut rows = 0;
    let stretch = |three: &[u32; 3]| {
        let [take, actor, count] = *three;
        rows += count as usize;
        Stretch { take: TakeId(take.into()), actor: actor as usize, rows: rows - count as usize..rows }
    };
    let stretches = stretches.as_chunks().0.iter().map(stretch).collect();
    let mut parts = Vec::<Part>::new();
    for [a, b, c, d, rows] in index.as_chunks().0 {
        let (key, rows) = (PartKey([*a, *b, *c, *d]), *rows as usize);
        let Some(store) = Store::kept(key, rows, snapshot)? else {
            return Err(CorpusError::damaged(format!("the index: part {key} is missing")));
        };
        let start = parts.last().map_or(0, |part| part.rows.end);
        parts.push(Part { store, rows: start..start + rows });
    }
    Ok(Some(Moments { parts, stretches }))
}

impl Gait {
    /// Speed and turn of features that are not scaled yet.
    fn of(features: &[f32; DIMS]) -> Self {
        Self { speed_mps: features[12].hypot(features[14]), turn_rad: features[25].atan2(features[26]) }
    }
}
