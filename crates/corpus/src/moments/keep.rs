//! Computes moments and stores them.

use marey_motion::Take;
use marey_ops::features::{self, DIMS, FeatureScale, features};
use marey_ops::nearest::{NearestIndex, Tree, TreeParts};
use rayon::prelude::*;

use super::store::Store;
use super::{Gait, Moments, Stretch};
use crate::derived::{WHOLE, put};
use crate::{Corpus, CorpusError, Result, TakeId, TakeInfo, codes};

impl Corpus {
    /// The moments of all takes: loaded if nothing has changed, otherwise computed, and stored if that is possible.
    pub fn moments(&self) -> Result<Moments> {
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
            return Err(CorpusError::refused(&codes::NO_MOMENTS, "no take has an actor with two feet"));
        }
        let gaits: Vec<Gait> = table.as_chunks::<DIMS>().0.iter().map(Gait::of).collect();
        FeatureScale::fit(&table, &features::FeatureSettings::default())?.apply(&mut table);
        let (tree, leaves) = NearestIndex::build(&table, DIMS)?.into_halves();
        drop(table);
        let moments = Moments { store: Store::made(tree, &leaves, &gaits), stretches };
        self.keep_moments(&moments, &takes);
        Ok(moments)
    }

    /// The features of each actor of a take that has any, stored with the take if that is possible.
    fn features_of(&self, take: &TakeInfo) -> Result<Vec<(usize, Vec<f32>)>> {
        let kept = self.derived::<f32>("features", Some(take.id))?;
        let per_actor = take.frames * DIMS;
        if let Some(all) = kept.filter(|all| all.len() == per_actor * take.actors.len()) {
            // The features of an actor without feet are all NaN.
            let of_actors = all.chunks(per_actor).map(<[f32]>::to_vec).enumerate();
            return Ok(of_actors.filter(|(_, some)| some.iter().all(|v| v.is_finite())).collect());
        }
        let whole: Take = self.take(take.id)?;
        let settings = features::FeatureSettings::default();
        let of_actors: Vec<Vec<f32>> = whole
            .actors()
            .par_iter()
            .map(|actor| features(&actor.clip, &settings).unwrap_or_else(|_| vec![f32::NAN; per_actor]))
            .collect();
        let all = of_actors.concat();
        self.keep_derived(|transaction| put(transaction, "features", Some(take.id), &all, WHOLE));
        let of_actors = of_actors.into_iter().enumerate();
        Ok(of_actors.filter(|(_, some)| some.iter().all(|v| v.is_finite())).collect())
    }

    /// Stores the moments of some takes, if these are still all takes.
    fn keep_moments(&self, moments: &Moments, takes: &[TakeInfo]) {
        let Moments { store, stretches } = moments;
        let TreeParts { reach, mean, axes, boxes, .. } = store.tree.parts();
        let rows =
            |stretch: &Stretch| [stretch.take.0 as u32, stretch.actor as u32, stretch.rows.len() as u32];
        let stretches: Vec<u32> = stretches.iter().flat_map(rows).collect();
        self.keep_derived(|transaction| {
            let sql = "SELECT count(*), coalesce(max(id), 0) FROM takes";
            let now: (i64, i64) = transaction.query_row(sql, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
            if now != (takes.len() as i64, takes.last().map_or(0, |take| take.id.0)) {
                return Ok(());
            }
            for (kind, array) in [
                ("index reach", std::slice::from_ref(reach)),
                ("index mean", mean),
                ("index axes", axes),
                ("index boxes", boxes),
            ] {
                put(transaction, kind, None, array, WHOLE)?;
            }
            put(transaction, "index stretches", None, &stretches, WHOLE)?;
            store.keep(transaction)
        });
    }

    /// Loads the stored moments, if there are any: the tree at once, the rest on demand.
    fn kept_moments(&self) -> Result<Option<Moments>> {
        let snapshot = self.snapshot()?;
        let Some(stretches) = snapshot.derived::<u32>("index stretches", None)? else { return Ok(None) };
        let mut rows = 0;
        let stretch = |three: &[u32; 3]| {
            let [take, actor, count] = *three;
            rows += count as usize;
            Stretch { take: TakeId(take.into()), actor: actor as usize, rows: rows - count as usize..rows }
        };
        let stretches = stretches.as_chunks().0.iter().map(stretch).collect();
        let floats = |kind| Ok::<_, CorpusError>(snapshot.derived::<f32>(kind, None)?.unwrap_or_default());
        let parts = TreeParts {
            rows,
            reach: floats("index reach")?.first().copied().unwrap_or(f32::NAN),
            mean: floats("index mean")?,
            axes: floats("index axes")?,
            boxes: floats("index boxes")?,
        };
        let tree = Tree::new(parts).map_err(|error| CorpusError::damaged(format!("the index: {error}")))?;
        if tree.dims() != DIMS {
            return Err(CorpusError::damaged("the index is of other features"));
        }
        Ok(Some(Moments { store: Store::kept(tree, Some(snapshot)), stretches }))
    }
}

impl Gait {
    /// Speed and turn of features that are not scaled yet.
    fn of(features: &[f32; DIMS]) -> Self {
        Self { speed_mps: features[12].hypot(features[14]), turn_rad: features[25].atan2(features[26]) }
    }
}
