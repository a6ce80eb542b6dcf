//! Errors and codes of this crate.

use marey_motion::Coded;
use marey_ops::OutOfRange;

/// Why a control motion cannot be followed.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum FollowError {
    /// A mapping without instances.
    #[error("the mapping has no instances")]
    #[code(codes::EMPTY)]
    Empty,
    /// Control and target of an example differ in rate or length.
    #[error("example {example}: the control has {control}, the target {target}")]
    #[code(codes::NOT_SYNCHRONISED)]
    NotSynchronised {
        /// Number of the example, from 0.
        example: usize,
        /// Frames and rate of the control.
        control: String,
        /// Frames and rate of the target.
        target: String,
    },
    /// An instance does not lie within an example.
    #[error("instance {instance} ({label:?}): {problem}")]
    #[code(codes::INSTANCE)]
    Instance {
        /// Number of the instance, from 0.
        instance: usize,
        /// Its label.
        label: String,
        /// Description of the problem.
        problem: String,
    },
    /// A motion has another number of points than the mapping.
    #[error("{what} has {found} points, the mapping {wanted}")]
    #[code(codes::POINTS)]
    Points {
        /// The motion that has the points.
        what: String,
        /// Number of points found.
        found: usize,
        /// Number of points of the mapping.
        wanted: usize,
    },
    /// A point is missing in a frame.
    #[error("{what}: point {label:?} is missing")]
    #[code(codes::MISSING_POINT, frame = frame)]
    MissingPoint {
        /// The motion that lacks the point.
        what: String,
        /// Label of the point.
        label: String,
        /// The frame.
        frame: usize,
    },
    /// The observer cancelled the search.
    #[error("cancelled after {done} of {frames} frames")]
    #[code(codes::CANCELLED)]
    Cancelled {
        /// Number of frames of the working rate that were done.
        done: usize,
        /// Number of frames in total.
        frames: usize,
    },
    /// The control is shorter than the shortest stretched instance.
    #[error(
        "the control lasts {secs:.3} s, but the shortest instance cannot be made shorter than {shortest_secs:.3} s"
    )]
    #[code(codes::TOO_SHORT)]
    TooShort {
        /// Duration of the control.
        secs: f64,
        /// Shortest duration of any instance.
        shortest_secs: f64,
    },
    /// No sequence of instances lasts as long as the control.
    #[error("no sequence of instances lasts {secs:.3} s; {}", nearest_lengths(*below_secs, *above_secs))]
    #[code(codes::NO_COVER)]
    NoCover {
        /// Duration of the control.
        secs: f64,
        /// The longest shorter duration that can be covered.
        below_secs: Option<f64>,
        /// The shortest longer duration that can be covered.
        above_secs: Option<f64>,
    },
    /// The constraints leave no sequence that lasts as long as the control.
    #[error("the constraints leave no sequence of instances that lasts {secs:.3} s")]
    #[code(codes::CONSTRAINTS)]
    Constraints {
        /// Duration of the control.
        secs: f64,
    },
    /// A constraint names an unknown instance or an invalid time.
    #[error("constraint {constraint}: {problem}")]
    #[code(codes::BAD_CONSTRAINT)]
    BadConstraint {
        /// Number of the constraint, from 0.
        constraint: usize,
        /// Description of the problem.
        problem: String,
    },
    /// A plan was requested from an interpretation that rotates examples out of the vertical.
    #[error("examples that are rotated about any axis cannot be placed on the floor")]
    #[code(codes::TILTED)]
    Tilted,
    /// A path with more or fewer than one point per frame.
    #[error("a path has one point per frame; this one has {found}")]
    #[code(codes::NOT_A_PATH)]
    NotAPath {
        /// Number of points per frame.
        found: usize,
    },
    /// A path whose points cannot be passed one after the other.
    #[error("point {point} of the path: {problem}")]
    #[code(codes::BAD_WAYPOINT, frame = point)]
    BadWaypoint {
        /// Number of the point, from 0.
        point: usize,
        /// Description of the problem.
        problem: String,
    },
    /// A setting is outside its range.
    #[error(transparent)]
    #[code(marey_ops::codes::SETTING)]
    Setting(#[from] OutOfRange),
    /// An operation failed.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
    /// A motion was rejected.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
}

