//! A control motion to be interpreted by a mapping: everything that the searches ask.
//!
//! Hsu, Gentry and Popović, *Example-Based Control of Human Motion* (2004), section 4.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | x | `input`, the control at the working rate; T frames, T + 1 instants | m |
//! | aₛᵈ, bₛᵈ | control and target of an instance, stretched: a cell | m |
//! | M | [`Motion`] | m, rad |
//! | D (equations 1, 2) | `Measured::squared_m2` | m² |
//! | C (equation 4) | `join_cost`, without k | m² |
//! | k | [`Settings::k`](crate::Settings::k) | 1 |
//! | Q (equations 6, 7) | what a search tabulates | m² |
//!
//! Read as the paper prints it, x of d, t goes from frame t − d to frame t, both included: pieces share the instant at which they
//! meet. So an instance and the one that followed it in its own example meet without any cost, and C is not paid for the way
//! that a limb goes in one frame.

use std::ops::ControlFlow;
use std::sync::Arc;

use marey_motion::{PointClip, Vec3};

use crate::carry::Carry;
use crate::cells::{Stand, durations};
use crate::index::Index;
use crate::mapping::{check_points, sample};
use crate::transform::squared;
use crate::{Error, Interpretation, Mapping, Motion, Result, Settings, Wish, exact, recurrence};

/// Somebody who is told how many frames of how many a search has seen, from any thread, and may end it.
pub type Watch<'a> = &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync);

/// A control motion, a mapping, and how the one is to be interpreted by the other.
#[derive(Debug)]
pub struct Problem<'a> {
    pub(crate) mapping: &'a Mapping,
    pub(crate) settings: Settings,
    pub(crate) index: Arc<Index>,
    /// The control at the working rate, instants × points.
    pub(crate) input: Vec<Vec3>,
    /// T: how many frames are to be covered.
    pub(crate) frames: usize,
    /// One weight a point, for as many instants as the longest cell has.
    weights: Vec<f32>,
    wishes: Vec<Wish>,
    /// The tail of what came before, where the control goes on from something.
    before: Option<Vec<Vec3>>,
}

/// How well a cell lies on the control at a place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) motion: Motion,
    /// D.
    pub(crate) squared_m2: f64,
}

impl<'a> Problem<'a> {
    /// Brings the control to the working rate and lists all that it could be covered with.
    pub fn new(
        mapping: &'a Mapping,
        control: &PointClip,
        wishes: &[Wish],
        settings: &Settings,
    ) -> Result<Self> {
        settings.validate()?;
        check_points("the control", control, mapping.control_weights().len())?;
        // There is nothing to see between the frames of a control.
        let settings = &Settings { rate_hz: settings.rate_hz.min(control.rate_hz()), ..*settings };
        let secs = control.duration_secs();
        let frames = (secs * settings.rate_hz).round() as usize;
        let mut input = Vec::new();
        for frame in 0..=frames {
            sample(control, frame as f64 / settings.rate_hz * control.rate_hz(), &mut input);
        }
        for (number, wish) in wishes.iter().enumerate() {
            wish.check(number, mapping, secs)?;
        }
        let index = Arc::new(Index::new(mapping, settings, frames));
        let mut problem = Self::of_points(mapping, index, input, settings);
        problem.wishes = wishes.to_vec();
        if problem.index.cells.all.is_empty() {
            let all = 0..mapping.instances().len();
            let shortest = all.map(|i| durations(mapping.duration_secs(i), settings).start).min();
            let shortest_secs = shortest.unwrap_or(0) as f64 / settings.rate_hz;
            return Err(Error::TooShort { secs, shortest_secs });
        }
        Ok(problem)
    }

    /// For points that are known to be finite and as many as the mapping's, at the working rate, and an index of the same settings.
    pub(crate) fn of_points(
        mapping: &'a Mapping,
        index: Arc<Index>,
        input: Vec<Vec3>,
        settings: &Settings,
    ) -> Self {
        let frames = (input.len() / mapping.control_weights().len()).saturating_sub(1);
        let weights = mapping.control_weights().repeat(index.longest + 1);
        Self { mapping, settings: *settings, index, input, frames, weights, wishes: vec![], before: None }
    }

    /// The same, going on from a piece that ends where the control begins.
    pub(crate) fn after(mut self, tail: Option<Vec<Vec3>>) -> Self {
        self.before = tail;
        self
    }

    /// The best of all interpretations; or, with a beam, one that is good.
    pub fn solve(&self) -> Result<Interpretation> {
        self.solve_watched(&|_, _| ControlFlow::Continue(()))
    }

    /// [`Problem::solve`], with somebody watching.
    pub fn solve_watched(&self, watch: Watch<'_>) -> Result<Interpretation> {
        match self.settings.beam {
            None => exact::solve(self, watch),
            Some(_) => recurrence::solve(self, watch),
        }
    }

