//! Example motion, generated from a seed, with its truth known: so that a newcomer has something to work with, and so
//! that what an algorithm finds can be measured against what is there.
//!
//! | module | the example |
//! |---|---|
//! | [`ballet`] | short phrases of ballet from a written vocabulary, with a grammar that can be checked |
//! | [`lindy`] | a couple dances Lindy Hop: four stances, steps and turns, hands that change |
//! | [`luxo`] | a lamp hops over uneven ground, simulated |
//! | [`playground`] | performers who imagine a bar, a rope, water; captured, with what they meant |
//! | [`taekwondo`] | two fighters in a bout: footwork, punches, kicks, blocks, dodges, hits |
//! | [`waltz`] | a couple waltzes round a floor: boxes and turns |
//! | [`walk`] | minutes of walking: starts, stops, curves, sharp turns, changing speed |
//!
//! Every example is a pure function of its settings: same settings, same bits. An [`Example`] is a take and its
//! [`Truth`].

pub mod ballet;
mod body;
mod clock;
mod couple;
mod curve;
mod error;
mod figure;
mod gait;
mod hold;
pub mod lindy;
pub mod luxo;
pub mod playground;
mod sensor;
mod spline;
pub mod taekwondo;
mod truth;
pub mod walk;
pub mod waltz;
mod wander;

pub use body::Body;
pub use error::{Error, codes};
pub use gait::Style;
pub use hold::{Hand, Hold};
pub use truth::{ActorTruth, Example, Truth};

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
