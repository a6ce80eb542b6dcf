//! Storage of a part of the moments: in memory, or in the file and read on demand.

use std::sync::{Arc, Mutex, PoisonError};

use marey_ops::features::DIMS;
use marey_ops::nearest::{LEAF, Leaves, RowSource, Tree, TreeParts};
use rusqlite::Transaction;

use super::Gait;
use super::layout::PartKey;
use crate::derived::{Number, WHOLE, put};
use crate::pieces::Pieces;
use crate::{Corpus, CorpusError, Result};

/// Leaves per piece: neighbours in the tree, because a search often visits them together.
const LEAVES: usize = 16;
/// Moments per piece, for data in the order of takes.
const ROWS: usize = 4096;

/// An index of the moments of some takes, with speed and turn of each.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) key: PartKey,
    pub(super) tree: Tree,
    order: Pieces<u32>,
    places: Pieces<u32>,
    rows: Pieces<f32>,
    coordinates: Pieces<f32>,
    /// Speed and turn of each row.
    gaits: Pieces<f32>,
    /// The snapshot of the corpus; `None` if everything is in memory.
    snapshot: Option<Snapshot>,
}

/// A state of the file that several parts are read from.
pub(super) type Snapshot = Arc<Mutex<Corpus>>;

impl Store {
    /// Opens a part that the file holds, if it does: the tree at once, the rest on demand.
    pub(super) fn kept(key: PartKey, rows: usize, snapshot: &Snapshot) -> Result<Option<Self>> {
        let corpus = snapshot.lock().unwrap_or_else(PoisonError::into_inner);
        let floats = |array| corpus.derived::<f32>(&key.kind(array), None);
        let Some(reach) = floats("reach")? else { return Ok(None) };
        let parts = TreeParts {
            rows,
            reach: reach.first().copied().unwrap_or(f32::NAN),
            mean: floats("mean")?.unwrap_or_default(),
            axes: floats("axes")?.unwrap_or_default(),
            boxes: floats("boxes")?.unwrap_or_default(),
        };
        let tree = Tree::new(parts).map_err(|error| CorpusError::damaged(format!("the index: {error}")))?;
        if tree.dims() != DIMS {
            return Err(CorpusError::damaged("the index is of other features"));
        }
        Ok(Some(Self::unread(key, tree, Some(snapshot.clone()))))
    }

    fn unread(key: PartKey, tree: Tree, snapshot: Option<Snapshot>) -> Self {
        let rows = tree.rows();
        let padded = tree.leaves() * LEAF;
        let in_leaves = LEAVES * LEAF;
        let each = tree.prefix();
        Self {
            key,
            order: Pieces::new(key.kind("order"), rows, in_leaves, rows),
            places: Pieces::new(key.kind("places"), rows, ROWS, rows),
            rows: Pieces::new(key.kind("rows"), rows * DIMS, in_leaves * DIMS, 0),
            coordinates: Pieces::new(key.kind("coordinates"), padded * each, in_leaves * each, 0),
            gaits: Pieces::new(key.kind("gaits"), rows * 2, ROWS * 2, 0),
            snapshot,
            tree,
        }
    }

    /// Creates a part in memory.
    pub(super) fn made(key: PartKey, tree: Tree, leaves: &Leaves, gaits: &[Gait]) -> Self {
        let gaits: Vec<f32> = gaits.iter().flat_map(|gait| [gait.speed_mps, gait.turn_rad]).collect();
        let empty = Self::unread(key, tree, None);
        Self {
            order: empty.order.filled(&leaves.order),
            places: empty.places.filled(&leaves.places),
            rows: empty.rows.filled(&leaves.rows),
            coordinates: empty.coordinates.filled(&leaves.coordinates),
            gaits: empty.gaits.filled(&gaits),
            ..empty
        }
    }

    /// Stores the part, unless it is in the file.
    pub(super) fn keep(&self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        if self.snapshot.is_some() {
            return Ok(());
        }
        let TreeParts { reach, mean, axes, boxes, .. } = self.tree.parts();
        for (array, numbers) in
            [("reach", std::slice::from_ref(reach)), ("mean", mean), ("axes", axes), ("boxes", boxes)]
        {
            put(transaction, &self.key.kind(array), None, numbers, WHOLE)?;
        }
        [&self.order, &self.places].into_iter().try_for_each(|pieces| pieces.keep(transaction))?;
        [&self.rows, &self.coordinates, &self.gaits]
            .into_iter()
            .try_for_each(|pieces| pieces.keep(transaction))
    }

    /// The features of a row.
    pub(super) fn row(&self, row: usize) -> Result<&[f32]> {
        let place = self.place(row)?;
        let (leaf, lane) = (place / LEAF, place % LEAF);
        if self.order(leaf)?.get(lane).is_none_or(|&there| there as usize != row) {
            return Err(CorpusError::damaged(format!("the index has another row in the place of row {row}")));
        }
        self.get(&self.rows, place * DIMS, DIMS)
    }

    /// Speed and turn of a row.
    pub(super) fn gait(&self, row: usize) -> Result<Gait> {
        match self.get(&self.gaits, 2 * row, 2)? {
            [speed_mps, turn_rad] => Ok(Gait { speed_mps: *speed_mps, turn_rad: *turn_rad }),
            _ => Err(CorpusError::damaged("the index has half a gait")),
        }
    }

    fn get<'a, T: Number>(&self, pieces: &'a Pieces<T>, start: usize, count: usize) -> Result<&'a [T]> {
        pieces.get(start, count, |kind, part| match &self.snapshot {
            // A panic while the lock was held happened while reading, so the data is intact.
            Some(corpus) => {
                let corpus = corpus.lock().unwrap_or_else(PoisonError::into_inner);
                corpus.derived_parts(kind, None, part..part + 1)
            }
            None => Ok(None),
        })
    }
}

impl RowSource for Store {
    type Error = CorpusError;

    fn coordinates(&self, leaf: usize) -> Result<&[f32]> {
        let each = LEAF * self.tree.prefix();
        self.get(&self.coordinates, leaf * each, each)
    }

    fn order(&self, leaf: usize) -> Result<&[u32]> {
        self.get(&self.order, leaf * LEAF, LEAF)
    }

    fn rows(&self, leaf: usize) -> Result<&[f32]> {
        self.get(&self.rows, leaf * LEAF * DIMS, LEAF * DIMS)
    }

    fn place(&self, row: usize) -> Result<usize> {
        let place = self.get(&self.places, row, 1)?.first().copied();
        place.map(|place| place as usize).ok_or_else(|| CorpusError::damaged("the index ends early"))
    }
}
