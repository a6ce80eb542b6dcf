//! Errors of realising a plan.

use marey_motion::{Coded, Place};
use marey_ops::OutOfRange;
use marey_plan::SourceRef;

/// Error of realising a plan.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum RealiseError {
    /// The take or its actor does not exist.
    #[error("there is no take {:?} with an actor {}", source_ref.take, source_ref.actor)]
    #[code(codes::UNKNOWN_SOURCE)]
    UnknownSource {
        /// The missing source.
        source_ref: SourceRef,
    },
    /// The observer cancelled the work.
    #[error("cancelled after {frame} of {frames} frames")]
    #[code(codes::CANCELLED)]
    Cancelled {
        /// Number of frames that were done.
        frame: usize,
        /// Number of frames of the plan.
        frames: usize,
    },
    /// A placement of a plan cannot be realised.
    #[error("{name}, placement {placement}: {error}")]
    #[code(error.code(), frame = start)]
    Placement {
        /// Index of the actor in the plan.
        actor: usize,
        /// Name of the actor.
        name: String,
        /// Index of the placement.
        placement: usize,
        /// First frame of the placement in the plan.
        start: usize,
        /// The cause.
        error: Box<RealiseError>,
    },
    /// A source could not be read.
    #[error("{:?} could not be read: {message}", source_ref.take)]
    #[code(codes::UNREADABLE)]
    Unreadable {
        /// The source.
        source_ref: SourceRef,
        /// Message of its reader.
        message: String,
    },
    /// A placement uses frames that its source does not have.
    #[error(
        "the placement at frame {start} uses frames {source_start}..{source_end} of {take:?}, which has {frames}"
    )]
    #[code(codes::OUT_OF_SPAN, frame = start)]
    OutOfSpan {
        /// First frame of the placement in the plan.
        start: usize,
        /// First source frame that is used.
        source_start: usize,
        /// One past the last source frame that is used.
        source_end: usize,
        /// Name of the take.
        take: String,
        /// Number of frames of the source.
        frames: usize,
    },
    /// The source clips of one actor have different skeletons.
    #[error(
        "the placement at frame {start} uses {take:?}, which has another skeleton: {theirs} joints, not {ours}"
    )]
    #[code(codes::OTHER_BODY, frame = start)]
    OtherBody {
        /// First frame of the placement in the plan.
        start: usize,
        /// Name of the take.
        take: String,
        /// Number of joints of the source.
        theirs: usize,
        /// Number of joints of the actor.
        ours: usize,
    },
    /// A placement does not start at the end of the previous one.
    #[error("a placement at frame {found} was pushed, but frame {wanted} is next")]
    #[code(codes::ORDER, frame = found)]
    OutOfTurn {
        /// First frame of the placement.
        found: usize,
        /// End of the previous placement.
        wanted: usize,
    },
    /// A placement was pushed after [`Machine::finish`](crate::Machine::finish).
    #[error("a placement at frame {start} was pushed after the end")]
    #[code(codes::ORDER, frame = start)]
    AfterEnd {
        /// First frame of the placement.
        start: usize,
    },
    /// A plan or its trace has no such choice, candidate or placement.
    #[error("there is no {what}: actor {actor}, placement {placement}, candidate {candidate}")]
    #[code(codes::NO_CANDIDATE)]
    NoCandidate {
        /// What is missing.
        what: &'static str,
        /// Index of the actor.
        actor: usize,
        /// Index of the placement.
        placement: usize,
        /// Index of the candidate.
        candidate: usize,
    },
    /// A setting is outside its range.
    #[error(transparent)]
    #[code(marey_ops::codes::SETTING)]
    Setting(#[from] OutOfRange),
    /// The plan is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Plan(#[from] marey_plan::PlanError),
    /// An operation failed.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
    /// The motion is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

/// The codes that errors and warnings of this crate carry.
pub mod codes {
    marey_motion::codes! {
        UNKNOWN_SOURCE = "realise/unknown-source":
            "A plan uses a take or actor that does not exist."
            => "Check the name and the actor's index, or add the take; `marey corpus ls` and `show` list both.";
        CANCELLED = "realise/cancelled":
            "The work was cancelled before it was done." => "Run it again if you need the result.";
        UNREADABLE = "realise/unreadable":
            "A source clip exists but cannot be read." => "See the message for the cause.";
        OUT_OF_SPAN = "realise/out-of-span":
            "A placement uses frames that its source does not have."
            => "Give source_start and source_end within the source.";
        OTHER_BODY = "realise/other-body":
            "The source clips of one actor have different skeletons." => "Retarget them to one body first.";
        ORDER = "realise/order":
            "A placement was pushed out of order, or after the end."
            => "Push placements in time order, each starting at the end of the previous one.";
        NO_CANDIDATE = "realise/no-candidate":
            "A plan has no such piece, or its trace no such candidate for it."
            => "Choose a candidate that the trace of the plan lists.";
        MEETING_MISSED = "realise/meeting-missed":
            "Hands that should hold each other, or a joint with a target, cannot reach."
            => "Move the actors closer together at this frame, or move the target.";
        NO_LEGS = "realise/no-legs":
            "The skeleton has no complete legs by its roles; foot-skate clean-up was skipped."
            => "Name hips, knees, feet and toes in a roles file, or switch planting off.";
        LET_GO = "realise/let-go":
            "A planted foot was released: a join pulls it too far, or out of reach of the leg."
            => "Choose pieces that fit better at this frame, or allow a larger pull.";
    }
}

impl RealiseError {
    /// Returns the line and column of the affected placement in the plan's JSON, if the error concerns a
    /// placement.
    pub fn place_in(&self, json: &str) -> Place {
        match self {
            RealiseError::Placement { actor, placement, .. } => {
                Place { frame: self.place().frame, ..marey_plan::placement_in(json, *actor, *placement) }
            }
            _ => self.place(),
        }
    }
}
