//! Smoothing of motion, with feet that stay where they stand.
//!
//! Rotations and translations are filtered with a Gaussian, which neither delays nor overshoots. Beyond its ends the motion is
//! continued point-symmetrically, so that the first and last frames keep their velocity. Legs are bent again, so that standing feet
//! stay where they were. Where a joint would move farther than the bound, the frame is blended back towards the original.
//!
//! Limits: a movement that is faster than the cutoff, such as a kick, is flattened like noise, up to the bound.

use marey_motion::{Clip, ClipParts, Quat, Vec3};
use serde::{Deserialize, Serialize};

use crate::contacts::{self, ContactSettings};
use crate::foot_path::{FootPath, follow};
use crate::{OutOfRange, Result};

/// Settings of smoothing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SmoothingSettings {
    /// Cutoff frequency in Hz, at which half of the power remains; default 6, which keeps walking and dancing; 0.1 to 1000.
    pub cutoff_hz: f64,
    /// The farthest that smoothing moves a joint, in metres; default 0.03; 0 to 1.
    pub max_shift_m: f32,
}

impl Default for SmoothingSettings {
    fn default() -> Self {
        Self { cutoff_hz: 6.0, max_shift_m: 0.03 }
    }
}

impl SmoothingSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("cutoff_hz", self.cutoff_hz, 0.1..=1000.0)?;
        OutOfRange::check("max_shift_m", self.max_shift_m, 0.0..=1.0)?;
        Ok(())
    }

    /// Standard deviation of the filter, in seconds: at the cutoff its gain is 1/√2.
    fn deviation_secs(&self) -> f64 {
        2f64.ln().sqrt() / (std::f64::consts::TAU * self.cutoff_hz)
    }
}

/// A smoothed motion.
#[derive(Debug, Clone)]
pub struct SmoothedClip {
    /// The motion.
    pub clip: Clip,
    /// The farthest that a joint moved, in metres.
    pub shift_m: f32,
}

/// Smooths a motion.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Vec3};
/// use marey_ops::smoothing::{SmoothingSettings, smoothed};
/// // A point that moves evenly and trembles by 5 mm.
/// let skeleton = Arc::new(Skeleton::new(vec![Joint::new("point", None, Vec3::ZERO)], vec![])?);
/// let tremble = |f: usize| if f % 2 == 0 { 0.005 } else { -0.005 };
/// let positions = (0..60).map(|f| Vec3::new(0.01 * f as f32, tremble(f), 0.0)).collect();
/// let clip = Clip::new(skeleton, 60.0, ClipParts { rotations: vec![Quat::IDENTITY; 60], positions })?;
/// let smooth = smoothed(&clip, &SmoothingSettings::default())?;
/// assert!(smooth.clip.positions()[5..55].iter().all(|at| at.y.abs() < 0.001));
/// assert!((smooth.clip.positions()[30].x - 0.3).abs() < 0.002 && smooth.shift_m < 0.02);
/// # Ok::<(), marey_ops::OpsError>(())
/// ```
pub fn smoothed(clip: &Clip, settings: &SmoothingSettings) -> Result<SmoothedClip> {
    settings.validate()?;
    let filtered = filtered(clip, settings)?;
    let contacts = contacts::detect(clip, &ContactSettings::default())?.contacts;
    let paths = FootPath::all(clip);
    let weights: Vec<Vec<f32>> =
        paths.iter().map(|path| path.contact_weights(&contacts, clip.rate_hz())).collect();
    let standing = follow(&filtered, &paths, |path, frame| weights[path][frame])?;
    let bounded = within_bound(clip, &standing, settings)?;
    let shift_m = shifts(clip, &bounded).into_iter().fold(0.0, f32::max);
    Ok(SmoothedClip { clip: bounded, shift_m })
}

