//! A live performance drives a character in a physical world.
mod basis;
mod blend;
mod body;
mod calibration;
mod channels;
mod composition;
mod contact;
mod dynamics;
mod engage;
mod error;
mod example;
mod geometry;
mod guard;
mod integration;
mod intention;
mod mime;
mod performed;
mod puppet;
mod rope;
mod session;
mod settings;
mod simulation;
mod spin;
mod template;
mod water;
mod world;

pub use body::Body;
pub use calibration::Calibration;
pub use channels::{Fingers, MarkerSet};
pub use composition::CompositionSettings;
pub use dynamics::{Dynamics, Surface, Water};
pub use engage::{By, Condition, Effector, Engage, Situation};
pub use error::{Error, codes};
pub use geometry::{Geometry, Nearest};
pub use integration::Solved;
pub use intention::{Intention, IntentionSettings};
pub use mime::{Act, Mime};
pub use puppet::{Markers, Puppet};
pub use session::{Now, Session};
pub use settings::Settings;
pub use template::Template;
pub use world::{Feature, Finish, World};

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
