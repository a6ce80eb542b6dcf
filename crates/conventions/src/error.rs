//! Errors of this crate.

use marey_motion::{Coded, Place, Role};

use crate::roles::codes;

/// The reason why conventions could not be applied.
#[derive(Debug, Clone, PartialEq, thiserror::Error, Coded)]
#[non_exhaustive]
pub enum ConventionsError {
    /// The roles file is not TOML, or not a table of roles.
    #[error("{problem}")]
    #[code(codes::SYNTAX, place = place)]
    RolesSyntax {
        /// Description of the problem.
        problem: String,
        /// Position in the file.
        place: Place,
    },
    /// The roles file names a role that does not exist.
    #[error("{name:?} is not a role{}", suggestion(similar))]
    #[code(codes::UNKNOWN_ROLE, place = place)]
    UnknownRole {
        /// The name in the file.
        name: String,
        /// Roles with a similar name, most similar first.
        similar: Vec<String>,
        /// Position in the file.
        place: Place,
    },
    /// The roles file names a joint that the skeleton does not have.
    #[error("{role}: no joint is named {name:?}{}", suggestion(similar))]
    #[code(codes::UNKNOWN_JOINT, joint = name)]
    UnknownJoint {
        /// The role assigned to the joint.
        role: Role,
        /// The name in the file.
        name: String,
        /// Joints with a similar name, most similar first.
        similar: Vec<String>,
    },
    /// The roles file lists a role twice.
    #[error("{role} is listed twice")]
    #[code(codes::TWICE, place = place)]
    DuplicateRole {
        /// The role.
        role: Role,
        /// Position of the second entry.
        place: Place,
    },
    /// The roles file gives one joint two roles.
    #[error("joint {joint:?} is listed both as {first} and as {second}")]
    #[code(codes::TWICE, joint = joint)]
    DuplicateJoint {
        /// The joint.
        joint: String,
        /// The first role.
        first: Role,
        /// The second role.
        second: Role,
    },
    /// The converted motion is invalid.
    #[error(transparent)]
    #[code(transparent)]
    Motion(#[from] marey_motion::MotionError),
    /// An operation on the motion failed.
    #[error(transparent)]
    #[code(transparent)]
    Ops(#[from] marey_ops::OpsError),
}

/// The similar names as the end of a sentence.
fn suggestion(similar: &[String]) -> String {
    if similar.is_empty() { String::new() } else { format!("; did you mean {}?", similar.join(", ")) }
}
