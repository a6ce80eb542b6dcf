//! How two people stand to each other, and how likely that is.
//!
//! Equation 13 of the paper: P(O) = N(O; μ, K / β), O = (r, θ), the distance of the two and how their headings differ.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | r | `distance_m`, of the hips over the floor | m |
//! | θ | `facing_rad`: the heading of the other less the own | rad |
//! | μ, K | mean and covariance | m, rad |
//! | β | `sharpness`: how much deviations count | 1 |
//!
//! Changed: angles are on a circle, so their mean is that of directions, and deviations are the short way round. A covariance of few
//! movements says little and may be singular: it is mixed with that of all movements of the person, which counts as much as
//! two movements, and no deviation is taken for less than 3 cm or 3°.

use std::f64::consts::{PI, TAU};

use marey_motion::Ground;
use serde::{Deserialize, Serialize};

/// No deviation is less: in metres, and radians.
const LEAST: [f64; 2] = [0.03, 0.05];
/// How many movements the covariance of all counts as.
const PRIOR: f64 = 2.0;

/// How the other stands to somebody.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// How far away, over the floor, in metres.
    pub distance_m: f64,
    /// The other's heading less the own, in −π..π.
    pub facing_rad: f64,
}

impl Observation {
    /// Of somebody who stands here, and another who stands there.
    pub fn of(own: Ground, other: Ground) -> Self {
        let (x, z) = (f64::from(other.x - own.x), f64::from(other.z - own.z));
        Self {
            distance_m: x.hypot(z),
            facing_rad: wrapped(f64::from(other.yaw_rad) - f64::from(own.yaw_rad)),
        }
    }
}

/// An angle the short way round.
pub(crate) fn wrapped(angle_rad: f64) -> f64 {
    (angle_rad + PI).rem_euclid(TAU) - PI
}

/// A normal distribution of observations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gaussian {
    /// Mean distance and facing.
    pub mean: [f64; 2],
    /// Variance of the distance, that of both, variance of the facing.
    pub covariance: [f64; 3],
}

impl Gaussian {
    /// Of some observations, by themselves; of none, around the origin.
    pub(crate) fn of_all(observations: &[Observation]) -> Self {
        let n = observations.len().max(1) as f64;
        let distance = observations.iter().map(|o| o.distance_m).sum::<f64>() / n;
        let (sin, cos) = observations
            .iter()
            .fold((0.0, 0.0), |(s, c), o| (s + o.facing_rad.sin(), c + o.facing_rad.cos()));
        let mean = [distance, sin.atan2(cos)];
        let mut covariance = [0.0; 3];
        for observation in observations {
            let [r, theta] = from_mean(mean, observation);
            covariance[0] += r * r / n;
            covariance[1] += r * theta / n;
            covariance[2] += theta * theta / n;
        }
        Self { mean, covariance }.at_least()
    }

    /// Of some observations, with the covariance of all that there are.
    pub(crate) fn of(observations: &[Observation], all: &Gaussian) -> Self {
        let own = Self::of_all(observations);
        let share = PRIOR / (PRIOR + observations.len() as f64);
        let mix = |i: usize| (1.0 - share) * own.covariance[i] + share * all.covariance[i];
        Self { mean: own.mean, covariance: [mix(0), mix(1), mix(2)] }.at_least()
    }

    /// With no deviation below the least.
    fn at_least(mut self) -> Self {
        for (variance, least) in [0, 2].into_iter().zip(LEAST) {
            self.covariance[variance] += least * least;
        }
        self
    }

    /// The logarithm of the density of an observation.
    ///
    /// ```
    /// use marey_duet::{Gaussian, Observation};
    /// let gaussian = Gaussian { mean: [1.0, 3.1], covariance: [0.04, 0.0, 0.25] };
    /// let at = |distance_m, facing_rad| gaussian.log_density(&Observation { distance_m, facing_rad }, 1.0);
    /// // At the mean: −ln(2π · 0.2 · 0.5). One deviation away costs a half; and −3.1 is near 3.1.
    /// assert!((at(1.0, 3.1) + (std::f64::consts::TAU * 0.1).ln()).abs() < 1e-12);
    /// assert!((at(1.0, 3.1) - at(1.2, 3.1) - 0.5).abs() < 1e-9);
    /// assert!(at(1.0, -3.1) > at(1.0, 2.9));
    /// ```
    pub fn log_density(&self, observation: &Observation, sharpness: f64) -> f64 {
        let [a, b, c] = self.covariance;
        let determinant = (a * c - b * b).max(f64::MIN_POSITIVE);
        let [r, theta] = from_mean(self.mean, observation);
        let squared = (c * r * r - 2.0 * b * r * theta + a * theta * theta) / determinant;
        -0.5 * sharpness * squared - (TAU * determinant.sqrt() / sharpness).ln()
    }

    /// Whether every number is finite and the covariance can be inverted.
    pub(crate) fn is_sound(&self) -> bool {
        let [a, b, c] = self.covariance;
        let all = self.mean.iter().chain(&self.covariance).all(|x| x.is_finite());
        all && a > 0.0 && c > 0.0 && a * c - b * b > 0.0
    }
}

fn from_mean(mean: [f64; 2], observation: &Observation) -> [f64; 2] {
    [observation.distance_m - mean[0], wrapped(observation.facing_rad - mean[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_observation_has_a_covariance_that_can_be_inverted() {
        let one = [Observation { distance_m: 1.0, facing_rad: 0.2 }];
        let gaussian = Gaussian::of(&one, &Gaussian::of_all(&one));
        assert!(gaussian.is_sound() && gaussian.log_density(&one[0], 1.0).is_finite());
        assert!(Gaussian::of_all(&[]).is_sound());
    }

    #[test]
    fn facings_around_half_a_turn_have_their_mean_there() {
        let facing = |facing_rad: f64| Observation { distance_m: 1.0, facing_rad };
        let gaussian = Gaussian::of_all(&[facing(PI - 0.1), facing(-PI + 0.1)]);
        assert!(wrapped(gaussian.mean[1] - PI).abs() < 1e-9);
        assert!((gaussian.covariance[2] - 0.01 - LEAST[1] * LEAST[1]).abs() < 1e-9);
    }

    #[test]
    fn who_faces_whom() {
        let seen = Observation::of(Ground::new(0.0, 0.0, 0.0), Ground::new(3.0, 4.0, 3.0));
        let back = Observation::of(Ground::new(3.0, 4.0, 3.0), Ground::new(0.0, 0.0, 0.0));
        assert!((seen.distance_m - 5.0).abs() < 1e-6);
        // Equation 22: θ¹ = 2π − θ².
        assert!(wrapped(seen.facing_rad + back.facing_rad).abs() < 1e-6);
    }
}
