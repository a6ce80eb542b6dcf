//! What does not change with the control: all cells of a mapping, ready to be searched.

use marey_motion::Vec3;

use crate::cells::Cells;
use crate::fits::Factors;
use crate::{Mapping, Settings};

/// All cells of a mapping, ready to be searched.
#[derive(Debug)]
pub(crate) struct Index {
    pub(crate) cells: Cells,
    pub(crate) factors: Factors,
    /// Where each cell meets others, scaled so that k C is a squared distance.
    pub(crate) joints: Vec<Joint>,
    /// How much each point counts where two cells meet.
    pub(crate) join_weights: Vec<f32>,
    /// The longest that a cell is, in frames.
    pub(crate) longest: usize,
}

/// Where a cell meets others: points with the factors that they are stretched by.
#[derive(Debug)]
pub(crate) struct Joint {
    pub(crate) head: Vec<(Vec3, f32)>,
    pub(crate) tail: Vec<(Vec3, f32)>,
}

impl Index {
    /// All that a control of `input_frames` frames at the settings' rate could be covered with.
    pub(crate) fn new(mapping: &Mapping, settings: &Settings, input_frames: usize) -> Self {
        let cells = Cells::of(mapping, settings, input_frames);
        let join_weights = mapping.target_weights().repeat(settings.join_frames.into());
        let scale = |&w: &f32| (settings.k * f64::from(w)).sqrt() as f32;
        let scales: Vec<f32> = join_weights.iter().map(scale).collect();
        let scaled =
            |points: &[Vec3]| points.iter().zip(&scales).map(|(&p, &scale)| (scale * p, scale)).collect();
        let joint = |cell| Joint { head: scaled(cells.head(cell)), tail: scaled(cells.tail(cell)) };
        let joints = (0..cells.all.len()).map(joint).collect();
        Self {
            longest: cells.all.iter().map(|cell| cell.frames).max().unwrap_or(1),
            factors: Factors::new(&cells, mapping.control_weights(), settings.transform),
            cells,
            joints,
            join_weights,
        }
    }
}
