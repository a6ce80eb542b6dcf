//! Poses from markers: any number of joints by role, from the reduced set of hands, feet and waist (section 9.2) to a whole body.
//!
//! Every rotation and position that is given is used. The pelvis is turned to the belt and the spine above it, each joint of the trunk to
//! the next visible one, and the chest to the shoulders. Arms and legs are solved by two-bone inverse kinematics, with elbows and knees
//! on the side where they are visible. A lost hand or foot keeps its position relative to the waist.
//!
//! | missing | default |
//! |---|---|
//! | the trunk | upright above the waist; its heading follows the belt, or the feet |
//! | elbows, knees | elbows point out, back and down; knees point forward |
//! | hands, toes | a hand is aligned with its forearm; a foot is level |
//!
//! The body is measured once. If a performer of whom only hands, feet and waist are visible stands up later, positions are scaled to that
//! body (`growth`).

use std::sync::Arc;

use glam::{Quat, Vec3};
use marey_body::RestSkeleton;
use marey_motion::{LocalPose, Place, Report, Role, Side, Skeleton, WorldPose};
use marey_ops::ik::{IkSettings, Limb, two_bone};

use crate::Result;
use crate::character_body::CharacterBody;
use crate::engage::Effector;
use crate::error::codes;
use crate::marker_body::{measured_skeleton, waist_scale};
use crate::marker_trunk::{TRUNK, hips_turn, upper_trunk_turn, upwards};
use crate::markers::Markers;

/// An elbow or knee that is nearer than this to the line through its limb does not show where the limb folds, in metres.
const BENT_M: f32 = 0.03;
/// A hand that is farther than this from its marker is missed; the shoulder moves by at most so much for it, in metres.
const MISSED_M: f32 = 0.002;
const MAX_STRETCH_M: f32 = 0.08;
/// A performer is measured again if the waist is higher than this, relative to the height measured so far.
const GROWN: f32 = 1.02;
/// The number of frames that measure a performer again: half a second at 60 Hz.
const GROWTH_FRAMES: usize = 30;
/// The fraction by which the scale approaches a new measurement in a frame.
const GROWTH_RATE: f32 = 0.05;

/// Solves poses from markers.
#[derive(Debug, Clone)]
pub struct MarkerSolver {
    body: CharacterBody,
    pose: LocalPose,
    world: WorldPose,
    /// Rotations and positions of the joints at rest, in world coordinates.
    rest_rotations: Vec<Quat>,
    rest_positions: Vec<Vec3>,
    hips: usize,
    waist: Vec3,
    yaw_rad: f32,
    /// The last positions of hands and feet relative to the waist, without heading.
    ends: [Vec3; 4],
    /// Upper, lower and end joint of each limb.
    limbs: [[usize; 3]; 4],
    /// The performer's size over that of the body, now and as last measured.
    growth: [f32; 2],
    /// Recent markers that may measure the performer again.
    upright: Vec<Markers>,
    frame: usize,
    report: Report,
}

impl MarkerSolver {
    /// A solver for a performer whom these frames show. The body has the joints of `skeleton`, and the measures of the performer where
    /// both ends of a bone are visible.
    pub fn calibrate(skeleton: &Skeleton, frames: &[Markers]) -> Result<Self> {
        let mut solver = Self::new(measured_skeleton(skeleton, frames)?)?;
        for frame in frames {
            solver.solve(frame);
        }
        solver.frame = 0;
        solver.report = Report::default();
        Ok(solver)
    }

    /// A solver for a performer with this skeleton.
    ///
    /// # Errors
    /// If the skeleton is not that of a human.
    pub fn new(skeleton: Arc<Skeleton>) -> Result<Self> {
        let body = CharacterBody::new(skeleton.clone())?;
        let pose = LocalPose::rest(&skeleton);
        let world = WorldPose::of(&skeleton, pose.view());
        let hips = skeleton.require(Role::Hips)?;
        let mut limbs = [[0; 3]; 4];
        for (limb, effector) in limbs.iter_mut().zip(Effector::ALL) {
            for (joint, role) in limb.iter_mut().zip(limb_roles(effector)) {
                *joint = skeleton.require(role)?;
            }
        }
        let ends = limbs.map(|[_, _, end]| world.positions[end] - world.positions[hips]);
        let waist = world.positions[hips];
        Ok(Self {
            rest_rotations: skeleton.rest_world_rotations(),
            rest_positions: skeleton.rest_positions(),
            body,
            pose,
            world,
            hips,
            waist,
            yaw_rad: 0.0,
            ends,
            limbs,
            growth: [1.0; 2],
            upright: Vec::with_capacity(GROWTH_FRAMES),
            frame: 0,
            report: Report::default(),
        })
    }

