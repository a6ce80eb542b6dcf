//! Errors of live input.

use marey_motion::Coded;

/// Why a live input failed.
#[non_exhaustive]
#[derive(Debug, thiserror::Error, Coded)]
pub enum LiveError {
    /// A line of a stream is too long or not a frame.
    #[error("{name}: line {line}: {problem}")]
    #[code(codes::NOT_A_FRAME)]
    Line {
        /// Name of the stream.
        name: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// A stream ended before the performer was measured.
    #[error("{name}: the stream ended after {frames} frames")]
    #[code(codes::NOT_A_FRAME)]
    Ended {
        /// Name of the stream.
        name: String,
        /// Frames that arrived.
        frames: usize,
    },
    /// The user cancelled while the input waited for a performer.
    #[error("cancelled while waiting for a performer")]
    #[code(codes::CANCELLED)]
    Cancelled,
    /// A stream could not be opened or read.
    #[error("{name}: {error}")]
    #[code(codes::STREAM)]
    Stream {
        /// Name of the stream.
        name: String,
        /// The cause.
        error: std::io::Error,
    },
    /// The performer could not be calibrated.
    #[error(transparent)]
    #[code(transparent)]
    Perform(#[from] marey_perform::PerformError),
    /// The motion of a performer is not valid.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
    /// The default body could not be built.
    #[error(transparent)]
    #[code(transparent)]
    Body(#[from] marey_body::BodyError),
    /// The generated performer could not be made.
    #[cfg(feature = "examples")]
    #[error(transparent)]
    #[code(transparent)]
    Examples(#[from] marey_examples::ExamplesError),
}

/// Codes of the errors of this crate.
pub mod codes {
    marey_motion::codes! {
        NOT_A_FRAME = "live/not-a-frame" alias "command/not-a-frame":
            "A line of a live stream, or a recording of one, is not a valid frame."
            => "Send a line of JSON for each frame: {\"secs\": 0.0167, \"points\": {\"Hips\": [x, y, z], …}, \"closed\": [false, true]}.";
        CUT_OFF = "live/cut-off":
            "The last frame of a recording is not complete, because the performance was killed while it was written."
            => "Nothing has to be done: the frames before are used.";
        NOT_RECORDED = "live/not-recorded":
            "A frame could not be written into the recording, which ends before it."
            => "Check that there is space on the disk.";
        STREAM = "live/stream":
            "A live stream cannot be opened or read."
            => "Check that the sender is running, and its host and port.";
        CANCELLED = "live/cancelled":
            "The user cancelled while a live input waited for a performer."
            => "Start the performance again, and let the performer stand in view.";
    }
}
