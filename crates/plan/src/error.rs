//! Errors of plans and searches.

use marey_motion::{Coded, Place};

/// Error of a plan or a search.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum PlanError {
    /// The text is not JSON, or not a plan.
    #[error("{message}")]
    #[code(codes::JSON, place = text_place(*line, *column))]
    Json {
        /// Message of the JSON reader.
        message: String,
        /// Line, from 1; 0 if unknown.
        line: usize,
        /// Column, from 1.
        column: usize,
    },
    /// The plan that a text describes is invalid.
    #[error("{error}")]
    #[code(error.code(), place = Place { frame: error.place().frame, ..place.clone() })]
    InText {
        /// Line and column of the cause.
        place: Place,
        /// The cause.
        error: Box<PlanError>,
    },
    /// No actors, or an actor without placements.
    #[error("{what} is empty")]
    #[code(codes::EMPTY)]
    Empty {
        /// What is empty.
        what: String,
    },
    /// A number is infinite, NaN or too large.
    #[error("{actor}, placement {placement}: {what} is not a number from -1,000,000 to 1,000,000")]
    #[code(codes::NOT_FINITE)]
    NotFinite {
        /// Name of the actor.
        actor: String,
        /// Index of the placement.
        placement: usize,
        /// Name of the number.
        what: &'static str,
    },
    /// A number of the whole plan is out of range.
    #[error("{what} is out of range: {value}")]
    #[code(codes::VALUE)]
    Value {
        /// Name of the number.
        what: String,
        /// Its value.
        value: f64,
    },
    /// Placements leave a gap or overlap.
    #[error(
        "{actor}, placement {placement} starts at frame {found}, but the previous one ends at {expected}"
    )]
    #[code(codes::GAP, frame = found)]
    Gap {
        /// Name of the actor.
        actor: String,
        /// Index of the placement.
        placement: usize,
        /// Its first frame.
        found: usize,
        /// The end of the previous placement.
        expected: usize,
    },
    /// A placement has no frames, or uses none.
    #[error("{actor}, placement {placement}: {problem}")]
    #[code(codes::SPAN, frame = frame)]
    Span {
        /// Name of the actor.
        actor: String,
        /// Index of the placement.
        placement: usize,
        /// First frame of the placement in the plan.
        frame: usize,
        /// What is wrong.
        problem: String,
    },
    /// Key times are not ascending within the placement.
    #[error(
        "{actor}, placement {placement}: key time {key} is not after the previous one, or is outside the placement"
    )]
    #[code(codes::KEY_TIMES, frame = frame)]
    KeyTimes {
        /// Name of the actor.
        actor: String,
        /// Index of the placement.
        placement: usize,
        /// First frame of the placement in the plan.
        frame: usize,
        /// Index of the key time.
        key: usize,
    },
    /// Actors of one plan end at different frames.
    #[error("{first} ends at frame {first_end}, but {second} at {second_end}")]
    #[code(codes::ENDS)]
    Ends {
        /// Name of the first actor.
        first: String,
        /// Its end.
        first_end: usize,
        /// Name of the other actor.
        second: String,
        /// Its end.
        second_end: usize,
    },
    /// A meeting or target has an unknown actor, invalid frames, or values out of range.
    #[error("{what} has an unknown actor, frames outside the plan, or a value out of range")]
    #[code(codes::MEETING)]
    Meeting {
        /// The meeting or target, with its index.
        what: String,
    },
    /// A clip that the plan carries cannot be used.
    #[error("clip of take {take:?}, actor {actor}: {problem}")]
    #[code(codes::CLIP)]
    Clip {
        /// Name of its take.
        take: String,
        /// Index of its actor.
        actor: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// The settings for realising are not an object.
    #[error("`realise` is {found}, not an object of settings")]
    #[code(codes::REALISE)]
    Realise {
        /// The start of the JSON value.
        found: String,
    },
    /// A cost is NaN or negative infinity.
    #[error("the cost of {what} is {cost}")]
    #[code(codes::COST)]
    Cost {
        /// The step, candidate or bound with this cost.
        what: String,
        /// The cost.
        cost: f64,
    },
    /// An operation on motion failed.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        JSON = "plan/json":
            "The text is not a plan."
            => "See docs/plan.md for the fields and their types. Reading stopped at the given place.";
        EMPTY = "plan/empty":
            "A plan has no actors, or an actor has no placements."
            => "Give every actor at least one placement.";
        NOT_FINITE = "plan/not-finite":
            "A number in a plan is infinite, NaN, or beyond a million."
            => "Correct the placement that the message names.";
        VALUE = "plan/value":
            "A number in a plan is out of range."
            => "The rate is above 0 and at most 10000 frames per second; a plan has at most 100 million frames and 100,000 clips.";
        GAP = "plan/gap":
            "Placements of an actor leave a gap, or overlap."
            => "Start every placement at the end of the previous one, and the first at 0.";
        SPAN = "plan/span":
            "A placement has no frames, or uses no frames of its source."
            => "Give it at least one frame of the plan and one of the source.";
        KEY_TIMES = "plan/key-times":
            "Key times of a placement are not ascending, or are outside of it."
            => "Sort them; both numbers must increase and lie inside the placement.";
        ENDS = "plan/ends":
            "The actors of a plan end at different frames." => "Lengthen or shorten the last placement of one of them.";
        MEETING = "plan/meeting":
            "A meeting or target names an unknown actor, frames outside the plan, or values out of range."
            => "Use actor indices from 0, frames within the plan, a gap of 0 to 10 m, and positions in metres.";
        CLIP = "plan/clip":
            "A clip that the plan carries has the source of another, is too large, or has contacts or holds outside its frames."
            => "Correct the clip that the message names, or make the plan again.";
        REALISE = "plan/realise":
            "The plan's settings for realising cannot be used."
            => "Remove `realise` from the plan to use the defaults, or see its fields in docs/plan.md.";
        COST = "plan/cost":
            "A cost in a search is NaN or negative infinity."
            => "Give finite costs; positive infinity forbids a choice.";
    }
}

/// Returns the place of a line and column; an empty place if the line is unknown.
fn text_place(line: usize, column: usize) -> Place {
    if line > 0 { Place::at(line, column) } else { Place::default() }
}
