//! Measures of motion quality.
//!
//! | module | measure |
//! |---|---|
//! | [`feet`](mod@feet) | feet without contacts: skate, slip, standing time, sink |
//! | [`contact_slide`](mod@contact_slide) | how far feet slide during known contacts |
//! | [`sink`] | depth below the floor |
//! | [`jolt`] | acceleration and jerk of joints |
//! | [`knees`] | knees that lock or bend backwards |
//! | [`stretch`] | changes of bone lengths |
//! | [`bounds`] | joint rotations outside the range of the examples |
//! | [`path`] | distance from a path |
//! | [`hold`] | deviations of hand holds |
//! | [`likeness`] | distance from a reference motion |
//! | [`variety`] | use of the examples, and differences between results |
//! | [`travel`] | how fast a character travels |
//! | [`tween`] | L2P, L2Q and NPSS, the usual scores for in-betweening |
//! | [`card`] | all measures that apply to a clip, each with its threshold |
//! | [`judge`] | the cards of all actors of a take |
//!
//! The name of every measure ends in its unit. If possible, a measure reports where and when it was worst.
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

pub mod bounds;
pub mod card;
pub mod contact_slide;
mod error;
pub mod feet;
pub mod hold;
pub mod jolt;
pub mod judge;
pub mod knees;
pub mod likeness;
pub mod path;
mod power_spectrum;
pub mod sink;
pub mod stretch;
pub mod travel;
pub mod tween;
pub mod variety;

use marey_motion::Skeleton;

pub use error::{MeasureError, codes};

/// Result of a fallible function of this crate.
pub(crate) type Result<T> = std::result::Result<T, MeasureError>;

/// Where and when a measure was worst.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Worst {
    /// Name of the joint, or of what else is measured.
    pub what: String,
    /// The frame.
    pub frame: usize,
}

impl Worst {
    /// A joint of a skeleton in a frame.
    fn of_joint(skeleton: &Skeleton, joint: usize, frame: usize) -> Option<Self> {
        Some(Self { what: skeleton.joints().get(joint)?.name.clone(), frame })
    }
}
