//! What the tree's shape says, names unseen.
//!
//! A human is two pairs of limbs on a trunk: legs that meet at the hips, and farther up arms beside a neck with a
//! head. Every two pairs of limbs are tried as legs and arms, and the ones with the most human proportions are
//! taken. Lengths along bones do not depend on how joints are turned at rest, so proportions hold in any unit and
//! any axes; rest positions then tell an upright body from one on four feet, and left from right.
//!
//! Limits: a limb must have its three main joints in a row (a twist joint inside a thigh hides the knee); fingers
//! are not looked for; skirts and long hair can be taken for limbs, and what else hangs from the
//! chest, where it is longer than neck and head, for those.

use marey_motion::{Role, Side};

use super::limbs::{self, Limb, Pair};
use super::sides::{self, SidesFrom, Stance};
use super::tree::Tree;
use super::{Roles, torso};

/// Less than this is no human.
const LEAST_LIKENESS: f32 = 0.35;
/// What is not long enough to be a bone, as a part of a leg.
const NO_BONE: f32 = 1e-3;
/// The last joint of a neck is the crown of the head, not the head, where its bone is so much longer than the one
/// before it.
const CROWN: f32 = 1.3;
/// What hangs from an ankle is a foot, and what carries a leg is a pelvis, where it is not longer than this part of
/// the leg.
const LONGEST_FOOT_OR_PELVIS: f32 = 0.6;

/// A human found in a tree.
pub(super) struct Figure {
    pub roles: Roles,
    /// How human the proportions are, 0 to 1.
    pub likeness: f32,
    pub sides_from: SidesFrom,
}

impl Figure {
    /// How far to trust it, 0 to 1: always less than a whole set of names.
    pub(super) fn confidence(&self) -> f32 {
        let sides = match self.sides_from {
            SidesFrom::Toes => 0.8,
            SidesFrom::Axis => 0.6,
            SidesFrom::BoneFrames => 0.4,
        };
        sides * self.likeness
    }

    /// The same figure with left and right exchanged.
    pub(super) fn mirrored(mut self) -> Self {
        self.roles = self.roles.into_iter().map(|(role, joint)| (role.mirrored(), joint)).collect();
        self
    }
}

/// Two pairs of limbs and a head on a trunk.
struct Body {
    legs: Pair,
    arms: Pair,
    head: usize,
    stance: Stance,
    likeness: f32,
}

/// Finds the most human figure in a tree.
pub(super) fn find(tree: &Tree) -> Option<Figure> {
    let pairs = limbs::pairs(tree);
    let bodies = pairs.iter().flat_map(|legs| pairs.iter().filter_map(|arms| body(tree, *legs, *arms)));
    let best = bodies.max_by(|a, b| a.likeness.total_cmp(&b.likeness))?;
    (best.likeness >= LEAST_LIKENESS).then(|| figure(tree, &best))
}

/// Sees two pairs as the legs and arms of a body, where the tree allows it.
fn body(tree: &Tree, legs: Pair, arms: Pair) -> Option<Body> {
    let hips = tree.meeting(legs.fork, arms.fork);
    let apart = hips != arms.fork && !legs.holds(tree, arms.fork) && !arms.holds(tree, legs.fork);
    // A body is most of its skeleton, not any part of any tree.
    let whole = 2 * tree.size(hips) > tree.skeleton.len();
    if !(apart && whole && legs.limbs.iter().all(|leg| is_leg(tree, hips, leg))) {
        return None;
    }
    let trunk = tree.path(hips, arms.fork);
    let no_bone = NO_BONE * legs.length(tree);
    let neck = neck(tree, &trunk, &arms, no_bone)?;
    let head = head(tree, &neck, &legs, no_bone)?;
    let stance = sides::stance(tree, hips, &legs, &arms)?;
    let to_head = tree.way(hips, head);
    let likeness = likeness(tree, &legs, &arms, to_head);
    Some(Body { legs, arms, head, stance, likeness })
}

/// Whether a limb starts close to the hips and ends in a foot.
fn is_leg(tree: &Tree, hips: usize, limb: &Limb) -> bool {
    let longest = LONGEST_FOOT_OR_PELVIS * tree.way(limb.upper, limb.end);
    tree.reach(limb.end) <= longest && tree.way(hips, limb.upper) <= longest
}

