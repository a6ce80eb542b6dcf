//! The stance of a body at rest, and which limb of a pair is the left one.

use marey_motion::{Side, Vec3};

use super::joint_tree::Tree;
use super::limb_pairs::{Limb, Pair};

/// Smallest absolute cosine of the angle between legs and torso that are in line.
const IN_LINE: f32 = 0.6;
/// Smallest fraction of a bone's length along an axis that it is aligned with.
const ON_AXIS: f32 = 0.99;
/// Shortest horizontal extent of toes that indicate a direction, as a fraction of the shin.
const TOES_AHEAD: f32 = 0.1;

/// The stance of a body at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stance {
    /// Upright: both legs point away from the torso. Contains the up direction.
    Upright(Vec3),
    /// Legs and torso are along one axis, but not upright: offsets are in the local frame of each bone and give its length, but
    /// not its direction.
    BoneFrames,
}

/// How left and right were distinguished.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SidesFrom {
    /// By the direction of the toes.
    Toes,
    /// No toes: the positive axis is assumed to be left.
    Axis,
    /// No usable rest positions: bones of a left limb usually point along the positive axis, those of a right one against it.
    BoneFrames,
}

/// The stance of a body. `None` if it is on four feet, or not a body. Up is from the hips to the middle of the arms.
pub(super) fn stance(tree: &Tree, hips: usize, legs: &Pair, arms: &Pair) -> Option<Stance> {
    let [a, b] = arms.limbs.map(|arm| tree.position(arm.upper));
    let up = ((a + b) / 2.0 - tree.position(hips)).normalize_or_zero();
    let along =
        legs.limbs.map(|leg| (tree.position(leg.end) - tree.position(leg.upper)).normalize_or_zero().dot(up));
    if along.iter().all(|&cos| cos < -IN_LINE) {
        return Some(Stance::Upright(up));
    }
    let bones = legs.limbs.iter().flat_map(|leg| [leg.lower, leg.end]).map(|joint| tree.offset(joint));
    let on_axis = |bone: Vec3| bone.abs().max_element() > ON_AXIS * bone.length();
    let in_line = along.iter().all(|&cos| cos.abs() > IN_LINE);
    (in_line && bones.into_iter().all(on_axis)).then_some(Stance::BoneFrames)
}

/// The side of the first limb of each pair, and how it was decided.
pub(super) fn sides(tree: &Tree, stance: Stance, legs: &Pair, arms: &Pair) -> ([Side; 2], SidesFrom) {
    let Stance::Upright(up) = stance else {
        let side = |pair: &Pair| left_if(bone_direction(tree, pair) > 0.0);
        return ([side(legs), side(arms)], SidesFrom::BoneFrames);
    };
    let (left, from) = match ahead(tree, legs, up) {
        Some(ahead) => (up.cross(ahead), SidesFrom::Toes),
        None => {
            let level = across(tree, legs).reject_from_normalized(up);
            (level * dominant_sign(level), SidesFrom::Axis)
        }
    };
    let side = |pair: &Pair| left_if(across(tree, pair).dot(left) > 0.0);
    ([side(legs), side(arms)], from)
}

fn left_if(left: bool) -> Side {
    if left { Side::Left } else { Side::Right }
}

/// From the second limb's upper joint to the first's, or between their ends if the upper joints coincide.
fn across(tree: &Tree, pair: &Pair) -> Vec3 {
    let between = |joint: fn(&Limb) -> usize| {
        let [a, b] = pair.limbs.map(|limb| tree.position(joint(&limb)));
        a - b
    };
    let uppers = between(|limb| limb.upper);
    if uppers.length() > 1e-3 * pair.length(tree) { uppers } else { between(|limb| limb.end) }
}

/// The horizontal direction of the toes. `None` if they are too short.
fn ahead(tree: &Tree, legs: &Pair, up: Vec3) -> Option<Vec3> {
    let toes = legs.limbs.map(|leg| {
        let toes = tree.farthest(tree.children(leg.end).iter().copied());
        let joint = toes.map(|toes| tree.position(toes) - tree.position(leg.end));
        joint.unwrap_or_else(|| tree.tip(leg.end)).reject_from_normalized(up)
    });
    let [a, b] = toes;
    let [_, shin] = legs.bones(tree);
    ((a + b).length() > 2.0 * TOES_AHEAD * shin).then(|| (a + b).normalize_or_zero())
}

/// The sign of a vector's largest component.
fn dominant_sign(v: Vec3) -> f32 {
    v.to_array().into_iter().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0).signum()
}

/// The difference between the first and the second limb in how far their main bones point along a positive axis.
fn bone_direction(tree: &Tree, pair: &Pair) -> f32 {
    let [a, b] = pair.limbs.map(|limb| {
        [limb.lower, limb.end].map(|joint| dominant_sign(tree.offset(joint))).iter().sum::<f32>()
    });
    if a != b { a - b } else { dominant_sign(across(tree, pair)) }
}
