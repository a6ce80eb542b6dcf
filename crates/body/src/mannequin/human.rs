//! The mesh of a person.

use glam::Vec3;
use marey_motion::{Role, Side, Skeleton, smoothstep};

use super::extremities::{foot, hand};
use super::loft::{Ring, Station, closed, limb, rounded};
use super::mesh::{Mesh, Weights};
use super::rods;
use crate::{HEAD_FRACTION, RestSkeleton, TrunkFrame, extra_joints, stature_m};

/// The trunk from the crotch to the neck: height as a fraction of the distance from hips to shoulders; half width, half depth and
/// offset ahead as fractions of the stature.
const TRUNK: [[f32; 4]; 9] = [
    [-0.10, 0.070, 0.050, 0.000],
    [0.02, 0.088, 0.060, -0.002],
    [0.16, 0.086, 0.058, -0.002],
    [0.38, 0.073, 0.048, 0.002],
    [0.52, 0.074, 0.049, 0.004],
    [0.72, 0.086, 0.057, 0.006],
    [0.88, 0.092, 0.055, 0.004],
    [1.00, 0.080, 0.044, -0.004],
    [1.08, 0.050, 0.035, -0.006],
];

/// The head from chin to crown: height as a fraction of the head's; half width, half depth and offset ahead as fractions of the
/// stature.
const HEAD: [[f32; 4]; 8] = [
    [0.03, 0.016, 0.017, 0.022],
    [0.12, 0.027, 0.031, 0.014],
    [0.30, 0.036, 0.044, 0.006],
    [0.48, 0.042, 0.052, 0.000],
    [0.66, 0.044, 0.055, -0.003],
    [0.82, 0.039, 0.049, -0.004],
    [0.93, 0.027, 0.034, -0.004],
    [0.985, 0.013, 0.016, -0.004],
];

/// The height of the head as a fraction of the stature.
const HEAD_HEIGHT: f32 = 0.130;

/// The skeleton of a person at rest, with its measures.
pub(super) struct Human<'a> {
    rest: &'a RestSkeleton<'a>,
    pub(super) stature_m: f32,
    pub(super) axes: TrunkFrame,
}

impl<'a> Human<'a> {
    /// Measures a skeleton; `None` if it lacks a role of a whole human, or if it has no size.
    pub(super) fn of(rest: &'a RestSkeleton<'a>) -> Option<Self> {
        if Role::CORE.iter().any(|role| rest.skeleton.joint_of(*role).is_none()) {
            return None;
        }
        let axes = TrunkFrame::of(rest.skeleton, &rest.positions)?;
        let stature_m = stature_m(rest.skeleton, &rest.positions)?;
        let has_trunk = axes.pelvis.distance_squared(axes.shoulders) > 0.0;
        (has_trunk && (1e-2..=1e4).contains(&stature_m)).then_some(Self { rest, stature_m, axes })
    }

    pub(super) fn skeleton(&self) -> &Skeleton {
        self.rest.skeleton
    }

