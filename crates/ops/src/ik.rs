//! Two-bone inverse kinematics: the position of a knee or elbow for a given position of the foot or hand.
//!
//! The closed form from the law of cosines, with the interface of the two-bone job of ozz-animation (a
//! target, a pole vector, corrections to multiply in front of the joint rotations), and two changes. The fold
//! of the middle joint is limited, so that a knee neither locks nor collapses; the result states how far an
//! unreachable target is missed. The front of the limb is given rather than derived from its current fold, so
//! that a straight limb, as in most rest poses, folds in the right direction.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | a, b | lengths of the upper and the lower bone | m |
//! | d | distance from the root to the end | m |
//! | β | fold: the angle between the two bones, 0 if the limb is straight | rad |
//! | x, y | the middle joint along the line from root to end, and away from it towards the pole | m |
//!
//! Limits: the rotation of the end is not changed; the twist of both bones follows the pole; if the pole is
//! parallel to the limb, an arbitrary perpendicular direction is used.

use glam::{DVec3, Mat3, Quat, Vec3};

use crate::{OutOfRange, Result};

/// A two-bone limb in a pose, in world coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limb {
    /// The joint at the start of the limb: a hip, a shoulder. It does not move.
    pub root: Vec3,
    /// The joint in the middle: a knee, an elbow.
    pub middle: Vec3,
    /// The joint to place: an ankle, a wrist.
    pub end: Vec3,
    /// The direction in which the middle joint points when the limb folds: forward for knees, backward for
    /// elbows of hanging arms. Need not be of unit length.
    pub front: Vec3,
}

impl Limb {
    /// The direction in which a hinge folds a limb along `line`, from its root to its end: perpendicular to both.
    ///
    /// A knee turns about an axis to the left of the thigh. A front that is fixed to the thigh is parallel to the line when the thigh is
    /// raised, and points back beyond that, so that the knee flips. The hinge stays square to the line however far the leg swings.
    ///
    /// ```
    /// use marey_motion::Vec3;
    /// use marey_ops::ik::Limb;
    /// // A leg that hangs folds forward; one that is stretched forward folds up.
    /// assert_eq!(Limb::hinge_front(Vec3::NEG_Y, Vec3::X), Vec3::Z);
    /// assert_eq!(Limb::hinge_front(Vec3::Z, Vec3::X), Vec3::Y);
    /// ```
    pub fn hinge_front(line: Vec3, hinge: Vec3) -> Vec3 {
        line.cross(hinge)
    }

    /// The direction in which the limb folds in this pose, perpendicular to the line from root to end.
    ///
    /// The middle joint of a nearly straight limb has no reliable direction: if it is nearer to the line than `bent_m` metres,
    /// [`front`](Self::front) makes up the difference.
    pub fn fold_direction(&self, bent_m: f32) -> Vec3 {
        let line = (self.end - self.root).normalize_or(Vec3::NEG_Y);
        let off = (self.middle - self.root) - line * (self.middle - self.root).dot(line);
        let front = (self.front - line * self.front.dot(line)).normalize_or_zero();
        off + front * (bent_m - off.length()).max(0.0)
    }
}

/// Limits of the fold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IkSettings {
    /// The smallest fold, in radians; default 0; 0 to `max_fold_rad`. A little more than 0 keeps a knee from
    /// locking, where small movements of the foot would make it snap.
    pub min_fold_rad: f32,
    /// The largest fold, in radians; default 2.8 (160°, where calf meets thigh); up to π.
    pub max_fold_rad: f32,
}

impl Default for IkSettings {
    fn default() -> Self {
        Self { min_fold_rad: 0.0, max_fold_rad: 2.8 }
    }
}

impl IkSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("max_fold_rad", self.max_fold_rad, 0.0..=std::f32::consts::PI)?;
        OutOfRange::check("min_fold_rad", self.min_fold_rad, 0.0..=self.max_fold_rad)?;
        Ok(())
    }
}

/// The solution for a limb.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TwoBone {
    /// Rotation to multiply in front of the world rotation of the upper joint.
    pub upper_turn: Quat,
    /// Rotation to multiply in front of the world rotation of the lower joint.
    pub lower_turn: Quat,
    /// The position of the middle joint.
    pub middle: Vec3,
    /// The position of the end: the target, or the nearest point on the line to it that the limits allow.
    pub end: Vec3,
    /// The fold of the middle joint, in radians; 0 is straight.
    pub fold_rad: f32,
}

impl TwoBone {
    /// The distance of the end from its target, in metres.
    pub fn missed_by(&self, target: Vec3) -> f32 {
        self.end.distance(target)
    }
}

