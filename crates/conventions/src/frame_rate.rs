//! Checks a file's frame rate against physics.
//!
//! Motion played at the wrong rate breaks the laws of motion: at twice the speed, accelerations are four times as large.
//! Three checks run in this order:
//!
//! 1. **Free fall.** While no part of the body is near the floor, its centre of mass follows a parabola of 9.81 m/s².
//!    This gives the true rate. If it agrees with the file, the other two checks are skipped.
//! 2. **Traction.** The feet push a body along the floor with a fraction of its weight. If a tenth of all frames needs
//!    more than 0.7 g along the floor, the rate is wrong.
//! 3. **Weight.** A body on its feet cannot accelerate downwards faster than it falls.
//!
//! The centre of mass is approximate (see [`MassTrack`]), so the thresholds have slack. They were chosen on 149 files of
//! CMU's archive, 20 of which were captured at 60 Hz but declare 120 Hz. They separate those files without error. No
//! other archive with known rates was available to validate them. The frequency of foot lifts does not separate the two
//! groups: brisk walks have 2.5 to 3.9 lifts per second, salsa at double speed 2.1 to 2.8.

use marey_motion::{Clip, Vec3};

use crate::centre_of_mass::MassTrack;

/// Acceleration of free fall, m/s².
const GRAVITY: f64 = 9.81;

/// The body is in flight while its lowest point is at least this far above the floor, in metres.
const AIRBORNE_METRES: f32 = 0.06;

/// Largest root mean square deviation of a flight's centre of mass from a parabola, in metres.
const FLIGHT_ERROR_METRES: f64 = 0.012;

/// Shortest total flight time that counts as evidence, in seconds. A hop takes longer.
const FLIGHT_SECS: f64 = 0.2;

/// Accelerations in flight that confirm the file's rate, in g.
const AGREES: std::ops::RangeInclusive<f64> = 0.7..=1.4;

/// Largest plausible downward acceleration of a body on its feet, in g.
const MAX_DOWN: f32 = 1.35;

/// Largest plausible acceleration along the floor, in g.
const MAX_ALONG: f32 = 0.7;

/// Usual frame rates, in Hz. Evidence of flights is accurate to a tenth or so, and captures have one of these.
const USUAL_HZ: [f64; 14] =
    [24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 72.0, 90.0, 100.0, 120.0, 150.0, 200.0, 240.0, 300.0];

/// What physics says about a frame rate.
#[derive(Debug, PartialEq)]
pub(super) enum RateEvidence {
    /// The rate fits.
    Agrees(String),
    /// The rate does not fit; another would.
    Contradicts {
        /// The evidence.
        reason: String,
        /// The rate that fits, in Hz.
        true_hz: f64,
    },
}

/// The usual rate next to a measured one, if there is one within an eighth; else the nearest whole number.
fn usual(measured_hz: f64) -> f64 {
    let away = |hz: &f64| (hz / measured_hz).ln().abs();
    let nearest = USUAL_HZ.into_iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    nearest.filter(|hz| away(hz) < 0.12).unwrap_or_else(|| measured_hz.round().max(1.0))
}

/// The physical evidence about the frame rate, if there is any. The motion is in metres.
pub(super) fn evidence(clip: &Clip) -> Option<RateEvidence> {
    let mass = MassTrack::new(clip)?;
    let rate_hz = clip.rate_hz();
    if let Some(flights) = flights(&mass, rate_hz) {
        let observed = format!("{} frames of flight fall at {:.2} g", flights.frames, flights.gravities);
        if AGREES.contains(&flights.gravities) {
            return Some(RateEvidence::Agrees(observed));
        }
        // Twice the rate is four times the acceleration.
        if flights.gravities > 2.2 {
            let true_hz = rate_hz / flights.gravities.sqrt();
            let reason = format!("{observed}: captured at about {true_hz:.0} Hz?");
            return Some(RateEvidence::Contradicts { reason, true_hz: usual(true_hz) });
        }
    }
    let (along, up) = accelerations(&mass.centre, rate_hz);
    let (horizontal, drop) = (percentile(along, 0.9)?, -percentile(up, 0.01)?);
    let half = rate_hz / 2.0;
    if horizontal > MAX_ALONG {
        let reason = format!(
            "a tenth of the frames need {horizontal:.2} g along the floor; at {half:.0} Hz they need {:.2} g",
            horizontal / 4.0
        );
        return Some(RateEvidence::Contradicts { reason, true_hz: half });
    }
    if drop > MAX_DOWN {
        let reason = format!(
            "the body drops at {drop:.2} g without leaving the floor; at {half:.0} Hz it drops at {:.2} g",
            drop / 4.0
        );
        return Some(RateEvidence::Contradicts { reason, true_hz: half });
    }
    None
}

