//! The search problem: a control motion to be interpreted with a mapping.
//!
//! Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004), section 4.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | x | `input`, the control at the working rate; T frames, T + 1 samples | m |
//! | aₛᵈ, bₛᵈ | control and target of a stretched instance: a cell | m |
//! | M | [`RigidMotion`] | m, rad |
//! | D (equations 1, 2) | `Measured::squared_m2` | m² |
//! | C (equation 4) | `join_cost`, without k | m² |
//! | k | [`FollowSettings::k`](crate::FollowSettings::k) | 1 |
//! | Q (equations 6, 7) | the table of a search | m² |
//!
//! As printed in the paper, x of d, t includes both frame t − d and frame t, so neighbouring pieces share a sample. Two
//! instances that are consecutive in an example therefore join at no cost, and C does not penalise the distance that a limb
//! moves in one frame.

use std::sync::Arc;

use marey_motion::{Observer, PointClip, Vec3};

use crate::cells::{CellPosition, durations};
use crate::mapping::{check_points, sample};
use crate::packed_transform::PackedTransform;
use crate::search_index::SearchIndex;
use crate::transform::squared;
use crate::{
    FollowError, FollowSettings, Interpretation, Mapping, Result, RigidMotion, SegmentConstraint,
    exact_search,
};

/// A control motion, a mapping, and the settings of the search.
#[derive(Debug)]
pub struct Problem<'a> {
    pub(crate) mapping: &'a Mapping,
    pub(crate) settings: FollowSettings,
    pub(crate) index: Arc<SearchIndex>,
    /// The control at the working rate: samples × points.
    pub(crate) given: Vec<Vec3>,
    /// The control as it is compared.
    pub(crate) input: Vec<Vec3>,
    /// T: number of frames to cover.
    pub(crate) frames: usize,
    /// The weight of each point, repeated for as many samples as the longest cell has.
    weights: Vec<f32>,
    constraints: Vec<SegmentConstraint>,
    /// The target's points at the end of the preceding piece, if there is one.
    before: Option<Vec<Vec3>>,
}

/// How well a cell fits the control at a start frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) motion: RigidMotion,
    /// D.
    pub(crate) squared_m2: f64,
}

impl<'a> Problem<'a> {
    /// Resamples the control to the working rate and lists all cells that could cover it.
    pub fn new(
        mapping: &'a Mapping,
        control: &PointClip,
        constraints: &[SegmentConstraint],
        settings: &FollowSettings,
    ) -> Result<Self> {
        settings.validate()?;
        check_points("the control", control, mapping.control_weights().len())?;
        let secs = control.duration_secs();
        let frames = (secs * settings.rate_hz).round() as usize;
        let mut input = Vec::new();
        for frame in 0..=frames {
            sample(control, frame as f64 / settings.rate_hz * control.rate_hz(), &mut input);
        }
        for (number, constraint) in constraints.iter().enumerate() {
            constraint.check(number, mapping, secs)?;
        }
        let index = Arc::new(SearchIndex::new(mapping, settings, frames)?);
        let mut problem = Self::from_points(mapping, index, input, settings);
        problem.constraints = constraints.to_vec();
        if problem.index.cells.all.is_empty() {
            let all = 0..mapping.instances().len();
            let shortest = all.map(|i| durations(mapping.duration_secs(i), settings).start).min();
            let shortest_secs = shortest.unwrap_or(0) as f64 / settings.rate_hz;
            return Err(FollowError::TooShort { secs, shortest_secs });
        }
        Ok(problem)
    }

    /// Takes a control that is finite, at the working rate and of the right number of points, and an index for the same
    /// settings.
    pub(crate) fn from_points(
        mapping: &'a Mapping,
        index: Arc<SearchIndex>,
        input: Vec<Vec3>,
        settings: &FollowSettings,
    ) -> Self {
        let frames = (input.len() / mapping.control_weights().len()).saturating_sub(1);
        let weights = index.controls.weights.repeat(index.longest + 1);
        let given = input.clone();
        let input = index.controls.mapped(input);
        Self {
            mapping,
            settings: *settings,
            index,
            given,
            input,
            frames,
            weights,
            constraints: vec![],
            before: None,
        }
    }

    /// The same problem, continuing from a piece that ends at the start of the control.
    pub(crate) fn after(mut self, tail: Option<Vec<Vec3>>) -> Self {
        self.before = tail;
        self
    }

    /// The optimal interpretation, or one whose gap to it is bounded; see [`FollowSettings::candidates`].
    pub fn solve(&self) -> Result<Interpretation> {
        self.solve_observed(Observer::ignore())
    }

    /// [`Problem::solve`] with progress reports and cancellation.
    pub fn solve_observed(&self, observer: Observer<'_>) -> Result<Interpretation> {
        exact_search::solve(self, observer)
    }

    /// Reports the number of completed frames at the working rate. Fails if the observer cancels.
    pub(crate) fn report_progress(&self, observer: Observer<'_>, done: usize) -> Result<()> {
        if observer.report("search", done, self.frames).is_break() {
            return Err(FollowError::Cancelled { done, frames: self.frames });
        }
        Ok(())
    }

    /// Number of cells: P of the paper.
    pub fn cell_count(&self) -> usize {
        self.index.cells.all.len()
    }

