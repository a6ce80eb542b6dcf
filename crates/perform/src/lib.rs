//! A live performance drives a character in a physical world.
//!
//! Ishigaki, White, Zordan and Liu, *Performance-based Control Interface for Character Animation* (2009): someone in an empty room
//! acts as if on monkey bars, a rope, a trampoline or in the water. The intention is recognised. The centre of mass obeys physics,
//! driven by the motion of hands and feet relative to it. The pose comes from the performer, from an example of the imitated activity,
//! and from the holds.
//!
//! | section of the paper | here |
//! |---|---|
//! | 4 features | [`World`], [`Feature`]: [`Geometry`] G, [`Engage`] and [`Condition`] C, example motion Q, [`Dynamics`] D |
//! | 5 dynamics, eq. 1–4 | `simulation`, `contact`, `rope`, `spin`, `water` |
//! | 6.1 intention, eq. 5–6 | `intention` |
//! | 6.2 composition, eq. 7–11 | `composition`, `example`, `basis`, `blend` |
//! | 7 integration, eq. 12 | `integration` |
//! | 8 templates | [`Template`] |
//! | 9.1 users of any size | [`Calibration`] |
//! | 9.2 reduced set of markers | [`Markers`], [`Puppet`] |
//!
//! [`PerformSession::step`] takes a pose of the performer and returns one of the character. The documentation of each module lists its
//! differences from the paper, with reasons.
//!
//! Limits: the character meets solids with its middle, so that a thin wall stops a body but not a hand that is stretched out beyond
//! it until the pose is solved; collisions in flight do not turn the body; ropes meet nothing.
//!
//! ```
//! use std::collections::BTreeMap;
//! use marey_motion::LocalPose;
//! use marey_perform::{Calibration, PerformSession, PerformSettings, World};
//! let world = World::from_toml(r#"
//!     [[feature]]
//!     name = "ground"
//!     like = "floor"
//!     geometry = { plane = { at = [0.0, 0.0, 0.0] } }
//! "#)?;
//! // The performer is 1.4 m tall; the height of the character is set by its world.
//! let skeleton = marey_body::BodyProportions { height_m: 1.4, ..Default::default() }.skeleton()?;
//! let standing = LocalPose::rest(&skeleton);
//! let calibration = Calibration::of(skeleton, [&standing])?;
//! let mut session = PerformSession::new(world, &BTreeMap::new(), &calibration, PerformSettings::default())?;
//! for _ in 0..60 {
//!     session.step(standing.view(), [false, false], 1.0 / 60.0);
//! }
//! // Both feet stand on the ground, and the centre of mass is where that of a standing body of 1.72 m is.
//! assert_eq!(session.now().holds[2..], [Some(0), Some(0)]);
//! assert!((session.now().centre.y - 1.0).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod basis;
mod blend;
mod calibration;
mod channels;
mod character_body;
mod composition;
mod contact;
mod cycles;
mod dynamics;
mod engage;
mod error;
mod example;
mod geometry;
mod guard;
mod integration;
mod intention;
mod likeness;
mod mime;
mod movement;
mod performed;
mod puppet;
mod recording;
mod rope;
mod scenery;
mod session;
mod settings;
mod simulation;
mod spin;
mod template;
mod water;
mod world;
mod written;

pub use calibration::Calibration;
pub use channels::{Fingers, MarkerSet};
pub use character_body::CharacterBody;
pub use composition::CompositionSettings;
pub use cycles::built_in_motions;
pub use dynamics::{Dynamics, Surface, WaterDynamics};
pub use engage::{Condition, Effector, Engage, EngageBy, Situation};
pub use error::{PerformError, codes};
pub use geometry::{Geometry, NearestPoint};
pub use integration::PoseSolution;
pub use intention::{Intention, IntentionSettings};
pub use mime::{Mime, MimePose};
pub use puppet::{Markers, Puppet};
pub use recording::Recording;
pub use scenery::{Scenery, SceneryLine};
pub use session::{PerformSession, PerformState};
pub use settings::PerformSettings;
pub use template::Template;
pub use world::{ADVENTURE, Feature, Finish, World};

pub(crate) type Result<T> = std::result::Result<T, PerformError>;