/// The motion after the filter.
fn filtered(clip: &Clip, settings: &SmoothingSettings) -> Result<Clip> {
    let deviation = settings.deviation_secs() * clip.rate_hz();
    let reach = (3.0 * deviation).ceil() as usize;
    let weights: Vec<f32> =
        (0..=reach).map(|k| (-0.5 * (k as f64 / deviation).powi(2)).exp() as f32).collect();
    let (joints, movers) = (clip.skeleton().len(), clip.skeleton().movers().len());
    let mut parts = clip.clone().into_parts();
    for joint in 0..joints {
        let values: Vec<[f32; 4]> =
            clip.rotations().iter().skip(joint).step_by(joints).map(|rotation| rotation.to_array()).collect();
        for (frame, value) in gaussian(&values, &weights).into_iter().enumerate() {
            let before = parts.rotations[frame * joints + joint];
            let rotation = Quat::from_array(value);
            parts.rotations[frame * joints + joint] =
                if rotation.length_squared() > 0.25 { rotation.normalize() } else { before };
        }
    }
    for mover in 0..movers {
        let values: Vec<[f32; 4]> =
            clip.positions().iter().skip(mover).step_by(movers).map(|at| at.extend(0.0).to_array()).collect();
        for (frame, [x, y, z, _]) in gaussian(&values, &weights).into_iter().enumerate() {
            parts.positions[frame * movers + mover] = Vec3::new(x, y, z);
        }
    }
    Ok(Clip::new(clip.skeleton().clone(), clip.rate_hz(), parts)?)
}

/// Weighted means around each value; `weights` are for distances of 0, 1, 2 … frames.
fn gaussian(values: &[[f32; 4]], weights: &[f32]) -> Vec<[f32; 4]> {
    let last = values.len() - 1;
    let mirrored = |about: [f32; 4], value: [f32; 4]| std::array::from_fn(|i| 2.0 * about[i] - value[i]);
    let at = |frame: isize| -> [f32; 4] {
        match usize::try_from(frame) {
            Ok(frame) if frame <= last => values[frame],
            Ok(frame) => mirrored(values[last], values[last - (frame - last).min(last)]),
            Err(_) => mirrored(values[0], values[frame.unsigned_abs().min(last)]),
        }
    };
    let reach = weights.len() as isize - 1;
    let total = weights.iter().sum::<f32>() * 2.0 - weights[0];
    let mean = |frame: isize| {
        let mut sum = [0.0; 4];
        for k in -reach..=reach {
            let (value, weight) = (at(frame + k), weights[k.unsigned_abs()] / total);
            sum = std::array::from_fn(|i| sum[i] + weight * value[i]);
        }
        sum
    };
    (0..values.len() as isize).map(mean).collect()
}

/// The largest distance of a joint between two motions of one body, in each frame.
fn shifts(one: &Clip, other: &Clip) -> Vec<f32> {
    let (one, other) = (one.world(), other.world());
    let shift = |frame: usize| {
        let pairs = one.positions_at(frame).iter().zip(other.positions_at(frame));
        pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
    };
    (0..one.frames()).map(shift).collect()
}

/// The smoothed motion, blended with the original where it is farther from it than the bound.
fn within_bound(original: &Clip, smooth: &Clip, settings: &SmoothingSettings) -> Result<Clip> {
    let shares: Vec<f32> = shifts(original, smooth)
        .into_iter()
        .map(|shift| if shift > settings.max_shift_m { settings.max_shift_m / shift } else { 1.0 })
        .collect();
    if shares.iter().all(|share| *share == 1.0) {
        return Ok(smooth.clone());
    }
    // The mean of minima over the same window is never above the share of its frame.
    let reach = ((settings.deviation_secs() * original.rate_hz()).ceil() as usize).max(1);
    let around = |frame: usize| frame.saturating_sub(reach)..(frame + reach + 1).min(shares.len());
    let least: Vec<f32> =
        (0..shares.len()).map(|frame| shares[around(frame)].iter().copied().fold(1.0, f32::min)).collect();
    let mut parts = ClipParts::default();
    for (frame, (from, to)) in original.poses().zip(smooth.poses()).enumerate() {
        let here = around(frame);
        let share = least[here.clone()].iter().sum::<f32>() / here.len() as f32;
        parts.rotations.extend(from.rotations.iter().zip(to.rotations).map(|(a, b)| a.slerp(*b, share)));
        parts.positions.extend(from.positions.iter().zip(to.positions).map(|(a, b)| a.lerp(*b, share)));
    }
    Ok(Clip::new(original.skeleton().clone(), original.rate_hz(), parts)?)
}
