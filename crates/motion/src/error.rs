//! Errors of motion data.

use crate::{Coded, Role};

/// Error of a skeleton, clip, take or annotation.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
pub enum MotionError {
    /// A skeleton without joints, without a root first, with a child before its parent, or with two roots.
    #[error("joint {joint} ({name:?}): {problem}")]
    #[code(codes::HIERARCHY, joint = name)]
    Hierarchy {
        /// Index of the joint.
        joint: usize,
        /// Its name.
        name: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// Two joints share a name.
    #[error("two joints are named {name:?}")]
    #[code(codes::DUPLICATE_NAME, joint = name)]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// Two joints claim one role.
    #[error("joints {first:?} and {second:?} both have the role {role}")]
    #[code(codes::DUPLICATE_ROLE, joint = second)]
    DuplicateRole {
        /// The role.
        role: Role,
        /// The first joint.
        first: String,
        /// The second joint.
        second: String,
    },
    /// No joint has a required role.
    #[error("no joint has the role {role}")]
    #[code(codes::MISSING_ROLE)]
    MissingRole {
        /// The role.
        role: Role,
    },
    /// The length of an array is not frames × joints.
    #[error("{what}: expected {wanted} values, found {found}")]
    #[code(codes::LENGTH)]
    Length {
        /// Name of the array.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The expected length.
        wanted: usize,
    },
    /// A value is infinite or NaN, or a quaternion has length zero.
    #[error("{what} is not finite at frame {frame}, joint {joint}")]
    #[code(codes::NOT_FINITE, frame = frame)]
    NotFinite {
        /// Name of the value.
        what: &'static str,
        /// Frame.
        frame: usize,
        /// Joint index.
        joint: usize,
    },
    /// A rate that is not a positive finite number.
    #[error("the frame rate is out of range: {rate_hz} Hz")]
    #[code(codes::RATE)]
    Rate {
        /// The rate.
        rate_hz: f64,
    },
    /// A clip or take without frames, or a take without actors.
    #[error("{what} is empty")]
    #[code(codes::MISMATCH)]
    Empty {
        /// What is empty.
        what: &'static str,
    },
    /// Clips that must match differ in skeleton, rate or length.
    #[error("the clips differ in {what}: {first} and {second}")]
    #[code(codes::MISMATCH)]
    Disagree {
        /// What differs.
        what: &'static str,
        /// The value of the first clip.
        first: String,
        /// The value of the other clip.
        second: String,
    },
    /// A frame range that is empty, reversed or out of bounds.
    #[error("the frame range {start}..{end} is not valid in a clip of {frames} frames")]
    #[code(codes::RANGE, frame = start)]
    Range {
        /// First frame.
        start: usize,
        /// One past the last.
        end: usize,
        /// Number of frames of the clip.
        frames: usize,
    },
    /// An invalid terrain: it runs backwards, has no length, or has overlapping pieces.
    #[error("piece {piece}: point {point} {problem}")]
    #[code(codes::TERRAIN)]
    Terrain {
        /// Index of the piece.
        piece: usize,
        /// Index of the point.
        point: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// An index that was computed is out of range.
    #[error("an index is out of range at line {line} of {file}")]
    #[code(codes::INDEX)]
    Index {
        /// Source file of Marey.
        file: &'static str,
        /// Line in it, from 1.
        line: u32,
    },
}

/// The codes that errors of this crate carry.
pub mod codes {
    crate::codes! {
        HIERARCHY = "motion/hierarchy":
            "The joints do not form one tree with every parent before its children."
            => "Order joints from the root outwards and give exactly one of them no parent.";
        DUPLICATE_NAME = "motion/duplicate-name":
            "Two joints share a name." => "Rename one of them.";
        NOT_A_ROLE = "motion/not-a-role" alias "command/not-a-role":
            "No part of the body has that name."
            => "Parts have names such as LeftFoot or RightHand; `marey inspect` lists those of a file.";
        DUPLICATE_ROLE = "motion/duplicate-role":
            "Two joints claim the same role."
            => "Give the role to one joint only, for example in a roles file.";
        MISSING_ROLE = "motion/missing-role":
            "A required joint could not be identified."
            => "Name it in a roles file: role = \"joint name\".";
        LENGTH = "motion/length":
            "An array does not hold frames × joints values."
            => "Check the number of joints and frames.";
        NOT_FINITE = "motion/not-finite":
            "A value is infinite, not a number, or a rotation of length zero."
            => "Look at the named frame and joint in the source.";
        RATE = "motion/rate":
            "The frame rate is not a positive number." => "Give the rate in frames per second.";
        MISMATCH = "motion/mismatch":
            "Clips that must match are empty, or differ in skeleton, rate or length."
            => "Resample or trim one of them first.";
        RANGE = "motion/range":
            "A range of frames is empty, reversed or out of bounds."
            => "Give the first frame and one past the last, within the clip.";
        TERRAIN = "motion/terrain":
            "A terrain profile runs backwards, has no length, or has overlapping pieces."
            => "Give the points of each piece from left to right, a step as two points at one position, and gaps between pieces.";
        INDEX = "motion/index":
            "An internal error: an index is out of range. This is a bug in Marey."
            => "Please report it with the call and, if possible, the file.";
    }
}
