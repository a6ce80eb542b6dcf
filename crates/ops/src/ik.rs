//! Two-bone inverse kinematics: where a knee or an elbow has to be for a foot or a hand to be at a given place.
//!
//! The closed form from the law of cosines, as every animation system has it; this one follows the interface of the
//! two-bone job of ozz-animation (a target, a pole, corrections to be put in front of the joints' rotations), with
//! two changes. The fold of the middle joint is kept between limits, so that a knee neither locks nor folds up; a
//! target that would need more is missed, and the result says by how much. And the limb's own front is given rather
//! than read from its present fold, so that a straight limb, as in most rest poses, folds the right way.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | a, b | lengths of the upper and the lower bone | m |
//! | d | distance from the root to the end | m |
//! | β | fold: the angle between the two bones' directions, 0 where the limb is straight | rad |
//! | x, y | the middle joint along the line from root to end, and away from it towards the pole | m |
//!
//! Limits: the end's own rotation is not touched; the twist of both bones follows the pole; a pole along the limb
//! says nothing, and then some direction square to the limb is taken instead.

use glam::{DVec3, Mat3, Quat, Vec3};

use crate::{OutOfRange, Result};

/// A limb of two bones in a pose, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limb {
    /// The joint the limb hangs on: a hip, a shoulder. It stays where it is.
    pub root: Vec3,
    /// The joint that folds: a knee, an elbow.
    pub middle: Vec3,
    /// The joint to be placed: an ankle, a wrist.
    pub end: Vec3,
    /// The side the middle joint points to when the limb folds, as a direction in this pose: ahead for knees, back
    /// for elbows of hanging arms. It need not be of unit length.
    pub front: Vec3,
}

/// How far a middle joint may fold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The straightest the limb may be, in radians; default 0; 0 to `max_fold_rad`. A little more than 0 keeps a
    /// knee from locking, where small moves of the foot would make it snap.
    pub min_fold_rad: f32,
    /// The most the limb may fold, in radians; default 2.8 (160°, where calf meets thigh); up to π.
    pub max_fold_rad: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { min_fold_rad: 0.0, max_fold_rad: 2.8 }
    }
}

impl Settings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("max_fold_rad", self.max_fold_rad, 0.0..=std::f32::consts::PI)?;
        OutOfRange::check("min_fold_rad", self.min_fold_rad, 0.0..=self.max_fold_rad)?;
        Ok(())
    }
}

/// A limb that reaches for its target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBone {
    /// To be put in front of the upper joint's world rotation.
    pub upper_turn: Quat,
    /// To be put in front of the lower joint's world rotation.
    pub lower_turn: Quat,
    /// Where the middle joint comes to be.
    pub middle: Vec3,
    /// Where the end comes to be: the target, or the nearest point on the line to it that the limits allow.
    pub end: Vec3,
    /// The fold of the middle joint, in radians; 0 is straight.
    pub fold_rad: f32,
}

impl TwoBone {
    /// How far the end is from where it was wanted, in metres.
    pub fn missed_by(&self, target: Vec3) -> f32 {
        self.end.distance(target)
    }
}

/// Folds a limb so that its end reaches `target`, the middle joint pointing towards `pole` (a direction).
///
/// ```
/// use marey_motion::Vec3;
/// use marey_ops::ik::{Limb, Settings, two_bone};
/// // A leg of two bones of 1 m hangs straight down; its knee points ahead.
/// let leg = Limb { root: Vec3::Y * 2.0, middle: Vec3::Y, end: Vec3::ZERO, front: Vec3::Z };
/// // The foot is lifted by 2 − √3 m: hip, knee and ankle make angles of 30°, 120°, 30°. The knee is half a metre ahead.
/// let target = Vec3::Y * (2.0 - 3f32.sqrt());
/// let bent = two_bone(&leg, target, Vec3::Z, &Settings::default());
/// assert!((bent.fold_rad.to_degrees() - 60.0).abs() < 1e-3);
/// assert!(bent.middle.distance(Vec3::new(0.0, 2.0 - 0.75f32.sqrt(), 0.5)) < 1e-6);
/// assert!(bent.missed_by(target) < 1e-6);
/// // The thigh turned 30° forward about X: what pointed down points down and ahead.
/// let thigh = bent.upper_turn * Vec3::NEG_Y;
/// assert!((thigh.z - 0.5).abs() < 1e-6);
/// ```
pub fn two_bone(limb: &Limb, target: Vec3, pole: Vec3, settings: &Settings) -> TwoBone {
    let (upper, lower) = (limb.middle - limb.root, limb.end - limb.middle);
    let (a, b) = (length(upper), length(lower));
    let reach = target - limb.root;
    let old_axis = direction(limb.end - limb.root, direction(upper, Vec3::NEG_Y));
    let old_hinge = old_axis.cross(square_to(old_axis, limb.front, limb.middle - limb.root));
    let axis = direction(reach, old_axis);
    let front = square_to(axis, pole, limb.front);
    let hinge = axis.cross(front);
    let d = allowed_distance(a, b, length(reach), settings);
    let (x, y) = middle_in_plane(a, b, d);

    let middle = limb.root + axis * x as f32 + front * y as f32;
    let end = limb.root + axis * d as f32;
    TwoBone {
        upper_turn: turn_between(upper, old_hinge, middle - limb.root, hinge),
        lower_turn: turn_between(lower, old_hinge, end - middle, hinge),
        middle,
        end,
        fold_rad: fold_of(a, b, d) as f32,
    }
}