    /// Tells how many frames of the working rate are done; an error where no more are wanted.
    pub(crate) fn tell(&self, watch: Watch<'_>, done: usize) -> Result<()> {
        match watch(done, self.frames) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Stopped { done, frames: self.frames }),
        }
    }

    /// How many cells there are: P of the paper.
    pub fn cells(&self) -> usize {
        self.index.cells.all.len()
    }

    /// How many frames of the working rate are to be covered: T of the paper.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// Equations 1 and 2: a cell that starts at a frame.
    pub(crate) fn measure(&self, cell: usize, start: usize) -> Result<Measured> {
        let a = self.index.cells.control(cell);
        let points = self.mapping.control_weights().len();
        let x = &self.input[start * points..][..a.len()];
        let (motion, squared_m2) = self.settings.transform.align(x, a, &self.weights[..a.len()])?;
        Ok(Measured { motion, squared_m2 })
    }

    /// Equation 4.
    pub(crate) fn join_cost(&self, tail: &[Vec3], head: &[Vec3]) -> f64 {
        squared(tail, head, &self.index.join_weights)
    }

    /// The tail of what came before the control.
    pub(crate) fn before(&self) -> Option<&[Vec3]> {
        self.before.as_deref()
    }

    /// What it costs that a cell with this head is the first.
    pub(crate) fn first_cost(&self, head: &[Vec3]) -> f64 {
        self.before.as_deref().map_or(0.0, |tail| self.settings.k * self.join_cost(tail, head))
    }

    /// The same for a cell that is carried so to frame 0.
    pub(crate) fn first_cost_at(&self, cell: usize, carry: &Carry) -> f64 {
        if self.before.is_none() {
            return 0.0;
        }
        let head: Vec<(Vec3, f32)> = self.index.cells.head(cell).iter().map(|&p| (p, 1.0)).collect();
        let mut carried = vec![0.0; 3 * head.len()];
        carry.carry(&head, &vec![0.0; 3 * head.len()], &mut carried);
        let carried: Vec<Vec3> = carried.chunks_exact(3).map(Vec3::from_slice).collect();
        self.first_cost(&carried)
    }

    /// Whether a cell may start at a frame: where it may stand, whether it ends in time, and what is wished.
    pub(crate) fn is_legal(&self, cell: usize, start: usize) -> bool {
        let cell = &self.index.cells.all[cell];
        let end = start + cell.frames;
        let stands = match cell.stand {
            Stand::Anywhere => end <= self.frames,
            Stand::First => self.settings.free_start && start == 0 && end <= self.frames,
            Stand::Last => end == self.frames,
        };
        let secs = |frame: usize| frame as f64 / self.settings.rate_hz;
        stands && self.wishes.iter().all(|wish| wish.allows(cell.instance, secs(start)..secs(end)))
    }

    /// Whether anything is wished at all.
    pub(crate) fn has_wishes(&self) -> bool {
        !self.wishes.is_empty()
    }

    /// Why nothing covers the control.
    pub(crate) fn infeasible(&self) -> Error {
        let secs = |frames: usize| frames as f64 / self.settings.rate_hz;
        if let Some(beam) = self.settings.beam.filter(|_| self.has_cover()) {
            return Error::BeamTooNarrow { beam };
        }
        let lengths = self.lengths();
        if lengths.get(self.frames).copied().unwrap_or(false) && self.has_wishes() {
            return Error::Wishes { secs: secs(self.frames) };
        }
        let below = (1..self.frames).rev().find(|&frames| lengths[frames]);
        let above = (self.frames + 1..lengths.len()).find(|&frames| lengths[frames]);
        Error::NoCover { secs: secs(self.frames), below_secs: below.map(secs), above_secs: above.map(secs) }
    }

    /// Whether there is any way at all that is legal.
    fn has_cover(&self) -> bool {
        let mut reached = vec![false; self.frames + 1];
        reached[0] = true;
        for start in 0..self.frames {
            for (number, cell) in self.index.cells.all.iter().enumerate() {
                if reached[start] && self.is_legal(number, start) {
                    reached[start + cell.frames] = true;
                }
            }
        }
        reached[self.frames]
    }

    /// Which lengths sequences of whole instances can have, up to that of the control and a longest instance more.
    fn lengths(&self) -> Vec<bool> {
        let instances = 0..self.mapping.instances().len();
        let mut each: Vec<usize> =
            instances.flat_map(|i| durations(self.mapping.duration_secs(i), &self.settings)).collect();
        each.sort_unstable();
        each.dedup();
        let mut reached = vec![false; self.frames + each.last().copied().unwrap_or(0) + 1];
        reached[0] = true;
        for start in 0..reached.len() {
            if reached[start] {
                for &frames in &each {
                    if let Some(end) = reached.get_mut(start + frames) {
                        *end = true;
                    }
                }
            }
        }
        reached
    }
}
