//! Why ground cannot be crossed.

use marey_motion::{Code, Coded, Place, Terrain};
use marey_ops::OutOfRange;

use crate::Footing;

/// Why ground cannot be crossed.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// Nothing to make motion of.
    #[error("no example has a whole hop or stride in it; {examples} were given")]
    Empty {
        /// How many examples were looked at.
        examples: usize,
    },
    /// The figure has nothing that it could stand on.
    #[error("the figure has neither two whole legs nor a root with two ends along the way")]
    NoSole,
    /// Examples that are not of one body or one clock.
    #[error("{take}: the {what} is not that of the first example")]
    Unlike {
        /// Which take.
        take: String,
        /// Its skeleton or rate.
        what: &'static str,
    },
    /// A plan uses a take that is not among the examples.
    #[error("no example is called {take:?}, or it has no frame {frame}")]
    UnknownSource {
        /// The take.
        take: String,
        /// The frame that was asked for.
        frame: usize,
    },
    /// Where the figure is to start or to arrive, it cannot stand.
    #[error("there is no footing {what} {along_m:.3} m; the ground reaches from {from_m:.3} to {to_m:.3} m")]
    NoFooting {
        /// At the start or towards the goal.
        what: &'static str,
        /// Where.
        along_m: f32,
        /// Where the ground begins.
        from_m: f32,
        /// Where the ground ends.
        to_m: f32,
    },
    /// Ground that no example reaches.
    #[error(
        "nothing leads beyond {until_m:.3} m: the next footing is {ahead_m:.3} m ahead and {up_m:+.3} m up, at {footing_m:.3} m{}",
        gap.map_or(String::new(), |[from, to]| format!(", behind a gap from {from:.3} to {to:.3} m"))
    )]
    Unreachable {
        /// The farthest place that can be come to.
        until_m: f32,
        /// The first place to stand beyond it.
        footing_m: f32,
        /// How far that is.
        ahead_m: f32,
        /// How much higher it is.
        up_m: f32,
        /// The gap between them, where there is one.
        gap: Option<[f32; 2]>,
    },
    /// The best next hop was taken time after time, and led to where none goes on.
    #[error("stuck at {along_m:.3} m after {hops} hops: no example fits what follows")]
    Stuck {
        /// Where.
        along_m: f32,
        /// After how many.
        hops: usize,
    },
    /// A wish that means nothing.
    #[error("{text:?}: {problem}")]
    Taste {
        /// What was wished.
        text: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A path over the floor that nobody can be put on.
    #[error("point {point} of the path {problem}")]
    Path {
        /// Which, from 0.
        point: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// An operation refused.
    #[error(transparent)]
    Ops(#[from] marey_ops::Error),
    /// A plan was refused.
    #[error(transparent)]
    Plan(#[from] marey_plan::Error),
    /// Motion was refused.
    #[error(transparent)]
    Motion(#[from] marey_motion::Error),
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        EMPTY = "traverse/empty":
            "No example has a whole hop or stride in it."
            => "Give examples in which the figure comes to stand, leaves, and comes to stand again.";
        NO_SOLE = "traverse/no-sole":
            "The figure has nothing to stand on."
            => "A walker has whole legs, by the roles of its joints; a hopper has two bone ends on its root, one ahead of the other.";
        UNLIKE = "traverse/unlike":
            "Examples differ in body or rate." => "Bring them to one body (marey convert --skeleton) and one rate (--resample).";
        UNKNOWN_SOURCE = "traverse/unknown-source":
            "A plan uses frames that no example has." => "Realise it with the examples that it was made of.";
        NO_FOOTING = "traverse/no-footing":
            "The figure cannot stand where it is to start or to arrive."
            => "Choose a place that is on the ground, at least a foot's breadth from its ends.";
        UNREACHABLE = "traverse/unreachable":
            "A gap is too wide, or a step too high, for every example."
            => "The message says where: narrow the gap, lower the step, allow more bending (most_shift_m), or add longer and higher examples.";
        STUCK = "traverse/stuck":
            "The figure came to a place from which no example goes on."
            => "Look ahead (lookahead), or allow more bending (most_shift_m).";
        TASTE = "traverse/taste":
            "A preference cannot be understood."
            => "Write length=short, length=long, length=0.2, height=low, height=high, height=0.1 or style=NAME.";
        PATH = "traverse/path":
            "A path over the floor cannot be gone along." => "Give at least two points that are apart, in metres.";
    }
}

impl Error {
    /// Nothing leads from one footing to the next.
    pub(crate) fn unreachable([last, next]: [&Footing; 2], terrain: &Terrain) -> Self {
        let ahead = next.at - last.at;
        let mut gaps = terrain.gaps().filter(|gap| gap.start >= last.at.x && gap.end <= next.at.x);
        Error::Unreachable {
            until_m: last.at.x,
            footing_m: next.at.x,
            ahead_m: ahead.x,
            up_m: ahead.y,
            gap: gaps.next().map(|gap| [gap.start, gap.end]),
        }
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Empty { .. } => &codes::EMPTY,
            Error::NoSole => &codes::NO_SOLE,
            Error::Unlike { .. } => &codes::UNLIKE,
            Error::UnknownSource { .. } => &codes::UNKNOWN_SOURCE,
            Error::NoFooting { .. } => &codes::NO_FOOTING,
            Error::Unreachable { .. } => &codes::UNREACHABLE,
            Error::Stuck { .. } => &codes::STUCK,
            Error::Taste { .. } => &codes::TASTE,
            Error::Path { .. } => &codes::PATH,
            Error::Setting(_) => &marey_ops::codes::SETTING,
            Error::Ops(error) => error.code(),
            Error::Plan(error) => error.code(),
            Error::Motion(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::UnknownSource { frame, .. } => Place::default().frame(*frame),
            Error::Ops(error) => error.place(),
            Error::Plan(error) => error.place(),
            Error::Motion(error) => error.place(),
            _ => Place::default(),
        }
    }
}
