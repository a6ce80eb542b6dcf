//! Why a control motion cannot be followed.

use marey_motion::{Code, Coded, Place};
use marey_ops::OutOfRange;

/// Why a control motion cannot be followed.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A mapping without instances.
    #[error("the mapping has no instances")]
    Empty,
    /// Control and target of an example are not of one clock.
    #[error("example {example}: control has {control} and target {target}")]
    NotSynchronised {
        /// Which example, from 0.
        example: usize,
        /// Frames and rate of the control.
        control: String,
        /// Frames and rate of the target.
        target: String,
    },
    /// An instance is not a piece of an example.
    #[error("instance {instance} ({label:?}): {problem}")]
    Instance {
        /// Which, from 0.
        instance: usize,
        /// What it is called.
        label: String,
        /// What is wrong with it.
        problem: String,
    },
    /// Points that must be the same are not.
    #[error("{what}: {found} points where the mapping has {wanted}")]
    Points {
        /// Whose points.
        what: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        wanted: usize,
    },
    /// A point is missing in a frame.
    #[error("{what}: point {label:?} is missing")]
    MissingPoint {
        /// Whose point.
        what: String,
        /// Which point.
        label: String,
        /// In which frame.
        frame: usize,
    },
    /// Somebody who watched the search wanted no more of it.
    #[error("{done} of {frames} frames were seen")]
    Stopped {
        /// How many frames of the working rate were done.
        done: usize,
        /// How many there are.
        frames: usize,
    },
    /// The control is shorter than any instance may be.
    #[error(
        "the control lasts {secs:.3} s, and the shortest instance cannot be made shorter than {shortest_secs:.3} s"
    )]
    TooShort {
        /// How long the control is.
        secs: f64,
        /// How short an instance can be.
        shortest_secs: f64,
    },
    /// No sequence of instances lasts as long as the control.
    #[error("no sequence of instances lasts {secs:.3} s; {}", near(*below_secs, *above_secs))]
    NoCover {
        /// How long the control is.
        secs: f64,
        /// The longest length below that can be covered.
        below_secs: Option<f64>,
        /// The shortest length above that can be covered.
        above_secs: Option<f64>,
    },
    /// What is wished leaves no sequence that lasts as long as the control.
    #[error("the wishes leave no sequence of instances that lasts {secs:.3} s")]
    Wishes {
        /// How long the control is.
        secs: f64,
    },
    /// A wish names what is not there.
    #[error("wish {wish}: {problem}")]
    BadWish {
        /// Which, from 0.
        wish: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// A beam so narrow that none of the ways it kept arrives.
    #[error("no way within a beam of {beam} arrives")]
    BeamTooNarrow {
        /// The beam's width.
        beam: f64,
    },
    /// A plan was asked of an interpretation that tilts its examples.
    #[error("examples that are turned about any axis cannot be put on the floor")]
    Tilted,
    /// A path that a figure cannot be put on.
    #[error("a path has one point a frame; this one has {found}")]
    NotAPath {
        /// How many points it has.
        found: usize,
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

fn near(below: Option<f64>, above: Option<f64>) -> String {
    match (below, above) {
        (Some(below), Some(above)) => format!("the nearest lengths are {below:.3} s and {above:.3} s"),
        (Some(one), None) | (None, Some(one)) => format!("the nearest length is {one:.3} s"),
        (None, None) => "nor does any other length come near".into(),
    }
}

/// The codes that errors and warnings of this crate carry.
pub mod codes {
    marey_motion::codes! {
        EMPTY = "follow/empty":
            "There are no examples to follow by."
            => "Cut takes into segments first, as `marey corpus segment` does, or name others.";
        NOT_SYNCHRONISED = "follow/not-synchronised":
            "The control and the target of an example differ in rate or length."
            => "Resample or trim them first, so that frame for frame they are of one instant.";
        INSTANCE = "follow/instance":
            "An instance is not a piece of one of the examples."
            => "Give frames within the example, at least two of them.";
        POINTS = "follow/points":
            "Motions that are compared do not have the same number of points."
            => "Choose the same roles or markers for the control as for the examples.";
        MISSING_POINT = "follow/missing-point":
            "A point is missing in a frame." => "Fill the gap first, or leave the point out.";
        STOPPED = "follow/stopped":
            "The search was ended before it was done." => "Let it go on, or narrow it with a beam.";
        TOO_SHORT = "follow/too-short":
            "The control is shorter than any instance."
            => "Give a longer control, shorter segments, a larger stretch, or free ends.";
        NO_COVER = "follow/no-cover":
            "No sequence of instances lasts as long as the control."
            => "Trim or lengthen the control to a length that the message names, allow more stretch, or free ends.";
        WISHES = "follow/wishes":
            "What is wished cannot all be had at once." => "Take a wish back, or allow more stretch.";
        BAD_WISH = "follow/bad-wish":
            "A wish names an instance or a time that is not there."
            => "Instances are numbered from 0, times are seconds within the control.";
        BEAM_TOO_NARROW = "follow/beam-too-narrow":
            "The beam kept no way that arrives at the end of the control."
            => "Widen the beam, or leave it out: the search is exact then, and seldom slower.";
        TILTED = "follow/tilted":
            "Examples that were turned about any axis cannot be put on the floor."
            => "Interpret with turns about the vertical only where motion is to be made.";
        NOT_A_PATH = "follow/not-a-path":
            "A path has one point in each frame." => "Give one point, or follow by points as they are.";
        TOO_FAST = "follow/too-fast":
            "The path asks for more speed than any example has."
            => "Draw it more slowly there, smooth it in time, or add faster examples.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Empty => &codes::EMPTY,
            Error::NotSynchronised { .. } => &codes::NOT_SYNCHRONISED,
            Error::Instance { .. } => &codes::INSTANCE,
            Error::Points { .. } => &codes::POINTS,
            Error::MissingPoint { .. } => &codes::MISSING_POINT,
            Error::Stopped { .. } => &codes::STOPPED,
            Error::TooShort { .. } => &codes::TOO_SHORT,
            Error::NoCover { .. } => &codes::NO_COVER,
            Error::Wishes { .. } => &codes::WISHES,
            Error::BadWish { .. } => &codes::BAD_WISH,
            Error::BeamTooNarrow { .. } => &codes::BEAM_TOO_NARROW,
            Error::Tilted => &codes::TILTED,
            Error::NotAPath { .. } => &codes::NOT_A_PATH,
            Error::Setting(_) => &marey_ops::codes::SETTING,
            Error::Ops(error) => error.code(),
            Error::Motion(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::MissingPoint { frame, .. } => Place::default().frame(*frame),
            Error::Ops(error) => error.place(),
            Error::Motion(error) => error.place(),
            _ => Place::default(),
        }
    }
}
