//! Arms: they hang, and swing against the legs.

use marey_motion::{LocalPose, Quat, Role, Side};
use rand::Rng;

use super::GaitStyle;
use super::travel::Moment;
use super::trunk::Chest;
use crate::figure::Figure;
use crate::figure::sign;
use crate::wander::{Wander, normal};

/// Angles of an ordinary arm, in radians.
mod angle {
    /// From the side of the body outwards.
    pub(super) const ABDUCTION: f64 = 0.13;
    /// Forward of hanging straight, the middle of the swing.
    pub(super) const FORWARD: f64 = -0.03;
    /// The swing each way.
    pub(super) const SWING: f64 = 0.33;
    /// The elbow's fold in standing.
    pub(super) const ELBOW: f64 = 0.26;
    /// What walking adds to the elbow's fold, and how far it swings each way.
    pub(super) const ELBOW_GOING: f64 = 0.16;
    pub(super) const ELBOW_SWING: f64 = 0.22;
    /// The upper arm turned inwards.
    pub(super) const INWARDS: f64 = 0.22;
    /// The palm turned towards the back.
    pub(super) const PRONATION: f64 = 0.4;
    /// The fingers' curl.
    pub(super) const CURL: f64 = 0.4;
}

/// What moves the arms beyond the steps.
#[derive(Debug, Clone)]
pub(crate) struct Arms {
    style: GaitStyle,
    /// For each side: size of the swing, fold of the elbow, abduction.
    whims: [[Wander; 3]; 2],
    /// How much more one arm swings than the other, as in most people.
    preference: f64,
}

impl Arms {
    pub(crate) fn new(style: &GaitStyle, rng: &mut impl Rng) -> Self {
        let whims = std::array::from_fn(|_| [6.0, 5.0, 8.0].map(|period_secs| Wander::new(rng, period_secs)));
        let preference = (0.12 * f64::from(style.variation) * normal(rng)).clamp(-0.3, 0.3);
        Self { style: *style, whims, preference }
    }

    /// Poses shoulders, arms and hands on a chest.
    pub(crate) fn pose(&self, figure: &Figure, moment: &Moment, chest: &Chest, pose: &mut LocalPose) {
        for side in Side::BOTH {
            self.pose_arm(figure, side, moment, chest, pose);
        }
    }

    fn pose_arm(&self, figure: &Figure, side: Side, moment: &Moment, chest: &Chest, pose: &mut LocalPose) {
        let out = f64::from(sign(side));
        let alive = f64::from(self.style.variation);
        let [size, fold, spread] =
            self.whims[side as usize].each_ref().map(|whim| alive * whim.at(moment.secs));
        let amount = f64::from(self.style.arm_swing)
            * moment.vigour.abs().min(1.6).powf(1.2).copysign(moment.vigour)
            * (1.0 + 0.08 * size + out * self.preference);
        // The left arm is ahead when the right heel comes down.
        let swing = out * moment.stride_wave(0.06);
        // The forearm trails the upper arm.
        let trail = out * moment.stride_wave(0.22);

        let forward = angle::FORWARD + chest.lean_rad + angle::SWING * amount * swing + 0.015 * spread;
        let abduction = angle::ABDUCTION + 0.02 * spread + 0.02 * amount * swing;
        let elbow = angle::ELBOW
            + angle::ELBOW_GOING * amount.abs().min(1.6)
            + angle::ELBOW_SWING * amount * trail
            + 0.05 * fold;
        let collar = 0.06 * amount * swing;

        let rotate_y = |angle: f64| Quat::from_rotation_y((out * angle) as f32);
        let rotate_z = |angle: f64| Quat::from_rotation_z((out * angle) as f32);
        let rotate_x = |angle: f64| Quat::from_rotation_x(angle as f32);
        // The arm hangs down from the T-pose, then swings; forward is a turn against X.
        let hang = rotate_z(-(std::f64::consts::FRAC_PI_2 - abduction));
        figure.turn(pose, Role::LeftShoulder.on(side), rotate_y(-collar) * rotate_z(-0.04));
        figure.turn(pose, Role::LeftUpperArm.on(side), rotate_x(-forward) * hang * rotate_x(angle::INWARDS));
        figure.turn(
            pose,
            Role::LeftLowerArm.on(side),
            rotate_y(-elbow.max(0.05)) * rotate_x(angle::PRONATION),
        );
        figure.turn(
            pose,
            Role::LeftHand.on(side),
            rotate_z(-0.08) * rotate_y(-0.05 * (1.0 + trail * amount)),
        );
        figure.turn(pose, Role::LeftMiddleProximal.on(side), rotate_z(-(angle::CURL + 0.04 * fold)));
    }
}
