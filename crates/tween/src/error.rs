//! What can be wrong with what is learned from, or with what is asked.

use marey_motion::{Code, Coded, Place};
use marey_ops::OutOfRange;

/// Why something was not learned, or not found.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// Something about the motion itself.
    #[error(transparent)]
    Motion(#[from] marey_motion::Error),
    /// Something about the search.
    #[error(transparent)]
    Search(#[from] marey_plan::Error),
    /// Too little to learn from.
    #[error("{frames} frames at {rate_hz} Hz, and {least} are needed")]
    Short {
        /// How many there are.
        frames: usize,
        /// At which rate.
        rate_hz: f64,
        /// How many are needed.
        least: usize,
    },
    /// Clips or postures of different skeletons.
    #[error("{what} has a skeleton of its own: {problem}")]
    Skeleton {
        /// Which clip or posture.
        what: String,
        /// Where it differs.
        problem: String,
    },
    /// No way from one posture to the other.
    #[error("{joint} does not get from one posture to the other{steps}")]
    NotConnected {
        /// The joint that blocks.
        joint: String,
        /// In how many steps, where that was asked.
        steps: String,
        /// The frame of the corpus nearest to the second posture that can be reached, as clip and frame at the working rate.
        nearest: Option<(usize, usize)>,
    },
    /// The search ended without a way, though every joint alone has one.
    #[error("no way was found within {most_states} postures kept in memory")]
    TooFar {
        /// How many were kept.
        most_states: usize,
    },
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        SETTING = "tween/setting":
            "A setting of in-betweening is out of its range." => "The message names the range.";
        SHORT = "tween/short":
            "There is too little motion to learn a style from."
            => "Give more clips, or a higher working rate.";
        SKELETON = "tween/skeleton":
            "Clips or postures that should be of one skeleton are not."
            => "Bring all to one body first: marey convert --skeleton.";
        NOT_CONNECTED = "tween/not-connected":
            "No way was seen from one posture to the other: some joint never goes there from here."
            => "Choose the nearest posture that the message names, more steps, or a larger corpus.";
        TOO_FAR = "tween/too-far":
            "The search gave up before it found a way."
            => "Allow more postures in memory, or more greed.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Setting(_) => &codes::SETTING,
            Error::Motion(error) => error.code(),
            Error::Search(error) => error.code(),
            Error::Short { .. } => &codes::SHORT,
            Error::Skeleton { .. } => &codes::SKELETON,
            Error::NotConnected { .. } => &codes::NOT_CONNECTED,
            Error::TooFar { .. } => &codes::TOO_FAR,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Motion(error) => error.place(),
            Error::Search(error) => error.place(),
            Error::NotConnected { joint, .. } => Place::default().joint(joint.as_str()),
            _ => Place::default(),
        }
    }
}