/// The chain that goes on beyond the arms: the longest that is no arm, from the joint the arms hang from or, failing
/// that, from the next one below it that has one. What has no length at its end is left out.
fn neck(tree: &Tree, trunk: &[usize], arms: &Pair, no_bone: f32) -> Option<Vec<usize>> {
    let start = trunk.iter().rev().find_map(|&joint| {
        let free = |&child: &usize| !arms.holds(tree, child) && !tree.is_under(arms.fork, child);
        tree.farthest(tree.children(joint).iter().copied().filter(free))
    });
    let start = start?;
    let goes_on = |&joint: &usize| joint == start || tree.extent(joint) > no_bone;
    Some(tree.chain(start).take_while(goes_on).collect())
}

/// The head in a chain: where it forks (eyes, jaw, hair); else its last joint, or the one before if the last is only
/// the crown. A crown carries nothing, and the toes have such an end as well or its bone is longer than a neck's.
fn head(tree: &Tree, neck: &[usize], legs: &Pair, no_bone: f32) -> Option<usize> {
    let forks = |&&j: &&usize| tree.children(j).iter().filter(|&&c| tree.extent(c) > no_bone).count() > 1;
    if let Some(&fork) = neck.iter().find(forks) {
        return Some(fork);
    }
    let toes_end = legs.limbs.iter().all(|leg| {
        let end = tree.chain(leg.end).nth(2);
        end.is_some_and(|end| tree.reach(end) <= no_bone && tree.bone(end) > no_bone)
    });
    match *neck {
        [.., before, last] if toes_end && tree.reach(last) <= no_bone => Some(before),
        [.., _, before, last]
            if tree.reach(last) <= no_bone && tree.bone(last) > CROWN * tree.bone(before) =>
        {
            Some(before)
        }
        [.., last] => Some(last),
        [] => None,
    }
}

/// How human the proportions are: the geometric mean of how close each ratio is to that of an adult.
fn likeness(tree: &Tree, legs: &Pair, arms: &Pair, to_head: f32) -> f32 {
    let [thigh, shin] = legs.bones(tree);
    let [upper_arm, forearm] = arms.bones(tree);
    let leg = thigh + shin;
    let ratios = [
        closeness(thigh / shin, 1.0, 0.35),
        closeness(upper_arm / forearm, 1.15, 0.4),
        closeness((upper_arm + forearm) / leg, 0.62, 0.35),
        closeness(to_head / leg, 0.7, 0.45),
    ];
    ratios.iter().product::<f32>().powf(0.25)
}

/// 1 where a ratio is as expected, falling off as a bell curve over its logarithm.
fn closeness(ratio: f32, expected: f32, spread: f32) -> f32 {
    let off = (ratio / expected).ln() / spread;
    let close = (-0.5 * off * off).exp();
    if close.is_finite() { close } else { 0.0 }
}

/// Gives a body's joints their roles.
fn figure(tree: &Tree, body: &Body) -> Figure {
    let ([legs_first, arms_first], sides_from) = sides::sides(tree, body.stance, &body.legs, &body.arms);
    let mut roles = Roles::new();
    let no_bone = NO_BONE * body.legs.length(tree);
    for (side, leg) in sided(legs_first, body.legs.limbs) {
        roles.extend(leg_roles(tree, leg, no_bone).map(|(role, joint)| (role.on(side), joint)));
    }
    for (side, arm) in sided(arms_first, body.arms.limbs) {
        roles.extend(arm_roles(tree, arm).map(|(role, joint)| (role.on(side), joint)));
    }
    roles.insert(Role::Head, body.head);
    torso::settle(tree, &mut roles, &[], &[]);
    Figure { roles, likeness: body.likeness, sides_from }
}

fn sided(first: Side, [a, b]: [Limb; 2]) -> [(Side, Limb); 2] {
    [(first, a), (first.other(), b)]
}

/// A leg's roles, as if it were the left one.
fn leg_roles(tree: &Tree, leg: Limb, no_bone: f32) -> impl Iterator<Item = (Role, usize)> {
    let toes = tree.farthest(tree.children(leg.end).iter().copied()).filter(|&j| tree.bone(j) > no_bone);
    [(Role::LeftUpperLeg, leg.upper), (Role::LeftLowerLeg, leg.lower), (Role::LeftFoot, leg.end)]
        .into_iter()
        .chain(toes.map(|toes| (Role::LeftToes, toes)))
}

/// An arm's roles, as if it were the left one. What the upper arm hangs from is the shoulder, unless it is the trunk.
fn arm_roles(tree: &Tree, arm: Limb) -> impl Iterator<Item = (Role, usize)> {
    let shoulder = tree.parent(arm.upper).filter(|_| arm.upper != arm.top);
    [(Role::LeftUpperArm, arm.upper), (Role::LeftLowerArm, arm.lower), (Role::LeftHand, arm.end)]
        .into_iter()
        .chain(shoulder.map(|shoulder| (Role::LeftShoulder, shoulder)))
}
