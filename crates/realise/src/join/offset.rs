//! Displacements between poses.

use std::f32::consts::TAU;
use std::sync::Arc;

use marey_motion::{LocalPose, Quat, Role, Skeleton, Vec3};

/// How much of a displacement is applied. Arms and head may take longer to join than the rest: they bear no
/// weight, and their motion is slower to change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct JoinWeight {
    /// Root, trunk and legs.
    pub(super) body: f32,
    /// Arms, neck and head.
    pub(super) arms: f32,
}

impl JoinWeight {
    /// The same weight for all joints.
    pub(super) fn uniform(weight: f32) -> Self {
        Self { body: weight, arms: weight }
    }
}

/// A displacement of a pose: rotation vectors in the parent's frame, and shifts of the movers in metres.
#[derive(Debug, Clone)]
pub(super) struct Offset {
    turns: Vec<Vec3>,
    /// Whether each joint belongs to the arms or the head.
    is_arm: Arc<[bool]>,
    shifts: Vec<Vec3>,
}

impl Offset {
    /// No displacement.
    pub(super) fn none(skeleton: &Skeleton) -> Self {
        Self {
            turns: vec![Vec3::ZERO; skeleton.len()],
            is_arm: arms_and_head(skeleton),
            shifts: vec![Vec3::ZERO; skeleton.movers().len()],
        }
    }

    /// Resets to no displacement.
    pub(super) fn clear(&mut self) {
        self.turns.fill(Vec3::ZERO);
        self.shifts.fill(Vec3::ZERO);
    }

    /// Sets the displacement from one pose to another, by the shorter rotations.
    pub(super) fn set_between(&mut self, from: &LocalPose, to: &LocalPose) {
        for (turn, (from, to)) in self.turns.iter_mut().zip(from.rotations.iter().zip(&to.rotations)) {
            *turn = log(*to * from.conjugate());
        }
        for (shift, (from, to)) in self.shifts.iter_mut().zip(from.positions.iter().zip(&to.positions)) {
            *shift = *to - *from;
        }
    }

    /// Sets the displacement from one pose to another. Each rotation takes the direction nearest to its
    /// previous value, or the shorter one if it was zero: if two motions are more than half a turn apart, the
    /// shorter direction flips between frames.
    pub(super) fn follow_between(&mut self, from: &LocalPose, to: &LocalPose) {
        for (turn, (from, to)) in self.turns.iter_mut().zip(from.rotations.iter().zip(&to.rotations)) {
            *turn = nearest_turn(log(*to * from.conjugate()), *turn);
        }
        for (shift, (from, to)) in self.shifts.iter_mut().zip(from.positions.iter().zip(&to.positions)) {
            *shift = *to - *from;
        }
    }

    /// Sets a scaled copy of another displacement.
    pub(super) fn set_scaled(&mut self, other: &Self, factor: f32) {
        for (a, b) in self.turns.iter_mut().zip(&other.turns) {
            *a = *b * factor;
        }
        for (a, b) in self.shifts.iter_mut().zip(&other.shifts) {
            *a = *b * factor;
        }
    }

    /// Subtracts another displacement. Each rotation takes the direction in which the difference is smallest,
    /// because near half a turn the shorter direction flips.
    pub(super) fn subtract(&mut self, other: &Self) {
        for (a, b) in self.turns.iter_mut().zip(&other.turns) {
            *a = nearest_turn(*a, *b) - *b;
        }
        for (a, b) in self.shifts.iter_mut().zip(&other.shifts) {
            *a -= *b;
        }
    }

    /// Applies a part of the displacement to a pose.
    pub(super) fn apply(&self, pose: &mut LocalPose, weight: JoinWeight) {
        for ((rotation, turn), is_arm) in pose.rotations.iter_mut().zip(&self.turns).zip(&*self.is_arm) {
            let share = if *is_arm { weight.arms } else { weight.body };
            *rotation = exp(*turn * share) * *rotation;
        }
        for (position, shift) in pose.positions.iter_mut().zip(&self.shifts) {
            *position += *shift * weight.body;
        }
    }

    /// Applies the sum of parts of two displacements to a pose.
    pub(super) fn apply_sum(pose: &mut LocalPose, one: (&Self, JoinWeight), two: (&Self, JoinWeight)) {
        let turns = one.0.turns.iter().zip(&two.0.turns).zip(&*one.0.is_arm);
        for (rotation, ((a, b), is_arm)) in pose.rotations.iter_mut().zip(turns) {
            let [first, second] =
                [one.1, two.1].map(|weight| if *is_arm { weight.arms } else { weight.body });
            *rotation = exp(*a * first + *b * second) * *rotation;
        }
        let (first, second) = (one.1.body, two.1.body);
        let shifts = one.0.shifts.iter().zip(&two.0.shifts);
        for (position, (a, b)) in pose.positions.iter_mut().zip(shifts) {
            *position += *a * first + *b * second;
        }
    }
}

