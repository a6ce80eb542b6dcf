//! The part of a search problem that does not depend on the control.

use marey_motion::Vec3;

use crate::cells::Cells;
use crate::compared_controls::ComparedControls;
use crate::segment_costs::CostFactors;
use crate::{FollowSettings, Mapping, Result};

/// All cells of a mapping, prepared for the search.
#[derive(Debug)]
pub(crate) struct SearchIndex {
    pub(crate) cells: Cells,
    pub(crate) controls: ComparedControls,
    pub(crate) factors: CostFactors,
    /// The factor of each point at a join that makes k C a squared distance.
    pub(crate) join_scales: Vec<f32>,
    /// The weight of each point at a join.
    pub(crate) join_weights: Vec<f32>,
    /// Duration of the longest cell, in frames.
    pub(crate) longest: usize,
}

impl SearchIndex {
    /// Indexes all cells that fit into a control of `input_frames` frames at the settings' rate.
    pub(crate) fn new(mapping: &Mapping, settings: &FollowSettings, input_frames: usize) -> Result<Self> {
        let cells = Cells::new(mapping, settings, input_frames);
        let controls = ComparedControls::new(mapping, settings)?;
        let join_weights = mapping.target_weights().repeat(settings.join_frames.into());
        let scale = |&w: &f32| (settings.k * f64::from(w)).sqrt() as f32;
        let join_scales = join_weights.iter().map(scale).collect();
        Ok(Self {
            longest: cells.all.iter().map(|cell| cell.frames).max().unwrap_or(1),
            factors: CostFactors::new(&cells, &controls, mapping, settings.transform),
            cells,
            controls,
            join_scales,
            join_weights,
        })
    }

    /// aₛᵈ of a cell, as it is compared.
    pub(crate) fn control(&self, mapping: &Mapping, cell: usize) -> Vec<Vec3> {
        self.cells.control(self.controls.of(mapping, self.cells.all[cell].instance), cell)
    }
}
