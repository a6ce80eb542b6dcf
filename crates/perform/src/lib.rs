//! A live performance drives a character in a physical world.
//!
//! Ishigaki, White, Zordan and Liu, *Performance-based Control Interface for Character Animation* (2009): a performer in an empty room
//! acts as if on monkey bars, on a rope, on a trampoline or in the water. The system recognises the intention. The centre of mass obeys
//! physics and is driven by the motion of hands and feet relative to it. The pose comes from the performer, from an example of the
//! imitated activity, and from the holds.
//!
//! | section of the paper | here |
//! |---|---|
//! | 4 features | [`World`], [`Feature`]: [`Geometry`] G, [`Engage`] and [`EngageCondition`] C, example motion Q, [`Dynamics`] D |
//! | 5 dynamics, eq. 1–4 | `simulation`, `contact`, `rope`, `orientation`, `water` |
//! | 6.1 intention, eq. 5–6 | `intention`, `hand_motion`, `hand_motion_model` |
//! | 6.2 composition, eq. 7–11 | `composition`, `example`, `basis`, `blend` |
//! | 7 integration, eq. 12 | `pose_solver` |
//! | 8 templates | [`FeatureTemplate`] |
//! | 9.1 users of any size | [`Calibration`] |
//! | 9.2 reduced set of markers | [`Markers`], [`MarkerSolver`] |
//!
//! [`PerformSession::step`] takes a pose of the performer and returns one of the character. The documentation of each module lists its
//! differences from the paper, with reasons.
//!
//! Limits: collisions act on a sphere around the centre of mass. A thin wall therefore stops the body, but a hand may reach through the
//! wall until the pose is solved. Collisions in flight do not turn the body. Ropes collide with nothing.
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
//! // The performer is 1.4 m tall. The world sets the height of the character.
//! let skeleton = marey_body::BodyProportions { height_m: 1.4, ..Default::default() }.skeleton()?;
//! let standing = LocalPose::rest(&skeleton);
//! let calibration = Calibration::of(skeleton, [&standing])?;
//! let mut session = PerformSession::new(world, &BTreeMap::new(), &calibration, PerformSettings::default())?;
//! for _ in 0..60 {
//!     session.step(standing.view(), [Some(false); 2], 1.0 / 60.0);
//! }
//! // Both feet stand on the ground, and the centre of mass is at the height of a standing body of 1.72 m.
//! assert_eq!(session.state().holds[2..], [Some(0), Some(0)]);
//! assert!((session.state().centre.y - 1.0).abs() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod basis;
mod blend;
mod calibration;
mod character_body;
mod composition;
mod contact;
mod cycles;
mod dynamics;
mod engage;
mod error;
mod example;
mod feature_lines;
mod fingers;
mod floor_tracker;
mod geometry;
mod hand_motion;
mod hand_motion_model;
mod hand_stillness;
mod intention;
mod marker_body;
mod marker_set;
mod marker_solver;
mod marker_trunk;
mod markers;
mod orientation;
mod performer_state;
mod pose_solver;
mod recording;
mod rope;
mod session;
mod settings;
mod simulation;
mod stream_filter;
mod template;
mod water;
mod world;
mod world_toml;

pub use calibration::Calibration;
pub use character_body::CharacterBody;
pub use composition::CompositionSettings;
pub use cycles::built_in_motions;
pub use dynamics::{Dynamics, Surface, WaterDynamics};
pub use engage::{Effector, Engage, EngageBy, EngageCondition, EngageContext, GripSign};
pub use error::{PerformError, codes};
pub use feature_lines::{FeatureLine, FeatureLines};
pub use fingers::Fingers;
pub use geometry::{Geometry, NearestPoint};
pub use hand_stillness::HandStillness;
pub use intention::{Intention, IntentionSettings};
pub use marker_set::MarkerSet;
pub use marker_solver::MarkerSolver;
pub use markers::Markers;
pub use pose_solver::PoseSolution;
pub use recording::Recording;
pub use session::{CharacterState, PerformSession};
pub use settings::PerformSettings;
pub use template::FeatureTemplate;
pub use world::{ADVENTURE, Feature, Finish, World};

pub(crate) type Result<T> = std::result::Result<T, PerformError>;
