//! The orientation of the character relative to the performer: upright while it holds or stands, free in flight.
//!
//! In flight, the angular momentum L of the body about its centre of mass is conserved (section 5). The performer's change of pose
//! contributes L_rel; the rest rotates the body: ω = I⁻¹ (L − L_rel). A tuck reduces the inertia I, so the body spins faster.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | L | `momentum`, in the world, per kilogram | m²/s |
//! | L_rel | momentum of the performer's change of pose | m²/s |
//! | I | inertia of the pose, per kilogram | m² |
//!
//! Shortly before landing, a virtual torque about the pitch and roll axes turns the character upright. As in the paper, this is the only
//! non-physical force.

use glam::{Mat3, Quat, Vec3};

/// The orientation and angular momentum of the character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Orientation {
    /// The rotation that is applied to the performer's pose.
    pub(crate) world_from_performer: Quat,
    /// L.
    pub(crate) momentum: Vec3,
}

/// A body in flight over a frame, in the performer's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flight {
    /// I, in the middle of the frame.
    pub(crate) inertia: Mat3,
    /// L_rel.
    pub(crate) relative_momentum: Vec3,
    pub(crate) secs: f32,
    /// The time until landing, if the body falls, in seconds.
    pub(crate) landing_secs: Option<f32>,
}

/// The time before landing in which the body is turned upright, in seconds.
pub(crate) const LANDING_SECS: f32 = 0.45;
/// The decay rate of the tilt of a body that holds or stands, in 1/s.
const UPRIGHT_PER_SEC: f32 = 9.0;
/// The largest angular velocity towards upright, in radians per second.
const MAX_UPRIGHT_RAD_PER_SEC: f32 = 12.0;

impl Orientation {
    pub(crate) fn upright(yaw_rad: f32) -> Self {
        Self { world_from_performer: Quat::from_rotation_y(yaw_rad), momentum: Vec3::ZERO }
    }

    /// Takes off with an angular momentum in the performer's frame.
    pub(crate) fn take_off(&mut self, momentum: Vec3) {
        self.momentum = self.world_from_performer * momentum;
    }

    /// Advances by a frame of flight.
    pub(crate) fn fly(&mut self, flight: &Flight) {
        let inverse = flight.inertia.inverse();
        let rate = |rotation: Quat| inverse * (rotation.inverse() * self.momentum - flight.relative_momentum);
        // The midpoint rule.
        let start = self.world_from_performer;
        let midpoint = start * Quat::from_scaled_axis(rate(start) * (0.5 * flight.secs));
        let velocity = rate(midpoint.normalize());
        self.world_from_performer = (start * Quat::from_scaled_axis(velocity * flight.secs)).normalize();
        if let Some(landing_secs) = flight.landing_secs.filter(|secs| *secs < LANDING_SECS) {
            self.prepare_landing(flight, landing_secs);
        }
    }

    /// Applies the virtual torque that turns the body upright in the remaining time.
    fn prepare_landing(&mut self, flight: &Flight, landing_secs: f32) {
        let wanted = (self.tilt() / landing_secs.max(0.1)).clamp_length_max(MAX_UPRIGHT_RAD_PER_SEC);
        let rotation = self.world_from_performer;
        let body_momentum = rotation.inverse() * self.momentum - flight.relative_momentum;
        let velocity = rotation * (flight.inertia.inverse() * body_momentum);
        let eased = velocity.lerp(wanted.with_y(0.7 * velocity.y), (8.0 * flight.secs).min(1.0));
        self.momentum = rotation * (flight.inertia * (rotation.inverse() * eased) + flight.relative_momentum);
    }

    /// Advances by a frame on the ground, in the water or on a hold: the tilt decays.
    pub(crate) fn straighten(&mut self, secs: f32) {
        let fraction = 1.0 - (-UPRIGHT_PER_SEC * secs).exp();
        let correction = Quat::from_scaled_axis(self.tilt() * fraction);
        self.world_from_performer = (correction * self.world_from_performer).normalize();
        self.momentum = Vec3::ZERO;
    }

    /// The shortest rotation that makes the body upright, as a rotation vector in the world.
    pub(crate) fn tilt(&self) -> Vec3 {
        let up = self.world_from_performer * Vec3::Y;
        if up.y < -0.999 {
            // Upside down, every horizontal axis is equally short; the pitch axis is used.
            return (self.world_from_performer * Vec3::X) * std::f32::consts::PI;
        }
        Quat::from_rotation_arc(up, Vec3::Y).to_scaled_axis()
    }

    /// The rotation about the vertical, in radians.
    pub(crate) fn yaw_rad(&self) -> f32 {
        let forward = Quat::from_scaled_axis(self.tilt()) * (self.world_from_performer * Vec3::Z);
        forward.x.atan2(forward.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(inertia: Vec3) -> Flight {
        Flight {
            inertia: Mat3::from_diagonal(inertia),
            relative_momentum: Vec3::ZERO,
            secs: 1.0 / 60.0,
            landing_secs: None,
        }
    }

    /// The angular velocity over one frame, in radians per second.
    fn rate(orientation: &mut Orientation, flight: &Flight) -> f32 {
        let before = orientation.world_from_performer;
        orientation.fly(flight);
        (orientation.world_from_performer * before.inverse()).to_scaled_axis().length() / flight.secs
    }

    #[test]
    fn a_tucked_body_spins_faster_by_the_ratio_of_inertias() {
        let (stretched, tucked) = (flight(Vec3::new(0.15, 0.02, 0.15)), flight(Vec3::new(0.05, 0.03, 0.05)));
        let mut orientation = Orientation::upright(0.4);
        orientation.take_off(Vec3::X * 0.5);
        let (slow, fast) = (rate(&mut orientation, &stretched), rate(&mut orientation, &tucked));
        assert!((fast / slow - 3.0).abs() < 0.01, "{fast} {slow}");
    }

    #[test]
    fn a_tumbling_body_keeps_its_momentum_and_energy() {
        // Rotation about the intermediate axis is unstable: the hardest case.
        let body = flight(Vec3::new(0.15, 0.1, 0.05));
        let mut orientation = Orientation::upright(0.0);
        orientation.take_off(Vec3::new(0.01, 0.5, 0.01));
        let energy = |orientation: &Orientation| {
            let l = orientation.world_from_performer.inverse() * orientation.momentum;
            0.5 * l.dot(body.inertia.inverse() * l)
        };
        let before = energy(&orientation);
        for _ in 0..600 {
            orientation.fly(&body);
        }
        assert!((energy(&orientation) / before - 1.0).abs() < 0.1, "{} {before}", energy(&orientation));
    }

    #[test]
    fn a_landing_body_is_upright() {
        let mut orientation = Orientation::upright(0.0);
        orientation.take_off(Vec3::X * 0.9);
        for frame in 0..60 {
            orientation
                .fly(&Flight { landing_secs: Some(1.0 - frame as f32 / 60.0), ..flight(Vec3::splat(0.12)) });
        }
        assert!(orientation.tilt().length() < 0.35, "{}", orientation.tilt().length());
        for _ in 0..30 {
            orientation.straighten(1.0 / 60.0);
        }
        assert!(orientation.tilt().length() < 0.02 && orientation.momentum == Vec3::ZERO);
    }
}