    /// The skeleton of the poses.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.body.skeleton()
    }

    /// The last pose that was solved.
    pub fn pose(&self) -> &LocalPose {
        &self.pose
    }

    /// Warnings about lost markers.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Solves the pose of a frame.
    pub fn solve(&mut self, markers: &Markers) -> &LocalPose {
        self.measure_again(markers);
        let markers = &markers.scaled(1.0 / self.growth[0]);
        self.waist = markers.waist().unwrap_or(self.waist);
        let positions = Effector::ALL.map(|effector| markers.point(effector.role()));
        let is_lost = |(effector, position): (Effector, &Option<Vec3>)| {
            position.is_none() && !limb_roles(effector).iter().all(|role| markers.rotation(*role).is_some())
        };
        let lost = Effector::ALL.into_iter().zip(&positions).filter(|limb| is_lost(*limb)).count()
            + usize::from(markers.waist().is_none());
        self.report.warn_many(
            &codes::LOST,
            Place::default().frame(self.frame),
            lost,
            "a marker of hands, feet or waist is missing",
        );
        self.frame += 1;
        self.set_upright(markers);
        let heading = Quat::from_rotation_y(self.yaw_rad);
        for (end, position) in self.ends.iter_mut().zip(positions) {
            *end = position.map_or(*end, |position| heading.inverse() * (position - self.waist));
        }
        self.solve_trunk(markers);
        for index in 0..self.limbs.len() {
            self.solve_limb(index, heading, markers, 0);
        }
        self.set_given_rotations(markers);
        &self.pose
    }

    /// If only hands, feet and waist show the size, measures it again when the performer is more upright than before.
    fn measure_again(&mut self, markers: &Markers) {
        let shows_legs = markers.pair(Role::LeftLowerLeg).iter().any(Option::is_some);
        let scale = |frames: &[Markers]| waist_scale(self.body.skeleton(), frames);
        let is_taller = |scale: f32| scale > GROWN * self.growth[1];
        if !shows_legs && scale(std::slice::from_ref(markers)).is_some_and(is_taller) {
            self.upright.push(*markers);
        } else {
            self.upright.clear();
        }
        if self.upright.len() >= GROWTH_FRAMES {
            self.growth[1] = scale(&self.upright).unwrap_or(self.growth[1]);
            self.upright.clear();
        }
        self.growth[0] += GROWTH_RATE * (self.growth[1] - self.growth[0]);
    }

    /// Sets the rest pose at the waist, with the orientation of the pelvis.
    fn set_upright(&mut self, markers: &Markers) {
        let rest = RestSkeleton::of(self.body.skeleton());
        let across = horizontal_axis(markers.pair(Role::LeftUpperLeg))
            .or_else(|| horizontal_axis(markers.pair(Role::LeftFoot)));
        let turn = markers.rotation(Role::Hips).or_else(|| hips_turn(&rest, markers));
        if let Some(left) = turn.map(|turn| turn * Vec3::X).or(across).filter(|left| is_horizontal(*left)) {
            self.yaw_rad = (-left.z).atan2(left.x);
        }
        let heading = Quat::from_rotation_y(self.yaw_rad);
        let turn = turn.unwrap_or_else(|| match upwards(&rest, markers, Role::Hips) {
            Some((up, rest_up)) => arc(heading * rest_up, up) * heading,
            None => heading,
        });
        let skeleton = self.body.skeleton();
        for (rotation, joint) in self.pose.rotations.iter_mut().zip(skeleton.joints()) {
            *rotation = joint.rest_rotation;
        }
        self.pose.rotations[0] = turn * self.pose.rotations[0];
        self.world.set(self.pose.view());
        self.pose.positions[0] += self.waist - self.world.positions[self.hips];
        self.world.set(self.pose.view());
    }

    /// Turns each joint of the trunk to the next visible joint above it.
    fn solve_trunk(&mut self, markers: &Markers) {
        let skeleton = self.body.skeleton().clone();
        let rest = RestSkeleton::of(&skeleton);
        // The highest joint of the trunk below the shoulders turns with them.
        let chest = [Role::UpperChest, Role::Chest, Role::Spine]
            .into_iter()
            .find(|role| skeleton.joint_of(*role).is_some());
        for role in TRUNK {
            let Some(joint) = skeleton.joint_of(role) else { continue };
            let given = markers.rotation(role).map(|turn| turn * self.rest_rotations[joint]);
            let turned = given.or_else(|| {
                if Some(role) == chest
                    && let Some(turn) = upper_trunk_turn(&rest, markers)
                {
                    return Some(turn * self.rest_rotations[joint]);
                }
                let (to, rest_to) = crate::marker_trunk::next_above(&rest, markers, role)?;
                let now = self.world.rotations[joint] * self.rest_rotations[joint].inverse();
                let along = now * (rest_to - self.rest_positions[joint]);
                Some(arc(along, to - self.world.positions[joint]) * self.world.rotations[joint])
            });
            if let Some(turned) = turned {
                self.set_world_rotation(joint, turned);
                self.world.set(self.pose.view());
            }
        }
        for side in Side::BOTH {
            self.solve_collar(side, markers);
        }
    }

    /// Turns a collar bone to a visible shoulder.
    fn solve_collar(&mut self, side: Side, markers: &Markers) {
        let role = Role::LeftShoulder.on(side);
        let Some(joint) = self.body.skeleton().joint_of(role) else { return };
        let at = self.world.positions[joint];
        let shoulder = self.body.roots[usize::from(side == Side::Right)];
        let seen = markers.point(Role::LeftUpperArm.on(side));
        let turned = match (markers.rotation(role), seen) {
            (Some(turn), _) => turn * self.rest_rotations[joint],
            (None, Some(seen)) => {
                arc(self.world.positions[shoulder] - at, seen - at) * self.world.rotations[joint]
            }
            (None, None) => return,
        };
        self.set_world_rotation(joint, turned);
        self.world.set(self.pose.view());
    }

    /// Turns a collar bone so that the shoulder moves by `miss`; false if there is no collar bone.
    fn stretch_collar(&mut self, side: Side, miss: Vec3) -> bool {
        let Some(joint) = self.body.skeleton().joint_of(Role::LeftShoulder.on(side)) else { return false };
        let shoulder = self.body.roots[usize::from(side == Side::Right)];
        let along = self.world.positions[shoulder] - self.world.positions[joint];
        let turned = arc(along, along + miss.clamp_length_max(MAX_STRETCH_M)) * self.world.rotations[joint];
        self.set_world_rotation(joint, turned);
        self.world.set(self.pose.view());
        true
    }

    /// Bends a limb so that its end is at its marker.
    ///
    /// If a stretched arm misses its marker at the first attempt, the collar bone gives way.
    fn solve_limb(&mut self, index: usize, heading: Quat, markers: &Markers, attempt: usize) {
        let [upper, lower, end] = self.limbs[index];
        let effector = Effector::ALL[index];
        let roles = limb_roles(effector);
        for (joint, role) in [(upper, roles[0]), (lower, roles[1])] {
            if let Some(turn) = markers.rotation(role) {
                self.set_world_rotation(joint, turn * self.rest_rotations[joint]);
                self.world.set(self.pose.view());
            }
        }
        if roles.iter().all(|role| markers.rotation(*role).is_some())
            && markers.point(roles[1]).is_none()
            && markers.point(roles[2]).is_none()
        {
            // The rotations alone show the limb.
            if let Some(turn) = markers.rotation(roles[2]) {
                self.set_world_rotation(end, turn * self.rest_rotations[end]);
            }
            return;
        }
        let at = |joint: usize| self.world.positions[joint];
        let is_turned = markers.rotation(roles[0]).is_some() && markers.rotation(roles[1]).is_some();
        let out = if effector.side() == Side::Left { heading * Vec3::X } else { heading * Vec3::NEG_X };
        let forward = heading * Vec3::Z;
        // Knees point forward; elbows point out, back and down.
        let (front, default_pole) = match effector.is_hand() {
            true => (-forward, out - 0.6 * forward - 0.4 * Vec3::Y),
            false => (forward, forward),
        };
        let target = match markers.point(roles[2]) {
            None if is_turned => at(end),
            _ => self.waist + heading * self.ends[index],
        };
        let middle = markers.point(roles[1]).or_else(|| is_turned.then(|| at(lower)));
        let pole = middle.map_or(default_pole, |middle| {
            let shown = Limb { root: at(upper), middle, end: target, front: default_pole };
            shown.fold_direction(BENT_M)
        });
        let front = if is_turned { at(lower) - at(upper).midpoint(at(end)) } else { front };
        let limb = Limb { root: at(upper), middle: at(lower), end: at(end), front };
        let bent = two_bone(&limb, target, pole, &IkSettings::default());
        let miss = target - bent.end;
        if effector.is_hand()
            && attempt == 0
            && miss.length() > MISSED_M
            && markers.point(Role::LeftUpperArm.on(effector.side())).is_some()
            && self.stretch_collar(effector.side(), miss)
        {
            return self.solve_limb(index, heading, markers, 1);
        }
        let parents = self.body.skeleton().parents();
        let above = self.world.rotations[parents[upper]];
        let (new_upper, new_lower) =
            (bent.upper_turn * self.world.rotations[upper], bent.lower_turn * self.world.rotations[lower]);
        // A hand stays aligned with its forearm; a foot stays level, or points to its toes.
        let level = heading * self.rest_rotations[end];
        let new_end = match markers.rotation(roles[2]) {
            Some(turn) => turn * self.rest_rotations[end],
            None if effector.is_hand() => bent.lower_turn * self.world.rotations[end],
            None => {
                let toes = Role::LeftToes.on(effector.side());
                let joint = self.body.skeleton().joint_of(toes);
                joint.zip(markers.point(toes).zip(markers.point(roles[2]))).map_or(
                    level,
                    |(joint, (to, at))| {
                        let along = heading * (self.rest_positions[joint] - self.rest_positions[end]);
                        arc(along, to - at) * level
                    },
                )
            }
        };
        self.pose.rotations[upper] = (above.inverse() * new_upper).normalize();
        self.pose.rotations[lower] = (new_upper.inverse() * new_lower).normalize();
        self.pose.rotations[end] = (new_lower.inverse() * new_end).normalize();
    }

    /// Applies the given rotations of the remaining joints: toes and fingers.
    fn set_given_rotations(&mut self, markers: &Markers) {
        self.world.set(self.pose.view());
        let skeleton = self.body.skeleton().clone();
        for (joint, about) in skeleton.joints().iter().enumerate() {
            let Some(role) = about.role.filter(|role| *role > Role::RightFoot || *role == Role::Jaw) else {
                continue;
            };
            if let Some(turn) = markers.rotation(role) {
                self.set_world_rotation(joint, turn * self.rest_rotations[joint]);
                self.world.set(self.pose.view());
            }
        }
    }

    /// Sets the rotation of a joint in world coordinates.
    fn set_world_rotation(&mut self, joint: usize, rotation: Quat) {
        let parent = self.body.skeleton().joints()[joint].parent;
        let above = parent.map_or(Quat::IDENTITY, |parent| self.world.rotations[parent]);
        self.pose.rotations[joint] = (above.inverse() * rotation).normalize();
    }
}

