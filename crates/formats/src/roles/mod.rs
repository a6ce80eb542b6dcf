//! Which joint is what: roles found from names, from the tree's shape, or told by the user.
//!
//! [`detect`] reads the joints' names in every dialect it knows and keeps the one that fits best as a whole, checks
//! the answer against the tree, and finds by shape and proportions what names leave open. Nothing depends on the
//! skeleton's unit, up axis or facing. [`RoleMap`] is the user's word against the guess, as a small TOML file.
//!
//! ```
//! use marey_formats::roles::{How, RoleMap, detect};
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
//! assert_eq!(guess.how, How::Names("MotionBuilder"));
//! assert!(guess.confidence < 0.2, "an arm is not a human");
//! let told = RoleMap::from_toml("[roles]\nLeftHand = \"palm\"")?;
//! assert_eq!(told.apply(&arm, &guess)?[2], Some(Role::LeftHand));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod codes;
mod contradiction;
mod dialect;
mod dialects;
mod error;
mod guess;
mod limbs;
mod map;
mod names;
mod near;
mod sides;
mod structure;
#[cfg(test)]
mod tests;
mod torso;
mod tree;
mod words;

use std::collections::BTreeMap;

use marey_motion::Role;

pub use error::Error;
pub use guess::{How, RoleGuess, detect};
pub use map::RoleMap;

/// The joint of each role that is taken.
type Roles = BTreeMap<Role, usize>;

/// How many of [`Role::CORE`] are taken.
fn core_count(roles: &Roles) -> usize {
    Role::CORE.iter().filter(|role| roles.contains_key(role)).count()
}
