//! Drawn paths as controls.
//!
//! Section 6.1 of the paper: a path performed with a mouse becomes a control by its Frenet frames, so that it can be
//! compared with the hip joints of a walk. It may be smoothed in space and in time, since people draw faster than anybody
//! can walk.
//!
//! The tangent is measured over a tenth of a second to either side. While the path rests, the heading stays as it was.
//! Smoothing in space moves each point of the line towards its neighbours on the line and keeps the time at which it is
//! passed. Smoothing in time keeps the line and evens out the speed. Both use a Gaussian kernel and keep the end points.

use marey_motion::{PointClip, Vec3};
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::mapping::check_points;
use crate::point_selection::hip_points;
use crate::{FollowError, Result};

/// How a path is converted to a control.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathControlSettings {
    /// Distance between the two hip points, in metres; default 0.4; 0.01 to 10. Must equal that of the examples.
    pub gap_m: f32,
    /// Smoothing in space: standard deviation along the line, in metres; default 0 (none); 0 to 10.
    pub smooth_m: f64,
    /// Smoothing in time: standard deviation, in seconds; default 0 (none); 0 to 10.
    pub smooth_secs: f64,
}

impl Default for PathControlSettings {
    fn default() -> Self {
        Self { gap_m: 0.4, smooth_m: 0.0, smooth_secs: 0.0 }
    }
}

impl PathControlSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("gap_m", self.gap_m, 0.01..=10.0)?;
        OutOfRange::check("smooth_m", self.smooth_m, 0.0..=10.0)?;
        Ok(OutOfRange::check("smooth_secs", self.smooth_secs, 0.0..=10.0)?)
    }
}

/// Below this speed, in metres per second, the path rests.
const REST_SPEED_MPS: f32 = 0.05;
/// Time to either side over which the tangent is measured, in seconds.
const TANGENT_SECS: f64 = 0.1;
/// Spacing of the samples of a smoothed line, in metres; larger for very long lines.
const LINE_STEP_M: f64 = 0.02;
const MAX_LINE_STEPS: usize = 1 << 20;

/// Converts a path of one point per frame to a control of two points: the hips of a character that walks along it.
///
/// ```
/// use marey_follow::{PathControlSettings, control_from_path};
/// use marey_motion::{PointClip, Vec3};
/// // Straight ahead, along +Z, at 1 m/s.
/// let points = (0..11).map(|f| Some(Vec3::Z * (0.1 * f as f32))).collect();
/// let path = PointClip::new(vec!["path".into()], 10.0, points)?;
/// let hips = control_from_path(&path, &PathControlSettings { gap_m: 0.2, ..PathControlSettings::default() })?;
/// // Left is +X.
/// assert!(hips.frame(5)[0].distance(Vec3::new(0.1, 0.0, 0.5)) < 1e-6);
/// assert!(hips.frame(5)[1].distance(Vec3::new(-0.1, 0.0, 0.5)) < 1e-6);
/// # Ok::<(), marey_follow::FollowError>(())
/// ```
pub fn control_from_path(path: &PointClip, settings: &PathControlSettings) -> Result<PointClip> {
    settings.validate()?;
    if path.labels().len() != 1 {
        return Err(FollowError::NotAPath { found: path.labels().len() });
    }
    check_points("the path", path, 1)?;
    let positions: Vec<Vec3> = path.flat().iter().map(|p| Vec3::new(p.x, 0.0, p.z)).collect();
    let positions = smooth_positions(&positions, path.rate_hz(), settings);
    let left_directions = left_directions(&positions, path.rate_hz());
    let points = positions
        .iter()
        .zip(left_directions)
        .flat_map(|(&position_at, left_dir)| hip_points(position_at, left_dir, settings.gap_m));
    let labels = vec!["left".into(), "right".into()];
    Ok(PointClip::new(labels, path.rate_hz(), points.map(Some).collect())?)
}

