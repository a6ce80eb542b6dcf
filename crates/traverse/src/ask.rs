//! What is asked of the examples, and what they answer.

use marey_motion::Vec2;

use crate::Footings;

/// How the figure is.
#[derive(Debug, Clone, Copy)]
pub enum State<'a> {
    /// As any of the examples begins.
    Any,
    /// As this row has it; examples begin with rows of the same length.
    Row(&'a [f32]),
    /// So far from how each example begins: d_state is known.
    Known(&'a [f32]),
}

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// Where the sole's middle is.
    pub at: Vec2,
    /// How the figure is.
    pub state: State<'a>,
    /// Where it can stand next.
    pub footings: &'a Footings,
    /// d_user of every example; empty: 0.
    pub user: &'a [f32],
    /// k₁.
    pub k_env: f64,
    /// k₂.
    pub k_user: f64,
    /// How far a landing may be moved, in metres.
    pub most_shift_m: f32,
    /// How many are wanted.
    pub count: usize,
    /// What costs more is not wanted, in m².
    pub most: f64,
}

impl Ask<'_> {
    /// How far a landing may be moved and is still wanted, in metres.
    pub(crate) fn reach_m(&self) -> f32 {
        if self.k_env > 0.0 {
            // A little more, since it is rounded.
            self.most_shift_m.min(1.0001 * (self.most / self.k_env).sqrt() as f32)
        } else {
            self.most_shift_m
        }
    }
}

/// An example that fits, and how well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// Which example.
    pub primitive: usize,
    /// Which footing it is made to land on.
    pub footing: usize,
    /// d_state, in m².
    pub state: f64,
    /// k₁ d_env, in m².
    pub env: f64,
    /// k₂ d_user, in m².
    pub user: f64,
}

impl Fit {
    /// All together.
    pub fn total(&self) -> f64 {
        self.state + self.env + self.user
    }
}

/// Room that queries use again.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) near: Vec<(f32, u32)>,
    pub(crate) fits: Vec<Fit>,
}

impl Scratch {
    /// What the last query found, best first.
    pub fn fits(&self) -> &[Fit] {
        &self.fits
    }
}

/// The examples that fit best, and how many were looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Best first; of equals, the first example first.
    pub fits: Vec<Fit>,
    /// Cells that were opened.
    pub cells: usize,
    /// Examples that were compared.
    pub looked_at: usize,
}