    pub(super) fn rest(&self) -> &RestSkeleton<'_> {
        self.rest
    }

    /// The joint of a role, and its position.
    pub(super) fn joint(&self, role: Role) -> Option<(usize, Vec3)> {
        let joint = self.skeleton().joint_of(role)?;
        Some((joint, self.rest.at(joint)))
    }

    /// Adds the whole body: clothed parts to `suit`, head and hands to `skin`.
    pub(super) fn build(&self, suit: &mut Mesh, skin: &mut Mesh) {
        self.trunk(suit);
        self.head(skin);
        for side in Side::BOTH {
            self.yoke(suit, side);
            let arm = [Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand].map(|role| role.on(side));
            self.limb(suit, arm, &ARM);
            let leg = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot].map(|role| role.on(side));
            self.limb(suit, leg, &LEG);
            hand(self, side, skin);
            foot(self, side, suit);
        }
        let size_m = self.stature_m;
        for (joint, end) in self.extras() {
            rods::rod(self.rest, joint, end, size_m, suit);
        }
    }

    fn trunk(&self, mesh: &mut Mesh) {
        let (s, length_m) = (self.stature_m, self.axes.pelvis.distance(self.axes.shoulders));
        let spine = Spine::of(self);
        let hip_m = self.joint(Role::LeftUpperLeg).map_or(0.0, |(_, at)| at.distance(self.axes.pelvis));
        let arm_m = self.joint(Role::LeftUpperArm).map_or(0.0, |(_, at)| at.distance(self.axes.shoulders));
        let rings: Vec<Ring> = TRUNK
            .iter()
            .map(|[height, wide, deep, ahead]| {
                let height_m = height * length_m;
                // The pelvis encloses hips that are far apart, and the chest reaches shoulders that are far apart.
                let min_m = if *height < 0.3 {
                    hip_m + 0.03 * s
                } else if (0.6..0.95).contains(height) {
                    arm_m - 0.024 * s
                } else {
                    0.0
                };
                let wide_m = (wide * s).max(min_m);
                let at = self.axes.pelvis + self.axes.up * height_m + self.axes.ahead * *ahead * s;
                Ring::new(at, self.axes.left * wide_m, self.axes.ahead * *deep * s, spine.weights(height_m))
            })
            .collect();
        rounded(mesh, &rings, 0.5);
    }

    /// Adds the shoulder girdle: from the neck along the collar bone to the shoulder.
    fn yoke(&self, mesh: &mut Mesh, side: Side) {
        let Some((arm, shoulder)) = self.joint(Role::LeftUpperArm.on(side)) else { return };
        let (s, chest) = (self.stature_m, Spine::of(self).last());
        let collar = self.skeleton().joint_of(Role::LeftShoulder.on(side)).unwrap_or(chest);
        let neck = self.axes.shoulders + (self.axes.up * 0.026 - self.axes.ahead * 0.006) * s;
        let station = |fraction: f32, sunk: f32, [tall, deep]: [f32; 2], weights| Station {
            at: neck.lerp(shoulder, fraction) - self.axes.up * sunk * s,
            radii_m: [tall * s, deep * s],
            weights,
        };
        let stations = [
            station(0.1, 0.018, [0.032, 0.036], Weights::all(chest)),
            station(0.45, 0.020, [0.034, 0.040], Weights::between(chest, collar, 0.5)),
            station(0.8, 0.010, [0.035, 0.038], Weights::all(collar)),
            station(0.97, 0.003, [0.034, 0.035], Weights::between(collar, arm, 0.5)),
        ];
        limb(mesh, &stations, self.axes.up);
    }

    fn head(&self, mesh: &mut Mesh) {
        let Some((head, at)) = self.joint(Role::Head) else { return };
        let (s, TrunkFrame { up, left, ahead, .. }) = (self.stature_m, self.axes);
        let tips = self.rest.tips.iter().filter(|(parent, _)| *parent == head).map(|(_, tip)| *tip - at);
        let tip_m = tips.map(|tip| tip.dot(up)).fold(0.0, f32::max);
        let above_m = (at - self.axes.shoulders).dot(up);
        let crown_m = (HEAD_FRACTION * s - above_m).max(0.06 * s).max(tip_m).min(0.2 * s);
        let chin = at + up * (crown_m - HEAD_HEIGHT * s);
        let weights = Weights::all(head);
        let on_head = |height: f32, ahead_of: f32| chin + (up * height * HEAD_HEIGHT + ahead * ahead_of) * s;
        let ring = |[height, wide, deep, offset]: &[f32; 4]| {
            Ring::new(on_head(*height, *offset), left * *wide * s, ahead * *deep * s, weights)
        };
        let rings: Vec<Ring> = HEAD.iter().map(ring).collect();
        closed(mesh, &rings, [on_head(0.0, 0.022), on_head(1.0, -0.004)]);
        let nose = |height: f32, offset: f32, radius: f32| Station {
            at: on_head(height, offset),
            radii_m: [radius * s, radius * s],
            weights,
        };
        limb(mesh, &[nose(0.50, 0.049, 0.0045), nose(0.40, 0.054, 0.0065), nose(0.35, 0.054, 0.0075)], left);
        self.neck(mesh, head, chin + (up * 0.045 - ahead * 0.004) * s);
    }

    fn neck(&self, mesh: &mut Mesh, head: usize, top: Vec3) {
        let s = self.stature_m;
        let chest = Spine::of(self).last();
        let neck = self.skeleton().joint_of(Role::Neck).unwrap_or(head);
        let base = self.axes.shoulders + (self.axes.up * 0.005 - self.axes.ahead * 0.006) * s;
        let station = |fraction: f32, radius: f32, weights| Station {
            at: base.lerp(top, fraction),
            radii_m: [radius * s, radius * s],
            weights,
        };
        let stations = [
            station(0.0, 0.036, Weights::between(chest, neck, 0.3)),
            station(0.35, 0.031, Weights::all(neck)),
            station(0.7, 0.029, Weights::between(neck, head, 0.5)),
            station(1.0, 0.030, Weights::all(head)),
        ];
        limb(mesh, &stations, self.axes.left);
    }

    /// Adds a limb of two bones with the given thicknesses.
    fn limb(&self, mesh: &mut Mesh, roles: [Role; 3], shape: &[(f32, [f32; 2])]) {
        let [Some((upper, a)), Some((lower, b)), Some((_, c))] = roles.map(|role| self.joint(role)) else {
            return;
        };
        let bend = 0.12;
        let station = |(fraction, [wide, deep]): &(f32, [f32; 2])| {
            let at = if *fraction <= 1.0 { a.lerp(b, *fraction) } else { b.lerp(c, fraction - 1.0) };
            let weights = Weights::between(upper, lower, (fraction - 1.0 + bend) / (2.0 * bend));
            Station { at, radii_m: [wide * self.stature_m, deep * self.stature_m], weights }
        };
        let stations: Vec<Station> = shape.iter().map(station).collect();
        limb(mesh, &stations, self.axes.ahead);
    }

    /// Each bone that no person has: the joint it starts from, and its end.
    fn extras(&self) -> Vec<(usize, Vec3)> {
        let extra = extra_joints(self.skeleton());
        let is_extra = |joint: usize| extra.get(joint) == Some(&true);
        let joints = self.skeleton().joints().iter().enumerate().filter(|(joint, _)| is_extra(*joint));
        let bones = joints.filter_map(|(joint, data)| Some((data.parent?, self.rest.at(joint))));
        bones.chain(self.rest.tips.iter().copied().filter(|(joint, _)| is_extra(*joint))).collect()
    }
}

