//! Marey makes new human motion from examples.
//!
//! A corpus of captured or generated motion goes in; motion that was never recorded comes out. Each verb is a module with
//! a request, a function `run`, and an [`Outcome`]:
//!
//! ```
//! use marey::prelude::*;
//! use marey::examples::walk::{WalkSettings, walk};
//! use marey::vary::{self, VaryRequest};
//!
//! let walk = walk(&WalkSettings { duration_secs: 8.0, rate_hz: 30.0, ..WalkSettings::default() })?;
//! let request = VaryRequest { motion: vec![walk.take.into()], seed: 7, ..VaryRequest::default() };
//! let outcome = vary::run(&request, &Context::new())?;
//! let (bytes, _) = bvh::write(&outcome.take, &BvhOptions::default());
//! assert_eq!(outcome.take.frames(), 240);
//! # assert!(bytes.starts_with(b"HIERARCHY"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | verb | what it makes | feature |
//! |---|---|---|
//! | [`mod@follow`], [`transcribe`] | motion that follows a path or a leader; the labels of what a control does | `follow` |
//! | [`traverse`] | motion over uneven terrain | `traverse` |
//! | [`duet`] | motion of two characters that interact | `duet` |
//! | [`perform`] | a character in a physical world, driven by a performer | `perform` |
//! | [`play`], [`record`] | a performer who is sent to another program, or recorded as a take | `perform` |
//! | [`mod@vary`] | chaotic variations of a dance | `vary` |
//! | [`mod@tween`], [`wander`] | in-betweens and free movement in the style of a corpus | `tween` |
//! | [`realise`] | motion from a plan of any engine | |
//! | [`inspect`] | what motion files contain | |
//! | [`convert`] | motion files in another format, unit, rate or body | |
//! | [`check`] | the quality cards of motion | |
//! | [`render`] | pictures of motion | `render` |
//! | [`examples`] | generated motion with known truth | `examples` |
//! | [`mod@study`] | a rating study: clips that raters see blind, and the analysis of their answers | `study` |
//! | [`segment`] | the segments of takes in a corpus | |
//! | [`corpus`] | a corpus: import, list, annotate, cluster, query, remove, export; each a request and a method of [`corpus::Corpus`] | |
//!
//! The folder `examples` holds ten short programs. `cargo run -p marey --example follow_path -- FOLDER` runs one of them:
//!
//! | program | what it does |
//! |---|---|
//! | `read`, `convert`, `judge` | reads a motion file, writes another format, measures the quality of motion |
//! | `follow_path`, `follow_leader` | walks along a drawn path, dances with a leader |
//! | `duet`, `traverse` | continues a fight, crosses uneven terrain |
//! | `perform_stream` | drives a character with a stream of markers |
//! | `vary`, `tween` | varies a dance, makes the motion between two poses |
//!
//! A verb runs in a [`Context`]: the corpus, progress and cancellation, a [`Cache`], a [`Budget`] and the number of threads. The same
//! request on the same corpus gives the same bytes, whoever asks.
//!
//! The crates below the verbs are re-exported: [`motion`] (the vocabulary), [`ops`], [`body`], [`conventions`],
//! [`formats`], [`corpus`], [`plan`] and [`measure`]. The module of a verb re-exports the crate of its engine. The features `fbx` and `npz` add readers; all features are on by default.
//!
//! From bytes to a clip, to a pose between two frames, and back to bytes:
//!
//! ```
//! use marey::formats::bvh::{self, BvhOptions};
//! use marey::conventions::{ConventionOverrides, Unit};
//! use marey::formats::ReadOptions;
//! use marey::motion::{Vec3, WorldPose};
//!
//! let file = b"HIERARCHY
//! ROOT hip
//! {
//!     OFFSET 0 0 0
//!     CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
//!     JOINT knee
//!     {
//!         OFFSET 0 -40 0
//!         CHANNELS 3 Zrotation Xrotation Yrotation
//!         End Site
//!         {
//!             OFFSET 0 -40 0
//!         }
//!     }
//! }
//! MOTION
//! Frames: 2
//! Frame Time: 0.5
//! 0 80 0  0 0 0  0 0 0
//! 0 80 0  90 0 0  0 0 0
//! ";
//! // The unit cannot be inferred from a leg alone, so it is set.
//! let conventions = ConventionOverrides { unit: Some(Unit::Centimetre), ..Default::default() };
//! let options = ReadOptions { conventions, ..ReadOptions::default() };
//! let import = marey::formats::read(file, Some("bvh"), &options)?;
//! let clip = import.take()?.first();
//!
//! // Half-way between the two frames, the leg has swung by 45 degrees.
//! let pose = clip.sample(0.25);
//! let knee = WorldPose::of(clip.skeleton(), pose.view()).positions[1];
//! let half = 0.4 * 0.5f32.sqrt();
//! assert!(knee.distance(Vec3::new(half, 0.8 - half, 0.0)) < 1e-5);
//!
//! let (bytes, report) = bvh::write(import.take()?, &BvhOptions::default());
//! assert!(bytes.starts_with(b"HIERARCHY\nROOT hip\n") && report.is_empty());
//! # Ok::<(), marey::formats::FormatsError>(())
//! ```
//!
//! Every error has a stable code, a place and a hint ([`motion::Coded`]). [`codes::every`] lists the codes.
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
mod actor_bodies;
pub mod archive;
mod batch;
mod bodies;
mod budget;
mod cache;
pub mod character;
pub mod check;
pub mod codes;
mod context;
pub mod convert;
#[cfg(feature = "duet")]
pub mod duet;
mod error;
#[cfg(any(feature = "duet", feature = "follow", feature = "traverse", feature = "tween"))]
mod example_bodies;
#[cfg(any(feature = "duet", feature = "follow", feature = "traverse", feature = "tween"))]
mod example_selection;
#[cfg(feature = "examples")]
pub mod examples;
#[cfg(feature = "follow")]
pub mod follow;
#[cfg(feature = "traverse")]
pub mod ground;
pub mod inputs;
pub mod inspect;
mod outcome;
#[cfg(feature = "perform")]
pub mod perform;
#[cfg(feature = "perform")]
pub mod play;
pub mod prelude;
pub mod quality;
pub mod realise;
#[cfg(feature = "perform")]
pub mod record;
#[cfg(feature = "render")]
pub mod render;
pub mod segment;
pub mod sources;
#[cfg(feature = "study")]
pub mod study;
mod take_observation;
#[cfg(feature = "follow")]
pub mod transcribe;
#[cfg(feature = "traverse")]
pub mod traverse;
#[cfg(feature = "tween")]
pub mod tween;
#[cfg(any(feature = "duet", feature = "tween", feature = "vary"))]
mod usable_frames;
#[cfg(feature = "vary")]
pub mod vary;
#[cfg(feature = "tween")]
pub mod wander;

pub use actor_bodies::ActorBodies;
pub use batch::FileOutcome;
pub use budget::{Budget, BudgetLimit};
pub use cache::Cache;
pub use context::Context;
pub use error::Error;
pub use outcome::Outcome;

pub use marey_body as body;
pub use marey_conventions as conventions;
pub use marey_corpus as corpus;
pub use marey_formats as formats;
#[cfg(feature = "perform")]
pub use marey_live as live;
pub use marey_measure as measure;
pub use marey_motion as motion;
pub use marey_ops as ops;
pub use marey_plan as plan;

/// The README's examples, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
