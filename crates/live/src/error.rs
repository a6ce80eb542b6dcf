//! Errors of live input.

use marey_motion::Coded;

/// Why a live input failed.
#[non_exhaustive]
#[derive(Debug, thiserror::Error, Coded)]
pub enum LiveError {
    /// A line of a recording is not valid.
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
    /// A stream ended before it showed the performer.
    #[error("the stream ended after {lines} lines, and none showed the hips and both feet{seen}")]
    #[code(codes::NO_PERFORMER)]
    NoPerformer {
        /// Lines that arrived.
        lines: usize,
        /// What was seen instead: the names of joints, and why a line was skipped.
        seen: String,
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
    /// A port could not be opened.
    #[error("{name}: {error}")]
    #[code(codes::LISTEN)]
    Listen {
        /// Name of the stream.
        name: String,
        /// The cause.
        error: std::io::Error,
    },
    /// A text is not the address of a VMC stream.
    #[error("{text:?} is not an address of a VMC stream")]
    #[code(codes::ADDRESS)]
    Address {
        /// The text.
        text: String,
    },
    /// A pose could not be sent.
    #[error("{name}: {error}")]
    #[code(codes::NOT_SENT)]
    NotSent {
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
            "A line of a recording of a performance is not a valid frame."
            => "Record the performance again, or leave out the named line.";
        SKIPPED = "live/skipped":
            "A line of a live stream is not a frame; it was skipped."
            => "Send a line of JSON for each frame: {\"secs\": 0.0167, \"points\": {\"Hips\": [x, y, z], …}, \"closed\": [false, true]}.";
        DROPPED = "live/dropped":
            "Messages or frames of a VMC stream were left out: they are not valid, or arrived faster than they were performed."
            => "Check which program sends to this port, and that only one does; docs/guides/vmc.md lists what is read.";
        BONE_LENGTH = "live/bone-length":
            "The positions of bones of a stream change relative to their parents; their mean was used, or default proportions."
            => "Nothing has to be done if the sender leaves out joints or stretches bones; perform --calibrate FILE takes the body from a file.";
        HEADER = "live/header":
            "The header of a live stream has a value that is not known; it was detected instead."
            => "State a unit (m, cm, mm, in, ft or a number of metres) and an axis (x, y, z, -x, -y, -z).";
        TIMESTAMPS = "live/timestamps":
            "The times of a live stream grow from frame to frame, so they are read as timestamps."
            => "State the meaning of secs in the header: {\"header\": {\"time\": \"timestamps\"}}, or intervals.";
        OUT_OF_ORDER = "live/out-of-order":
            "A frame of a live stream is not later than the one before; it was skipped."
            => "Send frames in the order of their timestamps.";
        GAP = "live/gap":
            "No frame arrived for a while; the performer kept the pose for that time, at most 10 s."
            => "Check the connection to the source of the stream.";
        RECONNECTED = "live/reconnected":
            "The connection to the sender was lost and opened again."
            => "Check the network if this happens often.";
        UNKNOWN_KEY = "live/unknown-key":
            "A frame of a live stream has a key without a meaning; it was ignored."
            => "Use secs, points, rotations and closed.";
        UNKNOWN_JOINT = "live/unknown-joint":
            "A joint of a live stream is not named after a role; it was ignored."
            => "Name joints as in Hips, Chest, LeftUpperArm, LeftHand; docs/engines/perform.md lists all.";
        NOT_VISIBLE = "live/not-visible":
            "A live stream began with frames that do not show the hips and both feet; they were not used."
            => "Let the performer stand in view before the performance begins.";
        NO_PERFORMER = "live/no-performer":
            "A live stream ended before it showed the hips and both feet of a performer."
            => "Name the joints Hips, LeftFoot and RightFoot, and send more of them; docs/engines/perform.md lists all names.";
        CUT_OFF = "live/cut-off":
            "The last frame of a recording is not complete, because the performance was killed while it was written."
            => "Nothing has to be done: the frames before are used.";
        NOT_RECORDED = "live/not-recorded":
            "A frame could not be written into the recording, which ends before it."
            => "Check that there is space on the disk.";
        STREAM = "live/stream":
            "A live stream cannot be opened or read."
            => "Check that the sender is running, and its host and port.";
        LISTEN = "live/listen":
            "The port of a live stream cannot be opened."
            => "Close the other program that listens on this port, or choose another port here and in the sender.";
        ADDRESS = "live/address":
            "A text is not the address of a VMC stream."
            => "Use vmc, vmc:PORT, vmc:HOST or vmc:HOST:PORT, as in vmc:127.0.0.1:39539.";
        NOT_SENT = "live/not-sent":
            "A pose cannot be sent to the receiver of a VMC stream."
            => "Check the host and the network.";
        CANCELLED = "live/cancelled":
            "The user cancelled while a live input waited for a performer."
            => "Start the performance again, and let the performer stand in view.";
    }
}