/// Summary of the flight phases of a motion.
struct Flights {
    /// Median acceleration in g.
    gravities: f64,
    /// Total number of frames.
    frames: usize,
}

/// Finds intervals in which the whole body is off the floor and its centre of mass follows a downward parabola.
fn flights(mass: &MassTrack, rate_hz: f64) -> Option<Flights> {
    let floor = percentile(mass.lowest.clone(), 0.1)?;
    let mut found: Vec<(f64, usize)> = Vec::new();
    let mut start = 0;
    let grounded = |height: &f32| *height <= floor + AIRBORNE_METRES;
    for run in mass.lowest.split_inclusive(|height| grounded(height)) {
        // Exclude the frames at both ends, in which the feet still push or already land.
        let last = start + run.len().saturating_sub(2);
        if let Some(heights) = mass.centre.get(start + 1..last).filter(|h| h.len() >= 6) {
            let heights: Vec<f64> = heights.iter().map(|c| f64::from(c.y)).collect();
            let (curvature, error) = fit_parabola(&heights);
            let gravities = -2.0 * curvature * rate_hz * rate_hz / GRAVITY;
            // A body that hangs, sits or swims is off the floor too, but does not fall.
            if error < FLIGHT_ERROR_METRES && gravities > 0.6 {
                found.push((gravities, heights.len()));
            }
        }
        start += run.len();
    }
    let frames = found.iter().map(|(_, n)| n).sum();
    found.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let median = found.get(found.len() / 2)?;
    (frames as f64 >= FLIGHT_SECS * rate_hz).then_some(Flights { gravities: median.0, frames })
}

/// Fits a + b x + c x² to values at x = …, −1, 0, 1, … by least squares. Returns c and the root mean square error.
fn fit_parabola(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let x = |i: usize| i as f64 - (n - 1.0) / 2.0;
    let sum = |f: &dyn Fn(f64, f64) -> f64| values.iter().enumerate().map(|(i, y)| f(x(i), *y)).sum::<f64>();
    // Sums of odd powers vanish, because x is symmetric.
    let (x2, x4) = (sum(&|x, _| x * x), sum(&|x, _| x.powi(4)));
    let (y, xy, x2y) = (sum(&|_, y| y), sum(&|x, y| x * y), sum(&|x, y| x * x * y));
    let c = (n * x2y - x2 * y) / (n * x4 - x2 * x2);
    let (a, b) = ((y - c * x2) / n, xy / x2);
    let error = sum(&|x, y| (y - a - b * x - c * x * x).powi(2));
    (c, (error / n).sqrt())
}

/// Horizontal and upward accelerations in g, over 50 ms, from smoothed positions.
fn accelerations(centre: &[Vec3], rate_hz: f64) -> (Vec<f32>, Vec<f32>) {
    let stride = ((0.05 * rate_hz).round() as usize).max(1);
    let width = stride / 2 * 2 + 1;
    let smooth: Vec<Vec3> =
        centre.windows(width).map(|window| window.iter().copied().sum::<Vec3>() / width as f32).collect();
    let per_gravity = ((rate_hz / stride as f64).powi(2) / GRAVITY) as f32;
    let triples = smooth.iter().zip(smooth.iter().skip(stride)).zip(smooth.iter().skip(2 * stride));
    triples
        .map(|((before, now), after)| (*before - 2.0 * *now + *after) * per_gravity)
        .map(|a| (a.x.hypot(a.z), a.y))
        .unzip()
}

