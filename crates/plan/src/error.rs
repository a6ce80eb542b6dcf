//! What can be wrong with a plan, or with what is searched.

use marey_motion::{Code, Coded, Place};

/// Why a plan or a search was refused.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The text is no JSON, or no plan.
    #[error("{message}")]
    Json {
        /// What the reader of JSON says.
        message: String,
        /// Where, from 1; 0 where nobody knows.
        line: usize,
        /// Where in that line, from 1.
        column: usize,
    },
    /// A plan that was read as text is refused, and this is where.
    #[error("{error}")]
    InText {
        /// Line and column of what is refused.
        place: Place,
        /// Why.
        error: Box<Error>,
    },
    /// An engine's plan is not what its brief asks for.
    #[error("the plan's {what} is {found}, the brief's {wanted}")]
    NotAsBriefed {
        /// What is not as asked.
        what: &'static str,
        /// What the plan has.
        found: f64,
        /// What the brief has.
        wanted: f64,
    },
    /// No actors, or an actor without placements.
    #[error("{what} has nothing in it")]
    Empty {
        /// What is empty.
        what: String,
    },
    /// A number is infinite or none, or too large to go on with.
    #[error("{actor}, placement {placement}: {what} is not a number up to a million")]
    NotFinite {
        /// Whose.
        actor: String,
        /// Which, from 0.
        placement: usize,
        /// Which number.
        what: &'static str,
    },
    /// A number of the plan as a whole is not possible.
    #[error("{what} of {value} is not possible")]
    Value {
        /// Which number.
        what: String,
        /// What it is.
        value: f64,
    },
    /// Placements do not follow each other frame by frame.
    #[error("{actor}, placement {placement} starts at frame {found}, but the one before ends at {wanted}")]
    Gap {
        /// Whose.
        actor: String,
        /// Which, from 0.
        placement: usize,
        /// Where it starts.
        found: usize,
        /// Where it should.
        wanted: usize,
    },
    /// A placement lasts no frame, or uses none.
    #[error("{actor}, placement {placement}: {problem}")]
    Span {
        /// Whose.
        actor: String,
        /// Which, from 0.
        placement: usize,
        /// The frame of the plan it starts at.
        frame: usize,
        /// What is wrong.
        problem: String,
    },
    /// Key times do not go forward within the placement.
    #[error(
        "{actor}, placement {placement}: key time {key} does not go forward from the one before, or is outside"
    )]
    KeyTimes {
        /// Whose.
        actor: String,
        /// Which, from 0.
        placement: usize,
        /// The frame of the plan it starts at.
        frame: usize,
        /// Which key time, from 0.
        key: usize,
    },
    /// Actors of one plan end at different frames.
    #[error("{first} ends at frame {first_end}, {second} at {second_end}")]
    Ends {
        /// Whose end is meant to be kept.
        first: String,
        /// Its end.
        first_end: usize,
        /// Who ends elsewhere.
        second: String,
        /// Where.
        second_end: usize,
    },
    /// A meeting or a target is with nobody, at no time, or at no place.
    #[error("{what} names an actor, frames or numbers that are not there")]
    Meeting {
        /// Which.
        what: String,
    },
    /// A cost is not a number, or is below any number.
    #[error("the cost of {what} is {cost}")]
    Cost {
        /// Of what.
        what: String,
        /// The cost.
        cost: f64,
    },
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        JSON = "plan/json":
            "The text is not a plan."
            => "See the names and kinds of values in docs/plan.md; the place is where reading stopped.";
        NOT_AS_BRIEFED = "plan/not-as-briefed":
            "An engine made a plan of another rate, length or seed than it was asked for."
            => "This is a fault of the engine: report it, with the brief.";
        EMPTY = "plan/empty":
            "A plan without actors, or an actor without placements."
            => "Give every actor at least one placement.";
        NOT_FINITE = "plan/not-finite":
            "A number in a plan is infinite, not a number, or beyond a million."
            => "Look at the placement that the message names.";
        VALUE = "plan/value":
            "A number of a plan is outside what is possible."
            => "The rate is above 0 and at most 10000 frames a second; a plan has at most 100 million frames.";
        GAP = "plan/gap":
            "Placements of an actor leave a gap, or overlap."
            => "Let every placement start at the frame where the one before ends, the first at 0.";
        SPAN = "plan/span":
            "A placement lasts no frame, or uses no frame of its example."
            => "Give it at least one frame of the plan and one of the example.";
        KEY_TIMES = "plan/key-times":
            "Key times of a placement do not go forward, or are outside of it."
            => "Sort them; both numbers of each must grow and lie inside the placement.";
        ENDS = "plan/ends":
            "The actors of a plan do not end together." => "Lengthen or cut the last placement of one of them.";
        MEETING = "plan/meeting":
            "A meeting or a target is with an actor, at frames or with numbers that are not there."
            => "Name actors by number from 0, frames within the plan, a gap of 0 to 10 m, and places in metres.";
        COST = "plan/cost":
            "A cost in a search is not a number, or below any number."
            => "Give finite costs; positive infinity forbids.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Json { .. } => &codes::JSON,
            Error::InText { error, .. } => error.code(),
            Error::NotAsBriefed { .. } => &codes::NOT_AS_BRIEFED,
            Error::Empty { .. } => &codes::EMPTY,
            Error::NotFinite { .. } => &codes::NOT_FINITE,
            Error::Value { .. } => &codes::VALUE,
            Error::Gap { .. } => &codes::GAP,
            Error::Span { .. } => &codes::SPAN,
            Error::KeyTimes { .. } => &codes::KEY_TIMES,
            Error::Ends { .. } => &codes::ENDS,
            Error::Meeting { .. } => &codes::MEETING,
            Error::Cost { .. } => &codes::COST,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Json { line, column, .. } if *line > 0 => Place::at(*line, *column),
            Error::InText { place, error } => Place { frame: error.place().frame, ..place.clone() },
            Error::Gap { found, .. } => Place::default().frame(*found),
            Error::Span { frame, .. } | Error::KeyTimes { frame, .. } => Place::default().frame(*frame),
            _ => Place::default(),
        }
    }
}
