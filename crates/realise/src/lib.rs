//! From a plan to motion, by one streaming machine for offline and live use.
//!
//! ```text
//! Placement ──push──▶ place · stretch ──▶ join ──▶ plant ──advance──▶ pose ─┐
//!                                      the same for every other actor ──▶ pose ─┴▶ constrain
//! ```
//!
//! | module or type | purpose |
//! |---|---|
//! | [`Machine`] | one actor: placements in, poses out, frame by frame |
//! | [`realise`](fn@realise) | a whole plan: pushes every placement of every actor and collects the poses |
//! | [`Sources`], [`PlanSources`], [`SourceClip`] | the source clips that plans name |
//! | [`PlacementChain`] | builds placements that follow each other on the floor |
//! | [`move_joins`] | moves joins of a plan to where the feet agree |
//! | [`swap_candidate`] | replaces a piece of a plan by another candidate |
//! | [`scramble`](fn@scramble) | a deliberately bad plan, for tests and measurements |
//! | [`join`] | joining pieces of motion |
//! | [`plant`] | foot-skate clean-up |
//! | [`constrain`] | hand holds, reach and look-at targets |
//! | [`RealiseSettings`] | the settings of every pass, and how to switch it off |
//!
//! Offline use is live use with everything pushed at once: the results are identical to the bit. If a pass
//! needs later frames, [`Machine::advance`] waits; [`Machine::look_ahead_frames`] returns their number.

mod batch;
mod chain;
pub mod constrain;
mod copy_pose;
mod error;
pub mod join;
mod join_phase;
mod machine;
mod piece;
pub mod plant;
mod reference_joints;
mod scramble;
mod settings;
mod sole_touch;
mod sources;
mod swap;

pub use batch::{Realised, realise, realise_observed};
pub use chain::PlacementChain;
pub use error::{RealiseError, codes};
pub use join_phase::move_joins;
pub use machine::{Machine, MachineFrame, MachineStep};
pub use scramble::scramble;
pub use settings::RealiseSettings;
pub use sole_touch::SoleTouch;
pub use sources::{PlanSources, SourceClip, Sources};
pub use swap::swap_candidate;

/// Result of a fallible function of this crate.
pub(crate) type Result<T> = std::result::Result<T, RealiseError>;
