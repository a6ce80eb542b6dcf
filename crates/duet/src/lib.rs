//! Motion of two interacting characters, generated from recordings of a pair.
//!
//! S. I. Park, T. Kwon, H. J. Shin and S. Y. Shin, *Analysis and Synthesis of Interactive
//! Two-Character Motions* (KAIST, CS/TR-2004-194, 2004). All three parts are implemented:
//!
//! | part | here | summary |
//! |---|---|---|
//! | labelling (3) | [`label`] | a genetic search cuts a [`RecordedPair`] into movements and groups them |
//! | modelling (4) | [`DuetModel::train`] | a transition graph for each person, and cross edges between both |
//! | coupling (5) | [`Duet`], [`DuetSession`] | endless motion: freely, along a [`DuetPath`], or by [`DuetCommand`]s |
//!
//! The documentation of each module lists its changes to the paper and the reasons for them.
//!
//! The crate is pure: it does not access files, clocks or the environment.

mod body_separator;
mod candidate_instants;
mod candidates;
mod choices;
mod contact_adjustment;
mod coupled_states;
mod cut_points;
mod duet;
mod duet_path;
mod error;
mod exchange;
mod exchange_choice;
mod exchange_graph;
mod exchange_placement;
mod foot_aware_shift;
mod gene;
mod genetic_search;
mod graph_svg;
mod group_radius;
mod kmeans;
mod label_settings;
mod labelling;
mod model;
mod model_settings;
mod movement_goal;
mod next_movement;
mod observation;
mod partner_contact;
mod person_model;
mod placed_movement;
mod posture;
mod recorded_movement;
mod recorded_pair;
mod redundant_cuts;
mod repertoire;
mod run_settings;
mod separation_settings;
mod session;
mod steering;
mod structure;
mod subject;
#[cfg(test)]
mod test_bout;
mod unused_frames;

pub use body_separator::{BodySeparator, separate_bodies};
pub use duet::{Duet, DuetRun};
pub use duet_path::DuetPath;
pub use error::{DuetError, codes};
pub use exchange::{Exchange, ExchangeContact};
pub use graph_svg::graph_to_svg;
pub use label_settings::DuetLabelSettings;
pub use labelling::{LabelledMovement, Labelling, PersonMovements, label, label_reference};
pub use model::DuetModel;
pub use model_settings::DuetModelSettings;
pub use observation::{Observation, ObservationGaussian};
pub use partner_contact::{BodyPart, PartnerContact};
pub use person_model::{InteractionKind, MovementState, PersonModel};
pub use placed_movement::PlacedMovement;
pub use recorded_pair::{RecordedPair, RecordedPerson};
pub use run_settings::DuetRunSettings;
pub use separation_settings::SeparationSettings;
pub use session::{DuetCommand, DuetSession};
pub use structure::MovementStructure;
pub use unused_frames::{UnusedFrames, UnusedReason};

pub(crate) type Result<T> = std::result::Result<T, DuetError>;
