//! In-betweening in the style of a corpus: the likeliest way from one posture to another, joint by joint.
//!
//! After J. Stuart, E. Bradley, D. Capps and J. Luftig, "Generating Novel, Stylistically Consonant Variations on Human
//! Movement Sequences" (University of Colorado, CU-CS-1029-07, 2007), sections 2 and 4: their tool is called MotionMind.
//!
//! | word | type | in short |
//! |---|---|---|
//! | orientations of a joint | [`Alphabet`] | fewer than 400, learned, the nearest by a k-d tree |
//! | how a joint moves | [`Graph`] | steps between orientations, and how unlikely each is |
//! | how joints go together | [`Network`] | a tree: the body's, or the one that the motion suggests |
//! | all that is learned | [`Style`], [`Frames`] | of clips of one skeleton |
//! | from one posture to another | [`way`] | A* in bounded memory and time; of any length, or of one that is told |
//! | on and on | [`wander`] | a walk by chance |
//! | as motion | [`tween()`], [`improvise`] | orientations of the corpus, feet on the floor, ends met |
//!
//! Changed, and why: unlikeliness is −log P throughout (the paper says both that and 1 − P), so that sums are likelihoods of
//! sequences; pairs of joints that were never seen together, and steps to an orientation beside
//! one's own that were never seen, are unlikely, not forbidden, as corpora are small; where a figure is and
//! heads is not part of a posture; the cost of the way so far counts.
//!
//! The crate is pure: it touches no files, clocks or environment.

mod alphabet;
mod between;
mod blocked;
mod error;
mod footing;
mod frames;
mod graph;
mod layers;
mod leg;
mod network;
mod played;
mod recovered;
mod settings;
mod stance;
mod style;
mod successors;
mod touch;
mod track;
mod wander;
mod way;

pub use alphabet::Alphabet;
pub use between::{PoseOf, Tween, TweenSettings, improvise, tween};
pub use error::{Error, codes};
pub use frames::Frames;
pub use graph::{Edge, Graph, ToGo};
pub use network::Network;
pub use settings::{Dependence, SearchSettings, StyleSettings};
pub use style::{Posture, Style};
pub use wander::{WanderSettings, wander};
pub use way::{Way, way};

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
