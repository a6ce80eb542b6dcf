//! Smoothing of a path, without delay.
//!
//! Around each frame a line is fitted to the path with Gaussian weights: local linear regression, as in Fan
//! and Gijbels (*Local Polynomial Modelling and Its Applications*, 1996). Inside a clip that is the Gaussian
//! mean and its slope; at the ends, where a mean would lag behind, a line does not.

use std::ops::Range;

use glam::Vec3;

/// A smoothed path of a point.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SmoothPath {
    /// The position in each frame.
    pub(crate) points: Vec<Vec3>,
    /// The speed in each frame, in metres per second.
    pub(crate) speeds_mps: Vec<f32>,
}

/// The smallest standard deviation, in frames: the path is unchanged, and speeds are central differences.
const LEAST_DEVIATION: f64 = 0.3;

impl SmoothPath {
    /// Fits a line around each frame; `deviation_secs` is the standard deviation of the weights in seconds.
    pub(crate) fn fit(path: &[Vec3], rate_hz: f64, deviation_secs: f64) -> Self {
        let (points, velocities) = lines(path, rate_hz, deviation_secs);
        Self { points, speeds_mps: velocities.iter().map(|v| v.length()).collect() }
    }
}

/// Position and velocity per second in each frame, by a weighted line around it.
pub(crate) fn lines(path: &[Vec3], rate_hz: f64, deviation_secs: f64) -> (Vec<Vec3>, Vec<Vec3>) {
    let window = SmoothingWindow::new(rate_hz, deviation_secs);
    (0..path.len()).map(|frame| window.line_at(path, frame)).unzip()
}

/// The weights of a line around a frame.
#[derive(Debug, Clone)]
pub(crate) struct SmoothingWindow {
    rate_hz: f32,
    /// For distances of 0, 1, 2 … frames.
    weights: Vec<f32>,
    /// Sums of a window that no end of the path cuts off.
    whole: WeightSums,
}

/// Σ w, Σ w a and Σ w a², with the distance a in frames.
#[derive(Debug, Clone, Copy, Default)]
struct WeightSums {
    w0: f32,
    w1: f32,
    w2: f32,
}

impl SmoothingWindow {
    pub(crate) fn new(rate_hz: f64, deviation_secs: f64) -> Self {
        let deviation = (deviation_secs * rate_hz).max(LEAST_DEVIATION);
        let reach = (3.0 * deviation).ceil() as usize;
        let weights: Vec<f32> =
            (0..=reach).map(|k| (-0.5 * (k as f64 / deviation).powi(2)).exp() as f32).collect();
        let whole = WeightSums::of(&weights, 0..2 * reach + 1, reach);
        Self { rate_hz: rate_hz as f32, weights, whole }
    }

    /// The number of frames to either side that a line depends on.
    pub(crate) fn reach(&self) -> usize {
        self.weights.len() - 1
    }

    /// Position and velocity per second of the best line around a frame.
    pub(crate) fn line_at(&self, path: &[Vec3], frame: usize) -> (Vec3, Vec3) {
        let reach = self.reach();
        let around = frame.saturating_sub(reach)..(frame + reach + 1).min(path.len());
        let WeightSums { w0, w1, w2 } = match around.len() == 2 * reach + 1 {
            true => self.whole,
            false => WeightSums::of(&self.weights, around.clone(), frame),
        };
        let (mut p0, mut p1) = (Vec3::ZERO, Vec3::ZERO);
        for i in around {
            let weight = self.weights[i.abs_diff(frame)];
            // Relative to the point of the frame, so that precision does not suffer far from the origin.
            let point = path[i] - path[frame];
            p0 += weight * point;
            p1 += weight * (i as f32 - frame as f32) * point;
        }
        let determinant = w0 * w2 - w1 * w1;
        if determinant <= f32::EPSILON * w0 * w0 {
            return (path[frame], Vec3::ZERO);
        }
        let point = path[frame] + (w2 * p0 - w1 * p1) / determinant;
        (point, (w0 * p1 - w1 * p0) / determinant * self.rate_hz)
    }
}

impl WeightSums {
    fn of(weights: &[f32], frames: Range<usize>, centre: usize) -> Self {
        let mut sums = Self::default();
        for i in frames {
            let (away, weight) = (i as f32 - centre as f32, weights[i.abs_diff(centre)]);
            sums.w0 += weight;
            sums.w1 += weight * away;
            sums.w2 += weight * away * away;
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uniform_paths_are_unchanged_by_smoothing() {
        let path: Vec<Vec3> = (0..20).map(|i| Vec3::new(0.1 * i as f32, 1.0, 0.0)).collect();
        for deviation_secs in [0.0, 0.02, 0.1] {
            let smooth = SmoothPath::fit(&path, 30.0, deviation_secs);
            for (a, b) in smooth.points.iter().zip(&path) {
                assert!(a.distance(*b) < 1e-5);
            }
            assert!(smooth.speeds_mps.iter().all(|v| (v - 3.0).abs() < 1e-3), "{:?}", smooth.speeds_mps);
        }
    }

    #[test]
    fn jitter_is_removed_without_delay() {
        // A step of 1 m at frame 50, with 1 cm of jitter from frame to frame.
        let path: Vec<Vec3> = (0..101)
            .map(|i| Vec3::X * (if i < 50 { 0.0 } else { 1.0 } + if i % 2 == 0 { 0.01 } else { -0.01 }))
            .collect();
        let smooth = SmoothPath::fit(&path, 100.0, 0.03);
        assert!(smooth.points[..40].iter().all(|p| p.x.abs() < 0.006));
        assert!(smooth.points[2..38].iter().all(|p| p.x.abs() < 0.003));
        let half = smooth.points.iter().position(|p| p.x > 0.5).unwrap();
        assert_eq!(half, 50);
    }

    #[test]
    fn few_points_are_fine() {
        assert!(SmoothPath::fit(&[], 30.0, 0.03).points.is_empty());
        let one = SmoothPath::fit(&[Vec3::X], 30.0, 0.03);
        assert_eq!((one.points[0], one.speeds_mps[0]), (Vec3::X, 0.0));
        let two = SmoothPath::fit(&[Vec3::ZERO, Vec3::X], 30.0, 0.03);
        assert!((two.speeds_mps[1] - 30.0).abs() < 1e-3);
    }
}
