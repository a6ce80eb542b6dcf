//! How a body stands at rest, and which of two limbs is the left one.

use marey_motion::{Side, Vec3};

use super::limbs::{Limb, Pair};
use super::tree::Tree;

/// Legs and torso are in line where the cosine of the angle between them is beyond this.
const IN_LINE: f32 = 0.6;
/// A bone runs along an axis where this part of its length does.
const ON_AXIS: f32 = 0.99;
/// Toes that point less far ahead than this part of the shin say nothing.
const TOES_AHEAD: f32 = 0.1;

/// What the rest positions show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stance {
    /// Upright: both legs point away from the torso. The vector is up.
    Upright(Vec3),
    /// Legs and torso lie along one axis, but not as a body does: offsets are in frames that each bone has of its
    /// own, and say how long a bone is but not where it points.
    BoneFrames,
}

/// How left was told from right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SidesFrom {
    /// The toes say where ahead is.
    Toes,
    /// No toes: the usual axis is taken to be left.
    Axis,
    /// No usable rest positions: bones of a left limb usually run along the positive axis, of a right one against it.
    BoneFrames,
}

/// How the body stands; `None` where it is on four feet, or no body at all. Up is from the hips to between the arms.
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

/// The sides of the first limb of each pair, and how they were told.
pub(super) fn sides(tree: &Tree, stance: Stance, legs: &Pair, arms: &Pair) -> ([Side; 2], SidesFrom) {
    let Stance::Upright(up) = stance else {
        let side = |pair: &Pair| left_if(bone_direction(tree, pair) > 0.0);
        return ([side(legs), side(arms)], SidesFrom::BoneFrames);
    };
    let (left, from) = match ahead(tree, legs, up) {
        Some(ahead) => (up.cross(ahead), SidesFrom::Toes),
        None => {
            let level = across(tree, legs).reject_from_normalized(up);
            (level * usual_sign(level), SidesFrom::Axis)
        }
    };
    let side = |pair: &Pair| left_if(across(tree, pair).dot(left) > 0.0);
    ([side(legs), side(arms)], from)
}

fn left_if(left: bool) -> Side {
    if left { Side::Left } else { Side::Right }
}

/// From the second limb's upper joint to the first's; from end to end where those are in one place.
fn across(tree: &Tree, pair: &Pair) -> Vec3 {
    let between = |joint: fn(&Limb) -> usize| {
        let [a, b] = pair.limbs.map(|limb| tree.position(joint(&limb)));
        a - b
    };
    let uppers = between(|limb| limb.upper);
    if uppers.length() > 1e-3 * pair.length(tree) { uppers } else { between(|limb| limb.end) }
}

/// Where the toes point, level with the ground; `None` where they do not say.
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

/// The sign that turns a vector along its longest axis.
fn usual_sign(v: Vec3) -> f32 {
    v.to_array().into_iter().max_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap_or(1.0).signum()
}

/// How much more the first limb's main bones run along a positive axis than the second's.
fn bone_direction(tree: &Tree, pair: &Pair) -> f32 {
    let [a, b] = pair
        .limbs
        .map(|limb| [limb.lower, limb.end].map(|joint| usual_sign(tree.offset(joint))).iter().sum::<f32>());
    if a != b { a - b } else { usual_sign(across(tree, pair)) }
}
