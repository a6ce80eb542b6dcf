//! A person's body.

use glam::Vec3;
use marey_motion::{Role, Side, Skeleton};

use super::extremities::{foot, hand};
use super::loft::{Ring, Station, closed, limb, rounded};
use super::mesh::{Mesh, Weights};
use super::{Rest, sticks};

/// Shares of the stature after Drillis & Contini (1966), as in Winter, "Biomechanics and Motor Control of Human Movement":
/// thigh and shank, upper and lower arm, hips to shoulders, shoulders to crown.
const LEG_SHARE: f32 = 0.491;
const ARM_SHARE: f32 = 0.332;
const TRUNK_SHARE: f32 = 0.288;
const HEAD_SHARE: f32 = 0.182;

/// The trunk, from the crotch to the neck: height as a share of hips to shoulders, half width, half depth, and how far ahead
/// of the line, as shares of the stature.
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

/// The head, from chin to crown: height as a share of it, half width, half depth and how far ahead, as shares of the stature.
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

/// How tall a head is, as a share of the stature.
const HEAD_HEIGHT: f32 = 0.130;

/// The skeleton of a person, measured at rest.
pub(super) struct Human<'a> {
    rest: &'a Rest<'a>,
    pub(super) stature_m: f32,
    pub(super) axes: Axes,
    pelvis: Vec3,
    shoulders: Vec3,
}

/// Which way a body stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axes {
    pub(super) up: Vec3,
    pub(super) left: Vec3,
    pub(super) ahead: Vec3,
}

impl<'a> Human<'a> {
    /// Measures a skeleton that has every role of a whole human; `None` for any other, or one without size.
    pub(super) fn of(rest: &'a Rest<'a>) -> Option<Self> {
        let at = |role: Role| Some(rest.at(rest.skeleton.joint_of(role)?));
        if Role::CORE.iter().any(|role| at(*role).is_none()) {
            return None;
        }
        let middle = |role: Role| Some((at(role)? + at(role.mirrored())?) * 0.5);
        let across = |role: Role| Some(at(role)? - at(role.mirrored())?);
        let (pelvis, shoulders) = (middle(Role::LeftUpperLeg)?, middle(Role::LeftUpperArm)?);
        let up = (shoulders - pelvis).try_normalize()?;
        let left = across(Role::LeftUpperLeg)? + across(Role::LeftUpperArm)?;
        let left = (left - up * up.dot(left)).try_normalize()?;
        let axes = Axes { up, left, ahead: left.cross(up) };
        let length_m = |[a, b, c]: [Role; 3]| Some(at(a)?.distance(at(b)?) + at(b)?.distance(at(c)?));
        let leg_m = length_m([Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot])?;
        let arm_m = length_m([Role::LeftUpperArm, Role::LeftLowerArm, Role::LeftHand])?;
        let sum_m = leg_m + arm_m + pelvis.distance(shoulders);
        let stature_m = sum_m / (LEG_SHARE + ARM_SHARE + TRUNK_SHARE);
        (1e-2..=1e4).contains(&stature_m).then_some(Self { rest, stature_m, axes, pelvis, shoulders })
    }

    pub(super) fn skeleton(&self) -> &Skeleton {
        self.rest.skeleton
    }

