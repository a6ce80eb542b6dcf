//! Two characters that interact: what a recorded pair does is found, modelled, and gone on with.
//!
//! After S. I. Park, T. Kwon, H. J. Shin and S. Y. Shin, "Analysis and Synthesis of Interactive Two-Character Motions" (KAIST,
//! CS/TR-2004-194, 2004). Taken are all three parts.
//!
//! | part | here | in short |
//! |---|---|---|
//! | labelling (3) | [`label`] | a [`Pair`] is cut into movements, and these are put into groups, by a genetic search |
//! | modelling (4) | [`Model::train`] | a graph of movements for each, and how likely the one follows the other |
//! | coupling (5) | [`Duet`], [`Session`] | both go on, for ever: by themselves, along a [`Way`], or by [`Command`]s |
//!
//! Changed, and why, is said in the module of each.
//!
//! The crate is pure: it touches no files, clocks or environment.

mod apart;
mod candidates;
mod choices;
mod coupled;
mod duet;
mod error;
mod example;
mod exchange;
mod gene;
mod idle;
mod instants;
#[cfg(test)]
mod kit;
mod label_settings;
mod labelling;
mod line;
mod means;
mod meeting;
mod model;
mod model_settings;
mod movement;
mod observation;
mod pair;
mod person_model;
mod picture;
mod posture;
mod prepare;
mod radius;
mod repertoire;
mod run_settings;
mod search;
mod session;
mod shape;
mod steering;
mod structure;
mod touch;
mod unison;
mod way;
mod who;

pub use apart::{Apart, kept_apart};
pub use duet::{Duet, Performance};
pub use error::{Error, codes};
pub use label_settings::LabelSettings;
pub use labelling::{Labelled, Labelling, Movements, label, label_slowly};
pub use model::Model;
pub use model_settings::ModelSettings;
pub use movement::Played;
pub use observation::{Gaussian, Observation};
pub use pair::{Pair, Person};
pub use person_model::{Kind, PersonModel, State};
pub use picture::picture;
pub use run_settings::RunSettings;
pub use search::Progress;
pub use session::{Command, Session};
pub use shape::Shape;
pub use structure::Structure;
pub use touch::{Part, Touch};
pub use way::Way;

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
