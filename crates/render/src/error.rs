//! Errors of drawing.

use marey_motion::Coded;

/// Error of drawing.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum RenderError {
    /// The picture would need too much memory.
    #[error("{what}: {found}, but at most {limit} are drawn")]
    #[code(codes::TOO_LARGE)]
    TooLarge {
        /// The quantity that is too large.
        what: &'static str,
        /// Its size.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// An option is outside its range.
    #[error("{name} is {found}, not {wanted}")]
    #[code(codes::OPTION)]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Its value.
        found: String,
        /// The allowed range.
        wanted: &'static str,
    },
    /// A joint is not finite in the world, or too far from its origin to be drawn.
    #[error("joint {joint:?} of {actor:?} is farther than {limit_m} m from the origin at frame {frame}")]
    #[code(codes::TOO_FAR, frame = frame, joint = joint)]
    TooFar {
        /// The figure.
        actor: String,
        /// The joint.
        joint: String,
        /// The frame, counted in the whole take.
        frame: usize,
        /// The largest allowed distance, in metres.
        limit_m: f32,
    },
    /// The range of frames does not fit the take.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
    /// The encoder of the picture format failed.
    #[error("the picture could not be encoded: {problem}")]
    #[code(codes::ENCODE)]
    Encode {
        /// Message of the encoder.
        problem: String,
    },
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        TOO_LARGE = "render/too-large":
            "A picture would be too large to draw."
            => "Ask for fewer poses or frames, a lower rate, or a smaller size.";
        OPTION = "render/option":
            "An option is outside its range." => "Give a value within the range that the message names.";
        TOO_FAR = "render/too-far":
            "A joint is too far from the origin to be drawn."
            => "Check the named frame and joint in the source, and the unit of length.";
        ENCODE = "render/encode":
            "A picture could not be encoded." => "Try another size; if the error persists, report it.";
    }
}
