//! Chaotic variation: a sequence is wrapped around a strange attractor, and played again along another way on it.
//!
//! After J. Stuart, E. Bradley, D. Capps and J. Luftig, "Generating Novel, Stylistically Consonant Variations on Human
//! Movement Sequences" (University of Colorado, CU-CS-1029-07, 2007), section 3: their tool is called Chaographer. Taken
//! are the reference trajectory, the Voronoi cells of its points, one element of the sequence for each cell, and the
//! itinerary of a trajectory that starts somewhere else.
//!
//! | word | type | in short |
//! |---|---|---|
//! | differential equations | [`System`] | Lorenz, Rössler, Chua, or any three [`Expression`]s |
//! | a way through space, sampled | [`Trajectory`] | integrated with steps of controlled size |
//! | the sequence around the attractor | [`Wrapped`] | a cell for each element; which cell a place is in |
//! | where another trajectory goes | [`Wrapped::itinerary`] | cells, one after another |
//! | what is played without a cut | [`Chunk`] | neighbouring cells in the order of the original |
//! | a dance varied | [`Dance`], [`Dance::vary`] | phrases of takes, and the plan of their variation |
//! | how much of the original is left | [`Statistics`] | beside shuffles, [`shuffle_elements`] and [`shuffle_chunks`] |
//!
//! Changed, and why:
//!
//! - The paper ends a chunk wherever a trajectory crosses into a cell that is not the next. On captured frames that is
//!   a stutter: a trajectory passes cells a little sooner or later than the reference did. So small
//!   [drifts](Settings::drift_cells) are let pass, and chunks can be given a [least length](Settings::least_chunk_cells);
//!   with 0 and 1 it is the paper's rule.
//! - How many cells a turn around the attractor has is a [setting](Settings::cells_per_turn), as it decides how long chunks are.
//! - A dancer goes on from where the last chunk left them, by the plan's ground placements; the original's absolute
//!   places are an [option](Travel::Absolute).
//!
//! The crate is pure: it touches no files, clocks or environment.

mod chunk;
mod dance;
mod error;
mod expression;
mod picture;
mod settings;
mod shuffle;
mod statistics;
mod system;
mod trajectory;
mod wrapped;

pub use chunk::{Chunk, chunks};
pub use dance::{Dance, Phrase, Travel, Varied};
pub use error::{Error, codes};
pub use expression::Expression;
pub use picture::picture;
pub use settings::Settings;
pub use shuffle::{shuffle_chunks, shuffle_elements};
pub use statistics::{Statistics, WINDOWS};
pub use system::System;
pub use trajectory::Trajectory;
pub use wrapped::{Variation, Wrapped};

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// A place in the state space of a system.
pub type Point = [f64; 3];
