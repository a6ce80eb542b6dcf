//! Settings of a variation.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::{ChaoticSystem, Result};

const CELLS_PER_SEC: f64 = 30.0;

/// Cells per revolution for long motion, and for long texts.
const MOTION_TURN: f64 = 45.0;
const SYMBOL_TURN: f64 = 12.0;
/// A short sequence goes around the attractor this often; texts, whose parts are larger, less often.
const MOTION_TURNS: f64 = 8.0;
const SYMBOL_TURNS: f64 = 4.0;
/// Fewest cells per revolution of motion: a third of a second.
const LEAST_MOTION_TURN: f64 = 10.0;
/// Fewest cells per revolution at all.
const LEAST_TURN: f64 = 4.0;
/// The shortest chunk of motion, as a part of a revolution.
const CHUNK_OF_TURN: f64 = 2.0 / 3.0;

/// How a sequence is wrapped around an attractor, and how another trajectory replays it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VarySettings {
    /// The system whose attractor is used; default Lorenz, as in the paper.
    pub system: ChaoticSystem,
    /// Cells per revolution around the attractor; default 45 (1.5 seconds of motion at 30 cells per second), fewer for
    /// [short motion](Self::for_motion); range 4 to 10000. Neighbouring trajectories separate at each revolution, so chunks are about this long.
    pub cells_per_turn: f64,
    /// Distance between the initial conditions of variation and original, relative to the attractor's size;
    /// range 1e-12 to 10. With a smaller value the variation follows the original for longer at the start. `None`, the default, is the
    /// smallest that moves half of the sequence within the first revolution ([`CellMap::variation`](crate::CellMap::variation)).
    pub shift: Option<f64>,
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
            cells_per_turn: MOTION_TURN,
            shift: None,
            elements_per_cell: 1,
            drift_cells: 2,
            min_chunk_cells: 30,
            keep_first: false,
            keep_last: false,
        }
    }
}

impl VarySettings {
    /// Settings for a text or for keyframes of this number: the paper's rule, which ends a chunk when the trajectory leaves the
    /// original.
    pub fn for_symbols(count: usize) -> Self {
        let cells_per_turn = (count as f64 / SYMBOL_TURNS).clamp(LEAST_TURN, SYMBOL_TURN);
        Self { cells_per_turn, drift_cells: 0, min_chunk_cells: 1, ..Self::default() }
    }

    /// Settings for motion: a cell holds the frames of 1/30 second, at least one. Short motion goes around the attractor in shorter
    /// turns, so that there is something to exchange.
    pub fn for_motion(rate_hz: f64, frames: usize) -> Self {
        let elements_per_cell = (rate_hz / CELLS_PER_SEC).round().max(1.0) as usize;
        let cells = frames as f64 / elements_per_cell as f64;
        let cells_per_turn = (cells / MOTION_TURNS).clamp(LEAST_MOTION_TURN, MOTION_TURN);
        let min_chunk_cells = (CHUNK_OF_TURN * cells_per_turn).round() as usize;
        Self { elements_per_cell, cells_per_turn, min_chunk_cells, ..Self::default() }
    }

    /// Checks that every field is in its range.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("cells_per_turn", self.cells_per_turn, 4.0..=1e4)?;
        if let Some(shift) = self.shift {
            OutOfRange::check("shift", shift, 1e-12..=10.0)?;
        }
        let check_count = |name, value: usize, low: u32, high: u32| {
            OutOfRange::check(name, u32::try_from(value).unwrap_or(u32::MAX), low..=high)
        };
        check_count("elements_per_cell", self.elements_per_cell, 1, 100_000)?;
        check_count("drift_cells", self.drift_cells, 0, 1000)?;
        check_count("min_chunk_cells", self.min_chunk_cells, 1, 100_000)?;
        Ok(())
    }
}
