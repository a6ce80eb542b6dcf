//! Arms and legs.

use glam::Vec3;
use marey_body::TrunkFrame;
use marey_motion::{Clip, Role, Side, WorldPose};

use crate::figure::Point;
use crate::human::measured_poses;
use crate::solid::{Ball, Solid};
use crate::stick_figure::side_material;
use crate::theme::Material;

/// Shortest bone, as a fraction of the stature. A shorter one is a joint split in two.
const SHORTEST_BONE: f32 = 0.004;

/// An arm from the shoulder to the fingertips.
#[derive(Debug, Clone)]
pub(crate) struct Arm {
    material: Material,
    shoulder: usize,
    elbow: usize,
    wrist: usize,
    /// The points at which the palm ends and fingers start.
    knuckles: Vec<Point>,
    /// The ends of finger bones.
    fingers: Vec<Point>,
}

impl Arm {
    /// The arm of a side. `None` if a role is missing.
    pub(crate) fn of(pose: &WorldPose, side: Side, stature_m: f32) -> Option<Arm> {
        let joint = |role: Role| pose.skeleton().joint_of(role.on(side));
        let wrist = joint(Role::LeftHand)?;
        let (knuckles, fingers) = hand_bones(pose, wrist, SHORTEST_BONE * stature_m);
        Some(Arm {
            material: side_material(side),
            shoulder: joint(Role::LeftUpperArm)?,
            elbow: joint(Role::LeftLowerArm)?,
            wrist,
            knuckles,
            fingers,
        })
    }

    pub(crate) fn build(&self, pose: &WorldPose, stature_m: f32, solids: &mut Vec<Solid>) {
        let s = stature_m;
        let ball = |joint: usize, radius: f32| Ball::new(pose.positions[joint], radius * s);
        let first = solids.len();
        let lift_m = 0.03 * s;
        let (shoulder, elbow, wrist) =
            (ball(self.shoulder, 0.031), ball(self.elbow, 0.023), ball(self.wrist, 0.015));
        solids.extend(rooted(shoulder, elbow, self.material, lift_m, first));
        solids.push(Solid::capsule(elbow, wrist, self.material).lifted(lift_m).continuing(first + 1));
        solids.push(self.palm(pose, s).lifted(lift_m).continuing(first + 2));
        for &finger in &self.fingers {
            let from = finger.parent(pose).unwrap_or(self.wrist);
            let to = Ball::new(finger.at(pose), 0.0062 * s);
            let solid = Solid::capsule(ball(from, 0.0075), to, self.material);
            solids.push(solid.lifted(lift_m).continuing(first + 3));
        }
    }

    /// The palm, or a closed hand if the skeleton ends at the wrist.
    fn palm(&self, pose: &WorldPose, s: f32) -> Solid {
        let wrist = pose.positions[self.wrist];
        let mut balls = vec![Ball::new(wrist, 0.015 * s)];
        if self.knuckles.is_empty() {
            let along = (wrist - pose.positions[self.elbow]).normalize_or_zero() * s;
            balls.push(Ball::new(wrist + along * 0.045, 0.020 * s));
            balls.push(Ball::new(wrist + along * 0.085, 0.013 * s));
            return Solid::hull(balls, self.material).along(along);
        }
        let radius = if self.knuckles.len() > 1 { 0.011 } else { 0.019 };
        balls.extend(self.knuckles.iter().map(|knuckle| Ball::new(knuckle.at(pose), radius * s)));
        let middle = balls.iter().skip(1).map(|b| b.at - wrist).sum::<Vec3>();
        Solid::hull(balls, self.material).along(middle)
    }
}

/// The first bone of a limb in two halves. The first half will have the index `first` in the list of pieces, and its depth is measured
/// at its root, so that a swinging limb does not jump in front of or behind the trunk.
fn rooted(from: Ball, to: Ball, material: Material, lift_m: f32, first: usize) -> [Solid; 2] {
    let middle = Ball::new(0.5 * (from.at + to.at), 0.5 * (from.radius_m + to.radius_m));
    let upper = Solid::capsule(from, middle, material).anchored(from.at).lifted(lift_m);
    let lower = Solid::capsule(middle, to, material).lifted(0.5 * lift_m).continuing(first);
    [upper, lower]
}

