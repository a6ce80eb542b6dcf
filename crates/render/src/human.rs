//! A human body around a skeleton with human roles.
//!
//! Thicknesses are fractions of the stature, chosen by eye. The stature is that of a person with limbs and a trunk of
//! these lengths, by the proportions of Drillis & Contini (1966), as in Winter, "Biomechanics and Motor Control of Human
//! Movement".
//!
//! A skeleton does not define the crown and the direction of its head: rest poses differ too much
//! between archives, and many skeletons end at the eyes or the ears. Both are measured on the motion: on average over a
//! clip, a head looks where the trunk faces; its crown is as far above the shoulders as the stature suggests,
//! or as the skeleton defines if that is farther.

use glam::Vec3;
use marey_body::{HEAD_FRACTION, TrunkFrame, extra_joints, stature_m};
use marey_motion::{Clip, Role, Side, Skeleton, WorldPose};

use crate::figure::Point;
use crate::limb::{Arm, Leg};
use crate::solid::{Ball, Solid};
use crate::stick_figure;
use crate::theme::Material;

/// Number of frames that are sampled to measure a body.
const MEASURED_FRAMES: usize = 48;

/// A person.
#[derive(Debug, Clone)]
pub(crate) struct Human {
    actor: usize,
    stature_m: f32,
    trunk: Trunk,
    head: Head,
    arms: [Arm; 2],
    legs: [Leg; 2],
    /// Bones without a human role: a tail, a prop.
    extras: Vec<Point>,
}

/// The joints of the trunk.
#[derive(Debug, Clone)]
struct Trunk {
    hips: [usize; 2],
    shoulders: [usize; 2],
    spine: Vec<usize>,
}

/// The head, in its joint's frame.
#[derive(Debug, Clone)]
struct Head {
    joint: usize,
    crown: Vec3,
    face: Vec3,
}

impl Trunk {
    fn of(skeleton: &Skeleton) -> Option<Trunk> {
        let pair = |role: Role| {
            Some([skeleton.joint_of(role.on(Side::Left))?, skeleton.joint_of(role.on(Side::Right))?])
        };
        let spine = [Role::Spine, Role::Chest, Role::UpperChest];
        Some(Trunk {
            hips: pair(Role::LeftUpperLeg)?,
            shoulders: pair(Role::LeftUpperArm)?,
            spine: spine.into_iter().filter_map(|role| skeleton.joint_of(role)).collect(),
        })
    }

    fn posed(&self, pose: &WorldPose) -> TrunkFrame {
        let at = |joint: usize| pose.positions[joint];
        TrunkFrame::new(self.hips.map(at), self.shoulders.map(at))
    }

    /// The position at which the trunk bends: the joint of the spine closest to the waist, or a point on the straight line.
    fn waist(&self, pose: &WorldPose, trunk: &TrunkFrame) -> Vec3 {
        const WAIST: f32 = 0.4;
        let length = trunk.pelvis.distance(trunk.shoulders).max(f32::MIN_POSITIVE);
        let off = |&joint: &usize| {
            let at = pose.positions[joint];
            ((trunk.up.dot(at - trunk.pelvis) / length - WAIST).abs(), at)
        };
        let nearest = self.spine.iter().map(off).min_by(|a, b| a.0.total_cmp(&b.0));
        match nearest {
            Some((off, at)) if off < 0.22 => at,
            _ => trunk.pelvis.lerp(trunk.shoulders, WAIST),
        }
    }
}

impl Human {
    /// The body of a clip. `None` if its skeleton lacks a core role.
    pub(crate) fn of(clip: &Clip, actor: usize) -> Option<Human> {
        let skeleton = clip.skeleton();
        if Role::CORE.iter().any(|&role| skeleton.joint_of(role).is_none()) {
            return None;
        }
        let pose = WorldPose::of(skeleton, clip.pose(0));
        let trunk = Trunk::of(skeleton)?;
        let stature_m = stature_m(skeleton, &pose.positions).filter(|size| (1e-3..=1e6).contains(size))?;
        let [left, right] = Side::BOTH;
        Some(Human {
            actor,
            stature_m,
            head: Head::measured(clip, &trunk, stature_m)?,
            arms: [Arm::of(&pose, left, stature_m)?, Arm::of(&pose, right, stature_m)?],
            legs: [Leg::measured(clip, left, stature_m)?, Leg::measured(clip, right, stature_m)?],
            extras: extras(&pose, stature_m),
            trunk,
        })
    }

    /// The direction on the floor that the trunk faces, or of the head if the figure lies down.
    pub(crate) fn heading(&self, pose: &WorldPose) -> Option<Vec3> {
        let trunk = self.trunk.posed(pose);
        let level = |v: Vec3| Vec3::new(v.x, 0.0, v.z);
        let flat = if trunk.up.y.abs() > 0.5 { level(trunk.ahead) } else { level(trunk.up) };
        flat.try_normalize()
    }

