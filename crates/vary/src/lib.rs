//! Chaotic variation: wraps a sequence around a strange attractor and replays it along a different
//! trajectory.
//!
//! After J. Stuart, E. Bradley, D. Capps and J. Luftig, "Generating Novel, Stylistically Consonant Variations
//! on Human Movement Sequences" (University of Colorado, CU-CS-1029-07, 2007), section 3 (their tool is
//! Chaographer). This crate takes from the paper the reference trajectory, the Voronoi cells of its points,
//! the assignment of one element of the sequence to each cell, and the itinerary of a trajectory with a
//! different initial condition.
//!
//! | concept | type | summary |
//! |---|---|---|
//! | differential equations | [`ChaoticSystem`] | Lorenz, Rössler, Chua, or any three [`Expression`]s |
//! | trajectory | [`Trajectory`] | integrated with adaptive steps, sampled at a fixed step |
//! | the wrapped sequence | [`CellMap`] | one cell per element; finds the cell of a point |
//! | itinerary | [`CellMap::itinerary`] | the cells that a trajectory visits, in order |
//! | uninterrupted playback | [`Chunk`] | consecutive cells in the order of the original |
//! | where the dance can be cut | [`DanceMoments`], [`CutFit`] | postures and velocities at the borders of cells |
//! | a varied dance | [`Dance`], [`Dance::vary`] | phrases of takes, and the plan of their variation |
//! | similarity to the original | [`VariationStatistics`] | compare with [`shuffle_elements`] and [`shuffle_chunks`] |
//!
//! Differences from the paper, with reasons:
//!
//! - The paper ends a chunk whenever the trajectory enters a cell other than the next one. On captured frames
//!   this stutters, because a trajectory passes cells slightly earlier or later than the reference did. So a
//!   small [drift](VarySettings::drift_cells) is tolerated, and chunks can have a [minimum
//!   length](VarySettings::min_chunk_cells). With a drift of 0 and a minimum of 1 the paper's rule applies.
//! - The attractor does not know the dance, so the paper's cuts fall anywhere. With a [fit](CutFit), a cut moves to two moments nearby that
//!   are alike; what was played already is avoided, and the count of a dance can be kept.
//! - The initial condition is not given but [found](VarySettings::shift): the nearest one whose variation differs enough from the start.
//! - The number of cells per revolution is a [setting](VarySettings::cells_per_turn), because it determines
//!   the length of chunks.
//! - Each chunk starts where the previous one left the dancer, through the ground placements of the plan. The
//!   absolute positions of the original are an [option](TravelMode::Absolute).
//!
//! The crate is pure: it uses no files, clocks or environment.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

mod attractor_svg;
mod cell_map;
mod chunk;
mod dance;
mod error;
mod expression;
mod fitted;
mod moments;
mod settings;
mod shuffle;
mod start;
mod statistics;
mod system;
mod trajectory;

pub use attractor_svg::attractor_svg;
pub use cell_map::{CellMap, Itinerary};
pub use chunk::{Chunk, chunks};
pub use dance::{Dance, DanceVariation, Phrase, TravelMode};
pub use error::{VaryError, codes};
pub use expression::Expression;
pub use fitted::{CutFit, DanceCount};
pub use moments::DanceMoments;
pub use settings::VarySettings;
pub use shuffle::{shuffle_chunks, shuffle_elements};
pub use statistics::{VariationStatistics, WINDOWS};
pub use system::ChaoticSystem;
pub use trajectory::Trajectory;

pub(crate) type Result<T> = std::result::Result<T, VaryError>;

/// A point in the state space of a system.
pub type StatePoint = [f64; 3];
