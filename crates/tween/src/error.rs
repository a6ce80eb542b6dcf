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
    /// Something that was worked out from the motion.
    #[error(transparent)]
    Ops(#[from] marey_ops::Error),
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
    /// A posture is not one of the style.
    #[error("{joint} is {off_deg:.0}° from all that was seen of it")]
    Outside {
        /// The joint that is farthest off.
        joint: String,
        /// How far, in degrees.
        off_deg: f32,
    },
    /// No way from one posture to the other.
    #[error("{joint} does not get from one posture to the other{}", in_steps(*steps, *enough))]
    NotConnected {
        /// The joint that blocks.
        joint: String,
        /// In how many steps, where that was asked.
        steps: Option<usize>,
        /// How many would do, where that was asked and any do.
        enough: Option<usize>,
        /// The frame of the corpus nearest to the second posture that can be reached, as clip and frame at the working rate.
        nearest: Option<(usize, usize)>,
    },
}

fn in_steps(steps: Option<usize>, enough: Option<usize>) -> String {
    let wanted = steps.map_or_else(String::new, |steps| format!(" in {steps} steps"));
    wanted + &enough.map_or_else(String::new, |enough| format!("; {enough} would do"))
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
        OUTSIDE = "tween/outside":
            "A posture that is asked for is not one of the style: a joint is turned as it was never seen."
            => "Choose a posture nearer to those of the corpus, or add motion that has it.";
        NOT_CONNECTED = "tween/not-connected":
            "No way was seen from one posture to the other: some joint never goes there from here."
            => "Choose the nearest posture that the message names, more steps, or a larger corpus.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Setting(_) => &codes::SETTING,
            Error::Motion(error) => error.code(),
            Error::Ops(error) => error.code(),
            Error::Short { .. } => &codes::SHORT,
            Error::Skeleton { .. } => &codes::SKELETON,
            Error::Outside { .. } => &codes::OUTSIDE,
            Error::NotConnected { .. } => &codes::NOT_CONNECTED,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Motion(error) => error.place(),
            Error::Ops(error) => error.place(),
            Error::Outside { joint, .. } | Error::NotConnected { joint, .. } => {
                Place::default().joint(joint.as_str())
            }
            _ => Place::default(),
        }
    }
}