    pub(crate) fn build(&self, pose: &WorldPose, solids: &mut Vec<Solid>) {
        let trunk = self.trunk.posed(pose);
        self.build_trunk(pose, &trunk, solids);
        self.build_head(pose, &trunk, solids);
        for arm in &self.arms {
            arm.build(pose, self.stature_m, solids);
        }
        for leg in &self.legs {
            leg.build(pose, &trunk, self.stature_m, solids);
        }
        let thin_m = 0.006 * self.stature_m;
        solids.extend(
            self.extras.iter().map(|&p| stick_figure::stick(pose, p, thin_m, Material::Torso(self.actor))),
        );
    }

    fn build_trunk(&self, pose: &WorldPose, trunk: &TrunkFrame, solids: &mut Vec<Solid>) {
        let s = self.stature_m;
        let waist = self.trunk.waist(pose, trunk);
        let pair = |at: Vec3, apart: f32, radius: f32| {
            [apart, -apart].map(|x| Ball::new(at + trunk.left * x * s, radius * s))
        };
        let waist_balls = pair(waist, 0.028, 0.048);
        let hips = self.trunk.hips.map(|joint| Ball::new(pose.positions[joint], 0.050 * s));
        let pelvis = Solid::hull([hips, waist_balls].concat(), Material::Pelvis(self.actor));
        let below = solids.len();
        solids.push(pelvis.along(waist - trunk.pelvis).anchored(trunk.pelvis));

        let shoulders = self.trunk.shoulders.map(|joint| {
            let at = pose.positions[joint];
            Ball::new(at + 0.16 * (trunk.shoulders - at), 0.034 * s)
        });
        let ribs = pair(waist.lerp(trunk.shoulders, 0.62), 0.034, 0.060);
        let chest = Solid::hull([waist_balls, ribs, shoulders].concat(), Material::Torso(self.actor));
        solids.push(chest.along(trunk.shoulders - waist).continuing(below));
    }

    fn build_head(&self, pose: &WorldPose, trunk: &TrunkFrame, solids: &mut Vec<Solid>) {
        let s = self.stature_m;
        let turn = pose.rotations[self.head.joint];
        let crown = pose.positions[self.head.joint] + turn * self.head.crown;
        let up = (turn * self.head.crown).normalize_or(trunk.up);
        let face = turn * self.head.face;
        let face = (face - up * up.dot(face)).normalize_or(trunk.ahead);
        let left = up.cross(face);
        let on_head = |down: f32, ahead: f32, aside: f32, radius: f32| {
            Ball::new(crown + (face * ahead + left * aside - up * (down + radius)) * s, radius * s)
        };
        let skull = [on_head(0.0, -0.014, 0.0, 0.045), on_head(0.005, 0.010, 0.0, 0.043)];
        let jaw = [0.012, -0.012].map(|aside| on_head(0.076, 0.022, aside, 0.025));
        let nose = [on_head(0.054, 0.044, 0.0, 0.006), on_head(0.071, 0.050, 0.0, 0.008)];

        let material = Material::Torso(self.actor);
        let throat = Ball::new(crown - up * 0.075 * s, 0.029 * s);
        let neck = Solid::capsule(Ball::new(trunk.shoulders, 0.032 * s), throat, material);
        let (chest, head) = (solids.len() - 1, solids.len() + 1);
        solids.push(neck.continuing(chest));
        solids.push(Solid::hull([skull, jaw].concat(), material).lifted(0.02 * s));
        solids.push(Solid::hull(nose.to_vec(), material).along(up).lifted(0.02 * s).continuing(head));
    }
}

impl Head {
    fn measured(clip: &Clip, trunk: &Trunk, stature_m: f32) -> Option<Head> {
        let joint = clip.skeleton().joint_of(Role::Head)?;
        let (mut up, mut face) = (Vec3::ZERO, Vec3::ZERO);
        let (mut above_m, mut count) = (0.0, 0.0);
        for pose in measured_poses(clip) {
            let posed = trunk.posed(&pose);
            let head_from_world = pose.rotations[joint].inverse();
            up += head_from_world * posed.up;
            face += head_from_world * posed.ahead;
            above_m += posed.shoulders.distance(pose.positions[joint]);
            count += 1.0;
        }
        let tips = clip.skeleton().tips().iter().filter(|tip| tip.parent == joint);
        let tip = tips.map(|tip| tip.offset).max_by(|a, b| a.length().total_cmp(&b.length()));
        let tip = tip.filter(|tip| tip.length() > 0.03 * stature_m).unwrap_or(Vec3::ZERO);
        let up = tip.try_normalize().unwrap_or(up.normalize_or(Vec3::Y));
        let crown_m = (HEAD_FRACTION * stature_m - above_m / count).max(0.06 * stature_m).max(tip.length());
        Some(Head { joint, crown: up * crown_m, face: face.normalize_or(Vec3::Z) })
    }
}

