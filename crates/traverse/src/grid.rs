//! Examples in cells by how far and how high they lead: figures 3 and 4 of Lamouret and van de Panne (1996).

use std::ops::Range;

use marey_motion::Vec2;

use crate::Footing;
use crate::ask::Ask;
use crate::index::LEAST_AHEAD_M;

/// No grid has more cells; larger ones are made where it would.
const MOST_CELLS: usize = 1 << 20;
/// How near ground is to a cell of more examples is found out before it is opened; of fewer, opening it is less work.
const FEW: usize = 8;
/// Of no more than these in all cells together, opening all of them is less work.
const FEW_IN_ALL: usize = 32;

/// Cells of examples: those of a cell stand together.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    low: Vec2,
    cell_m: f32,
    columns: usize,
    rows: usize,
    /// Where each cell's members begin, row by row of a column; one more than there are cells.
    begins: Vec<u32>,
    members: Vec<u32>,
    /// The cells that have members.
    filled: Vec<u32>,
}

impl Grid {
    pub(crate) fn of(leads: &[Vec2], cell_m: f32) -> Self {
        let low = leads.iter().copied().reduce(Vec2::min).unwrap_or_default();
        let high = leads.iter().copied().reduce(Vec2::max).unwrap_or_default();
        let mut grid =
            Self { low, cell_m, columns: 1, rows: 1, begins: vec![], members: vec![], filled: vec![] };
        loop {
            let [columns, rows] =
                ((high - low) / grid.cell_m).to_array().map(|cells| cells.floor() as usize + 1);
            (grid.columns, grid.rows) = (columns, rows);
            if columns.saturating_mul(rows) <= MOST_CELLS {
                break;
            }
            grid.cell_m *= 2.0;
        }
        let cells: Vec<usize> = leads.iter().map(|lead| grid.cell_of(*lead)).collect();
        grid.begins = vec![0; grid.cells() + 1];
        for cell in &cells {
            grid.begins[cell + 1] += 1;
        }
        for cell in 0..grid.cells() {
            grid.begins[cell + 1] += grid.begins[cell];
        }
        let mut next = grid.begins.clone();
        grid.members = vec![0; leads.len()];
        for (primitive, cell) in cells.iter().enumerate() {
            grid.members[next[*cell] as usize] = primitive as u32;
            next[*cell] += 1;
        }
        let filled = (0..grid.cells()).filter(|cell| !grid.slots(*cell).is_empty());
        grid.filled = filled.map(|cell| cell as u32).collect();
        grid
    }

    fn cell_of(&self, lead: Vec2) -> usize {
        let [column, row] = ((lead - self.low) / self.cell_m).to_array().map(|at| at.max(0.0) as usize);
        column.min(self.columns - 1) * self.rows + row.min(self.rows - 1)
    }

    /// How many cells there are.
    pub(crate) fn cells(&self) -> usize {
        self.columns * self.rows
    }

    /// The examples, those of a cell together.
    pub(crate) fn members(&self) -> &[u32] {
        &self.members
    }

    /// Where among the members those of a cell are.
    pub(crate) fn slots(&self, cell: usize) -> Range<usize> {
        self.begins[cell] as usize..self.begins[cell + 1] as usize
    }

    /// The cells with something in them that a footing is near enough to, and how near at least, squared; nearest first.
    pub(crate) fn near(&self, ask: &Ask<'_>, near: &mut Vec<(f32, u32)>) {
        near.clear();
        if self.members.len() <= FEW_IN_ALL {
            near.extend(self.filled.iter().map(|cell| (0.0, *cell)));
            return;
        }
        let reach_m = ask.reach_m() + 1e-4;
        let mut column = usize::MAX;
        let (mut left, mut around, mut lowest, mut highest) = (0.0, 0..0, 0.0, 0.0);
        for &cell in &self.filled {
            if cell as usize / self.rows != column {
                column = cell as usize / self.rows;
                left = self.low.x + self.cell_m * column as f32;
                let first_m = (ask.at.x + left - reach_m).max(ask.at.x + LEAST_AHEAD_M);
                around = ask.footings.within(first_m, ask.at.x + left + self.cell_m + reach_m);
                [lowest, highest] = ask.footings.heights_m(around.clone()).map(|height| height - ask.at.y);
            }
            let bottom = self.low.y + self.cell_m * (cell as usize % self.rows) as f32;
            let beside_m = (bottom - highest).max(lowest - bottom - self.cell_m);
            if beside_m > reach_m {
                continue;
            }
            let mut nearest_m = beside_m;
            if self.slots(cell as usize).len() > FEW {
                let corner = Vec2::new(left, bottom);
                let squared = |footing: &Footing| {
                    let lead = footing.at - ask.at;
                    (lead - lead.clamp(corner, corner + self.cell_m)).length_squared()
                };
                let among = ask.footings.all()[around.clone()].iter();
                nearest_m = among.map(squared).fold(f32::INFINITY, f32::min).sqrt();
            }
            // A little less, since corners of cells are rounded.
            let nearest_m = (nearest_m - 1e-5).max(0.0);
            if nearest_m <= reach_m {
                near.push((nearest_m * nearest_m, cell));
            }
        }
        near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }
}