/// The value at a fraction of the sorted values. `None` for fewer than 30 values.
fn percentile(mut values: Vec<f32>, fraction: f32) -> Option<f32> {
    if values.len() < 30 {
        return None;
    }
    let index = ((values.len() - 1) as f32 * fraction) as usize;
    Some(*values.select_nth_unstable_by(index, f32::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{ClipParts, Joint, Quat, Report, Role, Skeleton, Take};

    use super::*;
    use crate::{ConventionOverrides, DeclaredConventions, Unit, UpAxis, normalise_take};

    /// A stick person whose root follows a path of (height, distance).
    fn person(rate_hz: f64, path: impl Fn(f64) -> (f32, f32)) -> Clip {
        let joints = vec![
            Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
            Joint::new("head", Some(0), Vec3::Y * 0.7).with_role(Role::Head),
            Joint::new("l", Some(0), Vec3::new(0.1, -0.9, 0.0)).with_role(Role::LeftFoot),
            Joint::new("r", Some(0), Vec3::new(-0.1, -0.9, 0.0)).with_role(Role::RightFoot),
        ];
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let mut parts = ClipParts::default();
        for frame in 0..240 {
            let (height, along) = path(frame as f64 / rate_hz);
            parts.rotations.extend([Quat::IDENTITY; 4]);
            parts.positions.push(Vec3::new(along, 0.9 + height, 0.0));
        }
        Clip::new(skeleton, rate_hz, parts).unwrap()
    }

    /// A jump of half a second every second.
    fn jumping(t: f64) -> (f32, f32) {
        let t = t.fract();
        let height = if t < 0.5 { 0.5 * GRAVITY * t * (0.5 - t) } else { 0.0 };
        (height as f32, 0.0)
    }

    #[test]
    fn jumps_at_the_true_rate_confirm_it() {
        assert!(matches!(evidence(&person(120.0, jumping)), Some(RateEvidence::Agrees(_))));
    }

    #[test]
    fn jumps_at_twice_the_rate_reveal_the_true_one() {
        let fast = person(60.0, jumping).with_rate(120.0).unwrap();
        let Some(RateEvidence::Contradicts { reason, true_hz }) = evidence(&fast) else {
            panic!("not doubted")
        };
        assert!(reason.contains("60 Hz"), "{reason}");
        assert_eq!(true_hz, 60.0);
    }

    #[test]
    fn a_wrong_rate_is_corrected_if_asked_for() {
        let fast = Take::solo("jump", person(60.0, jumping).with_rate(120.0).unwrap());
        let declared = DeclaredConventions { unit: Some(Unit::Metre), ..DeclaredConventions::default() };
        for (fix_rate, rate_hz, code) in
            [(true, 60.0, "conventions/rate-corrected"), (false, 120.0, "conventions/rate-doubtful")]
        {
            let overrides =
                ConventionOverrides { fix_rate, up: Some(UpAxis::Y), ..ConventionOverrides::default() };
            let mut report = Report::default();
            let (take, detected) = normalise_take(fast.clone(), &declared, &overrides, &mut report).unwrap();
            assert_eq!((take.rate_hz(), detected[0].rate_hz.value), (rate_hz, rate_hz));
            assert!(report.codes().contains(&code), "{:?}", report.codes());
        }
    }

    #[test]
    fn swaying_is_doubted_only_beyond_traction() {
        let sway = |t: f64| (0.0, (0.12 * (4.5 * t).sin()) as f32);
        let slow = person(60.0, sway);
        assert_eq!(evidence(&slow), None);
        assert!(matches!(evidence(&slow.with_rate(120.0).unwrap()), Some(RateEvidence::Contradicts { .. })));
    }

    #[test]
    fn bobbing_is_doubted_only_beyond_free_fall() {
        let bob = |t: f64| ((0.025 * (14.0 * t).sin()) as f32, 0.0);
        let slow = person(60.0, bob);
        assert_eq!(evidence(&slow), None);
        assert!(matches!(evidence(&slow.with_rate(120.0).unwrap()), Some(RateEvidence::Contradicts { .. })));
    }

    #[test]
    fn measured_rates_are_rounded_to_usual_ones() {
        assert_eq!([57.0, 63.0, 29.1, 27.0, 400.0, 0.2].map(usual), [60.0, 60.0, 30.0, 25.0, 400.0, 1.0]);
    }

    #[test]
    fn a_parabola_is_fitted_exactly() {
        let values: Vec<f64> = (0..9).map(|i| 3.0 - 0.5 * i as f64 + 0.25 * (i * i) as f64).collect();
        let (curvature, error) = fit_parabola(&values);
        assert!((curvature - 0.25).abs() < 1e-12 && error < 1e-12);
    }
}
