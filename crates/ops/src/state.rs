//! How far one pose is from another, by where the body's mass is.
//!
//! Lamouret and van de Panne, *Motion Synthesis by Example* (1996), section 3.2: the distance of two states does not depend on
//! how joints happen to be described when it is taken between point masses that stand for the body,
//!
//! ```text
//! d_state = Σ_m M_m |p_m − p*_m|²
//! ```
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | M_m | share of a mass in that of the body | 1 |
//! | p_m, p*_m | where it is in the one pose and in the other | m |
//!
//! Masses and where they lie on their limbs are those of Winter (*Biomechanics and Motor Control of Human Movement*, 4th ed.,
//! table 4.1), after Dempster; they add up to 1, so that a body shifted by a metre is at 1 m².
//!
//! Limits: as in the paper, velocities do not count. Poses are compared where they stand; align them first where that does
//! not matter.

use marey_motion::{Role, Side, Skeleton, Vec3, WorldPose};

use crate::Result;

/// A share of the mass, a part of the way from one joint to another.
#[derive(Debug, Clone, Copy, PartialEq)]
struct PointMass {
    share: f32,
    from: usize,
    to: usize,
    along: f32,
}

/// Limbs: share of the mass of one side's, and how far along from the first joint to the second its middle lies.
const LIMBS: [(Role, Role, f32, f32); 4] = [
    (Role::LeftUpperArm, Role::LeftLowerArm, 0.028, 0.436),
    (Role::LeftLowerArm, Role::LeftHand, 0.016, 0.430),
    (Role::LeftUpperLeg, Role::LeftLowerLeg, 0.100, 0.433),
    (Role::LeftLowerLeg, Role::LeftFoot, 0.0465, 0.433),
];
/// Ends of limbs: share of one side's, at its joint; a foot's is half way to the toes where there are any.
const HAND: f32 = 0.006;
const FOOT: f32 = 0.0145;
/// Head and neck, and trunk: half way from the hips to what is first found above.
const HEAD: f32 = 0.081;
const TRUNK: f32 = 0.497;
const ABOVE: [Role; 4] = [Role::Neck, Role::UpperChest, Role::Chest, Role::Head];

/// A body as point masses.
#[derive(Debug, Clone, PartialEq)]
pub struct Masses {
    points: Vec<PointMass>,
}

impl Masses {
    /// The masses of a human skeleton, which has the roles of [`Role::CORE`].
    pub fn of(skeleton: &Skeleton) -> Result<Self> {
        let joint = |role: Role| skeleton.require(role);
        let above = ABOVE.iter().find_map(|&role| skeleton.joint_of(role));
        let hips = joint(Role::Hips)?;
        let head = joint(Role::Head)?;
        let mut points = vec![
            PointMass { share: HEAD, from: head, to: head, along: 0.0 },
            PointMass { share: TRUNK, from: hips, to: above.unwrap_or(head), along: 0.5 },
        ];
        for side in Side::BOTH {
            for (from, to, share, along) in LIMBS {
                let (from, to) = (joint(from.on(side))?, joint(to.on(side))?);
                points.push(PointMass { share, from, to, along });
            }
            let (hand, foot) = (joint(Role::LeftHand.on(side))?, joint(Role::LeftFoot.on(side))?);
            let toes = skeleton.joint_of(Role::LeftToes.on(side)).unwrap_or(foot);
            points.push(PointMass { share: HAND, from: hand, to: hand, along: 0.0 });
            points.push(PointMass { share: FOOT, from: foot, to: toes, along: 0.5 });
        }
        let sum: f32 = points.iter().map(|point| point.share).sum();
        points.iter_mut().for_each(|point| point.share /= sum);
        Ok(Self { points })
    }

    /// The share of each mass: M. They add up to 1.
    pub fn shares(&self) -> Vec<f32> {
        self.points.iter().map(|point| point.share).collect()
    }

    /// Where each mass is in a pose: p.
    pub fn places(&self, pose: &WorldPose) -> Vec<Vec3> {
        self.each(&pose.positions).map(|(_, place)| place).collect()
    }

    /// Each mass's share and place, from where the joints are; allocates nothing.
    ///
    /// # Panics
    /// Where there are fewer places than joints, as slices do.
    pub fn each<'a>(&'a self, joints: &'a [Vec3]) -> impl Iterator<Item = (f32, Vec3)> + 'a {
        self.points.iter().map(|point| (point.share, joints[point.from].lerp(joints[point.to], point.along)))
    }

