//! An index as flat arrays.

use super::{FAN, Index, LEAF, Level, PREFIX};
use crate::Result;

/// The arrays of an [`Index`]: numbers only, so that a database can keep them as they are.
///
/// With d numbers a row, p = min(d, 12) principal coordinates and leaves of 32 rows:
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IndexParts {
    /// The table, rows × d.
    pub table: Vec<f32>,
    /// The mean of the rows, d numbers: principal coordinates are taken from there.
    pub mean: Vec<f32>,
    /// The first principal axes, p × d.
    pub axes: Vec<f32>,
    /// The row in each place of the tree, in the order of leaves.
    pub order: Vec<u32>,
    /// Principal coordinates in the order of leaves: of each leaf p × 32 numbers; unused places of the last are 0.
    pub coordinates: Vec<f32>,
    /// Bounding boxes, 16 at a time: p × 16 lower bounds, then p × 16 upper ones; first those of the leaves, then those of
    /// 16 leaves each, and so on up to a single group. Unused places are 0.
    pub boxes: Vec<f32>,
}

impl Index {
    /// Takes an index out of its stored arrays. Their sizes are checked, that `order` names every row once, and that all
    /// numbers are finite; not that the boxes are right.
    pub fn from_parts(parts: IndexParts) -> Result<Self> {
        let dims = parts.mean.len();
        let prefix = dims.min(PREFIX);
        let rows = parts.order.len();
        let levels = levels(rows);
        let groups = levels.last().map_or(0, |top| top.first_group + 1);
        for (what, found, wanted) in [
            ("the table of an index", parts.table.len(), rows * dims),
            ("the axes of an index", parts.axes.len(), prefix * dims),
            ("the coordinates of an index", parts.coordinates.len(), rows.div_ceil(LEAF) * LEAF * prefix),
            ("the boxes of an index", parts.boxes.len(), groups * 2 * prefix * FAN),
        ] {
            if found != wanted {
                return Err(marey_motion::Error::Length { what, found, wanted }.into());
            }
        }
        let mut seen = vec![false; rows];
        for &row in &parts.order {
            match seen.get_mut(row as usize) {
                Some(seen) if !*seen => *seen = true,
                _ => {
                    let (start, end) = (row as usize, row as usize + 1);
                    return Err(marey_motion::Error::Range { start, end, frames: rows }.into());
                }
            }
        }
        for (what, list) in [
            ("the table of an index", &parts.table),
            ("the mean of an index", &parts.mean),
            ("the axes of an index", &parts.axes),
            ("the coordinates of an index", &parts.coordinates),
            ("the boxes of an index", &parts.boxes),
        ] {
            if let Some(i) = list.iter().position(|v| !v.is_finite()) {
                let (frame, joint) = (i / dims.max(1), i % dims.max(1));
                return Err(marey_motion::Error::NotFinite { what, frame, joint }.into());
            }
        }
        let reach = parts.table.chunks_exact(dims.max(1)).map(|row| size_from(row, &parts.mean));
        let reach = reach.fold(0.0, f32::max);
        Ok(Self { dims, prefix, rows, reach, levels, parts })
    }
}

/// How far a row is from the mean.
pub(super) fn size_from(row: &[f32], mean: &[f32]) -> f32 {
    super::squared_distance(row, mean).sqrt()
}

/// The levels of boxes over so many rows, from the leaves up to a single group.
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
