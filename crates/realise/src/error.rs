//! Why a plan cannot be realised.

use marey_motion::{Code, Coded, Place};
use marey_ops::OutOfRange;
use marey_plan::SourceRef;

/// Why a plan cannot be realised.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// There is no such take, or no such actor of it.
    #[error("there is no actor {} of a take {:?}", source_ref.actor, source_ref.take)]
    UnknownSource {
        /// What was looked for.
        source_ref: SourceRef,
    },
    /// A placement of a plan cannot be realised.
    #[error("{name}, placement {placement}: {error}")]
    Placement {
        /// Which actor of the plan, from 0.
        actor: usize,
        /// What it is called.
        name: String,
        /// Which of its placements, from 0.
        placement: usize,
        /// The frame of the plan at which that starts.
        start: usize,
        /// Why.
        error: Box<Error>,
    },
    /// A source could not be read.
    #[error("{:?} could not be read: {message}", source_ref.take)]
    Unreadable {
        /// What was to be read.
        source_ref: SourceRef,
        /// What its keeper says.
        message: String,
    },
    /// A placement uses frames that its example does not have.
    #[error(
        "the placement at frame {start} uses frames {source_start}..{source_end} of {take:?}, which has {frames}"
    )]
    OutOfSpan {
        /// Where the placement starts.
        start: usize,
        /// The first frame it wants.
        source_start: usize,
        /// One past the last.
        source_end: usize,
        /// Of which take.
        take: String,
        /// How many there are.
        frames: usize,
    },
    /// Examples of one actor have different bodies.
    #[error(
        "the placement at frame {start} uses {take:?}, whose skeleton is another: {theirs} joints, not {ours}"
    )]
    OtherBody {
        /// Where the placement starts.
        start: usize,
        /// Of which take.
        take: String,
        /// How many joints it has.
        theirs: usize,
        /// How many the actor has.
        ours: usize,
    },
    /// A placement does not start where the one before ends.
    #[error("a placement at frame {found} was pushed where frame {wanted} is next")]
    OutOfTurn {
        /// Where it starts.
        found: usize,
        /// Where it should.
        wanted: usize,
    },
    /// A placement was pushed after the end was told.
    #[error("a placement at frame {start} was pushed after the end")]
    AfterEnd {
        /// Where it starts.
        start: usize,
    },
    /// A setting is outside its range.
    #[error(transparent)]
    Setting(#[from] OutOfRange),
    /// The plan was refused.
    #[error(transparent)]
    Plan(#[from] marey_plan::Error),
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
        UNKNOWN_SOURCE = "realise/unknown-source":
            "A plan uses a take, or an actor of one, that is not there."
            => "Check the name and the actor's number, or add the take; `marey corpus ls` and `show` list both.";
        UNREADABLE = "realise/unreadable":
            "An example is there but cannot be read." => "See what the message says about it.";
        OUT_OF_SPAN = "realise/out-of-span":
            "A placement uses frames that its example does not have."
            => "Give source_start and source_end within the example.";
        OTHER_BODY = "realise/other-body":
            "Examples of one actor have different skeletons." => "Retarget them to one body first.";
        ORDER = "realise/order":
            "A placement was pushed out of turn, or after the end."
            => "Push placements in time, each starting where the one before ends.";
        MEETING_MISSED = "realise/meeting-missed":
            "Hands that should hold each other, or a joint that has a target, do not get there."
            => "Put the actors nearer to each other there, or move the target.";
        NO_LEGS = "realise/no-legs":
            "The body has no whole legs by its roles; feet were not kept standing."
            => "Name hips, knees, feet and toes in a roles file, or switch planting off.";
        LET_GO = "realise/let-go":
            "A standing foot was let go: a join pulls it too far, or out of the leg's reach."
            => "Choose pieces that fit better at this frame, or allow a farther pull.";
    }
}

impl Error {
    /// The place of what is refused in the JSON that the plan was read from: line and column, where it is about a placement.
    pub fn place_in(&self, json: &str) -> Place {
        match self {
            Error::Placement { actor, placement, .. } => {
                Place { frame: self.place().frame, ..marey_plan::placement_in(json, *actor, *placement) }
            }
            _ => self.place(),
        }
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::UnknownSource { .. } => &codes::UNKNOWN_SOURCE,
            Error::Placement { error, .. } => error.code(),
            Error::Unreadable { .. } => &codes::UNREADABLE,
            Error::OutOfSpan { .. } => &codes::OUT_OF_SPAN,
            Error::OtherBody { .. } => &codes::OTHER_BODY,
            Error::OutOfTurn { .. } | Error::AfterEnd { .. } => &codes::ORDER,
            Error::Setting(_) => &marey_ops::codes::SETTING,
            Error::Plan(error) => error.code(),
            Error::Ops(error) => error.code(),
            Error::Motion(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Placement { start, .. }
            | Error::OutOfSpan { start, .. }
            | Error::OtherBody { start, .. }
            | Error::AfterEnd { start }
            | Error::OutOfTurn { found: start, .. } => Place::default().frame(*start),
            Error::Plan(error) => error.place(),
            Error::Ops(error) => error.place(),
            Error::Motion(error) => error.place(),
            Error::UnknownSource { .. } | Error::Unreadable { .. } | Error::Setting(_) => Place::default(),
        }
    }
}
