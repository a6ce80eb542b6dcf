//! Finds roles from the shape of the skeleton, without names.
//!
//! A human is two pairs of limbs on a trunk: legs that meet at the hips and, further up, arms beside a neck with a head. Every
//! two pairs of limbs are tried as legs and arms, and the two with the most human proportions win. Lengths along bones do not
//! depend on rest rotations, so proportions hold in any unit and axes. Rest positions then distinguish an upright body from
//! one on four feet, and left from right.
//!
//! Limits: the three main joints of a limb must be consecutive (a twist joint inside a thigh hides the knee). Fingers are not
//! detected. Skirts and long hair may be taken for limbs, and anything on the chest that is longer than neck and head for
//! those.

use marey_motion::{Role, Side};

use super::joint_tree::Tree;
use super::limb_pairs::{self, Limb, Pair};
use super::sides::{self, SidesFrom, Stance};
use super::{Roles, torso};

/// Smallest likeness of a human.
const MIN_LIKENESS: f32 = 0.35;
/// Shortest bone, as a fraction of a leg.
const MIN_BONE: f32 = 1e-3;
/// If the last bone of a neck is longer than the previous one by this factor, its joint is the crown, not the head.
const CROWN: f32 = 1.3;
/// Longest foot and longest half pelvis, as a fraction of the leg.
const LONGEST_FOOT_OR_PELVIS: f32 = 0.6;

/// A human found in a skeleton.
pub(super) struct HumanShape {
    pub roles: Roles,
    /// Similarity to human proportions, 0 to 1.
    pub likeness: f32,
    pub sides_from: SidesFrom,
}

impl HumanShape {
    /// Confidence, 0 to 1: always lower than that of a complete set of names.
    pub(super) fn confidence(&self) -> f32 {
        let sides = match self.sides_from {
            SidesFrom::Toes => 0.8,
            SidesFrom::Axis => 0.6,
            SidesFrom::BoneFrames => 0.4,
        };
        sides * self.likeness
    }

