//! The usual scores for in-betweening, compared with the recorded motion.
//!
//! L2P and L2Q as Harvey, Yurick, Nowrouzezahrai and Pal have them (*Robust Motion In-betweening*, 2020, section 5.1): the
//! Euclidean distance of all joints' world positions, or world quaternions, taken together, averaged over frames. NPSS is
//! Gopalakrishnan, Mali, Kifer, Giles and Ororbia's (*A Neural Temporal Model for Human Motion Prediction*, 2019, section 4.3):
//! how far the power spectra of each feature are apart, as an earth mover's distance, weighted by the reference's power.
//!
//! | symbol | name |
//! |---|---|
//! | X(f), X̂(f) | power of the reference and of the result at a frequency, `power` |
//! | emd | sum of differences of the cumulated, normalised powers |
//! | p | the reference's whole power in a feature, its weight |
//!
//! Changed: positions are in metres rather than divided by the deviations of a training set, unless those are
//! given. Quaternions of the result take the sign nearest to the reference. NPSS uses world quaternions.

use marey_motion::{Clip, Observer};
use serde::Serialize;

use crate::Result;
use crate::error::check_cancelled;
use crate::likeness::check;
use crate::power_spectrum::PowerSpectrum;

/// The three scores.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TweenScores {
    /// L2P: distance of positions.
    pub l2p: f64,
    /// L2Q: distance of rotations.
    pub l2q: f64,
    /// NPSS: distance of power spectra.
    pub npss: f64,
}

/// Divisors of positions, per joint and axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Deviations {
    /// In metres, joints × 3; none is 0.
    pub metres: Vec<f32>,
}

/// Compares a result with its reference of the same skeleton, rate and length.
pub fn tween(result: &Clip, reference: &Clip, deviations: Option<&Deviations>) -> Result<TweenScores> {
    tween_observed(result, reference, deviations, Observer::ignore())
}

/// [`tween`], which can be cancelled by an observer.
pub fn tween_observed(
    result: &Clip,
    reference: &Clip,
    deviations: Option<&Deviations>,
    observer: Observer<'_>,
) -> Result<TweenScores> {
    check(result, reference)?;
    if result.skeleton().len() != reference.skeleton().len() {
        let (found, wanted) = (result.skeleton().len(), reference.skeleton().len());
        return Err(marey_motion::MotionError::Length { what: "joints", found, wanted }.into());
    }
    let (found, wanted) = (result.world(), reference.world());
    let joints = reference.skeleton().len();
    if let Some(deviations) = deviations
        && deviations.metres.len() != 3 * joints
    {
        let found = deviations.metres.len();
        return Err(
            marey_motion::MotionError::Length { what: "deviations", found, wanted: 3 * joints }.into()
        );
    }
    let positions = |flat: &[glam::Vec3]| -> Vec<f64> {
        let all = flat.iter().flat_map(|p| p.to_array()).map(f64::from);
        match deviations {
            Some(deviations) => all
                .zip(deviations.metres.iter().cycle())
                .map(|(value, scale)| value / f64::from(*scale))
                .collect(),
            None => all.collect(),
        }
    };
    let quaternions = |flat: &[glam::Quat]| -> Vec<f64> {
        let sides =
            flat.iter().zip(&wanted.rotations).map(|(q, side)| if q.dot(*side) < 0.0 { -*q } else { *q });
        sides.flat_map(|q| q.to_array().map(f64::from)).collect()
    };
    let (q_found, q_wanted) = (quaternions(&found.rotations), quaternions(&wanted.rotations));
    Ok(TweenScores {
        l2p: mean_distance(&positions(&found.positions), &positions(&wanted.positions), 3 * joints),
        l2q: mean_distance(&q_found, &q_wanted, 4 * joints),
        npss: npss(&q_found, &q_wanted, 4 * joints, observer)?,
    })
}

/// The mean distance of two tables, row by row.
fn mean_distance(a: &[f64], b: &[f64], width: usize) -> f64 {
    let rows = a.chunks_exact(width).zip(b.chunks_exact(width));
    let distance =
        |(a, b): (&[f64], &[f64])| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let count = (a.len() / width).max(1) as f64;
    rows.map(distance).sum::<f64>() / count
}