fn nearest_lengths(below: Option<f64>, above: Option<f64>) -> String {
    match (below, above) {
        (Some(below), Some(above)) => format!("the nearest lengths are {below:.3} s and {above:.3} s"),
        (Some(one), None) | (None, Some(one)) => format!("the nearest length is {one:.3} s"),
        (None, None) => "no other length is near".into(),
    }
}

/// Codes of the errors and warnings of this crate.
pub mod codes {
    marey_motion::codes! {
        EMPTY = "follow/empty":
            "There are no examples to follow."
            => "Cut takes into segments first (`marey corpus segment`), or choose other takes.";
        NOT_SYNCHRONISED = "follow/not-synchronised":
            "The control and the target of an example differ in rate or length."
            => "Resample or trim them, so that equal frames show equal times.";
        INSTANCE = "follow/instance":
            "An instance does not lie within an example."
            => "Use at least two frames within the example.";
        POINTS = "follow/points":
            "Motions that are compared have different numbers of points."
            => "Select the same roles or markers for the control as for the examples.";
        MISSING_POINT = "follow/missing-point":
            "A point is missing in a frame." => "Fill the gap, or leave the point out.";
        CANCELLED = "follow/cancelled" alias "follow/stopped":
            "The search was cancelled before it was done." => "Run it again.";
        TOO_SHORT = "follow/too-short":
            "The control is shorter than any instance."
            => "Use a longer control, shorter segments, a larger stretch, or free ends.";
        NO_COVER = "follow/no-cover":
            "No sequence of instances lasts as long as the control."
            => "Trim or extend the control to a length that the message names, allow more stretch, or free the ends.";
        CONSTRAINTS = "follow/constraints" alias "follow/wishes":
            "The constraints cannot all be met at once." => "Remove a constraint, or allow more stretch.";
        BAD_CONSTRAINT = "follow/bad-constraint" alias "follow/bad-wish":
            "A constraint names an unknown instance or an invalid time."
            => "Instances are numbered from 0; times are seconds within the control.";
        NOT_PROVEN = "follow/not-proven":
            "Not all segments were compared; the result may not be the best one."
            => "Nothing to do, or compare more with --candidates.";
        TILTED = "follow/tilted":
            "Examples that were rotated about any axis cannot be placed on the floor."
            => "Use the ground transform to make motion.";
        NOT_A_PATH = "follow/not-a-path":
            "A path has one point in each frame." => "Use one point, or use the points themselves as the control.";
        TOO_FAST = "follow/too-fast":
            "The path is faster than any example."
            => "Slow it down there with --fit-path or --pace line, or add faster examples.";
        TOO_SHARP = "follow/too-sharp":
            "The path turns more sharply than the examples."
            => "Round and slow it there with --fit-path, smooth it in space, or add examples that turn.";
        BAD_WAYPOINT = "follow/bad-waypoint":
            "The points of a path cannot be passed one after the other."
            => "Give at least two points, with times that increase, with speeds, or with neither.";
        PACE_ASSUMED = "follow/pace-assumed":
            "The path has no times; the usual pace of the examples was used."
            => "Set a pace with --speed, or give times.";
        CURVE_ASSUMED = "follow/curve-assumed":
            "The path has few points; a smooth curve through them was followed, with rounded corners."
            => "Nothing to do, unless another line is meant: then give more points.";
        REST_ASSUMED = "follow/rest-assumed":
            "Points of a path without times repeat; the path rests there."
            => "Give times to rest longer or shorter.";
        PATH_FITTED = "follow/path-fitted":
            "The path was changed to what the examples can do."
            => "Nothing to do; without --fit-path and --pace line the path is followed as it is.";
    }
}
