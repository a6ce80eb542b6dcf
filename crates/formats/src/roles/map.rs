//! The user's word on which joint is what.

use std::collections::BTreeMap;
use std::ops::Range;

use marey_motion::{Place, Role, Skeleton};
use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::near::near;
use super::{Error, RoleGuess, Roles};

/// Roles and the names of their joints, as a user writes them down.
///
/// ```
/// use marey_formats::roles::RoleMap;
/// use marey_motion::Role;
/// let map = RoleMap::from_toml("[roles]\nHips = \"pelvis\"\nLeftFoot = \"foot.L\"\n")?;
/// assert_eq!(map.joint(Role::LeftFoot), Some("foot.L"));
/// assert_eq!(RoleMap::from_toml(&map.to_toml())?, map);
/// # Ok::<(), marey_formats::roles::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct RoleMap {
    roles: BTreeMap<Role, String>,
}

/// A roles file as it stands, before any name in it is understood.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RolesFile {
    roles: BTreeMap<Spanned<String>, String>,
}

impl RoleMap {
    /// The roles that a skeleton's joints have.
    pub fn of(skeleton: &Skeleton) -> Self {
        let named = |joint: &marey_motion::Joint| Some((joint.role?, joint.name.clone()));
        Self { roles: skeleton.joints().iter().filter_map(named).collect() }
    }

    /// Reads a TOML file: one table `[roles]` of `Role = "joint name"`. Roles are read in any case.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        let file: RolesFile = toml::from_str(text).map_err(|error| Error::Syntax {
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
                let near = near(&name, Role::ALL.iter().map(|role| role.name()));
                return Err(Error::UnknownRole { name, near, place });
            };
            if roles.insert(role, joint).is_some() {
                return Err(Error::RoleTwice { role, place });
            }
        }
        Ok(Self { roles })
    }

    /// The TOML file that [`RoleMap::from_toml`] reads.
    pub fn to_toml(&self) -> String {
        // Text and unit variants are all there is in a map of roles, and TOML has both.
        toml::to_string(self).unwrap_or_default()
    }

    /// The name of the joint that has a role.
    pub fn joint(&self, role: Role) -> Option<&str> {
        self.roles.get(&role).map(String::as_str)
    }

    /// The roles of a skeleton's joints: those of this map, then those of the guess that do not collide with them.
    ///
    /// A guessed role gives way where the map has the role, or has another role for the joint.
    pub fn apply(&self, skeleton: &Skeleton, guess: &RoleGuess) -> Result<Vec<Option<Role>>, Error> {
        let told = self.joints_in(skeleton)?;
        let mut roles: Vec<Option<Role>> = guess.roles.clone();
        roles.resize(skeleton.len(), None);
        for slot in &mut roles {
            *slot = slot.filter(|role| !told.contains_key(role));
        }
        for (role, joint) in told {
            if let Some(slot) = roles.get_mut(joint) {
                *slot = Some(role);
            }
        }
        Ok(roles)
    }

    /// The joint of each role, where all exist and none has two.
    fn joints_in(&self, skeleton: &Skeleton) -> Result<Roles, Error> {
        let mut role_of_joint: BTreeMap<usize, Role> = BTreeMap::new();
        for (&role, name) in &self.roles {
            let joint = skeleton.joint_named(name).ok_or_else(|| Error::UnknownJoint {
                role,
                name: name.clone(),
                near: near(name, skeleton.joints().iter().map(|joint| joint.name.as_str())),
            })?;
            if let Some(first) = role_of_joint.insert(joint, role) {
                return Err(Error::JointTwice { joint: name.clone(), first, second: role });
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
