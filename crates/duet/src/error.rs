//! What can be wrong with a pair, a labelling, a model, or what is asked of them.

use marey_motion::{Code, Coded, Place};
use marey_ops::OutOfRange;

/// Why something was refused.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A setting is out of its range.
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// Motion that cannot be used.
    #[error(transparent)]
    Motion(#[from] marey_motion::Error),
    /// Something that is done to motion was refused.
    #[error(transparent)]
    Ops(#[from] marey_ops::Error),
    /// A plan that does not hold together.
    #[error(transparent)]
    Plan(#[from] marey_plan::Error),
    /// Not two people.
    #[error("recorded people: {found}; two are needed")]
    People {
        /// How many there are.
        found: usize,
    },
    /// Recordings of different pairs.
    #[error("{name:?} is of other bodies, or at another rate, than the first recording")]
    OtherPair {
        /// Which recording.
        name: String,
    },
    /// Too few instants at which somebody could be cut.
    #[error("{person} puts feet down {found} times, and {least} are needed")]
    Still {
        /// Who.
        person: String,
        /// How often.
        found: usize,
        /// How often it should be.
        least: usize,
    },
    /// Labels that do not fit the recordings.
    #[error(
        "the movement of {person} from frame {start} to {end} is outside the recording, overlaps another, or leaves a group empty"
    )]
    Label {
        /// Whose.
        person: String,
        /// Its first frame.
        start: usize,
        /// One past its last.
        end: usize,
    },
    /// A way that is none.
    #[error("a way over the floor needs places at ascending times, and one of the two to go there")]
    Way,
    /// A command that cannot be given.
    #[error(
        "person {person} has {states} groups of movements, and the command names another, a kind that none of them is, or a place that is none"
    )]
    Command {
        /// To whom.
        person: usize,
        /// How many groups there are.
        states: usize,
    },
    /// A model that cannot be one.
    #[error("{what}")]
    Model {
        /// What is wrong.
        what: &'static str,
    },
}

/// The codes that errors of this crate carry.
pub mod codes {
    marey_motion::codes! {
        SETTING = "duet/setting":
            "A setting of a duet is out of its range." => "The message names the range.";
        PEOPLE = "duet/people":
            "A duet needs takes of two people." => "Give takes with two actors; two files are made one take by `marey corpus add --pair`.";
        OTHER_PAIR = "duet/other-pair":
            "Takes that are learnt from together must be of the same pair, at the same rate."
            => "Learn from each pair by itself, or retarget and resample the takes first.";
        STILL = "duet/still":
            "Somebody hardly takes a step, so there is nothing to cut into movements."
            => "Give longer takes, or takes in which both move about.";
        LABEL = "duet/label":
            "A labelled movement does not fit its recording, or there are none."
            => "Movements of a person must not overlap, and every group needs one; label the takes again.";
        WAY = "duet/way":
            "A way over the floor cannot be gone." => "Give time, x and z of each place, times ascending, and person 0 or 1.";
        COMMAND = "duet/command":
            "A command names somebody or something that is not there." => "The message says how many groups there are; they count from 0.";
        MODEL = "duet/model":
            "A model cannot be used: it was changed by hand, or its file is damaged."
            => "Train it again.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Setting(_) => &codes::SETTING,
            Error::Motion(error) => error.code(),
            Error::Ops(error) => error.code(),
            Error::Plan(error) => error.code(),
            Error::People { .. } => &codes::PEOPLE,
            Error::OtherPair { .. } => &codes::OTHER_PAIR,
            Error::Still { .. } => &codes::STILL,
            Error::Label { .. } => &codes::LABEL,
            Error::Way => &codes::WAY,
            Error::Command { .. } => &codes::COMMAND,
            Error::Model { .. } => &codes::MODEL,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Motion(error) => error.place(),
            Error::Ops(error) => error.place(),
            Error::Plan(error) => error.place(),
            Error::Label { start, .. } => Place::default().frame(*start),
            _ => Place::default(),
        }
    }
}