    /// The same shape with left and right swapped.
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

/// Finds the most human shape in a tree.
pub(super) fn find(tree: &Tree) -> Option<HumanShape> {
    let pairs = limb_pairs::pairs(tree);
    let bodies = pairs.iter().flat_map(|legs| pairs.iter().filter_map(|arms| body(tree, *legs, *arms)));
    let best = bodies.max_by(|a, b| a.likeness.total_cmp(&b.likeness))?;
    (best.likeness >= MIN_LIKENESS).then(|| human_shape(tree, &best))
}

/// Interprets two pairs as the legs and arms of a body, if the tree allows it.
fn body(tree: &Tree, legs: Pair, arms: Pair) -> Option<Body> {
    let hips = tree.common_ancestor(legs.fork, arms.fork);
    let apart = hips != arms.fork && !legs.contains(tree, arms.fork) && !arms.contains(tree, legs.fork);
    // A body is most of its skeleton.
    let whole = 2 * tree.size(hips) > tree.skeleton.len();
    if !(apart && whole && legs.limbs.iter().all(|leg| is_leg(tree, hips, leg))) {
        return None;
    }
    let trunk = tree.path(hips, arms.fork);
    let min_bone = MIN_BONE * legs.length(tree);
    let neck = neck(tree, &trunk, &arms, min_bone)?;
    let head = head(tree, &neck, &legs, min_bone)?;
    let stance = sides::stance(tree, hips, &legs, &arms)?;
    let to_head = tree.path_length(hips, head);
    let likeness = likeness(tree, &legs, &arms, to_head);
    Some(Body { legs, arms, head, stance, likeness })
}

/// Whether a limb starts close to the hips and ends in a foot.
fn is_leg(tree: &Tree, hips: usize, limb: &Limb) -> bool {
    let longest = LONGEST_FOOT_OR_PELVIS * tree.path_length(limb.upper, limb.end);
    tree.reach(limb.end) <= longest && tree.path_length(hips, limb.upper) <= longest
}

/// The chain that continues beyond the arms: the longest one that is not an arm, from the parent of the arms or, failing
/// that, from the next joint below it that has one. Joints without length at its end are excluded.
fn neck(tree: &Tree, trunk: &[usize], arms: &Pair, min_bone: f32) -> Option<Vec<usize>> {
    let start = trunk.iter().rev().find_map(|&joint| {
        let free = |&child: &usize| !arms.contains(tree, child) && !tree.is_under(arms.fork, child);
        tree.farthest(tree.children(joint).iter().copied().filter(free))
    });
    let start = start?;
    let has_length = |&joint: &usize| joint == start || tree.extent(joint) > min_bone;
    Some(tree.chain(start).take_while(has_length).collect())
}

/// The head in a chain: the joint at which it forks (eyes, jaw, hair), otherwise its last joint, or the one before if the last
/// is the crown. A crown has no children, and either the toes have such an end too or its bone is longer than a neck's.
fn head(tree: &Tree, neck: &[usize], legs: &Pair, min_bone: f32) -> Option<usize> {
    let forks = |&&j: &&usize| tree.children(j).iter().filter(|&&c| tree.extent(c) > min_bone).count() > 1;
    if let Some(&fork) = neck.iter().find(forks) {
        return Some(fork);
    }
    let toes_end = legs.limbs.iter().all(|leg| {
        let end = tree.chain(leg.end).nth(2);
        end.is_some_and(|end| tree.reach(end) <= min_bone && tree.bone(end) > min_bone)
    });
    match *neck {
        [.., before, last] if toes_end && tree.reach(last) <= min_bone => Some(before),
        [.., _, before, last]
            if tree.reach(last) <= min_bone && tree.bone(last) > CROWN * tree.bone(before) =>
        {
            Some(before)
        }
        [.., last] => Some(last),
        [] => None,
    }
}

/// Similarity to human proportions: the geometric mean of the closeness of each ratio to that of an adult.
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

/// 1 if a ratio is as expected, decreasing as a Gaussian of its logarithm.
fn closeness(ratio: f32, expected: f32, spread: f32) -> f32 {
    let off = (ratio / expected).ln() / spread;
    let close = (-0.5 * off * off).exp();
    if close.is_finite() { close } else { 0.0 }
}

/// Assigns the roles of a body.
fn human_shape(tree: &Tree, body: &Body) -> HumanShape {
    let ([legs_first, arms_first], sides_from) = sides::sides(tree, body.stance, &body.legs, &body.arms);
    let mut roles = Roles::new();
    let min_bone = MIN_BONE * body.legs.length(tree);
    for (side, leg) in sided(legs_first, body.legs.limbs) {
        roles.extend(leg_roles(tree, leg, min_bone).map(|(role, joint)| (role.on(side), joint)));
    }
    for (side, arm) in sided(arms_first, body.arms.limbs) {
        roles.extend(arm_roles(tree, arm).map(|(role, joint)| (role.on(side), joint)));
    }
    roles.insert(Role::Head, body.head);
    torso::assign(tree, &mut roles, &[], &[]);
    HumanShape { roles, likeness: body.likeness, sides_from }
}

fn sided(first: Side, [a, b]: [Limb; 2]) -> [(Side, Limb); 2] {
    [(first, a), (first.other(), b)]
}

/// The roles of a leg, as left roles.
fn leg_roles(tree: &Tree, leg: Limb, min_bone: f32) -> impl Iterator<Item = (Role, usize)> {
    let toes = tree.farthest(tree.children(leg.end).iter().copied()).filter(|&j| tree.bone(j) > min_bone);
    [(Role::LeftUpperLeg, leg.upper), (Role::LeftLowerLeg, leg.lower), (Role::LeftFoot, leg.end)]
        .into_iter()
        .chain(toes.map(|toes| (Role::LeftToes, toes)))
}

/// The roles of an arm, as left roles. The parent of the upper arm is the shoulder, unless it belongs to the trunk.
fn arm_roles(tree: &Tree, arm: Limb) -> impl Iterator<Item = (Role, usize)> {
    let shoulder = tree.parent(arm.upper).filter(|_| arm.upper != arm.top);
    [(Role::LeftUpperArm, arm.upper), (Role::LeftLowerArm, arm.lower), (Role::LeftHand, arm.end)]
        .into_iter()
        .chain(shoulder.map(|shoulder| (Role::LeftShoulder, shoulder)))
}
