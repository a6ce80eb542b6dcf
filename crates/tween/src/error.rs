//! Errors of learning a style and of in-betweening.

use marey_motion::Observer;
use marey_ops::OutOfRange;

use crate::Result;

/// Why learning a style or in-betweening failed.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, marey_motion::Coded)]
pub enum TweenError {
    /// A setting is out of range.
    #[code(codes::SETTING)]
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// The motion is invalid.
    #[code(transparent)]
    #[error(transparent)]
    Motion(#[from] marey_motion::MotionError),
    /// An operation on the motion failed.
    #[code(transparent)]
    #[error(transparent)]
    Ops(#[from] marey_ops::OpsError),
    /// There is too little motion to learn from.
    #[code(codes::TOO_SHORT)]
    #[error("the clips have {frames} frames at {rate_hz} Hz; at least {min} are needed")]
    TooShort {
        /// Number of frames.
        frames: usize,
        /// Frame rate of the style.
        rate_hz: f64,
        /// Minimum number of frames.
        min: usize,
    },
    /// Clips or poses have different skeletons.
    #[code(codes::SKELETON)]
    #[error("{subject} has a different skeleton: {problem}")]
    Skeleton {
        /// Which clip or pose.
        subject: String,
        /// The first difference.
        problem: String,
    },
    /// A joint of a pose is too far from all orientations of the style.
    #[code(codes::OUTSIDE, joint = joint)]
    #[error("{joint} is {error_deg:.0}° from the nearest orientation in the corpus")]
    OutsideStyle {
        /// The joint.
        joint: String,
        /// Angle to the nearest orientation, in degrees.
        error_deg: f32,
    },
    /// The observer cancelled the work.
    #[code(codes::CANCELLED)]
    #[error("cancelled")]
    Cancelled,
    /// There is no path from one posture to the other.
    #[code(codes::NOT_CONNECTED, joint = joint)]
    #[error("{joint} cannot move from one posture to the other{}", in_steps(*steps, *sufficient))]
    NotConnected {
        /// The joint that cannot reach its target, or that needs the most steps.
        joint: String,
        /// The requested number of steps, if any.
        steps: Option<usize>,
        /// If a number of steps was requested: the smallest number that suffices, if any does.
        sufficient: Option<usize>,
        /// The reachable frame of the corpus that is nearest to the target, as clip and frame at the style's
        /// rate.
        nearest: Option<(usize, usize)>,
    },
}

fn in_steps(steps: Option<usize>, sufficient: Option<usize>) -> String {
    let requested = steps.map_or_else(String::new, |steps| format!(" in {steps} steps"));
    requested + &sufficient.map_or_else(String::new, |sufficient| format!("; {sufficient} are enough"))
}

/// Fails if the observer cancels the work.
pub(crate) fn check_cancelled(observer: Observer<'_>) -> Result<()> {
    match observer.report("tween", 0, 0).is_continue() {
        true => Ok(()),
        false => Err(TweenError::Cancelled),
    }
}

/// Codes of the errors of this crate.
pub mod codes {
    marey_motion::codes! {
        SETTING = "tween/setting":
            "A setting of in-betweening is out of range." => "Use a value in the range that the message gives.";
        TOO_SHORT = "tween/short":
            "There is too little motion to learn a style from."
            => "Use more clips or a higher working rate.";
        SKELETON = "tween/skeleton":
            "Clips or poses have different skeletons."
            => "Retarget them to one skeleton first: marey convert --skeleton.";
        CANCELLED = "tween/cancelled":
            "The work was cancelled before it was done." => "Run it again if you need the result.";
        OUTSIDE = "tween/outside":
            "A pose is not in the style: a joint has an orientation far from every one in the corpus."
            => "Choose a pose closer to those of the corpus, or add motion that contains it.";
        NOT_CONNECTED = "tween/not-connected":
            "No path leads from one posture to the other: some joint never makes the necessary transitions."
            => "Use the nearest posture that the message names, more steps, or a larger corpus.";
    }
}