/// The distance nearest to `wanted` that the limits of the fold allow.
fn allowed_distance(a: f64, b: f64, wanted: f64, settings: &Settings) -> f64 {
    let far = distance_at(a, b, settings.min_fold_rad);
    let near = distance_at(a, b, settings.max_fold_rad);
    wanted.min(far).max(near)
}

/// How far the end of a limb is from its root at a fold of its middle joint, from the lengths of its bones.
///
/// ```
/// // Two bones of 1 m at a right angle: √2 m.
/// assert!((marey_ops::ik::reach_m(1.0, 1.0, std::f32::consts::FRAC_PI_2) - 2f32.sqrt()).abs() < 1e-6);
/// ```
pub fn reach_m(upper_m: f32, lower_m: f32, fold_rad: f32) -> f32 {
    distance_at(f64::from(upper_m), f64::from(lower_m), fold_rad) as f32
}

/// Law of cosines: d² = a² + b² + 2ab cos β.
fn distance_at(a: f64, b: f64, fold_rad: f32) -> f64 {
    (a * a + b * b + 2.0 * a * b * f64::from(fold_rad).cos()).max(0.0).sqrt()
}

/// The law of cosines turned round: cos β = (d² − a² − b²) / 2ab.
fn fold_of(a: f64, b: f64, d: f64) -> f64 {
    let twice = 2.0 * a * b;
    if twice > 0.0 { ((d * d - a * a - b * b) / twice).clamp(-1.0, 1.0).acos() } else { 0.0 }
}

/// x = (a² − b² + d²) / 2d, y = √(a² − x²).
fn middle_in_plane(a: f64, b: f64, d: f64) -> (f64, f64) {
    if d <= f64::EPSILON {
        return (0.0, a);
    }
    let x = ((a * a - b * b + d * d) / (2.0 * d)).clamp(-a, a);
    (x, (a * a - x * x).sqrt())
}

/// The rotation that carries one bone to another and the hinge they fold about to the other's hinge.
fn turn_between(bone: Vec3, hinge: Vec3, new_bone: Vec3, new_hinge: Vec3) -> Quat {
    let frame = |bone: Vec3, hinge: Vec3| {
        let along = direction(bone, Vec3::NEG_Y);
        let across = square_to(along, hinge, hinge);
        Quat::from_mat3(&Mat3::from_cols(along, across, along.cross(across)))
    };
    frame(new_bone, new_hinge) * frame(bone, hinge).inverse()
}

/// The part of `wish` square to `axis`, or of `instead` where `wish` lies along it, or any.
fn square_to(axis: Vec3, wish: Vec3, instead: Vec3) -> Vec3 {
    let part = |v: Vec3| {
        let v = direction(v, Vec3::ZERO);
        let square = v - axis * v.dot(axis);
        (square.length_squared() > 1e-10).then(|| square.normalize())
    };
    part(wish).or_else(|| part(instead)).unwrap_or_else(|| axis.any_orthonormal_vector())
}

fn direction(v: Vec3, instead: Vec3) -> Vec3 {
    v.try_normalize().unwrap_or(instead)
}

