//! How a sequence is varied.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{Result, System};

/// How many cells a second of motion has.
const CELLS_PER_SEC: f64 = 30.0;

/// How a sequence is wrapped around an attractor, and how another trajectory plays it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// What it is wrapped around; default Lorenz, as in the paper.
    pub system: System,
    /// How many cells a turn around the attractor has; default 45, that is a turn in a second and a half of motion at 30
    /// frames a second; 4 to 10000. About so long do chunks get, as trajectories side by side part at every turn.
    pub cells_per_turn: f64,
    /// How far the other trajectory starts from where the original does, as a share of the attractor's size; default 0.01;
    /// 1e-12 to 10. The less, the longer it keeps to the original at first.
    pub shift: f64,
    /// How many elements a cell holds; default 1; 1 to 100000. They are always played together.
    pub elements_per_cell: usize,
    /// By how many cells a trajectory may be early or late and still be taken for following the original; default 2;
    /// up to 1000. 0 is the paper's rule, which stutters on frames.
    pub drift_cells: usize,
    /// How many cells are played at least before a cut, where the original goes on that long; default 30, a second at 30 frames a second; 1 to 100000.
    pub least_chunk_cells: usize,
    /// Whether the variation starts as the original does; default false.
    pub keep_first: bool,
    /// Whether it ends as the original does; default false.
    pub keep_last: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            system: System::default(),
            cells_per_turn: 45.0,
            shift: 0.01,
            elements_per_cell: 1,
            drift_cells: 2,
            least_chunk_cells: 30,
            keep_first: false,
            keep_last: false,
        }
    }
}

impl Settings {
    /// The paper's rule, for text and key frames: a chunk ends wherever the trajectory leaves for another cell than the next.
    pub fn for_symbols() -> Self {
        Self { cells_per_turn: 12.0, drift_cells: 0, least_chunk_cells: 1, ..Self::default() }
    }

    /// For frames of a rate: a cell is a thirtieth of a second, or a frame where those are longer.
    pub fn for_motion(rate_hz: f64) -> Self {
        let elements_per_cell = (rate_hz / CELLS_PER_SEC).round().max(1.0) as usize;
        Self { elements_per_cell, ..Self::default() }
    }

    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("cells_per_turn", self.cells_per_turn, 4.0..=1e4)?;
        OutOfRange::check("shift", self.shift, 1e-12..=10.0)?;
        let whole = |name, value: usize, low: u32, high: u32| {
            OutOfRange::check(name, u32::try_from(value).unwrap_or(u32::MAX), low..=high)
        };
        whole("elements_per_cell", self.elements_per_cell, 1, 100_000)?;
        whole("drift_cells", self.drift_cells, 0, 1000)?;
        whole("least_chunk_cells", self.least_chunk_cells, 1, 100_000)?;
        Ok(())
    }
}