/// Whether each joint belongs to the arms or the head: those with such a role, and all joints below them.
fn arms_and_head(skeleton: &Skeleton) -> Arc<[bool]> {
    const TOP: [Role; 6] = [
        Role::Neck,
        Role::Head,
        Role::LeftShoulder,
        Role::RightShoulder,
        Role::LeftUpperArm,
        Role::RightUpperArm,
    ];
    let tops = TOP.map(|role| skeleton.joint_of(role));
    let is_arm = |joint: usize| tops.into_iter().flatten().any(|top| skeleton.is_under(joint, top));
    (0..skeleton.len()).map(is_arm).collect()
}

/// The rotation vector of the shorter or the longer direction, whichever is nearer to another.
fn nearest_turn(turn: Vec3, other: Vec3) -> Vec3 {
    let angle = turn.length();
    if angle <= f32::EPSILON {
        return turn;
    }
    let longer = turn * (1.0 - TAU / angle);
    if longer.distance_squared(other) < turn.distance_squared(other) { longer } else { turn }
}

/// The rotation vector of a rotation, by the shorter direction.
pub(crate) fn log(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let sine = Vec3::new(q.x, q.y, q.z);
    let length = sine.length();
    // sin(φ/2) / (φ/2) is 1 within 1e-8 here.
    if length < 1e-4 { sine * 2.0 } else { sine * (2.0 * length.atan2(q.w) / length) }
}

/// The rotation of a rotation vector.
pub(crate) fn exp(v: Vec3) -> Quat {
    let angle = v.length();
    if angle < 1e-4 {
        let half = v * 0.5;
        return Quat::from_xyzw(half.x, half.y, half.z, 1.0).normalize();
    }
    let (sin, cos) = (0.5 * angle).sin_cos();
    let axis = v * (sin / angle);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector(size: f32) -> impl Strategy<Value = Vec3> {
        (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    fn displacement(turns: Vec<Vec3>, shifts: Vec<Vec3>) -> Offset {
        let is_arm = (0..turns.len()).map(|joint| joint > 0).collect();
        Offset { turns, is_arm, shifts }
    }

    fn pose(turns: [Vec3; 2], at: Vec3) -> LocalPose {
        LocalPose { rotations: turns.map(Quat::from_scaled_axis).to_vec(), positions: vec![at] }
    }

    proptest! {
        #[test]
        fn displacements_map_one_pose_to_the_other(
            a in vector(3.0), b in vector(3.0), c in vector(1e-4), at in vector(5.0), to in vector(5.0),
        ) {
            let (from, to) = (pose([a, b], at), pose([b, b + c], to));
            let mut offset = displacement(vec![Vec3::ZERO; 2], vec![Vec3::ZERO]);
            offset.set_between(&from, &to);
            let mut there = from.clone();
            offset.apply(&mut there, JoinWeight::uniform(1.0));
            for (x, y) in there.rotations.iter().zip(&to.rotations) {
                prop_assert!(1.0 - x.dot(*y).abs() < 1e-6);
                prop_assert!((x.length() - 1.0).abs() < 1e-5);
            }
            prop_assert!(there.positions[0].distance(to.positions[0]) < 1e-5);
            // Half of it twice is all of it.
            let mut twice = from.clone();
            let half = JoinWeight::uniform(0.5);
            Offset::apply_sum(&mut twice, (&offset, half), (&offset, half));
            prop_assert!(1.0 - twice.rotations[0].dot(to.rotations[0]).abs() < 1e-6);
            // Arms alone.
            let mut arms = from.clone();
            offset.apply(&mut arms, JoinWeight { body: 0.0, arms: 1.0 });
            prop_assert!(1.0 - arms.rotations[0].dot(from.rotations[0]).abs() < 1e-6);
            prop_assert!(1.0 - arms.rotations[1].dot(to.rotations[1]).abs() < 1e-6);
            prop_assert_eq!(arms.positions[0], from.positions[0]);
        }

        #[test]
        fn rotation_vectors_equal_those_of_glam(v in vector(1.8)) {
            prop_assert!(log(Quat::from_scaled_axis(v)).distance(v) < 2e-3 || v.length() > 3.1);
            prop_assert!(1.0 - exp(v).dot(Quat::from_scaled_axis(v)).abs() < 1e-6);
        }
    }

    #[test]
    fn displacements_keep_their_direction_beyond_half_a_turn() {
        let mut offset = displacement(vec![Vec3::ZERO; 2], vec![Vec3::ZERO]);
        let from = pose([Vec3::ZERO; 2], Vec3::ZERO);
        for step in 0..50 {
            let angle = 0.1 * step as f32;
            offset.follow_between(&from, &pose([Vec3::Y * angle, Vec3::ZERO], Vec3::X));
            assert!((offset.turns[0].y - angle).abs() < 1e-3, "{angle}: {}", offset.turns[0]);
        }
        offset.clear();
        offset.follow_between(&from, &pose([Vec3::Y * 4.9, Vec3::ZERO], Vec3::X));
        assert!((offset.turns[0].y - (4.9 - TAU)).abs() < 1e-3);
    }

    #[test]
    fn differences_near_half_a_turn_are_small() {
        let around = |angle: f32| displacement(vec![Vec3::Y * angle], vec![]);
        let mut a = around(3.1);
        a.subtract(&around(-3.1));
        assert!((a.turns[0].y - (6.2 - TAU)).abs() < 1e-5);
    }
}
