//! Roles that the user assigns to joints.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::{Place, Role, Skeleton};
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::similar_names::similar_names;
use super::{RoleGuess, Roles};
use crate::{ConventionsError, Result};

/// Roles and the names of their joints, as in a roles file.
///
/// ```
/// use marey_conventions::roles::RoleMap;
/// use marey_motion::Role;
/// let map = RoleMap::from_toml("[roles]\nHips = \"pelvis\"\nLeftFoot = \"foot.L\"\n")?;
/// assert_eq!(map.joint(Role::LeftFoot), Some("foot.L"));
/// assert_eq!(RoleMap::from_toml(&map.to_toml())?, map);
/// # Ok::<(), marey_conventions::ConventionsError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RoleMap {
    roles: BTreeMap<Role, String>,
}

/// A roles file before its names are checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RolesFile {
    roles: BTreeMap<Spanned<String>, String>,
}

impl RoleMap {
    /// The roles of a skeleton's joints.
    pub fn from_skeleton(skeleton: &Skeleton) -> Self {
        let named = |joint: &marey_motion::Joint| Some((joint.role?, joint.name.clone()));
        Self { roles: skeleton.joints().iter().filter_map(named).collect() }
    }

    /// Parses TOML: one table `[roles]` of `Role = "joint name"`. The case of roles is ignored.
    pub fn from_toml(text: &str) -> Result<Self> {
        let file: RolesFile = toml::from_str(text).map_err(|error| ConventionsError::RolesSyntax {
            problem: error.message().to_owned(),
            place: error.span().map_or_else(Place::default, |span| place_of(text, span)),
        })?;
        let mut entries: Vec<(Spanned<String>, String)> = file.roles.into_iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut roles = BTreeMap::new();
        for (key, joint) in entries {
            let place = place_of(text, key.span());
            let name = key.into_inner();
            let Ok(role) = name.parse::<Role>() else {
                let similar = similar_names(&name, Role::ALL.iter().map(|role| role.name()));
                return Err(ConventionsError::UnknownRole { name, similar, place });
            };
            if roles.insert(role, joint).is_some() {
                return Err(ConventionsError::DuplicateRole { role, place });
            }
        }
        Ok(Self { roles })
    }

    /// The TOML file that [`RoleMap::from_toml`] reads.
    pub fn to_toml(&self) -> String {
        // A map of unit variants to strings always serialises.
        toml::to_string(self).unwrap_or_default()
    }

    /// The name of the joint that has a role.
    pub fn joint(&self, role: Role) -> Option<&str> {
        self.roles.get(&role).map(String::as_str)
    }

    /// The roles of a skeleton's joints: those of this map, then the guessed roles that do not conflict with it.
    ///
    /// # Errors
    ///
    /// If the map names a joint that the skeleton does not have, or gives one joint two roles.
    pub fn apply(&self, skeleton: &Skeleton, guess: &RoleGuess) -> Result<Vec<Option<Role>>> {
        let assigned = self.joints_in(skeleton)?;
        let mut roles: Vec<Option<Role>> = guess.roles.clone();
        roles.resize(skeleton.len(), None);
        for slot in &mut roles {
            *slot = slot.filter(|role| !assigned.contains_key(role));
        }
        for (role, joint) in assigned {
            if let Some(slot) = roles.get_mut(joint) {
                *slot = Some(role);
            }
        }
        Ok(roles)
    }

    /// The joint of each role.
    fn joints_in(&self, skeleton: &Skeleton) -> Result<Roles> {
        let mut role_of_joint: BTreeMap<usize, Role> = BTreeMap::new();
        for (&role, name) in &self.roles {
            let joint = skeleton.joint_named(name).ok_or_else(|| ConventionsError::UnknownJoint {
                role,
                name: name.clone(),
                similar: similar_names(name, skeleton.joints().iter().map(|joint| joint.name.as_str())),
            })?;
            if let Some(first) = role_of_joint.insert(joint, role) {
                return Err(ConventionsError::DuplicateJoint { joint: name.clone(), first, second: role });
            }
        }
        Ok(role_of_joint.into_iter().map(|(joint, role)| (role, joint)).collect())
    }
}

/// Line and column of a span of bytes.
fn place_of(text: &str, span: Range<usize>) -> Place {
    let before = text.get(..span.start).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    Place::at(before.matches('\n').count() + 1, before.len() - line_start + 1)
}
