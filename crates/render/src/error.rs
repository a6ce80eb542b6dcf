//! Why a picture was refused.

use marey_motion::{Code, Coded, Place};

/// What can be wrong with a wish for a picture.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The picture would take more memory than a picture should.
    #[error("{what}: {found} where at most {limit} are drawn")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// How large it would be.
        found: u64,
        /// How large it may be.
        limit: u64,
    },
    /// An option is outside its range.
    #[error("{name} is {found}, not {wanted}")]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Its value.
        found: String,
        /// What it may be.
        wanted: &'static str,
    },
    /// A joint is not finite in the world, or too far from its origin to be drawn.
    #[error("joint {joint:?} of {actor:?} is farther than {limit_m} m from the origin at frame {frame}")]
    TooFar {
        /// The figure.
        actor: String,
        /// The joint.
        joint: String,
        /// The frame, counted in the whole take.
        frame: usize,
        /// How far it may be, in metres.
        limit_m: f32,
    },
    /// The range of frames does not fit the take.
    #[error(transparent)]
    Motion(#[from] marey_motion::Error),
    /// The encoder of the picture's format gave up.
    #[error("the picture could not be encoded: {problem}")]
    Encode {
        /// What the encoder said.
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
            "A joint is too far away to be drawn."
            => "Look at the named frame and joint in the source, and at the unit of length.";
        ENCODE = "render/encode":
            "A picture could not be encoded." => "Try another size; if it stays, report it.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::TooLarge { .. } => &codes::TOO_LARGE,
            Error::Option { .. } => &codes::OPTION,
            Error::TooFar { .. } => &codes::TOO_FAR,
            Error::Motion(error) => error.code(),
            Error::Encode { .. } => &codes::ENCODE,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::TooFar { joint, frame, .. } => Place::default().frame(*frame).joint(joint.clone()),
            Error::Motion(error) => error.place(),
            _ => Place::default(),
        }
    }
}