/// Folds a limb so that its end reaches `target`, with the middle joint towards the direction `pole`.
///
/// ```
/// use marey_motion::Vec3;
/// use marey_ops::ik::{Limb, IkSettings, two_bone};
/// // A leg of two bones of 1 m hangs straight down; its knee points ahead.
/// let leg = Limb { root: Vec3::Y * 2.0, middle: Vec3::Y, end: Vec3::ZERO, front: Vec3::Z };
/// // The foot is lifted by 2 − √3 m: hip, knee and ankle make angles of 30°, 120°, 30°. The knee is half a metre ahead.
/// let target = Vec3::Y * (2.0 - 3f32.sqrt());
/// let bent = two_bone(&leg, target, Vec3::Z, &IkSettings::default());
/// assert!((bent.fold_rad.to_degrees() - 60.0).abs() < 1e-3);
/// assert!(bent.middle.distance(Vec3::new(0.0, 2.0 - 0.75f32.sqrt(), 0.5)) < 1e-6);
/// assert!(bent.missed_by(target) < 1e-6);
/// // The thigh turned 30° forward about X: what pointed down points down and ahead.
/// let thigh = bent.upper_turn * Vec3::NEG_Y;
/// assert!((thigh.z - 0.5).abs() < 1e-6);
/// ```
pub fn two_bone(limb: &Limb, target: Vec3, pole: Vec3, settings: &IkSettings) -> TwoBone {
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

/// The distance nearest to `wanted` that the fold limits allow.
fn allowed_distance(a: f64, b: f64, wanted: f64, settings: &IkSettings) -> f64 {
    let far = distance_at(a, b, settings.min_fold_rad);
    let near = distance_at(a, b, settings.max_fold_rad);
    wanted.min(far).max(near)
}

/// The distance from the root of a limb to its end for a fold and the lengths of the bones.
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

/// The law of cosines solved for β: cos β = (d² − a² − b²) / 2ab.
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

/// The rotation that maps one bone and its hinge axis to another.
fn turn_between(bone: Vec3, hinge: Vec3, new_bone: Vec3, new_hinge: Vec3) -> Quat {
    let frame = |bone: Vec3, hinge: Vec3| {
        let along = direction(bone, Vec3::NEG_Y);
        let across = square_to(along, hinge, hinge);
        Quat::from_mat3(&Mat3::from_cols(along, across, along.cross(across)))
    };
    frame(new_bone, new_hinge) * frame(bone, hinge).inverse()
}

/// The component of `preferred` perpendicular to `axis`; of `fallback` if `preferred` is parallel to it; or any
/// perpendicular.
fn square_to(axis: Vec3, preferred: Vec3, fallback: Vec3) -> Vec3 {
    let part = |v: Vec3| {
        let v = direction(v, Vec3::ZERO);
        let square = v - axis * v.dot(axis);
        let length = square.length();
        if length * length <= 1e-10 {
            return None;
        }
        let unit = square.normalize();
        // Little is left of nearly parallel directions, and that is rounded: a second pass makes it perpendicular.
        Some(if length < 0.01 { (unit - axis * unit.dot(axis)).normalize() } else { unit })
    };
    part(preferred).or_else(|| part(fallback)).unwrap_or_else(|| axis.any_orthonormal_vector())
}

fn direction(v: Vec3, fallback: Vec3) -> Vec3 {
    v.try_normalize().unwrap_or(fallback)
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

    /// The fold by bisection, since the distance decreases as the fold grows.
    fn fold_by_halving(a: f64, b: f64, wanted: f64, settings: &IkSettings) -> f64 {
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
        fn closed_form_equals_bisection(
            limb in limb(), target in vector(5.0), pole in vector(1.0), min in 0f32..0.5, max in 1f32..3.0,
        ) {
            let settings = IkSettings { min_fold_rad: min, max_fold_rad: max };
            let (a, b) = (length(limb.middle - limb.root), length(limb.end - limb.middle));
            prop_assume!(a > 0.05 && b > 0.05);
            let bent = two_bone(&limb, target, pole, &settings);
            let slow = fold_by_halving(a, b, length(target - limb.root), &settings);
            // Near the limits the fold is the root of a small difference of lengths.
            prop_assert!((f64::from(bent.fold_rad) - slow).abs() < 2e-3);
            prop_assert!(bent.fold_rad >= min - 1e-3 && bent.fold_rad <= max + 1e-3);
        }

        #[test]
        fn rotations_preserve_bone_lengths(
            limb in limb(), target in vector(2.0), pole in vector(1.0),
        ) {
            let (upper, lower) = (limb.middle - limb.root, limb.end - limb.middle);
            prop_assume!(upper.length() > 0.05 && lower.length() > 0.05);
            let bent = two_bone(&limb, target, pole, &IkSettings::default());
            // Rounding of coordinates of a few metres.
            prop_assert!((limb.root + bent.upper_turn * upper).distance(bent.middle) < 5e-5);
            prop_assert!((bent.middle + bent.lower_turn * lower).distance(bent.end) < 5e-5);
            prop_assert!((bent.upper_turn.length() - 1.0).abs() < 1e-5);
            // Unreachable targets are missed along the line to them.
            let line = (bent.end - limb.root).cross(target - limb.root).length();
            prop_assert!(line < 1e-4 * (1.0 + (target - limb.root).length()));
        }

        #[test]
        fn the_middle_joint_points_to_the_pole(limb in limb(), target in vector(2.0), pole in vector(1.0)) {
            let axis = target - limb.root;
            prop_assume!(axis.length() > 0.05 && axis.cross(pole).length() > 0.02);
            let bent = two_bone(&limb, target, pole, &IkSettings::default());
            let away = bent.middle - limb.root;
            let away = away - axis * (away.dot(axis) / axis.length_squared());
            let wished = pole - axis * (pole.dot(axis) / axis.length_squared());
            prop_assert!(away.dot(wished) >= -1e-5);
            prop_assert!(away.cross(wished).length() < 1e-3);
        }

        #[test]
        fn limbs_at_their_target_stay(limb in limb()) {
            let (upper, lower) = (limb.middle - limb.root, limb.end - limb.middle);
            prop_assume!(upper.length() > 0.1 && lower.length() > 0.1);
            let fold = upper.angle_between(lower);
            prop_assume!((0.1..2.7).contains(&fold));
            // The offset of the middle joint from the line between root and end.
            let line = (limb.end - limb.root).normalize();
            let front = upper - line * upper.dot(line);
            let again = two_bone(&Limb { front, ..limb }, limb.end, front, &IkSettings::default());
            prop_assert!(again.middle.distance(limb.middle) < 1e-3);
            prop_assert!(again.upper_turn.angle_between(Quat::IDENTITY) < 1e-2);
            prop_assert!(again.lower_turn.angle_between(Quat::IDENTITY) < 1e-2);
        }
    }

    #[test]
    fn a_knee_with_a_hinge_does_not_flip_while_the_leg_swings() {
        let hinge = Vec3::new(1.0, 0.1, -0.1).normalize();
        let (thigh, shank) = (Vec3::new(0.02, -0.3, 0.3), Vec3::new(0.0, -0.4, -0.05));
        let mut before: Option<TwoBone> = None;
        // From far behind to overhead, with the foot between 0.3 and 0.8 m from the hip.
        for step in 0..=400 {
            let share = step as f32 / 400.0;
            let angle = -1.0 + 3.8 * share;
            let reach_m = 0.55 + 0.25 * (9.0 * share).sin();
            let target = reach_m * Vec3::new(0.05, -angle.cos(), angle.sin());
            let end = thigh + shank;
            let limb = Limb { root: Vec3::ZERO, middle: thigh, end, front: Limb::hinge_front(end, hinge) };
            let bent = two_bone(&limb, target, Limb::hinge_front(target, hinge), &IkSettings::default());
            if let Some(before) = before {
                assert!(bent.middle.distance(before.middle) < 0.03, "{step}: {bent:?}");
                assert!(bent.upper_turn.angle_between(before.upper_turn) < 0.1, "{step}: {bent:?}");
            }
            before = Some(bent);
        }
    }

    #[test]
    fn degenerate_limbs_give_finite_results() {
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
            let bent = two_bone(&limb, target, pole, &IkSettings::default());
            assert!(bent.middle.is_finite() && bent.end.is_finite() && bent.fold_rad.is_finite());
            assert!((bent.upper_turn.length() - 1.0).abs() < 1e-4, "{bent:?}");
            assert!((bent.lower_turn.length() - 1.0).abs() < 1e-4, "{bent:?}");
        }
    }

    #[test]
    fn invalid_limits_are_rejected() {
        assert!(IkSettings::default().validate().is_ok());
        for (min_fold_rad, max_fold_rad) in [(0.5, 0.4), (-0.1, 1.0), (0.0, 4.0), (f32::NAN, 1.0)] {
            assert!(IkSettings { min_fold_rad, max_fold_rad }.validate().is_err());
        }
    }
}