    /// Number of frames of the working rate to cover: T of the paper.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Equations 1 and 2 for a cell and a start frame.
    pub(crate) fn measure(&self, cell: usize, start: usize) -> Result<Measured> {
        let a = self.index.control(self.mapping, cell);
        let points = self.mapping.control_weights().len();
        let x = &self.input[start * points..][..a.len()];
        let (motion, squared_m2) = self.settings.transform.align(x, &a, &self.weights[..a.len()])?;
        Ok(Measured { motion: self.index.controls.motion(motion), squared_m2 })
    }

    /// The deviations of a moved cell from the control at a start frame: samples × points, in metres.
    pub(crate) fn deviations(&self, cell: usize, start: usize, motion: RigidMotion) -> Vec<Vec3> {
        let instance = self.index.cells.all[cell].instance;
        let a = self.index.cells.control(&self.mapping.example_of(instance).control, cell);
        let mut moved = Vec::with_capacity(a.len());
        motion.apply(&a, &mut moved);
        let x = &self.given[start * self.mapping.control_weights().len()..];
        moved.iter().zip(x).map(|(moved, x)| *x - *moved).collect()
    }

    /// The cost of the stretch of a cell, in square metres. It grows with the number of samples, as D does.
    pub(crate) fn stretch_cost(&self, cell: usize) -> f64 {
        let cell = &self.index.cells.all[cell];
        stretch_cost(self.mapping, &self.settings, cell.stretch, cell.frames + 1)
    }

    /// Equation 4.
    pub(crate) fn join_cost(&self, tail: &[Vec3], head: &[Vec3]) -> f64 {
        squared(tail, head, &self.index.join_weights)
    }

    /// The target's points at the end of the preceding piece.
    pub(crate) fn before(&self) -> Option<&[Vec3]> {
        self.before.as_deref()
    }

    /// The join cost of a first cell with this head.
    pub(crate) fn first_cost(&self, head: &[Vec3]) -> f64 {
        self.before.as_deref().map_or(0.0, |tail| self.settings.k * self.join_cost(tail, head))
    }

    /// The join cost of a first cell under a transform.
    pub(crate) fn first_cost_at(&self, cell: usize, transform: &PackedTransform) -> f64 {
        if self.before.is_none() {
            return 0.0;
        }
        let head = self.index.cells.head(cell);
        let mut moved = vec![0.0; 3 * head.len()];
        transform.apply(head, &vec![1.0; head.len()], &vec![0.0; 3 * head.len()], &mut moved);
        let moved: Vec<Vec3> = moved.chunks_exact(3).map(Vec3::from_slice).collect();
        self.first_cost(&moved)
    }

    /// Whether a cell may start at a frame, given its position, its end and the constraints.
    pub(crate) fn is_legal(&self, cell: usize, start: usize) -> bool {
        let cell = &self.index.cells.all[cell];
        let end = start + cell.frames;
        let is_in_position = match cell.position {
            CellPosition::Anywhere => end <= self.frames,
            CellPosition::First => self.settings.free_start && start == 0 && end <= self.frames,
            CellPosition::Last => end == self.frames,
        };
        let secs = |frame: usize| frame as f64 / self.settings.rate_hz;
        is_in_position
            && self
                .constraints
                .iter()
                .all(|constraint| constraint.allows(cell.instance, secs(start)..secs(end)))
    }

    pub(crate) fn has_constraints(&self) -> bool {
        !self.constraints.is_empty()
    }

    /// The reason why nothing covers the control.
    pub(crate) fn infeasible(&self) -> FollowError {
        let secs = |frames: usize| frames as f64 / self.settings.rate_hz;
        let lengths = self.coverable_lengths();
        if lengths.get(self.frames).copied().unwrap_or(false) && self.has_constraints() {
            return FollowError::Constraints { secs: secs(self.frames) };
        }
        let below = (1..self.frames).rev().find(|&frames| lengths[frames]);
        let above = (self.frames + 1..lengths.len()).find(|&frames| lengths[frames]);
        FollowError::NoCover {
            secs: secs(self.frames),
            below_secs: below.map(secs),
            above_secs: above.map(secs),
        }
    }

    /// The lengths that sequences of whole instances can have, up to the length of the control plus one longest instance.
    fn coverable_lengths(&self) -> Vec<bool> {
        let instances = 0..self.mapping.instances().len();
        let mut durations: Vec<usize> =
            instances.flat_map(|i| durations(self.mapping.duration_secs(i), &self.settings)).collect();
        durations.sort_unstable();
        durations.dedup();
        let mut reached = vec![false; self.frames + durations.last().copied().unwrap_or(0) + 1];
        reached[0] = true;
        for start in 0..reached.len() {
            if reached[start] {
                for &frames in &durations {
                    if let Some(end) = reached.get_mut(start + frames) {
                        *end = true;
                    }
                }
            }
        }
        reached
    }
}

/// The cost of a duration that is `stretch` times the example's, over a number of samples, in square metres.
pub(crate) fn stretch_cost(
    mapping: &Mapping,
    settings: &FollowSettings,
    stretch: f64,
    samples: usize,
) -> f64 {
    let weight: f64 = mapping.control_weights().iter().map(|&w| f64::from(w)).sum();
    let distance_m = settings.stretch_cost_m * stretch.ln();
    distance_m * distance_m * weight * samples as f64
}
