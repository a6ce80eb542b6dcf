//! Section 5 of the paper: the motion of the centre of mass, and the orientation of the body.

use glam::{Quat, Vec3};

use super::PerformSession;
use crate::engage::EngageBy;
use crate::simulation::STEPS_HZ;
use crate::spin::Flight;
use crate::water;

impl PerformSession {
    /// Section 5.
    pub(super) fn simulate(&mut self, secs: f32) {
        let yaw_rad = self.spin.yaw_rad() + self.performed.yaw_rad;
        let step_secs = 1.0 / STEPS_HZ;
        self.ahead_secs += secs;
        let steps = (self.ahead_secs / step_secs) as usize;
        for step in 0..steps {
            self.centre_before = self.simulation.centre();
            let share = (step + 1) as f32 / steps as f32;
            let push = self.push_of_water(yaw_rad);
            self.simulation.step(share, yaw_rad, push);
        }
        self.ahead_secs -= steps as f32 * step_secs;
        self.now.centre = self.centre_before.lerp(self.simulation.centre(), self.ahead_secs / step_secs);
        if steps == 0 || self.ahead_secs < 1e-6 {
            self.now.centre = self.simulation.centre();
        }
        self.now.velocity = self.simulation.velocity();
        let finish = self.world.finish;
        self.now.finished |=
            finish.is_some_and(|finish| finish.at.distance(self.now.centre) <= finish.radius_m);
    }

    /// The acceleration by water, if there is any, in m/s².
    fn push_of_water(&self, yaw_rad: f32) -> Vec3 {
        let feature = self.now.water.map(|number| &self.world.features[number]);
        let Some((feature, water)) = feature.and_then(|feature| Some((feature, feature.dynamics.water?)))
        else {
            return Vec3::ZERO;
        };
        let hands = [0, 1].map(|slot| self.spin.turn * self.performed.rate[slot]);
        let velocity = self.simulation.velocity();
        let immersed = water::immersed(feature.geometry.above_m(self.simulation.centre()));
        water::acceleration(&water, immersed, self.world.gravity_mps2, velocity, hands, yaw_rad)
    }

    /// The orientation: upright while something is held, spinning freely in flight.
    pub(super) fn turn(&mut self, secs: f32) {
        let holding = self.simulation.holds.iter().any(Option::is_some) || self.now.water.is_some();
        if holding {
            self.spin.settle(secs);
        } else {
            if !self.now.flies {
                self.spin.leave(self.performed.lately * self.left_spin());
            }
            let flight = Flight {
                inertia: self.performed.inertia(&self.body),
                own: self.performed.own,
                secs,
                lands_secs: self.lands_secs(),
            };
            self.spin.fly(&flight);
        }
        self.now.yaw_rad = self.spin.yaw_rad() + self.performed.yaw_rad;
        self.aloft_secs = if holding { 0.0 } else { self.aloft_secs + secs };
        self.now.flies = !holding;
        self.now.momentum = self.spin.momentum;
    }

    /// The spin factor of the feature that was left last: the nearest one below the feet.
    pub(super) fn left_spin(&self) -> f32 {
        let feet = self.now.centre + self.spin.turn * self.meant.r[2].midpoint(self.meant.r[3]);
        let features =
            self.world.features.iter().enumerate().filter(|(_, feature)| feature.engage.by == EngageBy::Feet);
        let nearest = features.map(|(number, feature)| {
            (self.simulation.nearest(number, feet).distance_m.abs(), feature.dynamics.spin)
        });
        nearest.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, spin)| spin)
    }

    /// The time until the feet of a falling character reach a surface, in seconds.
    pub(super) fn lands_secs(&self) -> Option<f32> {
        let falls = -self.now.velocity.y;
        if falls <= 0.1 {
            return None;
        }
        let upright = Quat::from_scaled_axis(self.spin.tilt()) * self.spin.turn;
        let feet = self.now.centre + upright * self.meant.r[2].midpoint(self.meant.r[3]);
        let below =
            self.world.features.iter().enumerate().filter(|(_, feature)| feature.engage.by == EngageBy::Feet);
        let distances = below.map(|(number, _)| self.simulation.nearest(number, feet).distance_m);
        distances.min_by(f32::total_cmp).map(|distance_m| distance_m.max(0.0) / falls)
    }
}
