//! Section 5 of the paper: the motion of the centre of mass, and the orientation of the body.

use glam::{Quat, Vec3};

use super::PerformSession;
use crate::engage::EngageBy;
use crate::orientation::Flight;
use crate::simulation::STEPS_HZ;
use crate::water;

impl PerformSession {
    /// Simulates the centre of mass for the time of a frame.
    pub(super) fn simulate(&mut self, secs: f32) {
        let yaw_rad = self.orientation.yaw_rad() + self.performer.yaw_rad;
        let step_secs = 1.0 / STEPS_HZ;
        self.remaining_secs += secs;
        let steps = (self.remaining_secs / step_secs) as usize;
        for step in 0..steps {
            self.centre_before = self.simulation.centre();
            let t = (step + 1) as f32 / steps as f32;
            let water = self.water_acceleration(yaw_rad);
            self.simulation.step(t, yaw_rad, water);
        }
        self.remaining_secs -= steps as f32 * step_secs;
        self.state.centre =
            self.centre_before.lerp(self.simulation.centre(), self.remaining_secs / step_secs);
        if steps == 0 || self.remaining_secs < 1e-6 {
            self.state.centre = self.simulation.centre();
        }
        self.state.velocity = self.simulation.velocity();
        let finish = self.world.finish;
        self.state.has_finished |=
            finish.is_some_and(|finish| finish.at.distance(self.state.centre) <= finish.radius_m);
    }

    /// The acceleration by the water that the character is in, in m/s².
    fn water_acceleration(&self, yaw_rad: f32) -> Vec3 {
        let feature = self.state.water.map(|index| &self.world.features[index]);
        let Some((feature, water)) = feature.and_then(|feature| Some((feature, feature.dynamics.water?)))
        else {
            return Vec3::ZERO;
        };
        let hands = [0, 1].map(|limb| self.orientation.world_from_performer * self.performer.rate[limb]);
        let velocity = self.simulation.velocity();
        let immersed = water::immersed(feature.geometry.height_above_m(self.simulation.centre()));
        water::acceleration(&water, immersed, self.world.gravity_mps2, velocity, hands, yaw_rad)
    }

    /// Updates the orientation: upright while something is held, free in flight.
    pub(super) fn update_orientation(&mut self, secs: f32) {
        let is_supported = self.simulation.holds.iter().any(Option::is_some) || self.state.water.is_some();
        if is_supported {
            self.orientation.straighten(secs);
        } else {
            if !self.state.is_flying {
                self.orientation.take_off(self.performer.recent_momentum * self.spin_factor());
            }
            let flight = Flight {
                inertia: self.performer.inertia(&self.body),
                relative_momentum: self.performer.relative_momentum,
                secs,
                landing_secs: self.landing_secs(),
            };
            self.orientation.fly(&flight);
        }
        self.state.yaw_rad = self.orientation.yaw_rad() + self.performer.yaw_rad;
        self.flight_secs = if is_supported { 0.0 } else { self.flight_secs + secs };
        self.state.is_flying = !is_supported;
        self.state.momentum = self.orientation.momentum;
    }

    /// The factor `spin` of the feature from which the character takes off: the one nearest to the feet.
    pub(super) fn spin_factor(&self) -> f32 {
        let feet = self.state.centre
            + self.orientation.world_from_performer * self.intended.r[2].midpoint(self.intended.r[3]);
        let features =
            self.world.features.iter().enumerate().filter(|(_, feature)| feature.engage.by == EngageBy::Feet);
        let nearest = features.map(|(index, feature)| {
            (self.simulation.nearest(index, feet).distance_m.abs(), feature.dynamics.spin)
        });
        nearest.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, spin)| spin)
    }

    /// The time until the feet of a falling character reach the nearest surface, in seconds.
    pub(super) fn landing_secs(&self) -> Option<f32> {
        let fall_mps = -self.state.velocity.y;
        if fall_mps <= 0.1 {
            return None;
        }
        let upright = Quat::from_scaled_axis(self.orientation.tilt()) * self.orientation.world_from_performer;
        let feet = self.state.centre + upright * self.intended.r[2].midpoint(self.intended.r[3]);
        let below =
            self.world.features.iter().enumerate().filter(|(_, feature)| feature.engage.by == EngageBy::Feet);
        let distances = below.map(|(index, _)| self.simulation.nearest(index, feet).distance_m);
        distances.min_by(f32::total_cmp).map(|distance_m| distance_m.max(0.0) / fall_mps)
    }
}
