//! A figure that follows footsteps.

use marey_motion::{Clip, ClipParts, LocalPose, Role, Side};
use rand::Rng;

use super::arms::Arms;
use super::leg::pose_leg;
use super::pelvis::Pelvis;
use super::trunk::Trunk;
use super::{Feet, Footsteps, GaitStyle, Travel};
use crate::figure::Figure;
use crate::random::SmoothNoise;

/// A walk as a function of time, independent of the frame rate.
#[derive(Debug, Clone)]
pub(crate) struct Performer {
    figure: Figure,
    travel: Travel,
    feet: Feet,
    pelvis: Pelvis,
    trunk: Trunk,
    arms: Arms,
}

impl Performer {
    pub(crate) fn new(
        figure: Figure,
        footsteps: &Footsteps,
        style: &GaitStyle,
        duration_secs: f64,
        rng: &mut impl Rng,
    ) -> Self {
        let travel = Travel::over(footsteps, duration_secs);
        let feet = Feet::of(footsteps, &figure, f64::from(style.roll));
        let idle = [7.0, 6.0, 8.0].map(|period_secs| SmoothNoise::new(rng, period_secs));
        let pelvis = Pelvis::over(&travel, &feet, &figure, style, idle, duration_secs);
        Self { travel, feet, pelvis, trunk: Trunk::new(style, rng), arms: Arms::new(style, rng), figure }
    }

    /// Samples the walk.
    pub(crate) fn record(&self, rate_hz: f64, frames: usize) -> Result<Clip, marey_motion::MotionError> {
        let mut parts = ClipParts::default();
        let mut pose = LocalPose::rest(&self.figure.skeleton);
        for frame in 0..frames {
            self.pose_at(frame as f64 / rate_hz, &mut pose);
            parts.push(pose.view());
        }
        Clip::new(self.figure.skeleton.clone(), rate_hz, parts)
    }

    fn pose_at(&self, secs: f64, pose: &mut LocalPose) {
        let moment = self.travel.at(secs);
        let pelvis = self.pelvis.at(&moment);
        pose.positions[0] = pelvis.position;
        self.figure.rotate(pose, Role::Hips, pelvis.rotation);
        let chest = self.trunk.pose(&self.figure, &self.travel, &moment, &pelvis, pose);
        self.arms.pose(&self.figure, &moment, &chest, pose);
        for side in Side::BOTH {
            pose_leg(&self.figure, side, &pelvis, &self.feet.at(side, secs), pose);
        }
    }
}
