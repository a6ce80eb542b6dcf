//! The path of a walk, as a user would draw it.
//!
//! Hsu, Gentry and Popović (2004, section 6.1) control walks by paths drawn with a mouse. Such a path lacks the sway and surge of
//! single steps. This is the track of the hips over the floor, smoothed over two steps.

use std::fmt;

use marey_motion::{Take, Vec3};

/// Points per second: a typical rate of mouse events.
const POINTS_HZ: f64 = 10.0;
/// The width of the smoothing window, in seconds: a moving average over about a stride, applied twice.
const SMOOTHING_SECS: f64 = 1.0;

/// A path on the floor with times.
///
/// It prints as a CSV path that `marey` can read: lines of `t,x,z` in seconds and metres.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnPath {
    /// Time in seconds, x and z in metres, sorted by time.
    pub points: Vec<[f64; 3]>,
}

/// The path of a take's first actor.
///
/// ```
/// use marey_examples::walk::{WalkSettings, drawn_path, walk};
/// let example = walk(&WalkSettings { duration_secs: 10.0, ..WalkSettings::default() })?;
/// let path = drawn_path(&example.take);
/// assert_eq!(path.points[10][0], 1.0);
/// assert!(path.to_string().starts_with("t,x,z\n0.000,"));
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn drawn_path(take: &Take) -> DrawnPath {
    let (clip, rate_hz) = (take.first(), take.rate_hz());
    let hips: Vec<Vec3> = clip.poses().map(|pose| pose.positions[0]).collect();
    let half = (0.5 * SMOOTHING_SECS * rate_hz).round() as usize;
    let smooth = mean(&mean(&hips, half), half);
    let points = (0..).map(|i| f64::from(i) / POINTS_HZ).map_while(|secs| {
        let place = smooth.get((secs * rate_hz).round() as usize)?;
        Some([secs, f64::from(place.x), f64::from(place.z)])
    });
    DrawnPath { points: points.collect() }
}

/// The moving average over `half` frames to either side, fewer at the ends.
fn mean(values: &[Vec3], half: usize) -> Vec<Vec3> {
    let mean_at = |i: usize| {
        // The window is symmetric, so that a path at rest does not move.
        let reach = half.min(i).min(values.len() - 1 - i);
        let around = &values[i - reach..=i + reach];
        around.iter().sum::<Vec3>() / around.len() as f32
    };
    (0..values.len()).map(mean_at).collect()
}

impl fmt::Display for DrawnPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "t,x,z")?;
        for [secs, x, z] in &self.points {
            writeln!(f, "{secs:.3},{x:.4},{z:.4}")?;
        }
        Ok(())
    }
}
