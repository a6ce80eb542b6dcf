//! Poses from markers of hands, feet and waist: the reduced marker set (section 9.2).
//!
//! The trunk is upright above the waist. Its heading follows the belt, or the feet if there is no belt. Arms and legs are solved by
//! two-bone inverse kinematics. A lost marker keeps its position relative to the waist.
//!
//! Limits: markers do not show the lean of the trunk and the directions of elbows and knees, so defaults are used.

use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_motion::{LocalPose, Place, Report, Role, Side, Skeleton, WorldPose};
use marey_ops::ik::{IkSettings, Limb, two_bone};

use crate::character_body::CharacterBody;
use crate::engage::Effector;
use crate::error::codes;
use crate::{PerformError, Result};

/// The markers of a performer, in metres; `None` if a marker is lost.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Markers {
    /// Between the hips.
    pub waist: Option<Vec3>,
    /// The belt at the left and the right hip, if it is worn.
    pub belt: [Option<Vec3>; 2],
    /// Left and right wrist.
    pub hands: [Option<Vec3>; 2],
    /// Left and right ankle.
    pub feet: [Option<Vec3>; 2],
}

impl Markers {
    /// These markers without positions that are not finite.
    fn without_invalid(self) -> Self {
        let valid = |position: Option<Vec3>| position.filter(|position| position.is_finite());
        Self {
            waist: valid(self.waist),
            belt: self.belt.map(valid),
            hands: self.hands.map(valid),
            feet: self.feet.map(valid),
        }
    }
}

/// Solves poses from the reduced marker set.
#[derive(Debug, Clone)]
pub struct MarkerSolver {
    body: CharacterBody,
    pose: LocalPose,
    world: WorldPose,
    hips: usize,
    waist: Vec3,
    yaw_rad: f32,
    /// The last positions of hands and feet relative to the waist, without heading.
    ends: [Vec3; 4],
    /// Upper, lower and end joint of each limb.
    limbs: [[usize; 3]; 4],
    frame: usize,
    report: Report,
}

impl MarkerSolver {
    /// A solver with the proportions of a human skeleton, scaled to the size of a performer in standing frames.
    ///
    /// The height of the waist above the ankles determines the size.
    pub fn calibrate(skeleton: &Skeleton, frames: &[Markers]) -> Result<Self> {
        let rest = skeleton.rest_positions();
        let at = |role| skeleton.require(role).map(|joint| rest[joint].y);
        let default_m = at(Role::Hips)? - 0.5 * (at(Role::LeftFoot)? + at(Role::RightFoot)?);
        let mut heights_m: Vec<f32> = frames
            .iter()
            .map(|frame| frame.without_invalid())
            .filter_map(|frame| Some(frame.waist?.y - 0.5 * (frame.feet[0]?.y + frame.feet[1]?.y)))
            .collect();
        heights_m.sort_by(f32::total_cmp);
        let Some(median_m) = heights_m.get(heights_m.len() / 2).copied().filter(|m| (0.2..3.0).contains(m))
        else {
            return Err(PerformError::Calibration {
                problem: "no frame shows the waist and both feet of a standing performer".into(),
            });
        };
        let skeleton = Arc::new(skeleton.scaled(median_m / default_m.max(1e-3))?);
        let mut solver = Self::new(skeleton)?;
        for frame in frames {
            solver.solve(frame);
        }
        solver.frame = 0;
        solver.report = Report::default();
        Ok(solver)
    }

    fn new(skeleton: Arc<Skeleton>) -> Result<Self> {
        let body = CharacterBody::new(skeleton.clone())?;
        let pose = LocalPose::rest(&skeleton);
        let world = WorldPose::of(&skeleton, pose.view());
        let hips = skeleton.require(Role::Hips)?;
        let mut limbs = [[0; 3]; 4];
        for (limb, effector) in limbs.iter_mut().zip(Effector::ALL) {
            let roles = match effector.is_hand() {
                true => [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand],
                false => [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot],
            };
            for (joint, role) in limb.iter_mut().zip(roles) {
                *joint = skeleton.require(role.on(effector.side()))?;
            }
        }
        let ends = limbs.map(|[_, _, end]| world.positions[end] - world.positions[hips]);
        let waist = world.positions[hips];
        let report = Report::default();
        Ok(Self { body, pose, world, hips, waist, yaw_rad: 0.0, ends, limbs, frame: 0, report })
    }

