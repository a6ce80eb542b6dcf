//! Joint roles: detected from names and from the shape of the skeleton, or assigned by the user.
//!
//! [`detect`] reads the joints' names in every dialect it knows, keeps the dialect that fits the whole skeleton best, and
//! checks the result against the tree. Shape and proportions give the roles that the names leave open. The result does
//! not depend on the skeleton's unit, up axis or facing. [`RoleMap`] overrides the guess; users write it as TOML.
//!
//! ```
//! use marey_conventions::roles::{RoleEvidence, RoleMap, detect};
//! use marey_motion::{Joint, Role, Skeleton, Vec3};
//! let arm = Skeleton::new(
//!     vec![
//!         Joint::new("LeftArm", None, Vec3::ZERO),
//!         Joint::new("LeftForeArm", Some(0), Vec3::X),
//!         Joint::new("palm", Some(1), Vec3::X),
//!     ],
//!     vec![],
//! )?;
//! let guess = detect(&arm);
//! assert_eq!(guess.roles, [Some(Role::LeftUpperArm), Some(Role::LeftLowerArm), None]);
//! assert_eq!(guess.evidence, RoleEvidence::Names("MotionBuilder"));
//! assert!(guess.confidence < 0.2, "an arm is not a human");
//! let map = RoleMap::from_toml("[roles]\nLeftHand = \"palm\"")?;
//! assert_eq!(map.apply(&arm, &guess)?[2], Some(Role::LeftHand));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod codes;
mod contradiction;
mod detect;
mod dialect;
mod dialect_list;
mod joint_names;
mod joint_tree;
mod limb_pairs;
mod role_map;
mod sides;
mod similar_names;
mod skeleton_shape;
#[cfg(test)]
mod tests;
mod torso;
mod vocabulary;

use std::collections::BTreeMap;

use marey_motion::Role;

pub use detect::{RoleEvidence, RoleGuess, detect};
pub use role_map::RoleMap;

/// Roles with less confidence are reported.
pub const SURE_CONFIDENCE: f32 = 0.8;
/// Motion is not moved between bodies by roles with less confidence.
pub const LEAST_CONFIDENCE: f32 = 0.5;

/// The joint of each assigned role.
type Roles = BTreeMap<Role, usize>;

/// The number of [`Role::CORE`] that are assigned.
fn core_count(roles: &Roles) -> usize {
    Role::CORE.iter().filter(|role| roles.contains_key(role)).count()
}
