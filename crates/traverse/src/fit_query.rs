//! Queries of the primitive index, and their results.

use marey_motion::Vec2;

use crate::Footings;

/// The state of the character at the start of a query.
#[derive(Debug, Clone, Copy)]
pub enum StartState<'a> {
    /// Unconstrained: d_state is 0 for every primitive.
    Any,
    /// A state row of the same length as the rows of the index.
    Row(&'a [f32]),
    /// Precomputed d_state of every primitive.
    Distances(&'a [f32]),
}

/// A query for the primitives that fit best.
#[derive(Debug, Clone, Copy)]
pub struct FitQuery<'a> {
    /// Position of the sole's middle.
    pub position: Vec2,
    /// State of the character.
    pub state: StartState<'a>,
    /// Footings to land on.
    pub footings: &'a Footings,
    /// d_user of every primitive; empty: 0.
    pub user_costs: &'a [f32],
    /// k₁.
    pub k_env: f64,
    /// k₂.
    pub k_user: f64,
    /// Maximum distance by which a landing is moved, in metres.
    pub max_shift_m: f32,
    /// Number of primitives to return.
    pub count: usize,
    /// Maximum cost, in m².
    pub max_cost: f64,
}

impl FitQuery<'_> {
    /// Maximum distance by which a landing can be moved without exceeding the maximum cost, in metres.
    pub(crate) fn reach_m(&self) -> f32 {
        if self.k_env > 0.0 {
            // Slightly larger, to allow for rounding.
            self.max_shift_m.min(1.0001 * (self.max_cost / self.k_env).sqrt() as f32)
        } else {
            self.max_shift_m
        }
    }
}

/// A primitive that fits, and its cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrimitiveFit {
    /// Index of the primitive.
    pub primitive: usize,
    /// Index of the footing to land on.
    pub footing: usize,
    /// d_state, in m².
    pub state: f64,
    /// k₁ d_env, in m².
    pub env: f64,
    /// k₂ d_user, in m².
    pub user: f64,
}

impl PrimitiveFit {
    /// The sum of all terms.
    pub fn total(&self) -> f64 {
        self.state + self.env + self.user
    }
}

/// Buffers that consecutive queries reuse.
#[derive(Debug, Default)]
pub struct FitScratch {
    pub(crate) near: Vec<(f32, u32)>,
    pub(crate) fits: Vec<PrimitiveFit>,
}

impl FitScratch {
    /// The result of the last query, best first.
    pub fn fits(&self) -> &[PrimitiveFit] {
        &self.fits
    }
}

/// The result of a query, and its effort.
#[derive(Debug, Clone, PartialEq)]
pub struct FitResult {
    /// Best first; of equals, the one with the lower index first.
    pub fits: Vec<PrimitiveFit>,
    /// Number of cells opened.
    pub cells: usize,
    /// Number of primitives compared.
    pub compared: usize,
}
