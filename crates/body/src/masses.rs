//! A human body as point masses.
//!
//! The masses of the segments and the positions of their centres are those of Winter (*Biomechanics and Motor Control of Human
//! Movement*, 4th ed., table 4.1), after Dempster.

use glam::Mat3;
use marey_motion::{Role, Side, Skeleton, Vec3, WorldPose};

use crate::Result;

/// Limb segments: from one joint to the next, the fraction of the body's mass in one side's segment, and how far along the segment
/// its centre lies.
const LIMBS: [(Role, Role, f32, f32); 4] = [
    (Role::LeftUpperArm, Role::LeftLowerArm, 0.028, 0.436),
    (Role::LeftLowerArm, Role::LeftHand, 0.016, 0.430),
    (Role::LeftUpperLeg, Role::LeftLowerLeg, 0.100, 0.433),
    (Role::LeftLowerLeg, Role::LeftFoot, 0.0465, 0.433),
];
/// Mass of one hand, at its joint; mass of one foot, halfway to the toes if it has any.
const HAND: f32 = 0.006;
const FOOT: f32 = 0.0145;
/// Mass of head and neck, at the head; mass of the trunk, halfway from the hips to the first joint of [`TRUNK_TOP`] that
/// exists.
const HEAD: f32 = 0.081;
const TRUNK: f32 = 0.497;
const TRUNK_TOP: [Role; 4] = [Role::Neck, Role::UpperChest, Role::Chest, Role::Head];
/// The inertia of the segments about their own centres, per kilogram of the body, in m².
const SEGMENT_INERTIA_M2: f32 = 0.012;

/// A fraction of the mass on the line between two joints.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PointMass {
    fraction: f32,
    from: usize,
    to: usize,
    along: f32,
}

/// A human body as point masses, each a fraction of the body's mass.
#[derive(Debug, Clone, PartialEq)]
pub struct Masses {
    points: Vec<PointMass>,
    joint_weights: Vec<f32>,
}

impl Masses {
    /// The masses of a human skeleton.
    ///
    /// # Errors
    /// If the skeleton lacks a role of [`Role::CORE`].
    pub fn of(skeleton: &Skeleton) -> Result<Self> {
        let joint = |role: Role| skeleton.require(role);
        let top = TRUNK_TOP.iter().find_map(|&role| skeleton.joint_of(role));
        let hips = joint(Role::Hips)?;
        let head = joint(Role::Head)?;
        let mut points = vec![
            PointMass { fraction: HEAD, from: head, to: head, along: 0.0 },
            PointMass { fraction: TRUNK, from: hips, to: top.unwrap_or(head), along: 0.5 },
        ];
        for side in Side::BOTH {
            for (from, to, fraction, along) in LIMBS {
                let (from, to) = (joint(from.on(side))?, joint(to.on(side))?);
                points.push(PointMass { fraction, from, to, along });
            }
            let (hand, foot) = (joint(Role::LeftHand.on(side))?, joint(Role::LeftFoot.on(side))?);
            let toes = skeleton.joint_of(Role::LeftToes.on(side)).unwrap_or(foot);
            points.push(PointMass { fraction: HAND, from: hand, to: hand, along: 0.0 });
            points.push(PointMass { fraction: FOOT, from: foot, to: toes, along: 0.5 });
        }
        let sum: f32 = points.iter().map(|point| point.fraction).sum();
        points.iter_mut().for_each(|point| point.fraction /= sum);
        let mut joint_weights = vec![0.0; skeleton.len()];
        for point in &points {
            joint_weights[point.from] += point.fraction * (1.0 - point.along);
            joint_weights[point.to] += point.fraction * point.along;
        }
        Ok(Self { points, joint_weights })
    }

    /// Each mass as a fraction of the body's mass; they add up to 1.
    pub fn mass_fractions(&self) -> Vec<f32> {
        self.points.iter().map(|point| point.fraction).collect()
    }

    /// The position of each mass in a pose.
    pub fn positions(&self, pose: &WorldPose) -> Vec<Vec3> {
        self.each(&pose.positions).map(|(_, position)| position).collect()
    }

