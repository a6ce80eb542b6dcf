//! A performer drives a character in a physical world.
//!
//! [`run`] takes a [`PerformRequest`]: a world and an input. Every input is a [`Performer`], which returns one frame after
//! another; [`live`](crate::live) lists the performers.
//!
//! A [`Performance`] calibrates the performer by its first frames in any pose, then steps the session frame by frame. Its outcome holds the
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

mod perform_input;
mod performance;
mod request;
mod world_file;

pub use marey_live::vmc::{VmcAddress, VmcSender};
pub use marey_live::{
    Handedness, MarkerFrame, MarkerLines, MarkerPerformer, MarkerRead, MarkerStream, PerformedFrame,
    Performer, PerformerCommand, PerformerRecording, RecordedPerformer, RecordingWriter, RotationFrame,
    StreamHeader, StreamTime,
};
#[cfg(feature = "examples")]
pub use marey_live::{KeyboardPerformer, Player};
pub use marey_perform::*;
pub use perform_input::PerformInput;
pub use performance::{PerformDetails, PerformEvent, PerformOutcome, Performance, perform};
pub(crate) use request::recording_writer;
pub use request::{PerformRequest, run};
pub use world_file::WorldFile;
