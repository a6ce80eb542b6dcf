//! What can be wrong with a roles file.

use marey_motion::{Code, Coded, Place, Role};

use super::codes;

/// Why a roles file was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Not TOML, or not a table of roles.
    #[error("{problem}")]
    Syntax {
        /// What is wrong.
        problem: String,
        /// Where.
        place: Place,
    },
    /// No such role.
    #[error("{name:?} is not a role{}", hint(near))]
    UnknownRole {
        /// What the file says.
        name: String,
        /// Roles with a name like it, nearest first.
        near: Vec<String>,
        /// Where.
        place: Place,
    },
    /// No such joint.
    #[error("{role}: no joint is named {name:?}{}", hint(near))]
    UnknownJoint {
        /// The role it should have.
        role: Role,
        /// What the file says.
        name: String,
        /// Joints with a name like it, nearest first.
        near: Vec<String>,
    },
    /// One role in two spellings.
    #[error("{role} is named twice")]
    RoleTwice {
        /// The role.
        role: Role,
        /// Where it is named again.
        place: Place,
    },
    /// One joint in two roles.
    #[error("joint {joint:?} is named both as {first} and as {second}")]
    JointTwice {
        /// The joint.
        joint: String,
        /// The role it has.
        first: Role,
        /// The role it should have too.
        second: Role,
    },
}

/// The names that may have been meant, as the end of a sentence.
fn hint(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; near it: {}", near.join(", ")) }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Syntax { .. } => &codes::SYNTAX,
            Error::UnknownRole { .. } => &codes::UNKNOWN_ROLE,
            Error::UnknownJoint { .. } => &codes::UNKNOWN_JOINT,
            Error::RoleTwice { .. } | Error::JointTwice { .. } => &codes::TWICE,
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Syntax { place, .. }
            | Error::UnknownRole { place, .. }
            | Error::RoleTwice { place, .. } => place.clone(),
            Error::UnknownJoint { name: joint, .. } | Error::JointTwice { joint, .. } => {
                Place::default().joint(joint.clone())
            }
        }
    }
}
