//! Marey makes new human motion from examples. This is its front door: one crate that names the others.
//!
//! | room | what is in it |
//! |---|---|
//! | [`motion`] | the vocabulary: skeletons, roles, poses, clips, takes, reports |
//! | [`corpus`] | the motion database: takes, annotations and segments in one file |
//! | [`formats`] | bytes ⇄ motion; where units, axes, rates and roles are settled |
//! | [`duet`] | two characters that interact: movements found, a model of them, and motion that goes on |
//! | [`pairs`] | a corpus as recordings for [`duet`], and a live stage for what it makes |
//! | [`follow`] | control by example: a path is walked along, a leader followed |
//! | [`by_example`] | a corpus as a mapping for [`follow`] |
//! | [`examples`] | example motion, generated, with its truth known |
//! | [`ops`] | what is found in motion and done to it: the floor, contacts, inverse kinematics |
//! | [`perform`] | a live performance drives a character in a physical world |
//! | [`performances`] | worlds, example motions and recordings for [`perform`] |
//! | [`scenery`] | what a world of [`perform`] looks like in pictures |
//! | [`plan`] | what an engine decides: which example is used when and where; searching for the best |
//! | [`realise`] | from a plan to motion: place, stretch, join, offline and live |
//! | [`traverse`] | motion over terrain, by example |
//! | [`over_terrain`] | a corpus as examples for [`traverse`] |
//! | [`sources`] | a corpus as the keeper of the examples that plans name |
//! | [`render`] | pictures of motion, without a GPU or display |
//!
//! What a person asks for, from words to motion; the command and the Python package are thin doors to these:
//!
//! | room | what is in it |
//! |---|---|
//! | [`inputs`], [`intake`], [`cuts`], [`search`] | which files are meant; put into a corpus, cut, found again |
//! | [`answers`], [`crossings`], [`bouts`], [`variations`], [`learned`] | `follow`, `traverse`, `duet`, `vary`, `tween` and `wander` |
//! | [`shards`] | the same files read on many machines, and one corpus of them |
//! | [`making`], [`quality`], [`stage`] | a plan as motion, how good motion is, and on which floor it is drawn |
//! | [`ground`] | uneven ground from files |
//! | [`failure`], [`watch`] | what went wrong, and how far long work is |
//!
//! From bytes to a clip, to a pose between two frames, and back to bytes:
//!
//! ```
//! use marey::formats::bvh::{self, BvhOptions};
//! use marey::formats::{ReadOptions, Unit, door::Conventions};
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
//! // A leg alone does not tell its unit, so it is said.
//! let conventions = Conventions { unit: Some(Unit::Centimetre), ..Conventions::default() };
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
//! # Ok::<(), marey::formats::Error>(())
//! ```
//!
//! Errors of every room are [`motion::Coded`]: they name a stable code, a place and a hint. [`codes::every`] lists all.

pub mod answers;
pub mod bouts;
pub mod by_example;
pub mod codes;
pub mod crossings;
pub mod cuts;
pub mod failure;
pub mod ground;
pub mod inputs;
pub mod intake;
pub mod learned;
pub mod making;
pub mod over_terrain;
pub mod pairs;
pub mod performances;
pub mod phrases;
pub mod quality;
pub mod scenery;
pub mod search;
pub mod shards;
pub mod sources;
pub mod stage;
pub mod styles;
pub mod variations;
pub mod watch;

pub use marey_corpus as corpus;
pub use marey_duet as duet;
pub use marey_examples as examples;
pub use marey_follow as follow;
pub use marey_formats as formats;
pub use marey_measure as measure;
pub use marey_motion as motion;
pub use marey_ops as ops;
pub use marey_perform as perform;
pub use marey_plan as plan;
pub use marey_realise as realise;
pub use marey_render as render;
#[cfg(feature = "cli")]
pub use marey_studio as studio;
pub use marey_traverse as traverse;
pub use marey_tween as tween;
pub use marey_vary as vary;

/// The README's examples, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