/// The upper, lower and end joint of a limb.
fn limb_roles(effector: Effector) -> [Role; 3] {
    let roles = match effector.is_hand() {
        true => [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand],
        false => [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot],
    };
    roles.map(|role| role.on(effector.side()))
}

/// The shortest rotation between two directions.
fn arc(from: Vec3, to: Vec3) -> Quat {
    match (from.try_normalize(), to.try_normalize()) {
        (Some(from), Some(to)) => Quat::from_rotation_arc(from, to),
        _ => Quat::IDENTITY,
    }
}

/// The horizontal vector from the right to the left of two markers; `None` if they are too close to each other.
fn horizontal_axis(markers: [Option<Vec3>; 2]) -> Option<Vec3> {
    let across = (markers[0]? - markers[1]?).with_y(0.0);
    (across.length() > 0.03).then_some(across)
}

/// Whether a direction is horizontal enough to show a heading.
fn is_horizontal(direction: Vec3) -> bool {
    direction.with_y(0.0).length() > 0.5 * direction.length()
}

#[cfg(test)]
mod tests {
    use super::*;

    const REDUCED: [Role; 7] = [
        Role::Hips,
        Role::LeftUpperLeg,
        Role::RightUpperLeg,
        Role::LeftHand,
        Role::RightHand,
        Role::LeftFoot,
        Role::RightFoot,
    ];

    fn markers_of(world: &WorldPose) -> Markers {
        let at = |role| world.skeleton().joint_of(role).map(|joint| world.positions[joint]);
        let mut markers = Markers::default();
        for role in REDUCED {
            markers.set_point(role, at(role).unwrap());
        }
        markers
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
        for role in [Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot] {
            let (a, b) = (solved.point(role).unwrap(), markers.point(role).unwrap());
            assert!(a.distance(b) < 0.02, "{role}: {a:?} {b:?}");
        }
        assert!(solver.report().is_empty());
        // A lost hand moves along with the waist; a marker that is not finite counts as lost.
        let up = Vec3::Y * 0.02;
        let mut lost = Markers::default();
        for (role, at) in markers.visible() {
            lost.set_point(role, if role == Role::Hips { at + up } else { at });
        }
        lost.set_point(Role::LeftHand, Vec3::INFINITY);
        lost.set_point(Role::RightHand, Vec3::NAN);
        let pose = solver.solve(&lost).clone();
        let moved = markers_of(&WorldPose::of(solver.skeleton(), pose.view()));
        assert!(
            moved.point(Role::LeftHand).unwrap().distance(markers.point(Role::LeftHand).unwrap() + up) < 0.02
        );
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
