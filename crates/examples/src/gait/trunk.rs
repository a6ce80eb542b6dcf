//! Spine, neck and head. The shoulders rotate against the hips. The head stays level and looks in the direction of travel.

use marey_motion::{LocalPose, Quat};
use rand::Rng;

use super::pelvis::{PelvisPose, banking_rad};
use super::travel::Moment;
use super::{GaitStyle, Travel};
use crate::figure::Figure;
use crate::random::SmoothNoise;

/// Time by which the gaze leads the body.
const LOOK_AHEAD_SECS: f64 = 0.4;

/// Random variation of trunk and head.
#[derive(Debug, Clone)]
pub(crate) struct Trunk {
    style: GaitStyle,
    /// Lean, twist and tilt.
    idle_motion: [SmoothNoise; 3],
    /// Yaw and pitch of the gaze.
    glance: [SmoothNoise; 2],
}

/// World rotation of the chest, and its lean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chest {
    pub(crate) rotation: Quat,
    /// Forward.
    pub(crate) lean_rad: f64,
}

impl Trunk {
    pub(crate) fn new(style: &GaitStyle, rng: &mut impl Rng) -> Self {
        Self {
            style: *style,
            idle_motion: [4.0, 5.0, 7.0].map(|period_secs| SmoothNoise::new(rng, period_secs)),
            glance: [9.0, 7.0].map(|period_secs| SmoothNoise::new(rng, period_secs)),
        }
    }

    /// Poses spine, neck and head over a pelvis.
    pub(crate) fn pose(
        &self,
        figure: &Figure,
        travel: &Travel,
        moment: &Moment,
        pelvis: &PelvisPose,
        pose: &mut LocalPose,
    ) -> Chest {
        let chest = self.chest(moment);
        figure.rotate_spine(pose, pelvis.rotation, chest.rotation);
        figure.rotate_head(pose, chest.rotation, self.head(travel, moment));
        chest
    }

    fn chest(&self, moment: &Moment) -> Chest {
        let variation = f64::from(self.style.variation);
        let [lean_noise, turn_noise, tip_noise] =
            self.idle_motion.each_ref().map(|noise| variation * noise.at(moment.secs));
        let twist = f64::from(self.style.twist) * moment.stride;
        let yaw = moment.heading_rad - 0.075 * twist * moment.stride_wave(0.05) + 0.015 * turn_noise;
        let roll = 0.014 * moment.stride * moment.side_wave(0.1) + banking_rad(moment) + 0.006 * tip_noise;
        // Leans forward to start and back to stop, and nods slightly with each step.
        let lean_rad = f64::from(self.style.lean_rad) * (0.5 + 0.5 * moment.stride.min(1.3))
            + (0.035 * moment.acceleration_mps2).clamp(-0.08, 0.08)
            + 0.014 * moment.stride * moment.step_wave(0.55)
            + 0.008 * lean_noise;
        let rotation = Quat::from_rotation_y(yaw as f32)
            * Quat::from_rotation_z(roll as f32)
            * Quat::from_rotation_x(lean_rad as f32);
        Chest { rotation, lean_rad }
    }

    fn head(&self, travel: &Travel, moment: &Moment) -> Quat {
        let variation = f64::from(self.style.variation);
        let ahead = travel.heading_at(moment.secs + LOOK_AHEAD_SECS) - moment.heading_rad;
        let yaw =
            moment.heading_rad + ahead.clamp(-0.7, 0.7) + 0.07 * variation * self.glance[0].at(moment.secs);
        // The head pitches against the rise of the body, so that the gaze stays on one point.
        let pitch = 0.06
            + 0.018 * moment.stride * moment.step_wave(0.0)
            + 0.03 * variation * self.glance[1].at(moment.secs);
        let roll = 0.3 * banking_rad(moment);
        Quat::from_rotation_y(yaw as f32)
            * Quat::from_rotation_z(roll as f32)
            * Quat::from_rotation_x(pitch as f32)
    }
}
