//! What can be wrong with motion that is handed to this crate.

use crate::{Code, Coded, Place, Role};

/// Why a skeleton, clip, take or annotation was refused.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A skeleton without joints, without a root first, with a child before its parent, or with two roots.
    #[error("joint {joint} ({name:?}): {problem}")]
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
    DuplicateName {
        /// The name.
        name: String,
    },
    /// Two joints claim one role.
    #[error("joints {first:?} and {second:?} both have the role {role}")]
    DuplicateRole {
        /// The role.
        role: Role,
        /// The joint that had it.
        first: String,
        /// The joint that wanted it too.
        second: String,
    },
    /// A needed role is on no joint.
    #[error("no joint has the role {role}")]
    MissingRole {
        /// The role.
        role: Role,
    },
    /// An array's length is not what frames × joints asks for.
    #[error("{what}: {found} values where {wanted} were needed")]
    Length {
        /// Which array.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many it should have.
        wanted: usize,
    },
    /// A value is infinite, not a number, or a quaternion of length zero.
    #[error("{what} is not finite at frame {frame}, joint {joint}")]
    NotFinite {
        /// Which value.
        what: &'static str,
        /// Frame.
        frame: usize,
        /// Joint index.
        joint: usize,
    },
    /// A rate that is not a positive finite number.
    #[error("a rate of {rate_hz} Hz is not possible")]
    Rate {
        /// The rate.
        rate_hz: f64,
    },
    /// A clip or take without frames, or a take without actors.
    #[error("{what} is empty")]
    Empty {
        /// What is empty.
        what: &'static str,
    },
    /// Clips that must agree in skeleton, rate or length do not.
    #[error("clips disagree in {what}: {first} and {second}")]
    Disagree {
        /// In what.
        what: &'static str,
        /// The first one's.
        first: String,
        /// The other one's.
        second: String,
    },
    /// A frame range that is empty, reversed or out of bounds.
    #[error("frames {start}..{end} are not a range within {frames} frames")]
    Range {
        /// First frame.
        start: usize,
        /// One past the last.
        end: usize,
        /// How many frames there are.
        frames: usize,
    },
    /// A terrain that no ground can be: it goes back, has no length, or pieces that overlap.
    #[error("piece {piece}: point {point} {problem}")]
    Terrain {
        /// Which piece, from 0.
        piece: usize,
        /// Which of its points, from 0.
        point: usize,
        /// What is wrong with it.
        problem: &'static str,
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
        DUPLICATE_ROLE = "motion/duplicate-role":
            "Two joints claim the same role."
            => "Give the role to one joint only; a roles file can say which.";
        MISSING_ROLE = "motion/missing-role":
            "A joint that is needed could not be identified."
            => "Name it in a roles file: role = \"joint name\".";
        LENGTH = "motion/length":
            "An array does not hold frames × joints values."
            => "Check the number of joints and frames it was made for.";
        NOT_FINITE = "motion/not-finite":
            "A value is infinite, not a number, or a rotation of length zero."
            => "Look at the named frame and joint in the source.";
        RATE = "motion/rate":
            "The frame rate is not a positive number." => "Give the rate in frames a second.";
        MISMATCH = "motion/mismatch":
            "Things that must go together are empty, or disagree in skeleton, rate or length."
            => "Resample or trim one of them first.";
        RANGE = "motion/range":
            "A range of frames is empty, reversed or out of bounds."
            => "Give the first frame and one past the last, within the clip.";
        TERRAIN = "motion/terrain":
            "Ground in profile goes back, has no length, or has pieces that overlap."
            => "Give each piece's points from left to right, a step as two points at one place, and pieces apart.";
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Hierarchy { .. } => &codes::HIERARCHY,
            Error::DuplicateName { .. } => &codes::DUPLICATE_NAME,
            Error::DuplicateRole { .. } => &codes::DUPLICATE_ROLE,
            Error::MissingRole { .. } => &codes::MISSING_ROLE,
            Error::Length { .. } => &codes::LENGTH,
            Error::NotFinite { .. } => &codes::NOT_FINITE,
            Error::Rate { .. } => &codes::RATE,
            Error::Empty { .. } | Error::Disagree { .. } => &codes::MISMATCH,
            Error::Range { .. } => &codes::RANGE,
            Error::Terrain { .. } => &codes::TERRAIN,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Hierarchy { name, .. } | Error::DuplicateName { name } => {
                Place::default().joint(name.clone())
            }
            Error::DuplicateRole { second, .. } => Place::default().joint(second.clone()),
            Error::NotFinite { frame, .. } => Place::default().frame(*frame),
            Error::Range { start, .. } => Place::default().frame(*start),
            _ => Place::default(),
        }
    }
}
