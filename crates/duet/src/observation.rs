//! Relative position of two people, and its likelihood.
//!
//! Equation 13 of the paper: P(O) = N(O; μ, K / β), where O = (r, θ) is the distance and the
//! difference of headings.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | r | `distance_m`: horizontal distance of the hips | m |
//! | θ | `facing_rad`: the partner's heading minus one's own | rad |
//! | μ, K | mean and covariance | m, rad |
//! | β | `sharpness`: weight of deviations | 1 |
//!
//! Changes to the paper: angles use the circular mean, and deviations wrap around. The covariance
//! of a few movements is unreliable and can be singular, so it is mixed with the covariance of all
//! movements of the person, which has the weight of two movements. Deviations have a lower bound of
//! 3 cm and 3°.

use std::f64::consts::{PI, TAU};

use marey_motion::Ground;
use serde::{Deserialize, Serialize};

/// Lower bounds of the standard deviations, in metres and radians.
const MIN_DEVIATION: [f64; 2] = [0.03, 0.05];
/// Weight of the overall covariance, as a number of movements.
const PRIOR_MOVEMENTS: f64 = 2.0;

/// The partner's position relative to a person.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// Horizontal distance, in metres.
    pub distance_m: f64,
    /// The partner's heading minus one's own, from −π to π.
    pub facing_rad: f64,
}

impl Observation {
    /// Returns the observation of a person at `own` of a partner at `other`.
    pub fn between(own: Ground, other: Ground) -> Self {
        let (x, z) = (f64::from(other.x - own.x), f64::from(other.z - own.z));
        Self {
            distance_m: x.hypot(z),
            facing_rad: wrap_angle(f64::from(other.yaw_rad) - f64::from(own.yaw_rad)),
        }
    }
}

/// Wraps an angle to −π..π.
pub(crate) fn wrap_angle(angle_rad: f64) -> f64 {
    (angle_rad + PI).rem_euclid(TAU) - PI
}

/// A normal distribution of [`Observation`]s.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ObservationGaussian {
    /// Mean distance and facing.
    pub mean: [f64; 2],
    /// Variance of the distance, covariance, variance of the facing.
    pub covariance: [f64; 3],
}

impl ObservationGaussian {
    /// Fits a distribution to observations. Without any, the mean is zero.
    pub(crate) fn fit(observations: &[Observation]) -> Self {
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
        Self { mean, covariance }.with_min_deviation()
    }

    /// Fits a distribution, mixing its covariance with the overall one.
    pub(crate) fn fit_with_prior(observations: &[Observation], all: &ObservationGaussian) -> Self {
        let own = Self::fit(observations);
        let weight = PRIOR_MOVEMENTS / (PRIOR_MOVEMENTS + observations.len() as f64);
        let mix = |i: usize| (1.0 - weight) * own.covariance[i] + weight * all.covariance[i];
        Self { mean: own.mean, covariance: [mix(0), mix(1), mix(2)] }.with_min_deviation()
    }

    /// Adds the minimum variances.
    fn with_min_deviation(mut self) -> Self {
        for (variance, min_deviation) in [0, 2].into_iter().zip(MIN_DEVIATION) {
            self.covariance[variance] += min_deviation * min_deviation;
        }
        self
    }

    /// Returns the log-density of an observation.
    ///
    /// ```
    /// use marey_duet::{ObservationGaussian, Observation};
    /// let gaussian = ObservationGaussian { mean: [1.0, 3.1], covariance: [0.04, 0.0, 0.25] };
    /// let at = |distance_m, facing_rad| gaussian.log_density(&Observation { distance_m, facing_rad }, 1.0);
    /// // At the mean: −ln(2π · 0.2 · 0.5). One standard deviation costs 0.5, and −3.1 is close to 3.1.
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

    /// Returns whether all numbers are finite and the covariance is invertible.
    pub(crate) fn is_valid(&self) -> bool {
        let [a, b, c] = self.covariance;
        let all = self.mean.iter().chain(&self.covariance).all(|x| x.is_finite());
        all && a > 0.0 && c > 0.0 && a * c - b * b > 0.0
    }
}

fn from_mean(mean: [f64; 2], observation: &Observation) -> [f64; 2] {
    [observation.distance_m - mean[0], wrap_angle(observation.facing_rad - mean[1])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_covariance_of_one_observation_is_invertible() {
        let one = [Observation { distance_m: 1.0, facing_rad: 0.2 }];
        let gaussian = ObservationGaussian::fit_with_prior(&one, &ObservationGaussian::fit(&one));
        assert!(gaussian.is_valid() && gaussian.log_density(&one[0], 1.0).is_finite());
        assert!(ObservationGaussian::fit(&[]).is_valid());
    }

    #[test]
    fn the_mean_of_facings_wraps_around() {
        let facing = |facing_rad: f64| Observation { distance_m: 1.0, facing_rad };
        let gaussian = ObservationGaussian::fit(&[facing(PI - 0.1), facing(-PI + 0.1)]);
        assert!(wrap_angle(gaussian.mean[1] - PI).abs() < 1e-9);
        assert!((gaussian.covariance[2] - 0.01 - MIN_DEVIATION[1] * MIN_DEVIATION[1]).abs() < 1e-9);
    }

    #[test]
    fn observations_of_both_people_agree() {
        let seen = Observation::between(Ground::new(0.0, 0.0, 0.0), Ground::new(3.0, 4.0, 3.0));
        let back = Observation::between(Ground::new(3.0, 4.0, 3.0), Ground::new(0.0, 0.0, 0.0));
        assert!((seen.distance_m - 5.0).abs() < 1e-6);
        // Equation 22: θ¹ = 2π − θ².
        assert!(wrap_angle(seen.facing_rad + back.facing_rad).abs() < 1e-6);
    }
}