/// The points that end a palm, and the points that end finger bones.
fn hand_bones(pose: &WorldPose, wrist: usize, shortest_m: f32) -> (Vec<Point>, Vec<Point>) {
    let (mut knuckles, mut fingers) = (Vec::new(), Vec::new());
    // Joints at the position of the wrist: bases of fingers without length in some archives.
    let mut at_wrist = vec![false; pose.skeleton().len()];
    at_wrist[wrist] = true;
    for point in Point::all(pose) {
        let Some(parent) = point.parent(pose).filter(|&parent| pose.skeleton().is_under(parent, wrist))
        else {
            continue;
        };
        let is_long = point.bone_m(pose) > shortest_m;
        match point {
            Point::Joint(joint) if at_wrist[parent] && !is_long => at_wrist[joint] = true,
            Point::Joint(_) if at_wrist[parent] => knuckles.push(point),
            Point::Tip { .. } if parent == wrist && is_long => knuckles.push(point),
            _ if is_long => fingers.push(point),
            _ => {}
        }
    }
    (knuckles, fingers)
}

/// A leg from hip to toes.
#[derive(Debug, Clone)]
pub(crate) struct Leg {
    material: Material,
    hip: usize,
    knee: usize,
    ankle: usize,
    /// The ball of the foot.
    ball: Option<Point>,
    /// The tip of the toes.
    toes: Option<Point>,
    /// The direction up from the sole, in the frame of the ankle.
    sole_up: Option<Vec3>,
}

impl Leg {
    /// The leg of a side. `None` if a role is missing.
    pub(crate) fn measured(clip: &Clip, side: Side, stature_m: f32) -> Option<Leg> {
        let pose = WorldPose::of(clip.skeleton(), clip.pose(0));
        let joint = |role: Role| clip.skeleton().joint_of(role.on(side));
        let (knee, ankle) = (joint(Role::LeftLowerLeg)?, joint(Role::LeftFoot)?);
        let beyond = |from: usize| {
            let below = |point: &Point| {
                point.parent(&pose).is_some_and(|parent| pose.skeleton().is_under(parent, from))
            };
            let distance = |point: &Point| point.at(&pose).distance(pose.positions[from]);
            let farthest = Point::all(&pose).filter(below).max_by(|a, b| distance(a).total_cmp(&distance(b)));
            farthest.filter(|point| distance(point) > 0.01 * stature_m)
        };
        let ball = joint(Role::LeftToes).map(Point::Joint);
        let toes = match ball {
            Some(Point::Joint(ball)) => beyond(ball),
            _ => beyond(ankle),
        };
        let sole_up = sole_up(clip, knee, ankle);
        Some(Leg {
            material: side_material(side),
            hip: joint(Role::LeftUpperLeg)?,
            knee,
            ankle,
            ball,
            toes,
            sole_up,
        })
    }

    pub(crate) fn build(&self, pose: &WorldPose, trunk: &TrunkFrame, s: f32, solids: &mut Vec<Solid>) {
        let ball = |joint: usize, radius: f32| Ball::new(pose.positions[joint], radius * s);
        let first = solids.len();
        // Enough to be in front of the pelvis in all views except from the other side.
        let lift_m = 0.85 * pose.positions[self.hip].distance(trunk.pelvis);
        solids.extend(rooted(ball(self.hip, 0.046), ball(self.knee, 0.031), self.material, lift_m, first));
        let (knee, ankle) = (pose.positions[self.knee], pose.positions[self.ankle]);
        let calf = Ball::new(knee.lerp(ankle, 0.26), 0.0325 * s);
        let shank = vec![ball(self.knee, 0.030), calf, ball(self.ankle, 0.019)];
        solids.push(Solid::hull(shank, self.material).along(ankle - knee).continuing(first + 1));
        self.build_foot(pose, trunk, s, solids);
    }

