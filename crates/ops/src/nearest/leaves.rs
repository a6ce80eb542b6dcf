//! The rows of an index, leaf by leaf.

use std::convert::Infallible;

use super::LEAF;

/// Where a search reads the rows of an index: from memory, or piece by piece from where it is kept. A search asks for the
/// coordinates of the leaves it comes to, and for rows only where those do not rule them out.
///
/// With d numbers a row, p principal coordinates and leaves of [`LEAF`] rows, of which the last may have fewer:
pub trait Source {
    /// Why rows cannot be had.
    type Error;

    /// The principal coordinates of the rows of a leaf, p × [`LEAF`]: those along one axis together.
    fn coordinates(&self, leaf: usize) -> Result<&[f32], Self::Error>;

    /// The numbers of the rows of a leaf.
    fn order(&self, leaf: usize) -> Result<&[u32], Self::Error>;

    /// The rows of a leaf in that order, each with its d numbers.
    fn rows(&self, leaf: usize) -> Result<&[f32], Self::Error>;

    /// The place of a row in the order of all leaves, one after the other.
    fn place(&self, row: usize) -> Result<usize, Self::Error>;
}

/// The rows of an index in memory, as flat arrays.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaves {
    /// How many numbers a row has, and how many principal coordinates.
    pub(super) dims: usize,
    pub(super) prefix: usize,
    /// The row in each place, in the order of leaves.
    pub order: Vec<u32>,
    /// The place of each row.
    pub places: Vec<u32>,
    /// The rows in the order of leaves, each with its own numbers.
    pub rows: Vec<f32>,
    /// Principal coordinates in the order of leaves: of each leaf p × 32 numbers; unused places of the last are 0.
    pub coordinates: Vec<f32>,
}

impl Leaves {
    /// A row, by its number.
    pub(super) fn row(&self, row: usize) -> &[f32] {
        &self.rows[self.places[row] as usize * self.dims..][..self.dims]
    }
}

/// The numbers of a leaf in an array that has `each` numbers a row; the last leaf may have fewer rows.
fn of_leaf<T>(array: &[T], leaf: usize, each: usize) -> &[T] {
    let start = leaf * LEAF * each;
    &array[start..array.len().min(start + LEAF * each)]
}

impl Source for Leaves {
    type Error = Infallible;

    #[inline]
    fn coordinates(&self, leaf: usize) -> Result<&[f32], Infallible> {
        Ok(of_leaf(&self.coordinates, leaf, self.prefix))
    }

    #[inline]
    fn order(&self, leaf: usize) -> Result<&[u32], Infallible> {
        Ok(of_leaf(&self.order, leaf, 1))
    }

    #[inline]
    fn rows(&self, leaf: usize) -> Result<&[f32], Infallible> {
        Ok(of_leaf(&self.rows, leaf, self.dims))
    }

    #[inline]
    fn place(&self, row: usize) -> Result<usize, Infallible> {
        Ok(self.places[row] as usize)
    }
}
