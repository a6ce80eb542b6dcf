//! Live input and output: performers that drive a character frame by frame, a clock that paces frames, and VMC streams.
//!
//! Every input is a [`Performer`], which returns one frame after another:
//!
//! | input | performer |
//! |---|---|
//! | a motion file, a take, markers | [`RecordedPerformer`] |
//! | a recording of an earlier performance | [`PerformerRecording`] |
//! | markers as lines of JSON, from a socket, the standard input or any reader | [`MarkerPerformer`] over [`MarkerStream`] or [`MarkerLines`] |
//! | a VMC stream: the bones, or the trackers, of another program | [`MarkerPerformer`] over [`MarkerStream::listen_vmc`] |
//! | a generated player of the adventure | [`Player`] |
//! | keys | [`KeyboardPerformer`] |
//!
//! [`FrameClock`] waits until the next frame is due. [`VmcSender`](vmc::VmcSender) sends a character to another program.
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
mod finger_watch;
#[cfg(feature = "examples")]
mod keyboard_performer;
mod marker_frame;
mod marker_lines;
mod marker_performer;
mod marker_stream;
mod performer;
mod performer_recording;
#[cfg(feature = "examples")]
mod player;
mod recorded_performer;
mod stated_body;
mod stream_conventions;
pub mod vmc;

pub use clock::FrameClock;
pub use error::{LiveError, codes};
#[cfg(feature = "examples")]
pub use keyboard_performer::KeyboardPerformer;
pub use marker_frame::{Handedness, MarkerFrame, RotationFrame, StreamHeader, StreamTime};
pub use marker_lines::{MarkerLines, MarkerRead};
pub use marker_performer::MarkerPerformer;
pub use marker_stream::MarkerStream;
pub use performer::{PerformedFrame, Performer, PerformerCommand};
pub use performer_recording::{PerformerRecording, RecordingWriter};
#[cfg(feature = "examples")]
pub use player::Player;
pub use recorded_performer::RecordedPerformer;

/// Result of a fallible function of this crate.
pub(crate) type Result<T> = std::result::Result<T, LiveError>;
