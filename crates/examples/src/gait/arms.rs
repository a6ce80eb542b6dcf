//! The arms of a walker, which hang and swing opposite to the legs.

use marey_motion::{LocalPose, Quat, Role, Side};
use rand::Rng;

use super::GaitStyle;
use super::travel::Moment;
use super::trunk::Chest;
use crate::figure::{Figure, sign};
use crate::random::{SmoothNoise, normal};

/// Angles of the arm in ordinary walking, in radians.
mod angle {
    /// Abduction from the side of the body.
    pub(super) const ABDUCTION: f64 = 0.13;
    /// Forward angle of the middle of the swing.
    pub(super) const FORWARD: f64 = -0.03;
    /// Amplitude of the swing.
    pub(super) const SWING: f64 = 0.33;
    /// Fold of the elbow in standing.
    pub(super) const ELBOW: f64 = 0.26;
    /// Additional fold of the elbow in walking, and its amplitude.
    pub(super) const ELBOW_WALKING: f64 = 0.16;
    pub(super) const ELBOW_SWING: f64 = 0.22;
    /// Inward rotation of the upper arm.
    pub(super) const INWARDS: f64 = 0.22;
    /// Rotation of the palm towards the back.
    pub(super) const PRONATION: f64 = 0.4;
    /// Curl of the fingers.
    pub(super) const CURL: f64 = 0.4;
}

/// Random variation of the arm swing.
#[derive(Debug, Clone)]
pub(crate) struct Arms {
    style: GaitStyle,
    /// For each side: amplitude of the swing, fold of the elbow, abduction.
    idle_motion: [[SmoothNoise; 3]; 2],
    /// Asymmetry of the arm swing, as in most people.
    preference: f64,
}

impl Arms {
    pub(crate) fn new(style: &GaitStyle, rng: &mut impl Rng) -> Self {
        let idle_motion =
            std::array::from_fn(|_| [6.0, 5.0, 8.0].map(|period_secs| SmoothNoise::new(rng, period_secs)));
        let preference = (0.12 * f64::from(style.variation) * normal(rng)).clamp(-0.3, 0.3);
        Self { style: *style, idle_motion, preference }
    }

    /// Poses shoulders, arms and hands on a chest.
    pub(crate) fn pose(&self, figure: &Figure, moment: &Moment, chest: &Chest, pose: &mut LocalPose) {
        for side in Side::BOTH {
            self.pose_arm(figure, side, moment, chest, pose);
        }
    }

    fn pose_arm(&self, figure: &Figure, side: Side, moment: &Moment, chest: &Chest, pose: &mut LocalPose) {
        let out = f64::from(sign(side));
        let variation = f64::from(self.style.variation);
        let [size, fold, spread] =
            self.idle_motion[side as usize].each_ref().map(|noise| variation * noise.at(moment.secs));
        let amount = f64::from(self.style.arm_swing)
            * moment.stride.abs().min(1.6).powf(1.2).copysign(moment.stride)
            * (1.0 + 0.08 * size + out * self.preference);
        // The left arm is forward when the right heel lands.
        let swing = out * moment.stride_wave(0.06);
        // The forearm lags behind the upper arm.
        let trail = out * moment.stride_wave(0.22);

        let forward = angle::FORWARD + chest.lean_rad + angle::SWING * amount * swing + 0.015 * spread;
        let abduction = angle::ABDUCTION + 0.02 * spread + 0.02 * amount * swing;
        let elbow = angle::ELBOW
            + angle::ELBOW_WALKING * amount.abs().min(1.6)
            + angle::ELBOW_SWING * amount * trail
            + 0.05 * fold;
        let collar = 0.06 * amount * swing;

        let rotate_y = |angle: f64| Quat::from_rotation_y((out * angle) as f32);
        let rotate_z = |angle: f64| Quat::from_rotation_z((out * angle) as f32);
        let rotate_x = |angle: f64| Quat::from_rotation_x(angle as f32);
        // The arm hangs down from the T-pose, then swings. Forward is a negative rotation about X.
        let hang = rotate_z(-(std::f64::consts::FRAC_PI_2 - abduction));
        figure.rotate(pose, Role::LeftShoulder.on(side), rotate_y(-collar) * rotate_z(-0.04));
        figure.rotate(
            pose,
            Role::LeftUpperArm.on(side),
            rotate_x(-forward) * hang * rotate_x(angle::INWARDS),
        );
        figure.rotate(
            pose,
            Role::LeftLowerArm.on(side),
            rotate_y(-elbow.max(0.05)) * rotate_x(angle::PRONATION),
        );
        figure.rotate(
            pose,
            Role::LeftHand.on(side),
            rotate_z(-0.08) * rotate_y(-0.05 * (1.0 + trail * amount)),
        );
        figure.rotate(pose, Role::LeftMiddleProximal.on(side), rotate_z(-(angle::CURL + 0.04 * fold)));
    }
}
