//! A grid of primitives by length and height: figures 3 and 4 of Lamouret and van de Panne (1996).

use std::ops::Range;

use marey_motion::Vec2;

use crate::Footing;
use crate::fit_query::FitQuery;
use crate::primitive_index::MIN_AHEAD_M;

/// Maximum number of cells; larger grids get larger cells.
const MAX_CELLS: usize = 1 << 20;
/// For cells with more members, the distance to the terrain is computed; for fewer, opening the cell is cheaper.
const MIN_DISTANCE_MEMBERS: usize = 8;
/// Up to this many members in total, opening all cells is cheaper.
const MAX_OPEN_ALL: usize = 32;

/// Primitives in cells; the members of a cell are contiguous.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    low: Vec2,
    cell_m: f32,
    columns: usize,
    rows: usize,
    /// Start of each cell's members, column by column; one more entry than there are cells.
    starts: Vec<u32>,
    members: Vec<u32>,
    /// The cells that are not empty.
    filled: Vec<u32>,
}

impl Grid {
    pub(crate) fn new(displacements: &[Vec2], cell_m: f32) -> Self {
        let low = displacements.iter().copied().reduce(Vec2::min).unwrap_or_default();
        let high = displacements.iter().copied().reduce(Vec2::max).unwrap_or_default();
        let mut grid =
            Self { low, cell_m, columns: 1, rows: 1, starts: vec![], members: vec![], filled: vec![] };
        loop {
            let [columns, rows] =
                ((high - low) / grid.cell_m).to_array().map(|cells| cells.floor() as usize + 1);
            (grid.columns, grid.rows) = (columns, rows);
            if columns.saturating_mul(rows) <= MAX_CELLS {
                break;
            }
            grid.cell_m *= 2.0;
        }
        let cells: Vec<usize> =
            displacements.iter().map(|displacement| grid.cell_of(*displacement)).collect();
        grid.starts = vec![0; grid.cells() + 1];
        for cell in &cells {
            grid.starts[cell + 1] += 1;
        }
        for cell in 0..grid.cells() {
            grid.starts[cell + 1] += grid.starts[cell];
        }
        let mut next = grid.starts.clone();
        grid.members = vec![0; displacements.len()];
        for (primitive, cell) in cells.iter().enumerate() {
            grid.members[next[*cell] as usize] = primitive as u32;
            next[*cell] += 1;
        }
        let filled = (0..grid.cells()).filter(|cell| !grid.slots(*cell).is_empty());
        grid.filled = filled.map(|cell| cell as u32).collect();
        grid
    }

    fn cell_of(&self, displacement: Vec2) -> usize {
        let [column, row] =
            ((displacement - self.low) / self.cell_m).to_array().map(|at| at.max(0.0) as usize);
        column.min(self.columns - 1) * self.rows + row.min(self.rows - 1)
    }

    /// Number of cells.
    pub(crate) fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The primitives, ordered by cell.
    pub(crate) fn members(&self) -> &[u32] {
        &self.members
    }

    /// The range of a cell in [`Grid::members`].
    pub(crate) fn slots(&self, cell: usize) -> Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }

    /// The non-empty cells within reach of a footing, each with a lower bound of the squared distance; nearest first.
    pub(crate) fn cells_near(&self, query: &FitQuery<'_>, near: &mut Vec<(f32, u32)>) {
        near.clear();
        if self.members.len() <= MAX_OPEN_ALL {
            near.extend(self.filled.iter().map(|cell| (0.0, *cell)));
            return;
        }
        let reach_m = query.reach_m() + 1e-4;
        let mut column = usize::MAX;
        let (mut left, mut around, mut lowest, mut highest) = (0.0, 0..0, 0.0, 0.0);
        for &cell in &self.filled {
            if cell as usize / self.rows != column {
                column = cell as usize / self.rows;
                left = self.low.x + self.cell_m * column as f32;
                let first_m = (query.position.x + left - reach_m).max(query.position.x + MIN_AHEAD_M);
                around =
                    query.footings.range_within(first_m, query.position.x + left + self.cell_m + reach_m);
                [lowest, highest] =
                    query.footings.height_range_m(around.clone()).map(|height| height - query.position.y);
            }
            let bottom = self.low.y + self.cell_m * (cell as usize % self.rows) as f32;
            let vertical_m = (bottom - highest).max(lowest - bottom - self.cell_m);
            if vertical_m > reach_m {
                continue;
            }
            let mut nearest_m = vertical_m;
            if self.slots(cell as usize).len() > MIN_DISTANCE_MEMBERS {
                let corner = Vec2::new(left, bottom);
                let squared = |footing: &Footing| {
                    let offset = footing.position - query.position;
                    (offset - offset.clamp(corner, corner + self.cell_m)).length_squared()
                };
                let among = query.footings.all()[around.clone()].iter();
                nearest_m = among.map(squared).fold(f32::INFINITY, f32::min).sqrt();
            }
            // Slightly smaller, to allow for rounding of the cell corners.
            let nearest_m = (nearest_m - 1e-5).max(0.0);
            if nearest_m <= reach_m {
                near.push((nearest_m * nearest_m, cell));
            }
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }
}
