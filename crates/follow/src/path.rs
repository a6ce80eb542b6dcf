//! Drawn paths as controls.
//!
//! Section 6.1 of the paper: a path that is performed with a mouse becomes a control by Frenet frames, so that it can be compared with
//! the hip joints of a walk; it may be smoothed in space and in time; and people draw faster than anybody can walk.
//!
//! The tangent is taken over a tenth of a second to either side. Where the path rests, the figure faces as it did before.
//! Smoothing in space moves each place of the line towards its neighbours on the line and keeps when it is passed; smoothing
//! in time keeps the line and evens out how fast it is followed. Both are Gaussian, and both keep the ends.

use marey_motion::{Place, PointClip, Report, Vec3};
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::control::beside;
use crate::mapping::check_points;
use crate::{Error, Mapping, Result, codes};

/// How a path becomes a control.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PathSettings {
    /// How far the two points are apart, in metres; default 0.4; 0.01 to 10. As that of the examples.
    pub gap_m: f32,
    /// Smoothing in space: deviation along the line, in metres; default 0: none; 0 to 10.
    pub smooth_m: f64,
    /// Smoothing in time: deviation in seconds; default 0: none; 0 to 10.
    pub smooth_secs: f64,
}

impl Default for PathSettings {
    fn default() -> Self {
        Self { gap_m: 0.4, smooth_m: 0.0, smooth_secs: 0.0 }
    }
}

impl PathSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("gap_m", self.gap_m, 0.01..=10.0)?;
        OutOfRange::check("smooth_m", self.smooth_m, 0.0..=10.0)?;
        Ok(OutOfRange::check("smooth_secs", self.smooth_secs, 0.0..=10.0)?)
    }
}

/// Below this speed a path rests, in metres a second.
const REST_MPS: f32 = 0.05;
/// How far to either side the tangent is taken, in seconds.
const TANGENT_SECS: f64 = 0.1;
/// Places of a line that is smoothed are so far apart, in metres, or farther where it is very long.
const STEP_M: f64 = 0.02;
const MOST_STEPS: usize = 1 << 20;

/// A path of one point a frame as a control of two: the hips of somebody who walks along it.
///
/// ```
/// use marey_follow::{PathSettings, path_control};
/// use marey_motion::{PointClip, Vec3};
/// // Ahead, along +Z, at 1 m/s.
/// let points = (0..11).map(|f| Some(Vec3::Z * (0.1 * f as f32))).collect();
/// let path = PointClip::new(vec!["path".into()], 10.0, points)?;
/// let hips = path_control(&path, &PathSettings { gap_m: 0.2, ..PathSettings::default() })?;
/// // Left is +X.
/// assert!(hips.frame(5)[0].distance(Vec3::new(0.1, 0.0, 0.5)) < 1e-6);
/// assert!(hips.frame(5)[1].distance(Vec3::new(-0.1, 0.0, 0.5)) < 1e-6);
/// # Ok::<(), marey_follow::Error>(())
/// ```
pub fn path_control(path: &PointClip, settings: &PathSettings) -> Result<PointClip> {
    settings.validate()?;
    if path.labels().len() != 1 {
        return Err(Error::NotAPath { found: path.labels().len() });
    }
    check_points("the path", path, 1)?;
    let places: Vec<Vec3> = path.flat().iter().map(|p| Vec3::new(p.x, 0.0, p.z)).collect();
    let places = smoothed(&places, path.rate_hz(), settings);
    let asides = asides(&places, path.rate_hz());
    let points = places.iter().zip(asides).flat_map(|(&place, aside)| beside(place, aside, settings.gap_m));
    let labels = vec!["left".into(), "right".into()];
    Ok(PointClip::new(labels, path.rate_hz(), points.map(Some).collect())?)
}

/// To the left of the path, frame by frame.
fn asides(places: &[Vec3], rate_hz: f64) -> Vec<Vec3> {
    let reach = (TANGENT_SECS * rate_hz).round().max(1.0) as usize;
    let last = places.len() - 1;
    let aside = |frame: usize| {
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
        let way = places[to] - places[from];
        let secs = (to - from) as f64 / rate_hz;
        (way.length() > REST_MPS * secs as f32).then(|| Vec3::Y.cross(way.normalize_or_zero()))
    };
    let mut now = (0..places.len()).find_map(aside).unwrap_or(Vec3::X);
    (0..places.len())
        .map(|frame| {
            now = aside(frame).unwrap_or(now);
            now
        })
        .collect()
}

