//! Hips, spine and neck: roles that follow from where the limbs are attached rather than from names.
//!
//! **Hips** is the lowest common ancestor of the legs and the upper body. A root or reference joint above it has no role. It
//! wins over a joint that is named hips: in MakeHuman's BVH files the joint `Hips` has only the legs below it and the spine
//! starts at `Root`, so `Root` moves the whole body and gets the role. In a Biped with a triangle pelvis the thighs are
//! children of `Spine`, which therefore is the hips.
//!
//! **Spine** is the chain from below the hips to the parent of the arms and the neck. Its first joint is `Spine`, the last is
//! `UpperChest` and the one before it `Chest`, if there are that many. Joints between them have no role:
//!
//! | joints | roles, from the hips up |
//! |---|---|
//! | 1 | Spine |
//! | 2 | Spine, Chest |
//! | 3 | Spine, Chest, UpperChest |
//! | 4 | Spine, –, Chest, UpperChest |
//! | 5 | Spine, –, –, Chest, UpperChest |
//!
//! **Neck** is the lowest joint of the neck: by name, or else the first between the spine and the head.

use marey_motion::{Role, Side};

use super::Roles;
use super::joint_tree::Tree;

/// Assigns hips, spine and neck from the limbs and head in `roles`. If those are missing, the joints named as hips (already in
/// `roles`), spine and neck decide.
pub(super) fn assign(tree: &Tree, roles: &mut Roles, spine: &[usize], necks: &[usize]) {
    let neck = necks.iter().copied().min_by_key(|&j| (tree.depth(j), j));
    let hips = ancestor_of_legs_and_body(tree, roles, neck);
    roles.extend(hips.map(|hips| (Role::Hips, hips)));
    let chain = roles.get(&Role::Hips).map(|&hips| spine_chain(tree, roles, hips, spine, neck));
    let chain = chain.unwrap_or_default();
    roles.extend(spine_roles(&chain));
    let below_head = || {
        let (&top, &head) = (chain.last()?, roles.get(&Role::Head)?);
        tree.path(top, head).first().copied().filter(|&j| j != head)
    };
    if let Some(neck) = neck.or_else(below_head) {
        roles.insert(Role::Neck, neck);
    }
}

/// The roles of a chain of spine joints; see the table above.
fn spine_roles(chain: &[usize]) -> Vec<(Role, usize)> {
    let first = chain.iter().take(1);
    let last_two = chain.iter().skip(1.max(chain.len().saturating_sub(2)));
    [Role::Spine, Role::Chest, Role::UpperChest].into_iter().zip(first.chain(last_two).copied()).collect()
}

/// The lowest common ancestor of legs and upper body. `None` if one is missing, or if the legs are below the parent of the
/// arms (then the root is at the chest, and a name must identify the hips).
fn ancestor_of_legs_and_body(tree: &Tree, roles: &Roles, neck: Option<usize>) -> Option<usize> {
    let legs = both(roles, &[Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot]);
    let arms = both(roles, &[Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand]);
    let body = arms.iter().copied().chain(roles.get(&Role::Head).copied().or(neck));
    let legs_meet = legs.into_iter().reduce(|a, b| tree.common_ancestor(a, b))?;
    let body_meets = body.reduce(|a, b| tree.common_ancestor(a, b))?;
    let hips = tree.common_ancestor(legs_meet, body_meets);
    (hips != body_meets || hips == legs_meet).then_some(hips)
}

/// For each side, the joint of the first assigned role.
fn both(roles: &Roles, left: &[Role]) -> Vec<usize> {
    let first = |side| left.iter().find_map(|role| roles.get(&role.on(side)).copied());
    Side::BOTH.into_iter().filter_map(first).collect()
}

/// The joints from below the hips to the parent of arms and neck, or to the last joint named as spine.
fn spine_chain(tree: &Tree, roles: &Roles, hips: usize, named: &[usize], neck: Option<usize>) -> Vec<usize> {
    let arms = both(roles, &[Role::LeftShoulder, Role::LeftUpperArm, Role::LeftLowerArm]);
    let hanging = arms.into_iter().chain(neck.or(roles.get(&Role::Head).copied()));
    let top = hanging.filter_map(|j| tree.parent(j)).reduce(|a, b| tree.common_ancestor(a, b));
    let chain = top.map(|top| tree.path(hips, top)).unwrap_or_default();
    if !chain.is_empty() {
        return chain;
    }
    let last = named.iter().copied().filter(|&j| tree.is_under(j, hips)).max_by_key(|&j| (tree.depth(j), j));
    last.map(|last| tree.path(hips, last)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spine_of_any_length_has_its_roles_at_both_ends() {
        use Role::{Chest, Spine, UpperChest};
        assert_eq!(spine_roles(&[]), []);
        assert_eq!(spine_roles(&[7]), [(Spine, 7)]);
        assert_eq!(spine_roles(&[1, 2]), [(Spine, 1), (Chest, 2)]);
        assert_eq!(spine_roles(&[1, 2, 3]), [(Spine, 1), (Chest, 2), (UpperChest, 3)]);
        assert_eq!(spine_roles(&[1, 2, 3, 4]), [(Spine, 1), (Chest, 3), (UpperChest, 4)]);
        assert_eq!(spine_roles(&[1, 2, 3, 4, 5]), [(Spine, 1), (Chest, 4), (UpperChest, 5)]);
    }
}
