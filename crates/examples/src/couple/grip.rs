//! The position of joined hands.
//!
//! The follower's right wrist is placed between the shoulders of both: lower and halfway in an open hold, to the leader's left in an
//! embrace, above the follower's head in a turn. It is then moved smoothly into the reach of both arms, so that no elbow locks. The
//! leader's wrist is [`GAP_M`] from it towards the leader's own shoulder, so the distance between the wrists is constant.

use marey_motion::{Quat, Vec3};

use crate::curve::Curve;

/// Distance between joined wrists, palm in palm, in metres.
pub(crate) const GAP_M: f32 = 0.09;
/// Reach beyond which the soft limit applies, as a fraction of the arm length.
const SOFT_LIMIT_SHARE: f32 = 0.86;
/// Smallest distance of joined hands from the shoulder of a hand that holds, and from a chest, in metres.
const MIN_SHOULDER_DISTANCE_M: f32 = 0.26;
const MIN_CHEST_DISTANCE_M: f32 = 0.25;
/// Width of the soft limits, in metres.
const SOFT_LIMIT_WIDTH_M: f32 = 0.05;
/// Number of iterations over the reaches of all hands.
const ITERATIONS: usize = 10;

/// The target of the joined hands as functions of time.
#[derive(Debug, Clone)]
pub(crate) struct Grip {
    /// Degree of embrace, from 0 in an open hold to 1.
    pub(crate) embrace: Curve,
    /// Height, from 0 to 1 above the follower's head.
    pub(crate) raise: Curve,
    /// Offset from the middle to the leader's left, in metres.
    pub(crate) sideways_m: Curve,
    /// Offset above the usual height, in metres.
    pub(crate) up_m: f32,
}

/// The body parts that constrain the joined hands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GripConstraints {
    /// The leader's shoulder joints, left and right, and the degree to which each hand holds.
    pub(crate) leader: [(Vec3, f32); 2],
    /// The follower's right shoulder joint.
    pub(crate) follower: Vec3,
    /// The follower's head joint.
    pub(crate) head: Vec3,
    /// The chests of both.
    pub(crate) chests: [Vec3; 2],
    /// World rotation of the leader's chest.
    pub(crate) chest: Quat,
    /// World rotation of the follower's chest.
    pub(crate) facing: Quat,
    /// Largest reach of the leader's and of the follower's wrist.
    pub(crate) reach_m: [f32; 2],
}

impl Grip {
    /// The position of the follower's right wrist.
    pub(crate) fn at(&self, secs: f64, constraints: &GripConstraints) -> Vec3 {
        let value = |curve: &Curve| curve.at(secs) as f32;
        let [(left, holds_left), (right, holds_right)] = constraints.leader;
        let holds = (holds_left + holds_right).max(1e-6);
        let shoulder = (left * holds_left + right * holds_right) / holds;
        let middle = 0.5 * (shoulder + constraints.follower);
        let sideways = (constraints.chest * Vec3::X).with_y(0.0).normalize_or(Vec3::X);
        let open = middle + Vec3::Y * (self.up_m - 0.27);
        let embrace = middle + Vec3::Y * (self.up_m - 0.10) + 0.34 * sideways;
        let ahead = (constraints.facing * Vec3::Z).with_y(0.0).normalize_or(Vec3::Z);
        let over_head = constraints.head + Vec3::Y * 0.26 + 0.07 * ahead;
        let low = open.lerp(embrace, value(&self.embrace)) + value(&self.sideways_m) * sideways;
        in_reach(low.lerp(over_head, value(&self.raise)), constraints)
    }
}

/// Moves a point into the reach of all hands that hold it, and away from the bodies.
fn in_reach(target: Vec3, constraints: &GripConstraints) -> Vec3 {
    let mut point = target;
    for _ in 0..2 {
        for chest in constraints.chests {
            point = kept_away(point, chest, MIN_CHEST_DISTANCE_M);
        }
        point = kept_away(point, constraints.follower, MIN_SHOULDER_DISTANCE_M);
        for (shoulder, holds) in constraints.leader {
            point = kept_away(point, shoulder, MIN_SHOULDER_DISTANCE_M * holds);
        }
    }
    for _ in 0..ITERATIONS {
        for (shoulder, holds) in constraints.leader {
            // A hand that does not hold is ignored.
            let slack = 1.0 + 1.5 * (1.0 - holds);
            point = limited_to_reach(point, shoulder, slack * (constraints.reach_m[0] + GAP_M));
        }
        point = limited_to_reach(point, constraints.follower, constraints.reach_m[1]);
    }
    point
}

/// Limits the distance of a point from a shoulder to the reach. Near points are unchanged.
fn limited_to_reach(point: Vec3, shoulder: Vec3, reach_m: f32) -> Vec3 {
    let offset = point - shoulder;
    let distance = offset.length();
    let soft_limit_m = SOFT_LIMIT_SHARE * reach_m;
    if distance <= soft_limit_m {
        return point;
    }
    let width_m = reach_m - soft_limit_m;
    let over = (distance - soft_limit_m) / width_m;
    shoulder + offset * ((soft_limit_m + width_m * over / (1.0 + over)) / distance)
}

/// Keeps a point at least a distance away from another. Far points are unchanged.
fn kept_away(point: Vec3, other: Vec3, min_m: f32) -> Vec3 {
    let offset = point - other;
    let distance = offset.length().max(1e-3);
    let near = (min_m - distance) / SOFT_LIMIT_WIDTH_M;
    let away = SOFT_LIMIT_WIDTH_M * near.exp().ln_1p();
    point + offset * (away / distance)
}

/// The leader's wrist that holds the follower's.
pub(crate) fn leaders_wrist(followers: Vec3, shoulder: Vec3) -> Vec3 {
    followers + GAP_M * (shoulder - followers).normalize_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_hands_are_within_both_reaches() {
        let constraints = GripConstraints {
            leader: [(Vec3::new(0.2, 1.4, 0.0), 1.0), (Vec3::new(-0.2, 1.4, 0.0), 0.0)],
            follower: Vec3::new(0.2, 1.3, 1.0),
            head: Vec3::new(0.0, 1.5, 1.0),
            chests: [Vec3::new(0.0, 1.3, 0.0), Vec3::new(0.0, 1.2, 1.0)],
            chest: Quat::IDENTITY,
            facing: Quat::from_rotation_y(std::f32::consts::PI),
            reach_m: [0.57, 0.53],
        };
        for target in [Vec3::ZERO, Vec3::new(3.0, 1.0, 0.5), Vec3::new(0.0, 1.8, 1.0)] {
            let point = in_reach(target, &constraints);
            assert!(point.distance(constraints.follower) < 0.53, "{target}");
            let wrist = leaders_wrist(point, constraints.leader[0].0);
            assert!(wrist.distance(constraints.leader[0].0) < 0.575, "{target}: {wrist}");
            assert!((wrist.distance(point) - GAP_M).abs() < 1e-6);
        }
    }
}
