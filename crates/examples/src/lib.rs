//! Example motion, generated from a seed, with known ground truth: for first steps with Marey, and to measure what an algorithm finds
//! against the truth.
//!
//! | module | example |
//! |---|---|
//! | [`ballet`] | short ballet phrases from a vocabulary, with a grammar that can be checked |
//! | [`character`] | a skinned character with materials, a texture and a morph target, as GLB or VRM |
//! | [`lindy`] | a couple dances Lindy Hop: four stances, steps and turns, changing hand holds |
//! | [`luxo`] | a simulated lamp hops over uneven ground (feature `luxo`) |
//! | [`playground`] | performers who imitate swinging, climbing, swimming, with markers and intentions |
//! | [`rig`] | skeletons as Mixamo, VRM, SMPL and Unreal build them |
//! | [`taekwondo`] | a bout of two fighters: footwork, punches, kicks, blocks, dodges, hits |
//! | [`waltz`] | a couple waltzes around a floor: boxes and turns |
//! | [`walk`] | minutes of walking: starts, stops, curves, sharp turns, changing speed |
//!
//! [`ExampleRequest`] generates any of them by its [`ExampleName`]. Every example is a pure function of its settings: the same settings
//! give the same bits. An [`Example`] is a take with its [`Truth`].

pub mod ballet;
mod catalogue;
pub mod character;
mod clock;
mod couple;
mod curve;
mod error;
mod figure;
mod gait;
mod hold;
pub mod lindy;
#[cfg(feature = "luxo")]
pub mod luxo;
pub mod playground;
mod random;
pub mod rig;
mod sensor;
mod spline;
pub mod taekwondo;
mod truth;
pub mod walk;
pub mod waltz;

pub use catalogue::{ExampleName, ExampleRequest, GeneratedExample};
pub use error::{ExamplesError, codes};
pub use gait::GaitStyle;
pub use hold::{HandHold, TakeJoint};
pub use truth::{ActorTruth, Example, Truth};

pub(crate) type Result<T> = std::result::Result<T, ExamplesError>;