fn length(v: Vec3) -> f64 {
    DVec3::from(v).length()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector(size: f32) -> impl Strategy<Value = Vec3> {
        (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn limb() -> impl Strategy<Value = Limb> {
        (vector(3.0), vector(1.0), vector(1.0), vector(1.0)).prop_map(|(root, upper, lower, front)| Limb {
            root,
            middle: root + upper,
            end: root + upper + lower,
            front,
        })
    }

    /// The fold found the slow way: halve the interval, since the distance falls as the fold grows.
    fn fold_by_halving(a: f64, b: f64, wanted: f64, settings: &Settings) -> f64 {
        let (mut low, mut high) = (f64::from(settings.min_fold_rad), f64::from(settings.max_fold_rad));
        for _ in 0..60 {
            let half = 0.5 * (low + high);
            let bent = DVec3::new(a, 0.0, 0.0) + DVec3::new(half.cos(), half.sin(), 0.0) * b;
            if bent.length() > wanted { low = half } else { high = half }
        }
        0.5 * (low + high)
    }

    proptest! {
        #[test]
        fn the_formula_finds_the_fold_that_a_search_finds(
            limb in limb(), target in vector(5.0), pole in vector(1.0), min in 0f32..0.5, max in 1f32..3.0,
        ) {
            let settings = Settings { min_fold_rad: min, max_fold_rad: max };
            let (a, b) = (length(limb.middle - limb.root), length(limb.end - limb.middle));
            prop_assume!(a > 0.05 && b > 0.05);
            let bent = two_bone(&limb, target, pole, &settings);
            let slow = fold_by_halving(a, b, length(target - limb.root), &settings);
            // Near straight and near folded up, the fold is the root of a small difference of lengths.
            prop_assert!((f64::from(bent.fold_rad) - slow).abs() < 2e-3);
            prop_assert!(bent.fold_rad >= min - 1e-3 && bent.fold_rad <= max + 1e-3);
        }

        #[test]
        fn bones_keep_their_length_and_the_turns_put_them_there(
            limb in limb(), target in vector(2.0), pole in vector(1.0),
        ) {
            let (upper, lower) = (limb.middle - limb.root, limb.end - limb.middle);
            prop_assume!(upper.length() > 0.05 && lower.length() > 0.05);
            let bent = two_bone(&limb, target, pole, &Settings::default());
            prop_assert!((limb.root + bent.upper_turn * upper).distance(bent.middle) < 1e-5);
            prop_assert!((bent.middle + bent.lower_turn * lower).distance(bent.end) < 1e-5);
            prop_assert!((bent.upper_turn.length() - 1.0).abs() < 1e-5);
            // What cannot be reached is missed along the line to it.
            let line = (bent.end - limb.root).cross(target - limb.root).length();
            prop_assert!(line < 1e-4 * (1.0 + (target - limb.root).length()));
        }

        #[test]
        fn the_middle_joint_points_to_the_pole(limb in limb(), target in vector(2.0), pole in vector(1.0)) {
            let axis = target - limb.root;
            prop_assume!(axis.length() > 0.05 && axis.cross(pole).length() > 0.02);
            let bent = two_bone(&limb, target, pole, &Settings::default());
            let away = bent.middle - limb.root;
            let away = away - axis * (away.dot(axis) / axis.length_squared());
            let wished = pole - axis * (pole.dot(axis) / axis.length_squared());
            prop_assert!(away.dot(wished) >= -1e-5);
            prop_assert!(away.cross(wished).length() < 1e-3);
        }

        #[test]
        fn a_bent_limb_that_is_where_it_should_be_stays(limb in limb()) {
            let (upper, lower) = (limb.middle - limb.root, limb.end - limb.middle);
            prop_assume!(upper.length() > 0.1 && lower.length() > 0.1);
            let fold = upper.angle_between(lower);
            prop_assume!((0.1..2.7).contains(&fold));
            // The middle joint's own way off the line from root to end.
            let line = (limb.end - limb.root).normalize();
            let front = upper - line * upper.dot(line);
            let again = two_bone(&Limb { front, ..limb }, limb.end, front, &Settings::default());
            prop_assert!(again.middle.distance(limb.middle) < 1e-3);
            prop_assert!(again.upper_turn.angle_between(Quat::IDENTITY) < 1e-2);
            prop_assert!(again.lower_turn.angle_between(Quat::IDENTITY) < 1e-2);
        }
    }

    #[test]
    fn nothing_degenerate_makes_a_number_that_is_none() {
        let zero = Limb { root: Vec3::ZERO, middle: Vec3::ZERO, end: Vec3::ZERO, front: Vec3::ZERO };
        let leg = Limb { root: Vec3::Y, middle: Vec3::Y * 0.5, end: Vec3::ZERO, front: Vec3::Z };
        for (limb, target, pole) in [
            (zero, Vec3::ZERO, Vec3::ZERO),
            (zero, Vec3::X, Vec3::X),
            (leg, Vec3::Y, Vec3::Z),
            (leg, Vec3::ZERO, Vec3::Y),
            (leg, Vec3::ZERO, Vec3::ZERO),
            (Limb { front: Vec3::Y, ..leg }, Vec3::X, Vec3::X),
        ] {
            let bent = two_bone(&limb, target, pole, &Settings::default());
            assert!(bent.middle.is_finite() && bent.end.is_finite() && bent.fold_rad.is_finite());
            assert!((bent.upper_turn.length() - 1.0).abs() < 1e-4, "{bent:?}");
            assert!((bent.lower_turn.length() - 1.0).abs() < 1e-4, "{bent:?}");
        }
    }

    #[test]
    fn limits_must_make_sense() {
        assert!(Settings::default().validate().is_ok());
        for (min_fold_rad, max_fold_rad) in [(0.5, 0.4), (-0.1, 1.0), (0.0, 4.0), (f32::NAN, 1.0)] {
            assert!(Settings { min_fold_rad, max_fold_rad }.validate().is_err());
        }
    }
}
