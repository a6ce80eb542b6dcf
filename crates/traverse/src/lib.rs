//! Motion over uneven ground: for every hop or stride, the engine picks the example that best fits the character's
//! state, the terrain ahead and the user's preferences, and adapts it to fit exactly.
//!
//! A. Lamouret and M. van de Panne, *Motion Synthesis By Example*, Eurographics Workshop on Computer Animation and
//! Simulation 1996. The crate implements the prototype that the paper describes and answers the six questions that
//! its section 2 leaves open:
//!
//! | question | answer |
//! |---|---|
//! | 1, length of a primitive | one hop, from rest to rest, or one stride, from plant to plant ([`MotionPrimitive`]) |
//! | 2, distance function | point masses and their velocities, terrain, preferences ([`PrimitiveIndex`], [`StateMetric`], [`TraversePreferences`]); an exact grid query |
//! | 3, adaptation | Δx₁ and Δx₂, feet on the ground, arcs lifted over obstacles ([`PrimitiveDatabase::realise`]) |
//! | 4, small databases | a redundancy test on insertion ([`PrimitiveDatabase::redundant_count`]); separate upper and lower bodies ([`PrimitiveDatabase::body_correlation`]) |
//! | 5, several good matches | the seed picks one of the candidates that cost about the same |
//! | 6, planning | best-first lookahead; unreachable ground and dead ends are found before the search |
//!
//! ```
//! use marey_examples::luxo::{LuxoSettings, luxo, terrain};
//! use marey_plan::{Seed, SourceRef};
//! use marey_traverse::{CrossingRequest, GroundPath, PrimitiveDatabase, TraverseExample, TraverseSettings};
//! // A lamp that hopped over one terrain crosses another.
//! let hopped = luxo(&LuxoSettings { seed: 1, ..LuxoSettings::default() })?;
//! let example = TraverseExample {
//!     source: SourceRef { take: "luxo".into(), actor: 0 },
//!     clip: hopped.example.take.first().clone(),
//!     contacts: hopped.example.truth.contacts().cloned().unwrap_or_default(),
//!     tags: hopped.example.truth.labels().to_vec(),
//!     unusable: Vec::new(),
//! };
//! let database = PrimitiveDatabase::new(vec![example], &TraverseSettings::default())?;
//! let ground = terrain(&LuxoSettings { seed: 2, length_m: 2.0, gaps: false, ..LuxoSettings::default() })?;
//! let footings = database.footings(&ground);
//! let (plan, _) = database.plan(&footings, &CrossingRequest::new(ground), Seed(0), None)?;
//! let motion = database.realise(&plan, &footings, &GroundPath::straight())?;
//! assert_eq!(motion.clip.frames(), plan.frames() + 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate is pure: it does not access files, clocks or the environment.

mod clearance;
mod cost_bound;
mod crossing_request;
mod error;
mod fit_query;
mod footing;
mod goal_reachability;
mod grid;
mod ground_path;
mod hop;
mod hop_adaptation;
mod hop_pose;
mod hopper;
mod leg;
mod lookahead_search;
mod planner;
mod preferences;
mod primitive;
mod primitive_database;
mod primitive_index;
mod reachability;
mod search_nodes;
mod settings;
mod sole_rest;
mod standing;
mod state_metric;
mod strain;
mod stride_adaptation;
mod stride_limits;
mod swing_height;
mod terrain_profile;
mod unused_stride;
mod upper_body_splice;
mod walk_adaptation;
mod walker;

pub use crossing_request::CrossingRequest;
pub use error::{TraverseError, codes};
pub use fit_query::{FitQuery, FitResult, FitScratch, PrimitiveFit, StartState};
pub use footing::{FOOTING_SPACING_M, Footing, Footings};
pub use ground_path::GroundPath;
pub use hop_adaptation::{AdaptedMotion, Landing};
pub use hopper::detect_base_contacts;
pub use preferences::{PreferredAmount, TraversePreferences};
pub use primitive::{MotionPrimitive, TraverseExample};
pub use primitive_database::PrimitiveDatabase;
pub use primitive_index::PrimitiveIndex;
pub use search_nodes::SearchEffort;
pub use settings::{AdaptationEasing, StateMetric, TraverseSettings};
pub use strain::Strain;
pub use unused_stride::UnusedStride;

pub(crate) type Result<T> = std::result::Result<T, TraverseError>;
