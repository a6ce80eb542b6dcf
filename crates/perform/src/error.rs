//! Errors and warnings of this crate.

use marey_motion::Coded;
use marey_ops::OutOfRange;

/// Why a world could not be read or a session could not start.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum PerformError {
    /// The world is not valid TOML, has an unknown key, or a value of the wrong type.
    #[error("{problem}")]
    #[code(codes::TOML, line = line, column = column)]
    Toml {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// Description of the problem.
        problem: String,
    },
    /// A geometry is degenerate: a bar without length, a box without volume.
    #[error("feature {feature:?}: {problem}")]
    #[code(codes::GEOMETRY, line = line)]
    Geometry {
        /// Line, from 1.
        line: usize,
        /// The feature's name.
        feature: String,
        /// Description of the problem.
        problem: String,
    },
    /// A number of a feature is outside its range.
    #[error("feature {feature:?}: {problem}")]
    #[code(codes::NUMBER, line = line)]
    Number {
        /// Line, from 1.
        line: usize,
        /// The feature's name.
        feature: String,
        /// The number and its range.
        problem: OutOfRange,
    },
    /// Two features share a name.
    #[error("two features are named {feature:?}")]
    #[code(codes::DUPLICATE, line = line)]
    Duplicate {
        /// Line of the second, from 1.
        line: usize,
        /// The name.
        feature: String,
    },
    /// A feature names an example motion that was not given.
    #[error("feature {feature:?} names the motion {motion:?}, which does not exist")]
    #[code(codes::MISSING_MOTION, line = line)]
    MissingMotion {
        /// Line, from 1.
        line: usize,
        /// The feature's name.
        feature: String,
        /// The motion's name.
        motion: String,
    },
    /// The world has no feature of this name.
    #[error("the world has no feature {feature:?}")]
    #[code(codes::NO_FEATURE)]
    NoFeature {
        /// The name.
        feature: String,
    },
    /// The frames do not show the performer's size.
    #[error("{problem}")]
    #[code(codes::CALIBRATION)]
    Calibration {
        /// The missing part.
        problem: String,
    },
    /// A setting is outside its range.
    #[error(transparent)]
    #[code(marey_ops::codes::SETTING)]
    Setting(#[from] OutOfRange),
    /// An operation on motion failed.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
    /// A body could not be made.
    #[error(transparent)]
    #[code(transparent)]
    Body(#[from] marey_body::BodyError),
    /// The motion is not valid.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

/// Codes of the errors and warnings of this crate.
pub mod codes {
    marey_motion::codes! {
        TOML = "perform/toml":
            "A world file is not valid TOML, has an unknown key, or a value of the wrong type."
            => "Look at the named line; docs/engines/perform.md lists every key of a world.";
        GEOMETRY = "perform/geometry":
            "A feature has a degenerate shape."
            => "Give bars and ropes a length, boxes a size on every axis, planes a direction, and points a radius.";
        NUMBER = "perform/number":
            "A number of a feature is outside its range."
            => "Give a value within the range that the message names.";
        DUPLICATE = "perform/duplicate":
            "Two features of a world have the same name." => "Rename one of them.";
        MISSING_MOTION = "perform/missing-motion":
            "A feature names an example motion that does not exist."
            => "Name swing, climb, walk or breast-stroke, or a motion file beside the world file.";
        NO_FEATURE = "perform/no-feature":
            "A condition is set for a feature that the world does not have."
            => "Give the name of a feature as the world file writes it.";
        CALIBRATION = "perform/calibration":
            "The given frames do not show the performer's size."
            => "Let the performer stand upright for a second, with the markers of hands, feet and waist visible.";
        RECALIBRATED = "perform/recalibrated":
            "The performer did not begin by standing; the floor was measured again when the performer stood."
            => "Begin by standing for half a second, or give an earlier recording with --calibrate.";
        NO_FINGERS = "perform/no-fingers":
            "The input does not show whether a hand is closed, so it grips by keeping still near a feature."
            => "Send closed with each frame, or capture fingers, to grip by closing a hand; engage.grip chooses another sign.";
        NOT_FINITE = "perform/not-finite":
            "A frame of the stream holds a value that is not a finite number; the character kept its pose."
            => "Check the source of the stream at the named frame.";
        JUMP = "perform/jump":
            "The performer's place or pose jumped between two frames; the character's motion was smoothed."
            => "Look for a cut, or for swapped markers, at the named frame.";
        STALLED = "perform/stalled":
            "The stream stopped, or repeated a frame for a while; the character idles."
            => "Check the connection to the source of the stream.";
        SKELETON = "perform/skeleton":
            "The stream changed to another skeleton; the frame was ignored."
            => "Start a new session for another performer.";
        LOST = "perform/lost":
            "Markers of hands, feet or waist were lost; they were moved along with the rest of the body."
            => "Check the named marker; more cameras lose fewer markers.";
        CLOCK = "perform/clock":
            "The time of a frame is not valid; the usual frame time was used."
            => "Give the seconds since the last frame: more than 0, at most 1.";
        UNSOLVED = "perform/unsolved":
            "No pose meets all targets of hands, feet and centre of mass in a frame."
            => "Look at the named frame: the world may ask for more than the body can reach, or for a faster movement than the performer's.";
        GAVE_WAY = "perform/gave-way":
            "The holds of a frame allow no pose at the simulated centre of mass, so the centre of mass was moved."
            => "Look at the named frame: holds may be too far from each other, or a bar too near to the ground.";
    }
}