fn smoothed(places: &[Vec3], rate_hz: f64, settings: &PathSettings) -> Vec<Vec3> {
    // How far along the line each frame is.
    let mut along = vec![0.0];
    for pair in places.windows(2) {
        along.push(along[along.len() - 1] + f64::from(pair[0].distance(pair[1])));
    }
    let length = along[along.len() - 1];
    if length == 0.0 || (settings.smooth_m == 0.0 && settings.smooth_secs == 0.0) {
        return places.to_vec();
    }
    let steps = ((length / STEP_M).ceil() as usize).clamp(1, MOST_STEPS);
    let step_m = length / steps as f64;
    let mut frame = 0;
    let line: Vec<Vec3> = (0..=steps)
        .map(|step| {
            let at = step as f64 * step_m;
            while frame + 2 < along.len() && along[frame + 1] < at {
                frame += 1;
            }
            let next = (frame + 1).min(places.len() - 1);
            let piece = (along[next] - along[frame]).max(f64::MIN_POSITIVE);
            places[frame].lerp(places[next], ((at - along[frame]) / piece).clamp(0.0, 1.0) as f32)
        })
        .collect();
    let coordinate = |value: fn(&Vec3) -> f32| {
        let values: Vec<f64> = line.iter().map(|p| f64::from(value(p))).collect();
        gaussian(&values, settings.smooth_m / step_m)
    };
    let (xs, zs) = (coordinate(|p| p.x), coordinate(|p| p.z));
    let along = gaussian(&along, settings.smooth_secs * rate_hz);
    let place = |at: f64| {
        let at = (at / step_m).clamp(0.0, steps as f64);
        let (before, share) = (at as usize, at.fract());
        let next = (before + 1).min(steps);
        let between = |values: &[f64]| (values[before] + share * (values[next] - values[before])) as f32;
        Vec3::new(between(&xs), 0.0, between(&zs))
    };
    along.into_iter().map(place).collect()
}

/// Values smoothed with a deviation of so many of them. Beyond its ends a series goes on as its mirror image through them, so
/// that they stay where they are.
fn gaussian(values: &[f64], deviation: f64) -> Vec<f64> {
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

/// Where a control asks for more speed than any instance has, made as short as it may be: coded warnings with the first frame
/// of each stretch and how many frames it has.
pub fn too_fast(control: &PointClip, mapping: &Mapping, stretch_secs: f64) -> Report {
    let middle = |clip: &PointClip, frame: usize| {
        let points = clip.frame(frame);
        points.iter().sum::<Vec3>() / points.len().max(1) as f32
    };
    let most = (0..mapping.instances().len()).map(|i| {
        let (clip, frames) = (&mapping.example_of(i).control, &mapping.instances()[i].frames);
        let way = (frames.start + 1..frames.end)
            .map(|frame| middle(clip, frame).distance(middle(clip, frame - 1)))
            .sum::<f32>();
        let secs = mapping.duration_secs(i);
        f64::from(way) / (secs - stretch_secs).max(0.5 * secs)
    });
    let most = most.fold(0.0, f64::max);
    let reach = (0.25 * control.rate_hz()).ceil().max(1.0) as usize;
    let last = control.frames() - 1;
    let speed = |frame: usize| {
        let (from, to) = (frame.saturating_sub(reach), (frame + reach).min(last));
        let way = middle(control, to).distance(middle(control, from));
        f64::from(way) * control.rate_hz() / (to - from).max(1) as f64
    };
    let mut report = Report::default();
    let mut frame = 0;
    while frame <= last {
        let start = frame;
        let mut fastest = 0f64;
        while frame <= last && speed(frame) > most {
            fastest = fastest.max(speed(frame));
            frame += 1;
        }
        if frame > start {
            let message = format!("{fastest:.2} m/s, where the fastest instance can go {most:.2} m/s");
            report.warn_many(&codes::TOO_FAST, Place::default().frame(start), frame - start, message);
        }
        frame += 1;
    }
    report
}