    pub(super) fn rest(&self) -> &Rest<'_> {
        self.rest
    }

    /// The joint of a role, and where it is.
    pub(super) fn joint(&self, role: Role) -> Option<(usize, Vec3)> {
        let joint = self.skeleton().joint_of(role)?;
        Some((joint, self.rest.at(joint)))
    }

    /// Adds the whole body: what is clothed, and what is bare.
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
            sticks::rod(self.rest, joint, end, size_m, suit);
        }
    }

    fn trunk(&self, mesh: &mut Mesh) {
        let (s, length_m) = (self.stature_m, self.pelvis.distance(self.shoulders));
        let spine = Spine::of(self);
        let hip_m = self.joint(Role::LeftUpperLeg).map_or(0.0, |(_, at)| at.distance(self.pelvis));
        let arm_m = self.joint(Role::LeftUpperArm).map_or(0.0, |(_, at)| at.distance(self.shoulders));
        let rings: Vec<Ring> = TRUNK
            .iter()
            .map(|[height, wide, deep, ahead]| {
                let height_m = height * length_m;
                // Hips that are far apart need a pelvis around them, and shoulders a chest between them.
                let least_m = if *height < 0.3 {
                    hip_m + 0.03 * s
                } else if (0.6..0.95).contains(height) {
                    arm_m - 0.024 * s
                } else {
                    0.0
                };
                let wide_m = (wide * s).max(least_m);
                let at = self.pelvis + self.axes.up * height_m + self.axes.ahead * *ahead * s;
                Ring::new(at, self.axes.left * wide_m, self.axes.ahead * *deep * s, spine.weights(height_m))
            })
            .collect();
        rounded(mesh, &rings, 0.5);
    }

    /// From the neck over the collar bone to the shoulder.
    fn yoke(&self, mesh: &mut Mesh, side: Side) {
        let Some((arm, shoulder)) = self.joint(Role::LeftUpperArm.on(side)) else { return };
        let (s, chest) = (self.stature_m, Spine::of(self).last());
        let collar = self.skeleton().joint_of(Role::LeftShoulder.on(side)).unwrap_or(chest);
        let neck = self.shoulders + (self.axes.up * 0.026 - self.axes.ahead * 0.006) * s;
        let station = |share: f32, sunk: f32, [tall, deep]: [f32; 2], weights| Station {
            at: neck.lerp(shoulder, share) - self.axes.up * sunk * s,
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
        let (s, Axes { up, left, ahead }) = (self.stature_m, self.axes);
        let tips = self.rest.tips.iter().filter(|(parent, _)| *parent == head).map(|(_, tip)| *tip - at);
        let tip_m = tips.map(|tip| tip.dot(up)).fold(0.0, f32::max);
        let above_m = (at - self.shoulders).dot(up);
        let crown_m = (HEAD_SHARE * s - above_m).max(0.06 * s).max(tip_m).min(0.2 * s);
        let chin = at + up * (crown_m - HEAD_HEIGHT * s);
        let weights = Weights::all(head);
        let on_head = |height: f32, ahead_of: f32| chin + (up * height * HEAD_HEIGHT + ahead * ahead_of) * s;
        let ring = |[height, wide, deep, forth]: &[f32; 4]| {
            Ring::new(on_head(*height, *forth), left * *wide * s, ahead * *deep * s, weights)
        };
        let rings: Vec<Ring> = HEAD.iter().map(ring).collect();
        closed(mesh, &rings, [on_head(0.0, 0.022), on_head(1.0, -0.004)]);
        let nose = |height: f32, forth: f32, radius: f32| Station {
            at: on_head(height, forth),
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
        let base = self.shoulders + (self.axes.up * 0.005 - self.axes.ahead * 0.006) * s;
        let station = |share: f32, radius: f32, weights| Station {
            at: base.lerp(top, share),
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

    /// A limb of two bones, with its thicknesses.
    fn limb(&self, mesh: &mut Mesh, roles: [Role; 3], shape: &[(f32, [f32; 2])]) {
        let [Some((upper, a)), Some((lower, b)), Some((_, c))] = roles.map(|role| self.joint(role)) else {
            return;
        };
        let bend = 0.12;
        let station = |(share, [wide, deep]): &(f32, [f32; 2])| {
            let at = if *share <= 1.0 { a.lerp(b, *share) } else { b.lerp(c, share - 1.0) };
            let weights = Weights::between(upper, lower, (share - 1.0 + bend) / (2.0 * bend));
            Station { at, radii_m: [wide * self.stature_m, deep * self.stature_m], weights }
        };
        let stations: Vec<Station> = shape.iter().map(station).collect();
        limb(mesh, &stations, self.axes.ahead);
    }

    /// Bones that no person has: tails, props, skirts.
    fn extras(&self) -> Vec<(usize, Vec3)> {
        let joints = self.skeleton().joints();
        let ends_limb = |role: Role| {
            matches!(role, Role::Head | Role::LeftHand | Role::RightHand | Role::LeftFoot | Role::RightFoot)
        };
        let mut drawn = vec![false; joints.len()];
        for (joint, data) in joints.iter().enumerate() {
            let above = data.parent.and_then(|parent| drawn.get(parent).copied()).unwrap_or(false);
            if let Some(slot) = drawn.get_mut(joint) {
                *slot = above || data.role.is_some_and(ends_limb);
            }
        }
        let mut leads = vec![false; joints.len()];
        for (joint, data) in joints.iter().enumerate().rev() {
            let here = leads.get(joint).copied().unwrap_or(false) || data.role.is_some();
            for slot in [Some(joint), data.parent].into_iter().flatten() {
                if let Some(slot) = leads.get_mut(slot) {
                    *slot |= here;
                }
            }
        }
        let is_extra = |joint: usize| leads.get(joint) == Some(&false) && drawn.get(joint) == Some(&false);
        let bones = joints.iter().enumerate().filter(|(joint, _)| is_extra(*joint));
        let bones = bones.filter_map(|(joint, data)| Some((data.parent?, self.rest.at(joint))));
        bones.chain(self.rest.tips.iter().copied().filter(|(joint, _)| is_extra(*joint))).collect()
    }
}

/// Half width and half depth along an arm: 0 at the shoulder, 1 at the elbow, 2 at the wrist; as shares of the stature.
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

/// The joints of the trunk, from the hips up, each with how far above the middle of the hips it is.
struct Spine {
    joints: Vec<(usize, f32)>,
}

impl Spine {
    /// From the joint that both arms hang from down to the hips.
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
        let height_m = |joint: usize| (human.rest.at(joint) - human.pelvis).dot(human.axes.up);
        Self { joints: path.into_iter().map(|joint| (joint, height_m(joint))).collect() }
    }

    /// The uppermost.
    fn last(&self) -> usize {
        self.joints.last().map_or(0, |(joint, _)| *joint)
    }

    /// What moves with a height: each joint all of what is in the middle between it and the next, and shares in between.
    fn weights(&self, height_m: f32) -> Weights {
        let next =
            |index: usize| self.joints.get(index + 1).or(self.joints.last()).map_or(0.0, |(_, at)| *at);
        let mut below: Option<(usize, f32)> = None;
        for (index, (joint, at)) in self.joints.iter().enumerate() {
            let middle = 0.5 * (at + next(index));
            if height_m <= middle {
                let Some((lower, from)) = below else { return Weights::all(*joint) };
                let share = (height_m - from) / (middle - from).max(f32::MIN_POSITIVE);
                return Weights::between(lower, *joint, share * share * (3.0 - 2.0 * share));
            }
            below = Some((*joint, middle));
        }
        Weights::all(self.last())
    }
}