/// Poses spread evenly over a clip.
pub(crate) fn measured_poses(clip: &Clip) -> impl Iterator<Item = WorldPose> + '_ {
    let count = clip.frames().min(MEASURED_FRAMES);
    (0..count).map(move |i| WorldPose::of(clip.skeleton(), clip.pose(i * clip.frames() / count)))
}

/// The ends of bones that are not part of a person.
fn extras(pose: &WorldPose, stature_m: f32) -> Vec<Point> {
    let is_extra = extra_joints(pose.skeleton());
    let belongs_to = |point: &Point| match *point {
        Point::Joint(joint) => joint,
        Point::Tip { parent, .. } => parent,
    };
    Point::all(pose)
        .filter(|point| is_extra[belongs_to(point)] && point.bone_m(pose) > 0.004 * stature_m)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::person;

    fn human_and_pose(clip: &Clip, frame: usize) -> (Human, WorldPose) {
        (Human::of(clip, 0).unwrap(), WorldPose::of(clip.skeleton(), clip.pose(frame)))
    }

    #[test]
    fn stature_follows_bone_lengths() {
        let (human, pose) = human_and_pose(&person::standing(3), 0);
        assert!((human.stature_m - 1.7).abs() < 0.01);
        let mut solids = Vec::new();
        human.build(&pose, &mut solids);
        let balls = || solids.iter().flat_map(|solid| &solid.balls);
        let top = balls().map(|ball| ball.at.y + ball.radius_m).fold(0.0, f32::max);
        let bottom = balls().map(|ball| ball.at.y - ball.radius_m).fold(1.0, f32::min);
        assert!((top - 1.7).abs() < 0.02, "{top}");
        assert!(bottom.abs() < 0.01, "{bottom}");
    }

    #[test]
    fn limbs_have_the_colour_of_their_side() {
        let (human, pose) = human_and_pose(&person::walking(40, 30.0), 10);
        let mut solids = Vec::new();
        human.build(&pose, &mut solids);
        let count = |material: Material| solids.iter().filter(|solid| solid.material == material).count();
        assert_eq!(count(Material::Left), count(Material::Right));
        for solid in &solids {
            match solid.material {
                Material::Left => assert!(solid.balls.iter().all(|ball| ball.at.x > 0.0)),
                Material::Right => assert!(solid.balls.iter().all(|ball| ball.at.x < 0.0)),
                _ => {}
            }
        }
    }

    #[test]
    fn the_heading_is_that_of_the_trunk_or_of_the_head_when_lying() {
        let (human, pose) = human_and_pose(&person::walking(40, 30.0), 10);
        assert!(human.heading(&pose).unwrap().distance(Vec3::Z) < 1e-4);
        let mut parts = person::standing(1).into_parts();
        parts.rotations[0] = glam::Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        let prone = Clip::new(person::skeleton(), 30.0, parts).unwrap();
        let (human, pose) = human_and_pose(&prone, 0);
        assert!(human.heading(&pose).unwrap().distance(Vec3::Z) < 1e-4);
    }

    #[test]
    fn bones_without_roles_are_sticks() {
        let body = person::skeleton();
        let mut joints = body.joints().to_vec();
        joints.push(marey_motion::Joint::new("tail", Some(0), -0.4 * Vec3::Z));
        joints.push(marey_motion::Joint::new("twist", Some(0), Vec3::ZERO));
        let with_tail = std::sync::Arc::new(Skeleton::new(joints, body.tips().to_vec()).unwrap());
        let rest = marey_motion::LocalPose::rest(&with_tail);
        let (human, pose) = human_and_pose(&Clip::still(with_tail, 30.0, rest).unwrap(), 0);
        assert_eq!(human.extras, [Point::Joint(19)]);
        let mut solids = Vec::new();
        human.build(&pose, &mut solids);
        assert!(solids.last().unwrap().balls[1].at.z < -0.3);
    }

    #[test]
    fn incomplete_bodies_are_not_people() {
        let body = person::skeleton();
        let roles: Vec<Option<Role>> =
            body.joints().iter().map(|j| j.role.filter(|&role| role != Role::LeftHand)).collect();
        let handless = std::sync::Arc::new(body.with_roles(&roles).unwrap());
        let clip = person::standing(1).with_skeleton(handless).unwrap();
        assert!(Human::of(&clip, 0).is_none());
    }
}
