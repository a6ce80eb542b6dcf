//! The part of a search problem that does not depend on the control.

use marey_motion::Vec3;

use crate::cells::Cells;
use crate::segment_costs::CostFactors;
use crate::{FollowSettings, Mapping};

/// All cells of a mapping, prepared for the search.
#[derive(Debug)]
pub(crate) struct SearchIndex {
    pub(crate) cells: Cells,
    pub(crate) factors: CostFactors,
    /// The ends of each cell, scaled so that k C is a squared distance.
    pub(crate) ends: Vec<CellEnds>,
    /// The weight of each point at a join.
    pub(crate) join_weights: Vec<f32>,
    /// Duration of the longest cell, in frames.
    pub(crate) longest: usize,
}

/// The points at both ends of a cell, with their scale factors.
#[derive(Debug)]
pub(crate) struct CellEnds {
    pub(crate) head: Vec<(Vec3, f32)>,
    pub(crate) tail: Vec<(Vec3, f32)>,
}

impl SearchIndex {
    /// Indexes all cells that fit into a control of `input_frames` frames at the settings' rate.
    pub(crate) fn new(mapping: &Mapping, settings: &FollowSettings, input_frames: usize) -> Self {
        let cells = Cells::new(mapping, settings, input_frames);
        let join_weights = mapping.target_weights().repeat(settings.join_frames.into());
        let scale = |&w: &f32| (settings.k * f64::from(w)).sqrt() as f32;
        let scales: Vec<f32> = join_weights.iter().map(scale).collect();
        let scaled =
            |points: &[Vec3]| points.iter().zip(&scales).map(|(&p, &scale)| (scale * p, scale)).collect();
        let cell_ends = |cell| CellEnds { head: scaled(cells.head(cell)), tail: scaled(cells.tail(cell)) };
        let ends = (0..cells.all.len()).map(cell_ends).collect();
        Self {
            longest: cells.all.iter().map(|cell| cell.frames).max().unwrap_or(1),
            factors: CostFactors::new(&cells, mapping.control_weights(), settings.transform),
            cells,
            ends,
            join_weights,
        }
    }
}
