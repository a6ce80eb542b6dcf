//! The rows of an index, leaf by leaf.

use std::convert::Infallible;

use super::LEAF;

/// Access to the rows of an index, in memory or loaded on demand. A search reads the coordinates of the
/// leaves that it visits, and rows only if the coordinates do not rule them out.
///
/// With d numbers per row, p principal coordinates and leaves of [`LEAF`] rows (the last may have fewer):
pub trait RowSource {
    /// Error of reading rows.
    type Error;

    /// The principal coordinates of the rows of a leaf, p × [`LEAF`], by axis.
    fn coordinates(&self, leaf: usize) -> Result<&[f32], Self::Error>;

    /// The row numbers of a leaf.
    fn order(&self, leaf: usize) -> Result<&[u32], Self::Error>;

    /// The rows of a leaf in that order, d numbers each.
    fn rows(&self, leaf: usize) -> Result<&[f32], Self::Error>;

    /// The position of a row in leaf order.
    fn place(&self, row: usize) -> Result<usize, Self::Error>;
}

/// The rows of an index in memory, as flat arrays.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaves {
    /// Numbers per row, and principal coordinates per row.
    pub(super) dims: usize,
    pub(super) prefix: usize,
    /// The row at each position in leaf order.
    pub order: Vec<u32>,
    /// The position of each row.
    pub places: Vec<u32>,
    /// The rows in leaf order.
    pub rows: Vec<f32>,
    /// Principal coordinates in leaf order: p × 32 numbers per leaf; unused entries are 0.
    pub coordinates: Vec<f32>,
}

impl Leaves {
    /// A row, by its number.
    pub(super) fn row(&self, row: usize) -> &[f32] {
        &self.rows[self.places[row] as usize * self.dims..][..self.dims]
    }
}

/// The numbers of a leaf in an array with `each` numbers per row; the last leaf may have fewer rows.
fn of_leaf<T>(array: &[T], leaf: usize, each: usize) -> &[T] {
    let start = leaf * LEAF * each;
    &array[start..array.len().min(start + LEAF * each)]
}

impl RowSource for Leaves {
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
