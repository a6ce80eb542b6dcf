//! Exact nearest neighbours in a table, without visiting most rows.
//!
//! A million frames of motion fill little of a space of 27 dimensions: frames follow each other, gaits
//! repeat. The rows are rotated to their principal axes, so that a few coordinates account for most of a
//! distance, and ordered as a k-d tree (Bentley, *Multidimensional Binary Search Trees Used for Associative
//! Searching*, 1975), so that neighbours in the table are neighbours in space. Leaves of 32 rows, and groups
//! of 16 nodes above them, have bounding boxes, as in public motion-matching code (Holden,
//! *Motion-Matching*), but in tree order rather than in time order. A search visits the nearest box first and
//! skips every box, and then every row, whose distance in the first principal coordinates alone is too large.
//!
//! Remaining rows are measured in the table's own coordinates, dimension by dimension, so the result equals
//! that of a linear scan to the last bit, and ties are broken by the lower row. A margin allows for rounding
//! of the principal coordinates: distances there may be off by a relative 1e-5, and by 1e-6 of the sizes of
//! query and rows; single precision is off by less than a third of either.
//!
//! An index has two parts. Every search needs the [`Tree`] of boxes, a fiftieth of the index; of the
//! [`Leaves`] it needs only those that it visits. A stored index therefore need not be loaded before it is
//! searched: a [`RowSource`] provides leaves on demand.
//!
//! Limits: the search is exact, so a query far from everything visits many rows. With a filter that passes
//! few rows, these are scanned instead.

mod build;
mod leaves;
mod mask;
mod search;
mod tree;

use std::convert::Infallible;

pub use leaves::{Leaves, RowSource};
pub use mask::Mask;
pub use search::NearestQuery;
pub use tree::{Tree, TreeParts};

use crate::Result;

/// Rows in a leaf.
pub const LEAF: usize = 32;
/// Nodes below a node.
const FAN: usize = 16;
/// Number of principal coordinates that are checked before a row itself.
const PREFIX: usize = 12;

/// A row that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Neighbour {
    /// Its number in the table.
    pub row: usize,
    /// Its squared distance from the query, in the table's units.
    pub squared: f32,
}

/// A table with its search structure.
///
/// ```
/// use marey_ops::nearest::{NearestIndex, Mask};
/// // Ten rows of two numbers: (0, 0), (1, 1) … (9, 9).
/// let table: Vec<f32> = (0..20).map(|i| (i / 2) as f32).collect();
/// let index = NearestIndex::build(&table, 2)?;
/// let found = index.nearest(&[6.2, 6.0], 2, None)?;
/// assert_eq!((found[0].row, found[1].row), (6, 7));
/// assert!((found[0].squared - 0.04).abs() < 1e-5);
/// // Halfway between two rows, the first one counts; with a filter, the nearest of those that pass.
/// assert_eq!(index.nearest(&[2.5, 2.5], 1, None)?[0].row, 2);
/// let odd = Mask::from_fn(10, |row| row % 2 == 1);
/// assert_eq!(index.nearest(&[6.2, 6.0], 1, Some(&odd))?[0].row, 7);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct NearestIndex {
    tree: Tree,
    leaves: Leaves,
}

impl NearestIndex {
    /// Builds an index of a table of rows of `dims` finite numbers.
    pub fn build(table: &[f32], dims: usize) -> Result<Self> {
        let (tree, leaves) = build::halves(table, dims)?;
        Ok(Self { tree, leaves })
    }

    /// The part that every search needs.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Both parts, for storage.
    pub fn into_halves(self) -> (Tree, Leaves) {
        (self.tree, self.leaves)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.tree.rows()
    }

    /// Numbers per row.
    pub fn dims(&self) -> usize {
        self.tree.dims()
    }

    /// A row of the table.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, row: usize) -> &[f32] {
        self.leaves.row(row)
    }

    /// The `count` nearest rows to a query among those that pass a filter, nearest first; fewer if there are
    /// fewer.
    pub fn nearest(&self, query: &[f32], count: usize, mask: Option<&Mask>) -> Result<Vec<Neighbour>> {
        let mut found = Vec::new();
        self.nearest_into(query, count, mask, &mut found)?;
        Ok(found)
    }

    /// [`NearestIndex::nearest`] into a reusable list: with capacity for `count`, it does not allocate.
    pub fn nearest_into(
        &self,
        query: &[f32],
        count: usize,
        mask: Option<&Mask>,
        found: &mut Vec<Neighbour>,
    ) -> Result<()> {
        let found: std::result::Result<(), Infallible> =
            self.tree.query(query, mask)?.nearest_into(&self.leaves, count, found);
        found.map_err(|never| match never {})
    }
}

/// The squared distance of two rows, dimension by dimension.
#[inline]
fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + (a - b) * (a - b))
}

/// The distance of a row from the mean.
fn size_from(row: &[f32], mean: &[f32]) -> f32 {
    squared_distance(row, mean).sqrt()
}