    /// How much the place of each of so many joints counts in that of the centre of mass: they add up to 1.
    ///
    /// ```
    /// # use marey_motion::{Joint, Role, Skeleton, Vec3};
    /// # let joint = |(i, &role): (usize, &Role)| {
    /// #     Joint::new(role.name(), (i > 0).then_some(0), Vec3::Y * i as f32).with_role(role)
    /// # };
    /// # let skeleton = Skeleton::new(Role::CORE.iter().enumerate().map(joint).collect(), vec![])?;
    /// let masses = marey_ops::state::Masses::of(&skeleton)?;
    /// let places = skeleton.rest_positions();
    /// let centre: Vec3 = masses.each(&places).map(|(share, place)| share * place).sum();
    /// let weighed: Vec3 = masses.weights(skeleton.len()).iter().zip(&places).map(|(w, p)| *w * *p).sum();
    /// assert!(centre.distance(weighed) < 1e-5);
    /// # Ok::<(), marey_ops::Error>(())
    /// ```
    pub fn weights(&self, joints: usize) -> Vec<f32> {
        let mut weights = vec![0.0; joints];
        for point in &self.points {
            weights[point.from] += point.share * (1.0 - point.along);
            weights[point.to] += point.share * point.along;
        }
        weights
    }
}

/// The mass distance of two states, in square metres times the unit of the masses.
///
/// ```
/// use marey_motion::Vec3;
/// // Three masses: the one of 2 is 3 m off, the one of 1 is 1 m off, the third is in place. 2 × 9 + 1 × 1 = 19.
/// let (p, q) = ([Vec3::ZERO; 3], [Vec3::X * 3.0, Vec3::Y, Vec3::ZERO]);
/// assert_eq!(marey_ops::state::state_distance(&p, &q, &[2.0, 1.0, 5.0])?, 19.0);
/// # Ok::<(), marey_ops::Error>(())
/// ```
pub fn state_distance(places: &[Vec3], others: &[Vec3], masses: &[f32]) -> Result<f64> {
    for (what, found) in [("places of masses", others.len()), ("masses", masses.len())] {
        if found != places.len() {
            return Err(marey_motion::Error::Length { what, found, wanted: places.len() }.into());
        }
    }
    let squares = places.iter().zip(others).zip(masses);
    Ok(squares.map(|((p, q), &m)| f64::from(m) * f64::from(p.distance_squared(*q))).sum())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Coded, Joint, LocalPose, Quat};
    use proptest::prelude::*;

    use super::*;

    /// A human of the fewest joints: everything hangs on the hips.
    fn body() -> Arc<Skeleton> {
        let joint = |(i, &role): (usize, &Role)| {
            let offset = Vec3::new((i as f32).sin(), (i as f32).cos(), 0.1 * i as f32);
            Joint::new(role.name(), (i > 0).then_some(0), if i > 0 { offset } else { Vec3::ZERO })
                .with_role(role)
        };
        Arc::new(Skeleton::new(Role::CORE.iter().enumerate().map(joint).collect(), vec![]).unwrap())
    }

    proptest! {
        #[test]
        fn a_shifted_body_is_as_far_as_it_was_shifted(x in -3f32..3.0, y in -3f32..3.0, yaw in -3f32..3.0) {
            let skeleton = body();
            let masses = Masses::of(&skeleton).unwrap();
            let mut pose = LocalPose::rest(&skeleton);
            pose.rotations[0] = Quat::from_rotation_y(yaw);
            let here = masses.places(&WorldPose::of(&skeleton, pose.view()));
            pose.positions[0] += Vec3::new(x, y, 0.0);
            let there = masses.places(&WorldPose::of(&skeleton, pose.view()));
            let found = state_distance(&here, &there, &masses.shares()).unwrap();
            prop_assert!((found - f64::from(x * x + y * y)).abs() < 1e-4 * (1.0 + found));
        }
    }

    #[test]
    fn masses_add_up_and_who_lacks_a_limb_is_refused() {
        let skeleton = body();
        let masses = Masses::of(&skeleton).unwrap();
        assert!((masses.shares().iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert_eq!(masses.places(&WorldPose::scratch(&skeleton)).len(), masses.shares().len());
        let mut roles: Vec<Option<Role>> = skeleton.joints().iter().map(|joint| joint.role).collect();
        roles[6] = None;
        let lame = skeleton.with_roles(&roles).unwrap();
        assert_eq!(Masses::of(&lame).unwrap_err().code().id, "motion/missing-role");
        assert!(state_distance(&[Vec3::X], &[], &[1.0]).is_err());
    }
}
