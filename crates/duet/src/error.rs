//! Errors of this crate.

use marey_motion::Coded;
use marey_ops::OutOfRange;

/// An error of this crate.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum DuetError {
    /// A setting is out of range.
    #[error(transparent)]
    #[code(codes::SETTING)]
    Setting(#[from] OutOfRange),
    /// The motion is unusable.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
    /// An operation on motion failed.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
    /// The plan is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Plan(#[from] marey_plan::PlanError),
    /// The recording does not show two people.
    #[error("recorded people: {found}; two are needed")]
    #[code(codes::PEOPLE)]
    People {
        /// Number of people in the recording.
        found: usize,
    },
    /// The recordings show different pairs.
    #[error("{name:?} has other bodies or another frame rate than the first recording")]
    #[code(codes::OTHER_PAIR)]
    MixedPairs {
        /// Name of the recording that differs.
        name: String,
    },
    /// There are too few footfalls to cut the motion into movements.
    #[error("{person} takes at most {found} steps at which a take can be cut; at least {min} are needed")]
    #[code(codes::STILL)]
    TooFewSteps {
        /// Name of the person.
        person: String,
        /// Number of footfalls found.
        found: usize,
        /// Number of footfalls needed.
        min: usize,
    },
    /// The labels do not fit the recordings.
    #[error(
        "the movement of {person} from frame {start} to {end} is outside the recording, overlaps another one, or leaves a group empty"
    )]
    #[code(codes::LABEL, frame = start)]
    InvalidLabel {
        /// Name of the person.
        person: String,
        /// First frame of the movement.
        start: usize,
        /// Frame after the last one.
        end: usize,
    },
    /// The path is invalid.
    #[error("a path needs positions at ascending times, and person 0 or 1 to follow it")]
    #[code(codes::PATH)]
    InvalidPath,
    /// The command cannot be executed.
    #[error(
        "the command for person {person} names an unknown group (there are {states}), a kind without movements, or an invalid position"
    )]
    #[code(codes::COMMAND)]
    InvalidCommand {
        /// The addressed person.
        person: usize,
        /// Number of groups of that person.
        states: usize,
    },
    /// The model is inconsistent.
    #[error("{reason}")]
    #[code(codes::MODEL)]
    InvalidModel {
        /// Description of the problem.
        reason: &'static str,
    },
    /// The observer cancelled the work.
    #[error("cancelled")]
    #[code(codes::CANCELLED)]
    Cancelled,
}

/// Codes of the errors of this crate.
pub mod codes {
    marey_motion::codes! {
        SETTING = "duet/setting":
            "A setting of a duet is out of range." => "The message names the range.";
        PEOPLE = "duet/people":
            "A duet needs takes of two people." => "Use takes with two actors; `marey corpus add --pair` combines two files into one take.";
        OTHER_PAIR = "duet/other-pair":
            "Takes that are used together must show the same pair at the same frame rate."
            => "Train on each pair separately, or retarget and resample the takes first.";
        STILL = "duet/still":
            "A person takes too few steps to be cut into movements."
            => "Use longer takes, or takes in which both people move around.";
        LABEL = "duet/label":
            "A labelled movement does not fit its recording, or there are no labels."
            => "Movements of a person must not overlap, and every group needs one; label the takes again.";
        PATH = "duet/path" alias "duet/way":
            "The path of a duet is invalid." => "Give time, x and z of each position, with ascending times, and person 0 or 1.";
        COMMAND = "duet/command":
            "A command names an unknown person, group, kind or position." => "The message gives the number of groups; `marey duet train` lists them, counted from 1.";
        MODEL = "duet/model":
            "A model is inconsistent: it was edited, or its file is damaged."
            => "Train it again.";
        CANCELLED = "duet/cancelled":
            "The work was cancelled before it was done." => "Nothing was changed; start it again.";
    }
}
