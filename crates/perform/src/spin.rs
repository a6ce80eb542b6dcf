//! The orientation of the character relative to the performer: upright while it holds or stands, spinning freely in flight.
//!
//! In flight the angular momentum L of the body about its centre of mass is conserved (section 5). The performer gives the part L_rel
//! of the limbs; the rest turns the body: ω = I⁻¹ (L − L_rel). A tuck reduces the inertia I and spins faster.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | L | `momentum`, in the world, per kilogram | m²/s |
//! | L_rel | momentum of the performer's change of pose | m²/s |
//! | I | inertia of the pose, per kilogram | m² |
//!
//! Shortly before landing, a virtual torque about the pitch and roll axes turns the character upright. As in the paper, it is the only
//! force that is not physical.

use glam::{Mat3, Quat, Vec3};

/// The orientation of the character.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spin {
    /// `world_from_performer`: the rotation of the performer's pose.
    pub(crate) turn: Quat,
    /// L.
    pub(crate) momentum: Vec3,
}

/// A body in flight over a frame, in the performer's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Flight {
    /// I, in the middle of the frame.
    pub(crate) inertia: Mat3,
    /// L_rel.
    pub(crate) own: Vec3,
    pub(crate) secs: f32,
    /// The time until it lands, if it is about to, in seconds.
    pub(crate) lands_secs: Option<f32>,
}

/// The time before landing in which the body is turned upright, in seconds.
pub(crate) const LANDING_SECS: f32 = 0.45;
/// The decay rate of a tilt on the ground, in 1/s.
const UPRIGHT_PER_SEC: f32 = 9.0;
/// The largest angular velocity of the virtual torque, in radians per second.
const MOST_UPRIGHT: f32 = 12.0;

impl Spin {
    pub(crate) fn upright(yaw_rad: f32) -> Self {
        Self { turn: Quat::from_rotation_y(yaw_rad), momentum: Vec3::ZERO }
    }

    /// Takes off with a momentum of the performer.
    pub(crate) fn leave(&mut self, own: Vec3) {
        self.momentum = self.turn * own;
    }

    /// A frame of flight.
    pub(crate) fn fly(&mut self, flight: &Flight) {
        let inverse = flight.inertia.inverse();
        let rate = |turn: Quat| inverse * (turn.inverse() * self.momentum - flight.own);
        // The mid-point rule.
        let half = self.turn * Quat::from_scaled_axis(rate(self.turn) * (0.5 * flight.secs));
        let spin = rate(half.normalize());
        self.turn = (self.turn * Quat::from_scaled_axis(spin * flight.secs)).normalize();
        if let Some(lands_secs) = flight.lands_secs.filter(|secs| *secs < LANDING_SECS) {
            self.prepare(flight, lands_secs);
        }
    }

    /// The virtual torque of landing: upright in the time that is left.
    fn prepare(&mut self, flight: &Flight, lands_secs: f32) {
        let wished = (self.tilt() / lands_secs.max(0.1)).clamp_length_max(MOST_UPRIGHT);
        let turn = self.turn;
        let spin = turn * (flight.inertia.inverse() * (turn.inverse() * self.momentum - flight.own));
        let eased = spin.lerp(wished.with_y(0.7 * spin.y), (8.0 * flight.secs).min(1.0));
        self.momentum = turn * (flight.inertia * (turn.inverse() * eased) + flight.own);
    }

    /// A frame on the ground, in the water or on a hold.
    pub(crate) fn settle(&mut self, secs: f32) {
        let upright = 1.0 - (-UPRIGHT_PER_SEC * secs).exp();
        self.turn = (Quat::from_scaled_axis(self.tilt() * upright) * self.turn).normalize();
        self.momentum = Vec3::ZERO;
    }

    /// The shortest rotation that makes the body upright, as a rotation vector in the world.
    pub(crate) fn tilt(&self) -> Vec3 {
        let up = self.turn * Vec3::Y;
        if up.y < -0.999 {
            // Upside down: any axis will do, so the pitch axis is used.
            return (self.turn * Vec3::X) * std::f32::consts::PI;
        }
        Quat::from_rotation_arc(up, Vec3::Y).to_scaled_axis()
    }

    /// The rotation about the vertical, in radians.
    pub(crate) fn yaw_rad(&self) -> f32 {
        let ahead = Quat::from_scaled_axis(self.tilt()) * (self.turn * Vec3::Z);
        ahead.x.atan2(ahead.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight(inertia: Vec3) -> Flight {
        Flight { inertia: Mat3::from_diagonal(inertia), own: Vec3::ZERO, secs: 1.0 / 60.0, lands_secs: None }
    }

    /// The angular velocity over one frame, in radians per second.
    fn rate(spin: &mut Spin, flight: &Flight) -> f32 {
        let before = spin.turn;
        spin.fly(flight);
        (spin.turn * before.inverse()).to_scaled_axis().length() / flight.secs
    }

    #[test]
    fn a_tuck_spins_faster_by_the_ratio_of_inertias() {
        let (stretched, tucked) = (flight(Vec3::new(0.15, 0.02, 0.15)), flight(Vec3::new(0.05, 0.03, 0.05)));
        let mut spin = Spin::upright(0.4);
        spin.leave(Vec3::X * 0.5);
        let (slow, fast) = (rate(&mut spin, &stretched), rate(&mut spin, &tucked));
        assert!((fast / slow - 3.0).abs() < 0.01, "{fast} {slow}");
    }

    #[test]
    fn a_tumbling_body_keeps_its_momentum_and_energy() {
        // Rotation about the intermediate axis is unstable: the hardest case.
        let body = flight(Vec3::new(0.15, 0.1, 0.05));
        let mut spin = Spin::upright(0.0);
        spin.leave(Vec3::new(0.01, 0.5, 0.01));
        let energy = |spin: &Spin| {
            let l = spin.turn.inverse() * spin.momentum;
            0.5 * l.dot(body.inertia.inverse() * l)
        };
        let before = energy(&spin);
        for _ in 0..600 {
            spin.fly(&body);
        }
        assert!((energy(&spin) / before - 1.0).abs() < 0.1, "{} {before}", energy(&spin));
    }

    #[test]
    fn a_landing_body_is_upright() {
        let mut spin = Spin::upright(0.0);
        spin.leave(Vec3::X * 0.9);
        for frame in 0..60 {
            spin.fly(&Flight { lands_secs: Some(1.0 - frame as f32 / 60.0), ..flight(Vec3::splat(0.12)) });
        }
        assert!(spin.tilt().length() < 0.35, "{}", spin.tilt().length());
        for _ in 0..30 {
            spin.settle(1.0 / 60.0);
        }
        assert!(spin.tilt().length() < 0.02 && spin.momentum == Vec3::ZERO);
    }
}
