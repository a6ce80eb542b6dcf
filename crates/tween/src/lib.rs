//! Motion through poses as people of a corpus move, in two ways.
//!
//! [`GapModel`] fills gaps near to what people do, by a regression on similar gaps of the corpus. It answers for every pose and length,
//! and walks freely through the examples ([`GapModel::walk`]).
//!
//! [`tween()`] searches the likeliest path from one posture to another, joint by joint, after J. Stuart, E. Bradley, D. Capps and
//! J. Luftig, "Generating Novel, Stylistically Consonant Variations on Human Movement Sequences" (University of Colorado,
//! CU-CS-1029-07, 2007), sections 2 and 4 (their tool is MotionMind).
//!
//! | concept of the search | type | summary |
//! |---|---|---|
//! | orientations of a joint | [`JointCodebook`] | fewer than 400, learned; a k-d tree finds the nearest |
//! | transitions of a joint | [`TransitionGraph`] | transitions between orientations with their costs |
//! | dependences between joints | [`DependenceTree`] | the tree of the body, or one learned from the motion |
//! | the learned model | [`MotionStyle`], [`StyleFrames`] | learned from clips of one skeleton |
//! | path between two postures | [`find_path`] | A* in bounded memory and time; of any or of fixed length |
//! | motion | [`tween()`] | orientations of the corpus, feet planted, end poses exact |
//!
//! Differences from the paper, with reasons:
//!
//! - Costs are negative log-likelihoods throughout (the paper uses both −log P and 1 − P), so that the sum of
//!   costs is the negative log-likelihood of a sequence.
//! - Unseen pairs of joint orientations, and unseen transitions to a neighbouring orientation, are unlikely
//!   instead of impossible, because corpora are small.
//! - A posture does not include the position and heading of the character.
//! - The cost of the path so far counts in the search.
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

mod beam_search;
mod dependence_tree;
mod error;
mod foot_plant;
mod joint_codebook;
mod leg;
mod motion_style;
mod near;
mod not_connected;
mod pose_path;
mod recovery;
mod root_motion;
mod settings;
mod sole_contacts;
mod stance;
mod style_codes;
mod style_frames;
mod successors;
mod synthesis;
mod transition_graph;
mod tween;

pub use dependence_tree::DependenceTree;
pub use error::{TweenError, codes};
pub use joint_codebook::JointCodebook;
pub use motion_style::{MotionStyle, Posture};
pub use near::{
    EndPlace, GapCalibration, GapExample, GapModel, GapMotion, GapSettings, NearSettings, NearestExample,
    WalkPiece, WanderSettings,
};
pub use pose_path::{PosePath, find_path, find_path_observed};
pub use settings::{Dependence, PathSearchSettings, StyleSettings};
pub use style_codes::StyleCodes;
pub use style_frames::StyleFrames;
pub use transition_graph::{CostToGo, TransitionEdge, TransitionGraph};
pub use tween::{ClipFrame, TweenMotion, TweenSettings, tween, tween_observed};

pub(crate) type Result<T> = std::result::Result<T, TweenError>;
