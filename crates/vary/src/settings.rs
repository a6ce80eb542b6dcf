//! Settings of a variation.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{ChaoticSystem, Result};

const CELLS_PER_SEC: f64 = 30.0;

/// How a sequence is wrapped around an attractor, and how another trajectory replays it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VarySettings {
    /// The system whose attractor is used; default Lorenz, as in the paper.
    pub system: ChaoticSystem,
    /// Cells per revolution around the attractor; default 45 (1.5 seconds of motion at 30 cells per second);
    /// range 4 to 10000. Neighbouring trajectories separate at each revolution, so chunks are about this long.
    pub cells_per_turn: f64,
    /// Distance between the initial conditions of variation and original, relative to the attractor's size;
    /// default 0.01; range 1e-12 to 10. With a smaller value the variation follows the original for longer at
    /// the start.
    pub shift: f64,
    /// Elements per cell; default 1; range 1 to 100000. A cell is never split.
    pub elements_per_cell: usize,
    /// Cells by which a trajectory may be early or late and still count as following the original; default 2;
    /// range 0 to 1000. 0 is the paper's rule, which stutters on frames.
    pub drift_cells: usize,
    /// Minimum number of cells played between cuts, unless the phrase ends; default 30 (one second); range 1
    /// to 100000.
    pub min_chunk_cells: usize,
    /// Whether the variation starts like the original; default false.
    pub keep_first: bool,
    /// Whether the variation ends like the original; default false.
    pub keep_last: bool,
}

impl Default for VarySettings {
    fn default() -> Self {
        Self {
            system: ChaoticSystem::default(),
            cells_per_turn: 45.0,
            shift: 0.01,
            elements_per_cell: 1,
            drift_cells: 2,
            min_chunk_cells: 30,
            keep_first: false,
            keep_last: false,
        }
    }
}

impl VarySettings {
    /// Settings for text and keyframes: the paper's rule, which ends a chunk when the trajectory leaves the
    /// original.
    pub fn for_symbols() -> Self {
        Self { cells_per_turn: 12.0, drift_cells: 0, min_chunk_cells: 1, ..Self::default() }
    }

    /// Settings for motion at a frame rate: a cell holds the frames of 1/30 second, at least one.
    pub fn for_motion(rate_hz: f64) -> Self {
        let elements_per_cell = (rate_hz / CELLS_PER_SEC).round().max(1.0) as usize;
        Self { elements_per_cell, ..Self::default() }
    }

    /// Checks that every field is in its range.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("cells_per_turn", self.cells_per_turn, 4.0..=1e4)?;
        OutOfRange::check("shift", self.shift, 1e-12..=10.0)?;
        let check_count = |name, value: usize, low: u32, high: u32| {
            OutOfRange::check(name, u32::try_from(value).unwrap_or(u32::MAX), low..=high)
        };
        check_count("elements_per_cell", self.elements_per_cell, 1, 100_000)?;
        check_count("drift_cells", self.drift_cells, 0, 1000)?;
        check_count("min_chunk_cells", self.min_chunk_cells, 1, 100_000)?;
        Ok(())
    }
}
