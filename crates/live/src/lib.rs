//! Live input: performers that drive a character frame by frame, and a clock that paces frames.
//!
//! Every input is a [`Performer`], which returns one frame after another:
//!
//! | input | performer |
//! |---|---|
//! | a motion file, a take, markers | [`RecordedPerformer`] |
//! | a recording of an earlier performance | [`PerformerRecording`] |
//! | markers as lines of JSON, from a socket or the standard input | [`MarkerPerformer`] over [`MarkerLines`] or [`LatestMarkers`] |
//! | a generated player of the adventure | [`Player`] |
//! | keys | [`KeyboardPerformer`] |
//!
//! [`FrameClock`] waits until the next frame is due.
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

mod clock;
mod error;
#[cfg(feature = "examples")]
mod keyboard_performer;
mod latest_markers;
mod marker_frames;
mod marker_performer;
mod performer;
mod performer_recording;
#[cfg(feature = "examples")]
mod player;
mod recorded_performer;

pub use clock::FrameClock;
pub use error::{LiveError, codes};
#[cfg(feature = "examples")]
pub use keyboard_performer::KeyboardPerformer;
pub use latest_markers::LatestMarkers;
pub use marker_frames::{MarkerFrame, MarkerLines, MarkerRead};
pub use marker_performer::MarkerPerformer;
pub use performer::{PerformedFrame, Performer, PerformerCommand};
pub use performer_recording::{PerformerRecording, RecordingWriter};
#[cfg(feature = "examples")]
pub use player::Player;
pub use recorded_performer::RecordedPerformer;

/// Result of a fallible function of this crate.
pub(crate) type Result<T> = std::result::Result<T, LiveError>;
