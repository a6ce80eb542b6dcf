//! A performer drives a character in a physical world.
//!
//! [`run`] takes a [`PerformRequest`]: a world and an input. Every input is a [`Performer`], which gives one frame after another:
//!
//! | input | performer |
//! |---|---|
//! | a motion file, a take, markers | [`RecordedPerformer`] |
//! | a recording of an earlier performance | [`PerformerRecording`] |
//! | markers as lines of JSON, from a socket or the standard input | [`MarkerPerformer`] over [`MarkerLines`] or [`LatestMarkers`] |
//! | a generated player of the adventure | [`Player`] |
//! | keys | [`KeyboardPerformer`] |
//!
//! A [`Performance`] calibrates the performer by its first frames, then steps the session frame by frame. Its outcome holds the
//! character's take and a [`PerformerRecording`] of the input: performing that again in the same world gives the same take.
//!
//! ```
//! use marey::Context;
//! use marey::examples::playground::{PlaygroundSettings, stream};
//! use marey::perform::{Recording, RecordedPerformer, WorldFile, perform};
//! let stream = stream(&PlaygroundSettings::default())?;
//! let performer = RecordedPerformer::new(Recording::of_clip(&stream.example.take.first().slice(0..90)?)?);
//! let outcome = perform(WorldFile::adventure()?, Box::new(performer), &Context::new())?;
//! assert_eq!(outcome.take.frames(), 90);
//! // In the end, both feet stand on a floor.
//! assert_eq!(outcome.details.events.last().unwrap().holds.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "examples")]
mod keyboard;
mod latest_markers;
mod marker_frames;
mod performance;
mod performer;
#[cfg(feature = "examples")]
mod player;
mod recording_file;
mod request;
mod scenery;
mod world_file;

#[cfg(feature = "examples")]
pub use keyboard::KeyboardPerformer;
pub use latest_markers::LatestMarkers;
pub use marey_perform::*;
pub use marker_frames::{MarkerFrame, MarkerLines, MarkerRead};
pub use performance::{PerformDetails, PerformEvent, PerformOutcome, Performance, perform};
pub use performer::{MarkerPerformer, PerformedFrame, Performer, PerformerCommand, RecordedPerformer};
#[cfg(feature = "examples")]
pub use player::Player;
pub use recording_file::PerformerRecording;
pub use request::{PerformInput, PerformRequest, run};
pub use world_file::WorldFile;