/// Equations 4 to 6 of the paper: spectra of each column, compared and weighted.
fn npss(found: &[f64], wanted: &[f64], width: usize, observer: Observer<'_>) -> Result<f64> {
    let spectrum = PowerSpectrum::new(found.len() / width.max(1));
    let column = |rows: &[f64], i: usize| rows.iter().skip(i).step_by(width).copied().collect::<Vec<f64>>();
    let (mut sum, mut weights) = (0.0, 0.0);
    for i in 0..width {
        check_cancelled(observer, i, width)?;
        let power = spectrum.of(&column(found, i));
        check_cancelled(observer, i, width)?;
        let wanted_power = spectrum.of(&column(wanted, i));
        let weight: f64 = wanted_power.iter().sum();
        sum += weight * earth_mover(&power, &wanted_power);
        weights += weight;
    }
    Ok(if weights > 0.0 { sum / weights } else { 0.0 })
}

/// The earth mover's distance of two normalised spectra.
fn earth_mover(a: &[f64], b: &[f64]) -> f64 {
    let (sum_a, sum_b) = (a.iter().sum::<f64>(), b.iter().sum::<f64>());
    let share = |value: f64, sum: f64| if sum > 0.0 { value / sum } else { 0.0 };
    let (mut ahead, mut total) = (0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        ahead += share(*a, sum_a) - share(*b, sum_b);
        total += f64::abs(ahead);
    }
    total
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;
    use std::sync::Arc;

    use marey_motion::{ClipParts, Joint, Quat, Skeleton, Vec3};

    use super::*;

    #[test]
    fn spectra_of_cosines_are_exact() {
        let wave: Vec<f64> = (0..16).map(|t| (TAU * 3.0 * f64::from(t) / 16.0).cos()).collect();
        let spectrum = PowerSpectrum::new(16);
        let power = spectrum.of(&wave);
        // A cosine of three periods: (16 / 2)² at 3 and at 13.
        for (frequency, value) in power.iter().enumerate() {
            let wanted = if frequency == 3 || frequency == 13 { 64.0 } else { 0.0 };
            assert!((value - wanted).abs() < 1e-9, "{frequency}: {value}");
        }
        // Half of all is carried from 2 to 3, and half from 14 back to 13.
        let other: Vec<f64> = (0..16).map(|t| (TAU * 2.0 * f64::from(t) / 16.0).cos()).collect();
        assert!((earth_mover(&power, &spectrum.of(&other)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn scores_are_zero_for_equal_motion_and_exact_for_a_shift() {
        let joints = vec![Joint::new("a", None, Vec3::ZERO), Joint::new("b", Some(0), Vec3::Y)];
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let clip = |x: f32, sign: f32| {
            let turn = |f: usize| Quat::from_rotation_x(0.1 * f as f32) * sign;
            let rotations = (0..12).flat_map(|f| [turn(f), turn(f)]).collect();
            let positions = (0..12).map(|f| Vec3::new(x, 0.0, 0.1 * f as f32)).collect();
            Clip::new(skeleton.clone(), 30.0, ClipParts { rotations, positions }).unwrap()
        };
        let same = tween(&clip(0.0, -1.0), &clip(0.0, 1.0), None).unwrap();
        assert!(same.l2p < 1e-6 && same.l2q < 1e-5 && same.npss < 1e-6, "{same:?}");
        // Both joints 3 m beside: √(9 + 9).
        let beside = tween(&clip(3.0, 1.0), &clip(0.0, 1.0), None).unwrap();
        assert!((beside.l2p - 18f64.sqrt()).abs() < 1e-5 && beside.l2q < 1e-6);
        let divided = Deviations { metres: vec![3.0; 6] };
        let beside = tween(&clip(3.0, 1.0), &clip(0.0, 1.0), Some(&divided)).unwrap();
        assert!((beside.l2p - 2f64.sqrt()).abs() < 1e-5);
        assert!(tween(&clip(0.0, 1.0), &clip(0.0, 1.0).slice(0..6).unwrap(), None).is_err());
        let short = Deviations { metres: vec![1.0] };
        assert!(tween(&clip(0.0, 1.0), &clip(0.0, 1.0), Some(&short)).is_err());
    }
}
