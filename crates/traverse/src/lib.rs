//! Motion over terrain: for every hop or stride the example that best fits how the figure is, the ground ahead and the user's taste,
//! bent to fit exactly.
//!
//! A. Lamouret and M. van de Panne, *Motion Synthesis By Example*, Eurographics Workshop on Computer Animation and Simulation 1996. The
//! prototype it describes is here, and answers to the six questions it leaves open (section 2):
//!
//! | question | answer here |
//! |---|---|
//! | 1, how long a motion is | one hop, from standing to standing; one stride, from plant to plant ([`Primitive`]) |
//! | 2, which distance | mass and velocity, ground, taste ([`Index`], [`Metric`], [`Taste`]); asked by cells, exactly |
//! | 3, how it is made to fit | Δx₁ and Δx₂, feet on the ground, arcs lifted ([`Database::realise`]) |
//! | 4, how a database stays small | a test on insertion ([`Database::redundant`]); upper and lower body apart ([`Database::together`]) |
//! | 5, what if several answer | the seed chooses among those about as good |
//! | 6, how it is planned | looking ahead best first; dead ends and ground out of reach known beforehand |
//!
//! ```
//! use marey_examples::luxo::{LuxoSettings, luxo, terrain};
//! use marey_plan::{Seed, SourceRef, answer};
//! use marey_traverse::{Crossing, Database, Example, Settings};
//! // A lamp that hopped over one ground crosses another.
//! let hopped = luxo(&LuxoSettings { seed: 1, ..LuxoSettings::default() })?;
//! let example = Example {
//!     source: SourceRef { take: "luxo".into(), actor: 0 },
//!     clip: hopped.example.take.first().clone(),
//!     contacts: hopped.example.truth.contacts().cloned().unwrap_or_default(),
//!     tags: hopped.example.truth.labels().to_vec(),
//! };
//! let database = Database::new(vec![example], &Settings::default())?;
//! let ground = terrain(&LuxoSettings { seed: 2, length_m: 2.0, gaps: false, ..LuxoSettings::default() })?;
//! let plan = answer(&database, &Crossing::of(ground.clone(), database.rate_hz()), Seed(0), None)?;
//! let crossed = database.realise(&plan, &database.footings(&ground))?;
//! assert_eq!(crossed.clip.frames(), plan.frames() + 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate is pure: it touches no files, clocks or environment.

mod adapt;
mod ask;
mod bend;
mod brief;
mod clearance;
mod database;
mod error;
mod floor;
mod foot;
mod footing;
mod grid;
mod hop;
mod hopper;
mod index;
mod masses;
mod passage;
mod places;
mod plank;
mod primitive;
mod profile;
mod reach;
mod search;
mod settings;
mod splice;
mod state;
mod stride;
mod strider;
mod swing;
mod taste;
mod traverse;
mod walker;
mod way;

pub use adapt::Crossed;
pub use ask::{Answer, Ask, Fit, Scratch, State};
pub use brief::Crossing;
pub use database::Database;
pub use error::{Error, codes};
pub use footing::{Footing, Footings, SPACING_M};
pub use hopper::seen_contacts;
pub use index::Index;
pub use places::Effort;
pub use primitive::{Example, Primitive};
pub use settings::{Metric, Phase, Settings};
pub use taste::{Amount, Taste};
pub use way::Way;

/// What a fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;
