//! Checks roles against the tree.

use marey_motion::{Role, Side};

use super::Roles;
use super::joint_tree::Tree;

/// Chains of roles, each of which must be a descendant of the previous one. Left roles represent both sides.
const CHAINS: [&[Role]; 10] = [
    &[Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot, Role::LeftToes],
    &[Role::LeftShoulder, Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand],
    &[Role::LeftHand, Role::LeftThumbMetacarpal, Role::LeftThumbProximal, Role::LeftThumbDistal],
    &[Role::LeftHand, Role::LeftIndexProximal, Role::LeftIndexIntermediate, Role::LeftIndexDistal],
    &[Role::LeftHand, Role::LeftMiddleProximal, Role::LeftMiddleIntermediate, Role::LeftMiddleDistal],
    &[Role::LeftHand, Role::LeftRingProximal, Role::LeftRingIntermediate, Role::LeftRingDistal],
    &[Role::LeftHand, Role::LeftLittleProximal, Role::LeftLittleIntermediate, Role::LeftLittleDistal],
    &[Role::Hips, Role::Spine, Role::Chest, Role::UpperChest, Role::Neck, Role::Head],
    &[Role::Head, Role::LeftEye],
    &[Role::Head, Role::Jaw],
];

/// A part of the body.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Region {
    Trunk,
    Head,
    Leg(Side),
    Arm(Side),
}

fn region(role: Role) -> Region {
    match (role, role.side()) {
        (Role::Head | Role::Jaw | Role::LeftEye | Role::RightEye, _) => Region::Head,
        (_, None) => Region::Trunk,
        (_, Some(side)) => {
            let leg = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot, Role::LeftToes];
            if leg.contains(&role.on(Side::Left)) { Region::Leg(side) } else { Region::Arm(side) }
        }
    }
}

/// Removes roles until no two contradict each other, and returns how many were removed.
///
/// Roles with the most contradictions go first, and ties go together: of two roles that only contradict each other, it is
/// unknown which one is right.
pub(super) fn drop_contradicted(tree: &Tree, roles: &mut Roles) -> usize {
    let before = roles.len();
    loop {
        let counts: Vec<(Role, usize)> =
            roles.iter().map(|(&role, &joint)| (role, count(tree, roles, role, joint))).collect();
        let Some(most @ 1..) = counts.iter().map(|(_, count)| *count).max() else { break };
        for (role, _) in counts.into_iter().filter(|(_, count)| *count == most) {
            roles.remove(&role);
        }
    }
    before - roles.len()
}

/// Whether a joint may have a role, given the assigned roles.
pub(super) fn fits(tree: &Tree, roles: &Roles, role: Role, joint: usize) -> bool {
    count(tree, roles, role, joint) == 0
}

/// The number of roles that contradict one.
fn count(tree: &Tree, roles: &Roles, role: Role, joint: usize) -> usize {
    roles.iter().filter(|&(&r, &j)| r != role && contradicts(tree, (r, j), (role, joint))).count()
}

/// Whether two roles exclude each other.
fn contradicts(tree: &Tree, a: (Role, usize), b: (Role, usize)) -> bool {
    if a.1 == b.1 {
        return true;
    }
    if let Some((above, below)) = in_chain(a, b) {
        return !tree.is_under(below, above);
    }
    let (above, below) = match (tree.is_under(b.1, a.1), tree.is_under(a.1, b.1)) {
        (true, _) => (region(a.0), region(b.0)),
        (_, true) => (region(b.0), region(a.0)),
        _ => return false,
    };
    // Only the trunk has other parts of the body below it.
    above != Region::Trunk && above != below
}

/// The joints of two roles of one chain, the upper one first.
fn in_chain(a: (Role, usize), b: (Role, usize)) -> Option<(usize, usize)> {
    let one_side = a.0.side().is_none() || b.0.side().is_none() || a.0.side() == b.0.side();
    if !one_side {
        return None;
    }
    CHAINS.iter().find_map(|chain| {
        let index = |role: Role| chain.iter().position(|&r| r == role.on(Side::Left));
        let (i, k) = (index(a.0)?, index(b.0)?);
        Some(if i < k { (a.1, b.1) } else { (b.1, a.1) })
    })
}

#[cfg(test)]
mod tests {
    use marey_motion::{Joint, Skeleton, Vec3};

    use super::*;

    /// The roles that remain in a chain of joints with these roles from the root down.
    fn remaining(chain: &[Role]) -> Vec<Role> {
        let joint = |i: usize| Joint::new(i.to_string(), i.checked_sub(1), Vec3::Y);
        let skeleton = Skeleton::new((0..chain.len()).map(joint).collect(), vec![]).unwrap();
        let mut roles: Roles = chain.iter().copied().zip(0..).collect();
        drop_contradicted(&Tree::new(&skeleton), &mut roles);
        roles.into_keys().collect()
    }

    #[test]
    fn the_contradicted_role_is_removed() {
        use Role::*;
        let leg = [LeftUpperLeg, LeftLowerLeg, LeftFoot];
        assert_eq!(remaining(&leg), leg);
        assert_eq!(remaining(&[LeftUpperLeg, RightLowerLeg, LeftFoot]), [LeftUpperLeg, LeftFoot]);
        assert_eq!(remaining(&[LeftFoot, LeftUpperLeg, LeftLowerLeg]), [LeftUpperLeg, LeftLowerLeg]);
        assert_eq!(remaining(&[Hips, Head, LeftUpperLeg, LeftLowerLeg, LeftFoot]).len(), 4);
        assert_eq!(remaining(&[Hips, LeftUpperLeg, LeftFoot, LeftLowerLeg, LeftToes]).len(), 3);
        assert_eq!(remaining(&[Hips, Neck, LeftShoulder, LeftUpperArm]).len(), 4);
    }
}