    /// Each mass, as a fraction of the body's mass, and its position for joints at these positions. Allocates nothing.
    ///
    /// # Panics
    /// If there are fewer positions than joints.
    pub fn each<'a>(&'a self, joints: &'a [Vec3]) -> impl Iterator<Item = (f32, Vec3)> + 'a {
        self.points
            .iter()
            .map(|point| (point.fraction, joints[point.from].lerp(joints[point.to], point.along)))
    }

    /// The weight of each joint's position in that of the centre of mass; they add up to 1.
    ///
    /// ```
    /// # use marey_motion::Vec3;
    /// let skeleton = marey_body::BodyProportions::default().skeleton()?;
    /// let masses = marey_body::Masses::of(&skeleton)?;
    /// let joints = skeleton.rest_positions();
    /// let centre: Vec3 = masses.each(&joints).map(|(fraction, position)| fraction * position).sum();
    /// let weighted: Vec3 = masses.joint_weights().iter().zip(&joints).map(|(w, p)| *w * *p).sum();
    /// assert!(centre.distance(weighted) < 1e-5);
    /// # Ok::<(), marey_body::BodyError>(())
    /// ```
    pub fn joint_weights(&self) -> &[f32] {
        &self.joint_weights
    }

    /// The centre of mass for joints at these positions.
    pub fn centre(&self, joints: &[Vec3]) -> Vec3 {
        self.joint_weights.iter().zip(joints).map(|(weight, at)| *weight * *at).sum()
    }

    /// The inertia tensor about the centre of mass, per kilogram of the body, in m².
    pub fn inertia(&self, joints: &[Vec3], centre: Vec3) -> Mat3 {
        let mut sum = Mat3::from_diagonal(Vec3::splat(SEGMENT_INERTIA_M2));
        for (fraction, at) in self.each(joints) {
            let d = at - centre;
            let square = Mat3::from_diagonal(Vec3::splat(d.length_squared()));
            sum += (square - Mat3::from_cols(d * d.x, d * d.y, d * d.z)) * fraction;
        }
        sum
    }

    /// The angular momentum about the centre of mass of joints that move between two sets of positions in `secs`, per kilogram
    /// of the body, in m²/s.
    pub fn angular_momentum(&self, from: &[Vec3], to: &[Vec3], secs: f32) -> Vec3 {
        let (before, after) = (self.centre(from), self.centre(to));
        let masses = self.each(from).zip(self.each(to));
        let moments = masses.map(|((fraction, a), (_, b))| {
            let (a, b) = (a - before, b - after);
            fraction * (0.5 * (a + b)).cross((b - a) / secs)
        });
        moments.sum()
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::{Coded, Quat};

    use super::*;
    use crate::BodyProportions;

    #[test]
    fn masses_add_up_and_a_missing_limb_is_an_error() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let masses = Masses::of(&skeleton).unwrap();
        assert!((masses.mass_fractions().iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(masses.positions(&WorldPose::scratch(&skeleton)).len(), masses.mass_fractions().len());
        let mut roles: Vec<Option<Role>> = skeleton.joints().iter().map(|joint| joint.role).collect();
        roles[skeleton.joint_of(Role::LeftLowerArm).unwrap()] = None;
        let incomplete = skeleton.with_roles(&roles).unwrap();
        assert_eq!(Masses::of(&incomplete).unwrap_err().code().id, "motion/missing-role");
    }

    #[test]
    fn the_momentum_of_a_rigid_turn_is_inertia_times_spin() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let masses = Masses::of(&skeleton).unwrap();
        let joints = skeleton.rest_positions();
        let centre = masses.centre(&joints);
        let (spin, secs) = (Vec3::new(0.3, -1.0, 0.7), 1e-3);
        let turn = Quat::from_scaled_axis(spin * secs);
        let turned: Vec<Vec3> = joints.iter().map(|p| centre + turn * (*p - centre)).collect();
        let found = masses.angular_momentum(&joints, &turned, secs);
        let expected = masses.inertia(&joints, centre) * spin - SEGMENT_INERTIA_M2 * spin;
        assert!(found.distance(expected) < 0.01 * expected.length(), "{found} {expected}");
    }
}
