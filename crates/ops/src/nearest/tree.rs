//! The bounding boxes of an index.

use super::{FAN, LEAF, PREFIX};
use crate::Result;

/// The data of a [`Tree`]: plain numbers that a database can store.
///
/// With d numbers per row, p = min(d, 12) principal coordinates and leaves of 32 rows:
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TreeParts {
    /// Number of rows.
    pub rows: usize,
    /// Largest distance of a row from the mean.
    pub reach: f32,
    /// The mean of the rows, d numbers: the origin of the principal coordinates.
    pub mean: Vec<f32>,
    /// The first principal axes, p × d.
    pub axes: Vec<f32>,
    /// Bounding boxes, 16 at a time: p × 16 lower bounds, then p × 16 upper ones; first those of the leaves,
    /// then those of 16 leaves each, and so on up to a single group. Unused entries are 0.
    pub boxes: Vec<f32>,
}

/// Bounding boxes of leaves, of 16 leaves, and so on, which guide a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    pub(super) parts: TreeParts,
    /// Numbers and principal coordinates per row.
    pub(super) dims: usize,
    pub(super) prefix: usize,
    /// From the leaves up.
    pub(super) levels: Vec<Level>,
}

/// A level of the tree of boxes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Level {
    /// Its first group of [`FAN`] boxes.
    pub(super) first_group: usize,
    /// Number of nodes.
    pub(super) nodes: usize,
}

impl Tree {
    /// A tree from its data. Checks sizes and finiteness, but not that the boxes are right.
    pub fn new(parts: TreeParts) -> Result<Self> {
        let dims = parts.mean.len();
        let prefix = dims.min(PREFIX);
        let levels = levels(parts.rows);
        let groups = levels.last().map_or(0, |top| top.first_group + 1);
        for (what, found, wanted) in [
            ("the axes of an index", parts.axes.len(), prefix * dims),
            ("the boxes of an index", parts.boxes.len(), groups * 2 * prefix * FAN),
        ] {
            if found != wanted {
                return Err(marey_motion::MotionError::Length { what, found, wanted }.into());
            }
        }
        for (what, list) in [
            ("the reach of an index", std::slice::from_ref(&parts.reach)),
            ("the mean of an index", &parts.mean),
            ("the axes of an index", &parts.axes),
            ("the boxes of an index", &parts.boxes),
        ] {
            if let Some(i) = list.iter().position(|v| !v.is_finite()) {
                let (frame, joint) = (i / dims.max(1), i % dims.max(1));
                return Err(marey_motion::MotionError::NotFinite { what, frame, joint }.into());
            }
        }
        Ok(Self { dims, prefix, levels, parts })
    }

    /// Its data, for storage.
    pub fn parts(&self) -> &TreeParts {
        &self.parts
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.parts.rows
    }

    /// Numbers per row.
    pub fn dims(&self) -> usize {
        self.dims
    }

    /// Principal coordinates per row.
    pub fn prefix(&self) -> usize {
        self.prefix
    }

    /// Number of leaves.
    pub fn leaves(&self) -> usize {
        self.parts.rows.div_ceil(LEAF)
    }
}

/// The levels of boxes over some rows, from the leaves up to a single group.
pub(super) fn levels(rows: usize) -> Vec<Level> {
    let mut levels = Vec::new();
    let (mut nodes, mut first_group) = (rows.div_ceil(LEAF), 0);
    while nodes > 0 {
        levels.push(Level { first_group, nodes });
        if nodes <= FAN {
            break;
        }
        first_group += nodes.div_ceil(FAN);
        nodes = nodes.div_ceil(FAN);
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nearest::NearestIndex;

    #[test]
    fn invalid_parts_are_rejected() {
        let index = NearestIndex::build(&[1.0, 2.0, 3.0, 4.0], 2).unwrap();
        let good = index.tree().parts();
        assert_eq!(&Tree::new(good.clone()).unwrap(), index.tree());
        for spoil in 0..5 {
            let mut parts = good.clone();
            match spoil {
                0 => parts.rows = 600,
                1 => parts.boxes.truncate(3),
                2 => parts.axes[0] = f32::NAN,
                3 => parts.reach = f32::INFINITY,
                _ => parts.mean.push(1.0),
            }
            assert!(Tree::new(parts).is_err(), "{spoil}");
        }
    }
}