/// The direction to the left of the path at each frame.
fn left_directions(positions: &[Vec3], rate_hz: f64) -> Vec<Vec3> {
    let reach = (TANGENT_SECS * rate_hz).round().max(1.0) as usize;
    let last = positions.len() - 1;
    let left_dir = |frame: usize| {
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
        let offset = positions[to] - positions[from];
        let secs = (to - from) as f64 / rate_hz;
        (offset.length() > REST_SPEED_MPS * secs as f32).then(|| Vec3::Y.cross(offset.normalize_or_zero()))
    };
    let mut current = (0..positions.len()).find_map(left_dir).unwrap_or(Vec3::X);
    (0..positions.len())
        .map(|frame| {
            current = left_dir(frame).unwrap_or(current);
            current
        })
        .collect()
}

/// The positions of a path, smoothed in space and in time.
pub(crate) fn smooth_positions(
    positions: &[Vec3],
    rate_hz: f64,
    settings: &PathControlSettings,
) -> Vec<Vec3> {
    // Arc length at each frame.
    let mut along = vec![0.0];
    for pair in positions.windows(2) {
        along.push(along[along.len() - 1] + f64::from(pair[0].distance(pair[1])));
    }
    let length = along[along.len() - 1];
    if length == 0.0 || (settings.smooth_m == 0.0 && settings.smooth_secs == 0.0) {
        return positions.to_vec();
    }
    let steps = ((length / LINE_STEP_M).ceil() as usize).clamp(1, MAX_LINE_STEPS);
    let step_m = length / steps as f64;
    let mut frame = 0;
    let line: Vec<Vec3> = (0..=steps)
        .map(|step| {
            let at = step as f64 * step_m;
            while frame + 2 < along.len() && along[frame + 1] < at {
                frame += 1;
            }
            let next = (frame + 1).min(positions.len() - 1);
            let piece = (along[next] - along[frame]).max(f64::MIN_POSITIVE);
            positions[frame].lerp(positions[next], ((at - along[frame]) / piece).clamp(0.0, 1.0) as f32)
        })
        .collect();
    let coordinate = |value: fn(&Vec3) -> f32| {
        let values: Vec<f64> = line.iter().map(|p| f64::from(value(p))).collect();
        gaussian_smooth(&values, settings.smooth_m / step_m)
    };
    let (xs, zs) = (coordinate(|p| p.x), coordinate(|p| p.z));
    let along = gaussian_smooth(&along, settings.smooth_secs * rate_hz);
    let position_at = |at: f64| {
        let at = (at / step_m).clamp(0.0, steps as f64);
        let (before, share) = (at as usize, at.fract());
        let next = (before + 1).min(steps);
        let between = |values: &[f64]| (values[before] + share * (values[next] - values[before])) as f32;
        Vec3::new(between(&xs), 0.0, between(&zs))
    };
    along.into_iter().map(position_at).collect()
}

/// Smooths values with a Gaussian whose standard deviation is given in samples. The series is extended by point reflection
/// at its ends, so that they stay in place.
pub(crate) fn gaussian_smooth(values: &[f64], deviation: f64) -> Vec<f64> {
    if deviation <= 0.0 || values.len() < 2 {
        return values.to_vec();
    }
    let last = values.len() - 1;
    let reach = ((3.0 * deviation).ceil() as usize).min(last);
    let kernel: Vec<f64> = (0..=reach).map(|i| (-0.5 * (i as f64 / deviation).powi(2)).exp()).collect();
    let sum = kernel[0] + 2.0 * kernel[1..].iter().sum::<f64>();
    let at = |i: isize| {
        if i < 0 {
            2.0 * values[0] - values[i.unsigned_abs()]
        } else if i as usize > last {
            2.0 * values[last] - values[2 * last - i as usize]
        } else {
            values[i as usize]
        }
    };
    let smooth = |i: usize| {
        let i = i as isize;
        let pairs = (1..=reach as isize).map(|j| kernel[j as usize] * (at(i - j) + at(i + j)));
        (kernel[0] * at(i) + pairs.sum::<f64>()) / sum
    };
    (0..values.len()).map(smooth).collect()
}
