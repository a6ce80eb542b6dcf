//! Errors of the traverse engine, and their codes.

use marey_motion::{Coded, Terrain};
use marey_ops::OutOfRange;

use crate::stride_limits::obstacle_m;
use crate::{Footing, Footings, PrimitiveDatabase, Strain, UnusedStride};

/// Lower obstacles are not mentioned, in metres.
const MIN_OBSTACLE_M: f32 = 0.02;

/// Why the engine cannot cross a terrain.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum TraverseError {
    /// No example contains a complete hop or stride.
    #[error(
        "none of {examples} examples contains a complete hop or stride{}{}",
        if *unusable == 0 { String::new() } else { format!(" of usable frames; {unusable} were left out") },
        unused.iter().map(|(reason, count)| format!("; {count} {reason}")).collect::<String>()
    )]
    #[code(codes::EMPTY)]
    Empty {
        /// Number of examples searched.
        examples: usize,
        /// Number of hops and strides that were left out because of unusable frames.
        unusable: usize,
        /// What is no stride, and how often.
        unused: Vec<(UnusedStride, usize)>,
    },
    /// The character has neither two complete legs nor a base to hop on.
    #[error(
        "the character has neither two complete legs nor a root with two bone ends, one ahead of the other"
    )]
    #[code(codes::NO_SOLE)]
    NoSole,
    /// Examples differ in skeleton or frame rate.
    #[error("{take}: the {property} differs from that of the first example")]
    #[code(codes::MISMATCH)]
    Mismatch {
        /// The take that differs.
        take: String,
        /// `skeleton` or `rate`.
        property: &'static str,
    },
    /// A plan uses frames that no example has.
    #[error("no example is named {take:?}, or it has no hop or stride at frame {frame}")]
    #[code(codes::UNKNOWN_SOURCE, frame = frame)]
    UnknownSource {
        /// The take.
        take: String,
        /// The frame that the plan refers to.
        frame: usize,
    },
    /// The character cannot stand at its start or at its goal.
    #[error(
        "there is no footing {relation} {along_m:.3} m; the terrain reaches from {from_m:.3} to {to_m:.3} m"
    )]
    #[code(codes::NO_FOOTING)]
    NoFooting {
        /// How the position relates to the request: `for the start at`, `at or beyond`, `near` …
        relation: &'static str,
        /// The position, in metres along the terrain.
        along_m: f32,
        /// Start of the terrain, in metres.
        from_m: f32,
        /// End of the terrain, in metres.
        to_m: f32,
    },
    /// No sequence of examples reaches the goal.
    #[error(
        "cannot go beyond {until_m:.3} m: the next footing is {ahead_m:.3} m ahead and {up_m:+.3} m up, at {footing_m:.3} m{}{}{}",
        gap.map_or(String::new(), |[from, to]| format!(", behind a gap from {from:.3} to {to:.3} m")),
        obstacle_m.map_or(String::new(), |top_m| format!(", behind an obstacle of {top_m:.3} m")),
        reach_m.map_or(String::new(), |[ahead, up, over]| format!(
            "; strides lead at most {ahead:.3} m ahead and {up:.3} m up, over {over:.3} m"
        )),
    )]
    #[code(codes::UNREACHABLE)]
    Unreachable {
        /// The farthest reachable footing, in metres along the terrain.
        until_m: f32,
        /// The next footing beyond it.
        footing_m: f32,
        /// Distance between the two.
        ahead_m: f32,
        /// Height of the next footing above the last one.
        up_m: f32,
        /// The gap between them, if there is one: start and end.
        gap: Option<[f32; 2]>,
        /// The height of what is in the way above the higher footing, if there is something.
        obstacle_m: Option<f32>,
        /// How far ahead and up strides lead at most, and over how high an obstacle, with the margins of the settings; `None` for a
        /// hopper.
        reach_m: Option<[f32; 3]>,
    },
    /// The body would have to do what it does in no example.
    #[error("cannot cross at {along_m:.3} m, frame {frame}: {strain}")]
    #[code(codes::STRAINED)]
    Strained {
        /// Where the stride lands, in metres along the terrain.
        along_m: f32,
        /// The frame of the motion.
        frame: usize,
        /// What the body cannot do.
        strain: Strain,
    },
    /// The search reached a position from which no example continues.
    #[error("stuck at {along_m:.3} m after {hops} hops: no example fits the terrain ahead")]
    #[code(codes::STUCK)]
    Stuck {
        /// The position, in metres along the terrain.
        along_m: f32,
        /// Number of hops up to there.
        hops: usize,
    },
    /// The observer cancelled the search.
    #[error("cancelled after {hops} hops")]
    #[code(codes::CANCELLED)]
    Cancelled {
        /// Number of hops that were decided.
        hops: usize,
    },
    /// A preference cannot be parsed or is out of range.
    #[error("{text:?} {problem}")]
    #[code(codes::PREFERENCE)]
    Preference {
        /// The preference as given.
        text: String,
        /// Description of the problem.
        problem: &'static str,
    },
    /// A path over the floor is not usable.
    #[error("point {point} of the path {problem}")]
    #[code(codes::PATH)]
    Path {
        /// Index of the point.
        point: usize,
        /// Description of the problem.
        problem: &'static str,
    },
    /// A setting is out of range.
    #[error(transparent)]
    #[code(marey_ops::codes::SETTING)]
    Setting(#[from] OutOfRange),
    /// An operation on clips failed.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
    /// The plan is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Plan(#[from] marey_plan::PlanError),
    /// The motion is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

/// Codes of this crate's errors.
pub mod codes {
    marey_motion::codes! {
        EMPTY = "traverse/empty":
            "No example contains a complete hop or stride."
            => "Add examples in which the character stands, hops or steps, and stands again.";
        NO_SOLE = "traverse/no-sole":
            "The character has nothing to stand on."
            => "A walker needs two complete legs, found by the roles of its joints; a hopper needs two bone ends on its root, one ahead of the other.";
        MISMATCH = "traverse/mismatch" alias "traverse/unlike":
            "Examples differ in skeleton or frame rate." => "Convert them to one skeleton (marey convert --skeleton) and one rate (--resample).";
        UNKNOWN_SOURCE = "traverse/unknown-source":
            "A plan uses frames that no example has." => "Realise the plan with the examples that it was made from.";
        NO_FOOTING = "traverse/no-footing":
            "The character cannot stand at its start or at its goal."
            => "Choose a position on the terrain, at least half a foot's length from its ends.";
        UNREACHABLE = "traverse/unreachable":
            "A gap is too wide, or a step too high, for every example."
            => "The message states where: narrow the gap, lower the step, allow larger adaptations (max_shift_m), or add longer and higher examples.";
        STRAINED = "traverse/strained":
            "The body would have to fold, crouch, reach or hurry more than in any example."
            => "Make the ground easier at the place in the message, add examples that do what it needs, or raise the margin in the settings: knee_margin_rad, crouch_margin_m, max_speed_ratio.";
        STUCK = "traverse/stuck":
            "The search reached a position from which no example continues."
            => "Increase lookahead, or allow larger adaptations (max_shift_m).";
        CANCELLED = "traverse/cancelled":
            "The search was cancelled before it was done." => "Run it again if you need the result.";
        PREFERENCE = "traverse/preference" alias "traverse/taste":
            "A preference cannot be parsed."
            => "Write length=short, length=long, length=0.2, height=low, height=high, height=0.1 or style=NAME.";
        PATH = "traverse/path":
            "A path over the floor is not usable." => "Give at least two distinct points, in metres.";
    }
}

impl TraverseError {
    /// The error for two consecutive footings that no primitive of a database connects.
    pub(crate) fn unreachable(
        database: &PrimitiveDatabase,
        footings: &Footings,
        [last, next]: [&Footing; 2],
        terrain: &Terrain,
    ) -> Self {
        let offset = next.position - last.position;
        let mut gaps =
            terrain.gaps().filter(|gap| gap.start >= last.position.x && gap.end <= next.position.x);
        let limits = database.limits();
        let obstacle_m = obstacle_m([last, next], footings.profile());
        TraverseError::Unreachable {
            until_m: last.position.x,
            footing_m: next.position.x,
            ahead_m: offset.x,
            up_m: offset.y,
            gap: gaps.next().map(|gap| [gap.start, gap.end]),
            obstacle_m: limits.map(|_| obstacle_m).filter(|top_m| *top_m > MIN_OBSTACLE_M),
            reach_m: limits.map(|limits| limits.reach_m(database.settings())),
        }
    }
}
