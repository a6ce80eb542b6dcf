//! Seeded random numbers: smooth signals for natural variation, and normal noise for sensors.

use std::f64::consts::TAU;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Returns one of the independent random streams of a seed. Drawing more numbers from one does not change another.
pub(crate) fn rng_stream(seed: u64, stream: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream);
    rng
}

/// A smooth, aperiodic signal with mean 0 and root mean square 1: a few sines of random frequency and phase.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SmoothNoise {
    /// Angular rate and phase of each sine.
    waves: [(f64, f64); SmoothNoise::WAVES],
}

impl SmoothNoise {
    const WAVES: usize = 4;

    /// A signal whose slowest part has a period of about `period_secs` and whose fastest part a third of it.
    pub(crate) fn new(rng: &mut impl Rng, period_secs: f64) -> Self {
        let mut mean_hz = 1.0 / period_secs;
        let waves = std::array::from_fn(|_| {
            let hz = mean_hz * rng.random_range(0.85..1.15);
            mean_hz *= 1.45;
            (TAU * hz, rng.random_range(0.0..TAU))
        });
        Self { waves }
    }

    /// The value at a time.
    pub(crate) fn at(&self, secs: f64) -> f64 {
        let sum: f64 = self.waves.iter().map(|&(rate, phase)| (rate * secs + phase).sin()).sum();
        sum * (2.0 / Self::WAVES as f64).sqrt()
    }
}

/// A standard normal number (Box and Muller, 1958).
pub(crate) fn normal(rng: &mut impl Rng) -> f64 {
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (TAU * rng.random::<f64>()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_have_the_documented_deviation() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let n = 20_000;
        let mean_square = |values: Vec<f64>| values.iter().map(|v| v * v).sum::<f64>() / n as f64;
        let noise = SmoothNoise::new(&mut rng, 3.0);
        let waves = mean_square((0..n).map(|i| noise.at(i as f64 * 0.1)).collect());
        assert!((waves - 1.0).abs() < 0.05, "{waves}");
        let rough = mean_square((0..n).map(|_| normal(&mut rng)).collect());
        assert!((rough - 1.0).abs() < 0.05, "{rough}");
    }
}
