//! Joint limits, learnt from examples.
//!
//! The rotation of a joint from rest, relative to its parent and in the world axes at rest, is a rotation
//! vector; the smallest and largest value of each component are kept. Limits learnt on one skeleton therefore
//! hold for another with the same rest pose, whatever its joint axes.
//!
//! Limits: a box of three components allows combinations that were never seen. Unseen rotations are not
//! necessarily impossible: `slack` allows some more.

use marey_motion::{Clip, Joint, Quat, Skeleton, Vec3};

/// The range of a joint's rotation from rest: rotation vectors in the world axes at rest, in radians.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointLimit {
    /// Index of the joint.
    pub joint: usize,
    /// The smallest value of each component.
    pub low_rad: Vec3,
    /// The largest value of each component.
    pub high_rad: Vec3,
}

impl JointLimit {
    /// The ranges of all joints except the root in clips of a skeleton, extended by a slack in radians.
    pub fn learn<'a>(
        skeleton: &Skeleton,
        clips: impl IntoIterator<Item = &'a Clip>,
        slack_rad: f32,
    ) -> Vec<JointLimit> {
        let turns = Turns::of(skeleton);
        let mut seen: Vec<Option<(Vec3, Vec3)>> = vec![None; skeleton.len()];
        for pose in clips.into_iter().flat_map(Clip::poses) {
            for (joint, (seen, local)) in seen.iter_mut().zip(pose.rotations).enumerate().skip(1) {
                let turn = turns.turn(joint, *local);
                let (low, high) = seen.unwrap_or((turn, turn));
                *seen = Some((low.min(turn), high.max(turn)));
            }
        }
        let slack = Vec3::splat(slack_rad);
        let limit = |(joint, seen): (usize, Option<(Vec3, Vec3)>)| {
            let (low, high) = seen?;
            Some(JointLimit { joint, low_rad: low - slack, high_rad: high + slack })
        };
        seen.into_iter().enumerate().filter_map(limit).collect()
    }

    /// The distance of a rotation from the range, in radians; 0 inside.
    pub fn beyond_rad(&self, turn: Vec3) -> f32 {
        (turn - self.high_rad).max(self.low_rad - turn).max(Vec3::ZERO).length()
    }
}

/// The rest rotations that rotations are relative to.
#[derive(Debug, Clone, PartialEq)]
pub struct Turns {
    own: Vec<Quat>,
    parents: Vec<Quat>,
}

impl Turns {
    /// The rest rotations of a skeleton.
    pub fn of(skeleton: &Skeleton) -> Self {
        let world = skeleton.rest_world_rotations();
        let parent = |joint: &Joint| joint.parent.map_or(Quat::IDENTITY, |p| world[p]);
        Self {
            own: skeleton.joints().iter().map(|joint| joint.rest_rotation).collect(),
            parents: skeleton.joints().iter().map(parent).collect(),
        }
    }

    /// The rotation of a joint from rest, in the world axes at rest, from its local rotation.
    ///
    /// # Panics
    /// If the skeleton has no such joint.
    pub fn turn(&self, joint: usize, local: Quat) -> Vec3 {
        let turn = local * self.own[joint].inverse();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        self.parents[joint] * turn.to_scaled_axis()
    }

    /// Clamps a local rotation to the limits.
    pub(crate) fn within(&self, limit: &JointLimit, local: Quat) -> Quat {
        let (own, parent) = (self.own[limit.joint], self.parents[limit.joint]);
        let vector = self.turn(limit.joint, local);
        let inside = vector.min(limit.high_rad).max(limit.low_rad);
        if inside == vector {
            return local;
        }
        Quat::from_scaled_axis(parent.inverse() * inside) * own
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{ClipParts, LocalPose};

    use super::*;

    #[test]
    fn limits_are_learnt_from_examples() {
        let mut elbow = Joint::new("elbow", Some(0), Vec3::X);
        // The result does not depend on the rest rotations of the joint and its parent.
        elbow.rest_rotation = Quat::from_rotation_z(0.7);
        let mut shoulder = Joint::new("shoulder", None, Vec3::ZERO);
        shoulder.rest_rotation = Quat::from_rotation_x(0.4);
        let skeleton = Arc::new(Skeleton::new(vec![shoulder, elbow], vec![]).unwrap());
        let parent = Quat::from_rotation_x(0.4);
        let mut parts = ClipParts::default();
        for bend in [0.0, 0.5, -0.2] {
            let mut pose = LocalPose::rest(&skeleton);
            pose.rotations[1] = parent.inverse() * Quat::from_rotation_y(bend) * parent * pose.rotations[1];
            parts.push(pose.view());
        }
        let clip = Clip::new(skeleton.clone(), 30.0, parts).unwrap();
        let limits = JointLimit::learn(&skeleton, [&clip], 0.1);
        let [elbow] = limits[..] else { panic!("{limits:?}") };
        assert!(elbow.low_rad.distance(Vec3::new(-0.1, -0.3, -0.1)) < 1e-5, "{elbow:?}");
        assert!(elbow.high_rad.distance(Vec3::new(0.1, 0.6, 0.1)) < 1e-5, "{elbow:?}");
        assert_eq!(elbow.beyond_rad(Vec3::ZERO), 0.0);
        assert!((elbow.beyond_rad(Vec3::Y * 0.8) - 0.2).abs() < 1e-5);
    }
}
