//! The rows of a table that are nearest to a query, exactly, without looking at most of them.
//!
//! A million frames of motion fill little of a space of 27 dimensions: frames follow each other, gaits repeat. What is
//! done here is what is known to work on such data: the rows are turned onto their principal axes, so that a few
//! coordinates tell most of a distance, and put in the order of a k-d tree (Bentley, *Multidimensional Binary Search Trees
//! Used for Associative Searching*, 1975), so that neighbours in the table are neighbours in space. Leaves of 32 rows, and
//! groups of 16 nodes above them, have bounding boxes, as in public motion-matching code (Holden, *Motion-Matching*), but in
//! the order of the tree rather than that of time. A search goes to the nearest box first and leaves out every box, and then
//! every row, whose distance in the first principal coordinates alone is too large.
//!
//! What is left is measured in the table's own coordinates, dimension by dimension: so the result is that of looking at every
//! row in turn, to the last bit, and of rows at the same distance the first one counts. Rounding on the way to principal
//! coordinates is allowed for by a margin: distances there may be off by a share of 1e-5, and by 1e-6 of the sizes of query
//! and rows; single precision is off by less than a third of either.
//!
//! An index has two halves. The [`Tree`] of boxes, a fiftieth of it, is needed by every search; [`Leaves`], with all the rest,
//! only where the search comes by. So an index that is kept somewhere need not be read before it is searched: a
//! [`Source`] hands out leaves as they are asked for.
//!
//! Limits: exact, so a query that is far from everything looks at much. A filter that lets few rows through makes the search
//! look at them in turn instead.

mod build;
mod leaves;
mod mask;
mod search;
mod tree;

use std::convert::Infallible;

pub use leaves::{Leaves, Source};
pub use mask::Mask;
pub use search::Query;
pub use tree::{Tree, TreeParts};

use crate::Result;

/// Rows in a leaf.
pub const LEAF: usize = 32;
/// Nodes below a node.
const FAN: usize = 16;
/// How many principal coordinates are looked at before a row's own.
const PREFIX: usize = 12;

/// A row that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Its number in the table.
    pub row: usize,
    /// Its squared distance from the query, in the table's units.
    pub squared: f32,
}

/// A table and what makes it quick to search.
///
/// ```
/// use marey_ops::nearest::{Index, Mask};
/// // Ten rows of two numbers: (0, 0), (1, 1) … (9, 9).
/// let table: Vec<f32> = (0..20).map(|i| (i / 2) as f32).collect();
/// let index = Index::build(&table, 2)?;
/// let found = index.nearest(&[6.2, 6.0], 2, None)?;
/// assert_eq!((found[0].row, found[1].row), (6, 7));
/// assert!((found[0].squared - 0.04).abs() < 1e-5);
/// // Halfway between two rows, the first one counts; with a filter, the nearest of those that pass.
/// assert_eq!(index.nearest(&[2.5, 2.5], 1, None)?[0].row, 2);
/// let odd = Mask::from_fn(10, |row| row % 2 == 1);
/// assert_eq!(index.nearest(&[6.2, 6.0], 1, Some(&odd))?[0].row, 7);
/// # Ok::<(), marey_ops::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    tree: Tree,
    leaves: Leaves,
}

impl Index {
    /// Makes an index of a table of rows of `dims` numbers, all finite.
    pub fn build(table: &[f32], dims: usize) -> Result<Self> {
        let (tree, leaves) = build::halves(table, dims)?;
        Ok(Self { tree, leaves })
    }

    /// The half that every search needs.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Both halves, to be kept.
    pub fn into_halves(self) -> (Tree, Leaves) {
        (self.tree, self.leaves)
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.tree.rows()
    }

    /// How many numbers a row has.
    pub fn dims(&self) -> usize {
        self.tree.dims()
    }

    /// A row of the table.
    ///
    /// # Panics
    /// Where there is no such row, as slices do.
    pub fn row(&self, row: usize) -> &[f32] {
        self.leaves.row(row)
    }

    /// The `count` rows nearest to a query, of those that a filter lets through, nearest first; fewer where there are fewer.
    pub fn nearest(&self, query: &[f32], count: usize, mask: Option<&Mask>) -> Result<Vec<Found>> {
        let mut found = Vec::new();
        self.nearest_into(query, count, mask, &mut found)?;
        Ok(found)
    }

    /// [`Index::nearest`] into a list whose room is used again: once it has room for `count`, nothing is allocated.
    pub fn nearest_into(
        &self,
        query: &[f32],
        count: usize,
        mask: Option<&Mask>,
        found: &mut Vec<Found>,
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

/// How far a row is from the mean.
fn size_from(row: &[f32], mean: &[f32]) -> f32 {
    squared_distance(row, mean).sqrt()
}