/// Half width and half depth along an arm: 0 at the shoulder, 1 at the elbow, 2 at the wrist; as fractions of the stature.
const ARM: [(f32, [f32; 2]); 10] = [
    (0.0, [0.034, 0.034]),
    (0.2, [0.035, 0.033]),
    (0.5, [0.031, 0.030]),
    (0.86, [0.026, 0.025]),
    (1.0, [0.0245, 0.0245]),
    (1.14, [0.026, 0.0255]),
    (1.3, [0.0265, 0.026]),
    (1.6, [0.022, 0.020]),
    (1.9, [0.018, 0.014]),
    (2.0, [0.017, 0.014]),
];

/// The same along a leg: 0 at the hip, 1 at the knee, 2 at the ankle. Width is ahead and back.
const LEG: [(f32, [f32; 2]); 10] = [
    (0.0, [0.056, 0.050]),
    (0.2, [0.056, 0.050]),
    (0.5, [0.049, 0.044]),
    (0.85, [0.038, 0.035]),
    (1.0, [0.036, 0.033]),
    (1.14, [0.036, 0.032]),
    (1.32, [0.038, 0.034]),
    (1.6, [0.031, 0.028]),
    (1.9, [0.022, 0.020]),
    (2.0, [0.022, 0.020]),
];

/// The joints of the trunk from the hips up, each with its height above the pelvis.
struct Spine {
    joints: Vec<(usize, f32)>,
}

impl Spine {
    /// The joints between the hips and the joint that both arms branch from.
    fn of(human: &Human<'_>) -> Self {
        let skeleton = human.skeleton();
        let up = |joint: usize| {
            std::iter::successors(Some(joint), |joint| {
                skeleton.joints().get(*joint).and_then(|data| data.parent)
            })
        };
        let joint = |role: Role| skeleton.joint_of(role).unwrap_or(0);
        let (left, right) = (joint(Role::LeftUpperArm), joint(Role::RightUpperArm));
        let chest = up(left).find(|above| skeleton.is_under(right, *above)).unwrap_or(0);
        let hips = joint(Role::Hips);
        let mut path: Vec<usize> = up(chest).take_while(|above| *above != hips).collect();
        path.push(hips);
        path.reverse();
        let height_m = |joint: usize| (human.rest.at(joint) - human.axes.pelvis).dot(human.axes.up);
        Self { joints: path.into_iter().map(|joint| (joint, height_m(joint))).collect() }
    }

    /// The uppermost joint.
    fn last(&self) -> usize {
        self.joints.last().map_or(0, |(joint, _)| *joint)
    }

    /// The weights at a height: each joint has full weight at the middle of its bone, with a smooth blend in between.
    fn weights(&self, height_m: f32) -> Weights {
        let next =
            |index: usize| self.joints.get(index + 1).or(self.joints.last()).map_or(0.0, |(_, at)| *at);
        let mut below: Option<(usize, f32)> = None;
        for (index, (joint, at)) in self.joints.iter().enumerate() {
            let middle = 0.5 * (at + next(index));
            if height_m <= middle {
                let Some((lower, from)) = below else { return Weights::all(*joint) };
                let fraction = (height_m - from) / (middle - from).max(f32::MIN_POSITIVE);
                return Weights::between(lower, *joint, smoothstep(fraction));
            }
            below = Some((*joint, middle));
        }
        Weights::all(self.last())
    }
}