    /// The skeleton of the poses.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.body.skeleton()
    }

    /// Warnings about lost markers.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Solves the pose of a frame.
    pub fn solve(&mut self, markers: &Markers) -> &LocalPose {
        let markers = markers.without_invalid();
        self.waist =
            markers.waist.or_else(|| Some(0.5 * (markers.belt[0]? + markers.belt[1]?))).unwrap_or(self.waist);
        let across = horizontal_axis(markers.belt).or_else(|| horizontal_axis(markers.feet));
        if let Some(left) = across {
            self.yaw_rad = (-left.z).atan2(left.x);
        }
        let heading = Quat::from_rotation_y(self.yaw_rad);
        let positions = [markers.hands[0], markers.hands[1], markers.feet[0], markers.feet[1]];
        let lost = positions.iter().filter(|position| position.is_none()).count()
            + usize::from(markers.waist.is_none());
        self.report.warn_many(
            &codes::LOST,
            Place::default().frame(self.frame),
            lost,
            "a marker of hands, feet or waist is missing",
        );
        for (end, position) in self.ends.iter_mut().zip(positions) {
            *end = position.map_or(*end, |position| heading.inverse() * (position - self.waist));
        }
        self.frame += 1;
        self.set_upright(heading);
        for index in 0..self.limbs.len() {
            self.solve_limb(index, heading);
        }
        &self.pose
    }

    /// Sets an upright rest pose above the waist.
    fn set_upright(&mut self, heading: Quat) {
        let skeleton = self.body.skeleton();
        for (rotation, joint) in self.pose.rotations.iter_mut().zip(skeleton.joints()) {
            *rotation = joint.rest_rotation;
        }
        self.pose.rotations[0] = heading * self.pose.rotations[0];
        self.world.set(self.pose.view());
        self.pose.positions[0] += self.waist - self.world.positions[self.hips];
        self.world.set(self.pose.view());
    }

    /// Bends a limb so that its end is at its marker.
    fn solve_limb(&mut self, index: usize, heading: Quat) {
        let [upper, lower, end] = self.limbs[index];
        let at = |joint: usize| self.world.positions[joint];
        let effector = Effector::ALL[index];
        let out = if effector.side() == Side::Left { heading * Vec3::X } else { heading * Vec3::NEG_X };
        let forward = heading * Vec3::Z;
        // Knees point forward; elbows point out, back and down.
        let (front, pole) = match effector.is_hand() {
            true => (-forward, out - 0.6 * forward - 0.4 * Vec3::Y),
            false => (forward, forward),
        };
        let limb = Limb { root: at(upper), middle: at(lower), end: at(end), front };
        let target = self.waist + heading * self.ends[index];
        let bent = two_bone(&limb, target, pole, &IkSettings::default());
        let parents = self.body.skeleton().parents();
        let above = self.world.rotations[parents[upper]];
        let (new_upper, new_lower) =
            (bent.upper_turn * self.world.rotations[upper], bent.lower_turn * self.world.rotations[lower]);
        // A foot stays level; a hand stays aligned with its forearm.
        let new_end = if effector.is_hand() {
            bent.lower_turn * self.world.rotations[end]
        } else {
            self.world.rotations[end]
        };
        self.pose.rotations[upper] = (above.inverse() * new_upper).normalize();
        self.pose.rotations[lower] = (new_upper.inverse() * new_lower).normalize();
        self.pose.rotations[end] = (new_lower.inverse() * new_end).normalize();
    }
}

/// The horizontal vector from the right to the left of two markers; `None` if they are too close to each other.
fn horizontal_axis(markers: [Option<Vec3>; 2]) -> Option<Vec3> {
    let across = (markers[0]? - markers[1]?).with_y(0.0);
    (across.length() > 0.03).then_some(across)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markers_of(world: &WorldPose) -> Markers {
        let at = |role| world.skeleton().joint_of(role).map(|joint| world.positions[joint]);
        Markers {
            waist: at(Role::Hips),
            belt: [at(Role::LeftUpperLeg), at(Role::RightUpperLeg)],
            hands: [at(Role::LeftHand), at(Role::RightHand)],
            feet: [at(Role::LeftFoot), at(Role::RightFoot)],
        }
    }

    #[test]
    fn poses_have_the_size_hands_and_feet_of_the_performer() {
        let adult = marey_body::BodyProportions::default().skeleton().unwrap();
        let child = marey_body::BodyProportions { height_m: 1.4, ..Default::default() }.skeleton().unwrap();
        let mut pose = LocalPose::rest(&child);
        pose.rotations[0] = Quat::from_rotation_y(0.7);
        pose.positions[0] += Vec3::new(0.3, -0.05, 1.0);
        let world = WorldPose::of(&child, pose.view());
        let mut solver = MarkerSolver::calibrate(
            &adult,
            &[markers_of(&WorldPose::of(&child, LocalPose::rest(&child).view()))],
        )
        .unwrap();
        let rest = CharacterBody::new(solver.skeleton().clone()).unwrap();
        assert!((rest.height_m() - 1.4).abs() < 0.01);
        let markers = markers_of(&world);
        let solved = solver.solve(&markers).clone();
        let solved = markers_of(&WorldPose::of(solver.skeleton(), solved.view()));
        for (a, b) in [(solved.hands, markers.hands), (solved.feet, markers.feet)] {
            for (a, b) in a.into_iter().zip(b) {
                assert!(a.unwrap().distance(b.unwrap()) < 0.02, "{a:?} {b:?}");
            }
        }
        assert!(solver.report().is_empty());
        // A lost hand moves along with the waist; a marker that is not finite counts as lost.
        let up = Vec3::Y * 0.02;
        let lost =
            Markers { hands: [None, Some(Vec3::NAN)], waist: markers.waist.map(|at| at + up), ..markers };
        let pose = solver.solve(&lost).clone();
        let moved = markers_of(&WorldPose::of(solver.skeleton(), pose.view()));
        assert!(moved.hands[0].unwrap().distance(markers.hands[0].unwrap() + up) < 0.02);
        assert_eq!(solver.report().codes(), ["perform/lost"]);
        assert_eq!(solver.report().warnings()[0].count, 2);
    }

    #[test]
    fn frames_without_a_standing_performer_are_refused() {
        let adult = marey_body::BodyProportions::default().skeleton().unwrap();
        let error = MarkerSolver::calibrate(&adult, &[Markers::default()]).unwrap_err();
        assert_eq!(marey_motion::Coded::code(&error).id, "perform/calibration");
    }
}
