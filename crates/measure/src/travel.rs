//! How fast a character travels.

use marey_motion::{Clip, Vec3};

/// Interval between measured positions in seconds, so that swaying does not count as travelling.
const INTERVAL_SECS: f64 = 0.2;

/// The mean speed of the hips over the floor, in metres per second; 0 for a clip that is too short. The root may
/// be a reference joint that stays where it is.
///
/// ```
/// use marey_examples::walk::{WalkSettings, walk};
/// use marey_measure::travel::mean_speed_mps;
/// let walk = walk(&WalkSettings { duration_secs: 10.0, ..WalkSettings::default() })?;
/// let speed_mps = mean_speed_mps(walk.take.first());
/// assert!((0.5..2.0).contains(&speed_mps), "{speed_mps} m/s");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mean_speed_mps(clip: &Clip) -> f32 {
    let step = (INTERVAL_SECS * clip.rate_hz()).round().max(1.0) as usize;
    let track = clip.ground_track().frames;
    let places: Vec<Vec3> = track.iter().map(|ground| ground.translation()).step_by(step).collect();
    let length_m: f32 = places.iter().zip(places.iter().skip(1)).map(|(a, b)| a.distance(*b)).sum();
    let secs = (places.len().saturating_sub(1) * step) as f64 / clip.rate_hz();
    if secs > 0.0 { length_m / secs as f32 } else { 0.0 }
}
