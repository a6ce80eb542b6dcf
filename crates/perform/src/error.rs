//! What can be wrong with a world, a body or a stream.

use marey_motion::{Code, Coded, Place};
use marey_ops::OutOfRange;

/// Why a world or a session could not be made.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A world that cannot be read: no TOML, an unknown key, a value of the wrong kind.
    #[error("{problem}")]
    Toml {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        problem: String,
    },
    /// Geometry that nothing can have: a bar without length, a box without room.
    #[error("feature {feature:?}: {problem}")]
    Geometry {
        /// Line, from 1.
        line: usize,
        /// Which feature.
        feature: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A number of a feature is outside its range.
    #[error("feature {feature:?}: {problem}")]
    Number {
        /// Line, from 1.
        line: usize,
        /// Which feature.
        feature: String,
        /// Which number, and its range.
        problem: OutOfRange,
    },
    /// Two features share a name.
    #[error("two features are named {feature:?}")]
    Duplicate {
        /// Line of the second, from 1.
        line: usize,
        /// The name.
        feature: String,
    },
    /// A feature names an example motion that was not given.
    #[error("feature {feature:?} shows the motion {motion:?}, which is not there")]
    MissingMotion {
        /// Line, from 1.
        line: usize,
        /// Which feature.
        feature: String,
        /// The motion's name.
        motion: String,
    },
    /// A condition was given for a feature that the world does not have.
    #[error("the world has no feature {feature:?}")]
    NoFeature {
        /// The name that was asked for.
        feature: String,
    },
    /// Too few frames, or none of them usable, to tell a performer's size.
    #[error("{problem}")]
    Calibration {
        /// What is missing.
        problem: String,
    },
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// An operation refused.
    #[error(transparent)]
    Ops(#[from] marey_ops::Error),
    /// Motion was refused.
    #[error(transparent)]
    Motion(#[from] marey_motion::Error),
}

/// The codes that errors and warnings of this crate carry.
pub mod codes {
    marey_motion::codes! {
        TOML = "perform/toml":
            "A world file cannot be read: it is no TOML, has an unknown key, or a value of the wrong kind."
            => "Look at the named line; docs/perform.md lists every key of a world.";
        GEOMETRY = "perform/geometry":
            "A feature has a shape that nothing can have."
            => "Give bars and ropes a length, boxes room on every axis, planes a direction, and points a radius.";
        NUMBER = "perform/number":
            "A number of a feature is outside its range."
            => "Give a value within the range that the message names.";
        DUPLICATE = "perform/duplicate":
            "Two features of a world share a name." => "Rename one of them.";
        MISSING_MOTION = "perform/missing-motion":
            "A feature shows an example motion that is not there."
            => "Name a motion that exists: swing, climb, walk, breast-stroke, or a motion file beside the world.";
        NO_FEATURE = "perform/no-feature":
            "A condition is meant for a feature that the world does not have."
            => "Give the name of a feature as the world file writes it.";
        CALIBRATION = "perform/calibration":
            "A performer's size cannot be told from the frames given."
            => "Let the performer stand upright for a second, all of the markers of hands, feet and waist in sight.";
        NOT_FINITE = "perform/not-finite":
            "A frame of the stream holds what is no number; the figure kept its pose."
            => "Look at the source of the stream at the named frame.";
        JUMP = "perform/jump":
            "The performer is somewhere else, or posed otherwise, from one frame to the next; the figure eased over."
            => "Look for a cut, or for exchanged markers, at the named frame.";
        STALLED = "perform/stalled":
            "The stream stopped, or repeated a frame for a while; the figure idles."
            => "Look at the connection to the source of the stream.";
        SKELETON = "perform/skeleton":
            "The stream changed to another skeleton; the frame was passed over."
            => "Begin a new session for another performer.";
        LOST = "perform/lost":
            "Markers of hands, feet or waist were lost; they were taken to go on as the rest of the body."
            => "Look at the named marker; several cameras see more.";
        CLOCK = "perform/clock":
            "A frame came with a time that cannot be; the usual time was taken."
            => "Give the seconds since the last frame: more than 0, at most a second.";
        UNSOLVED = "perform/unsolved":
            "Hands, feet and centre of mass could not all be where they should be in a frame."
            => "Look at the named frame; the world may ask for more than the body can reach.";
        GAVE_WAY = "perform/gave-way":
            "The centre of mass was simulated where the holds of a frame let no body be, and gave way."
            => "Look at the named frame: holds may be too far from each other, or a bar too near to the ground.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Toml { .. } => &codes::TOML,
            Error::Geometry { .. } => &codes::GEOMETRY,
            Error::Number { .. } => &codes::NUMBER,
            Error::Duplicate { .. } => &codes::DUPLICATE,
            Error::MissingMotion { .. } => &codes::MISSING_MOTION,
            Error::NoFeature { .. } => &codes::NO_FEATURE,
            Error::Calibration { .. } => &codes::CALIBRATION,
            Error::Setting(_) => &marey_ops::codes::SETTING,
            Error::Ops(error) => error.code(),
            Error::Motion(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Toml { line, column, .. } => Place::at(*line, *column),
            Error::Geometry { line, .. }
            | Error::Number { line, .. }
            | Error::Duplicate { line, .. }
            | Error::MissingMotion { line, .. } => Place::at(*line, 1),
            Error::Ops(error) => error.place(),
            Error::Motion(error) => error.place(),
            Error::NoFeature { .. } | Error::Calibration { .. } | Error::Setting(_) => Place::default(),
        }
    }
}