    fn build_foot(&self, pose: &WorldPose, trunk: &TrunkFrame, s: f32, solids: &mut Vec<Solid>) {
        let (knee, ankle) = (pose.positions[self.knee], pose.positions[self.ankle]);
        let along = self.ball.or(self.toes).map_or(trunk.ahead, |point| point.at(pose) - ankle);
        let up = match self.sole_up {
            Some(up) => pose.rotations[self.ankle] * up,
            None => instep(along, (knee - ankle).normalize_or(trunk.up), trunk),
        };
        let ahead = (along - up * up.dot(along)).normalize_or(trunk.ahead);
        let left = up.cross(ahead).normalize_or(trunk.left);

        let ball = match (self.ball, self.toes) {
            (Some(ball), _) => ball.at(pose),
            (None, Some(toes)) => ankle.lerp(toes.at(pose), 0.7),
            (None, None) => ankle + (ahead * 0.085 - up * 0.024) * s,
        };
        let toes = self.toes.map_or(ball + ahead * 0.038 * s, |toes| toes.at(pose));
        // Joints of a standing foot are assumed to be on the floor, so the skin is above them.
        let pair = |at: Vec3, apart: f32, radius: f32| {
            [apart, -apart].map(|x| Ball::new(at + (left * x + up * radius) * s, radius * s))
        };
        // The heel is as deep as the ball of the foot, within the height of the foot.
        let drop = (up.dot(ball - ankle) / s).clamp(-0.055, 0.0);
        let heel = Ball::new(ankle + (up * (drop + 0.018) - ahead * 0.022) * s, 0.018 * s);
        let front = pair(ball, 0.014, 0.015);
        let rear = [&[Ball::new(ankle, 0.019 * s), heel][..], &front].concat();
        let on = solids.len() - 1;
        solids.push(Solid::hull(rear, self.material).along(ball - heel.at).continuing(on));
        let toes = [front, pair(toes, 0.010, 0.009)].concat();
        solids.push(Solid::hull(toes, self.material).along(ahead).continuing(on + 1));
    }
}

/// The direction up from the sole of a foot that points along `along`: the instep is on the side of the shank, and in front if the foot
/// is stretched.
fn instep(along: Vec3, shank_up: Vec3, trunk: &TrunkFrame) -> Vec3 {
    let along = along.normalize_or(trunk.ahead);
    let hint = shank_up + 0.3 * trunk.ahead;
    (hint - along * along.dot(hint)).normalize_or(shank_up)
}

/// The direction up from the sole in the frame of the ankle, measured in frames in which the foot is low and therefore probably flat on
/// the floor. `None` if the result is not plausible, as for a swimmer.
fn sole_up(clip: &Clip, knee: usize, ankle: usize) -> Option<Vec3> {
    let mut poses: Vec<WorldPose> = measured_poses(clip).collect();
    poses.sort_by(|a, b| a.positions[ankle].y.total_cmp(&b.positions[ankle].y));
    let low = &poses[..poses.len().div_ceil(3)];
    let up =
        low.iter().map(|pose| pose.rotations[ankle].inverse() * Vec3::Y).sum::<Vec3>().try_normalize()?;
    let along_shank = low.iter().map(|pose| {
        let shank_up = (pose.positions[knee] - pose.positions[ankle]).normalize_or_zero();
        shank_up.dot(pose.rotations[ankle] * up)
    });
    let mean = along_shank.sum::<f32>() / low.len() as f32;
    (mean > 0.6).then_some(up)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Joint, LocalPose, Quat, Skeleton, Tip};

    use super::*;
    use crate::person;

    #[test]
    fn fingers_start_after_bones_without_length() {
        // A hand as in some archives: a base and a thumb without length, one finger, tips on both.
        let joints = vec![
            Joint::new("wrist", None, Vec3::ZERO),
            Joint::new("base", Some(0), Vec3::ZERO),
            Joint::new("index", Some(1), Vec3::X * 0.05),
            Joint::new("thumb", Some(0), Vec3::ZERO),
        ];
        let tips = [(2, Vec3::X * 0.04), (3, Vec3::Z * 0.05)].map(|(parent, offset)| Tip { parent, offset });
        let skeleton = Arc::new(Skeleton::new(joints, tips.to_vec()).unwrap());
        let pose = WorldPose::of(&skeleton, LocalPose::rest(&skeleton).view());
        let (knuckles, fingers) = hand_bones(&pose, 0, 0.005);
        assert_eq!(knuckles, [Point::Joint(2)]);
        assert_eq!(fingers, tips.map(|Tip { parent, offset }| Point::Tip { parent, offset }));
    }

    #[test]
    fn soles_are_measured_in_standing_poses() {
        let sole = |clip: &Clip| {
            let joint = |role| clip.skeleton().joint_of(role).unwrap();
            sole_up(clip, joint(Role::LeftLowerLeg), joint(Role::LeftFoot))
        };
        let upright = person::standing(2);
        assert!(sole(&upright).unwrap().distance(Vec3::Y) < 1e-4);
        let mut parts = upright.clone().into_parts();
        let joints = upright.skeleton().len();
        for root in parts.rotations.iter_mut().step_by(joints) {
            *root = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        }
        assert_eq!(sole(&Clip::new(upright.skeleton().clone(), 30.0, parts).unwrap()), None);
    }
}
