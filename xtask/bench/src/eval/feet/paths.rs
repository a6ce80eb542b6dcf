//! The paths that every subject goes along.

use marey_motion::{MotionError, PointClip, Vec3};

pub(crate) const RATE_HZ: f64 = 30.0;
const SECS: f64 = 9.0;

/// The speed of a path relative to the subject's, and its turning speed in radians per second over the time in seconds.
type Shape = (&'static str, f64, fn(f64) -> f64);

/// A turn by an angle within a second, from an instant on.
fn corner(time: f64, at: f64, angle_rad: f64) -> f64 {
    if (at..at + 1.0).contains(&time) { angle_rad } else { 0.0 }
}

const SHAPES: [Shape; 12] = [
    ("straight", 1.0, |_| 0.0),
    ("left", 1.0, |_| 0.3),
    ("right-corner", 1.0, |t| -corner(t, 4.0, std::f64::consts::FRAC_PI_2)),
    ("right", 1.0, |_| -0.3),
    ("slow", 0.8, |_| 0.0),
    ("fast", 1.15, |_| 0.0),
    ("tight-left", 0.9, |_| 0.6),
    ("tight-right", 0.9, |_| -0.6),
    ("snake", 1.0, |t| 0.7 * (1.4 * t).cos()),
    ("left-corner", 1.0, |t| corner(t, 3.0, std::f64::consts::FRAC_PI_2)),
    ("back", 0.9, |t| corner(t, 3.0, 1.5) + corner(t, 4.0, 1.6)),
    ("eight", 1.0, |t| if t < 4.5 { 0.5 } else { -0.5 }),
];

/// The paths for a subject of this speed, by name.
pub(crate) fn all(speed_mps: f64) -> Vec<(&'static str, Vec<[f32; 2]>)> {
    let path = |(name, factor, turning): Shape| {
        let (mut at, mut yaw) = ([0.0f64; 2], 0.0f64);
        let points = (0..(SECS * RATE_HZ) as usize).map(|frame| {
            let point = at.map(|x| x as f32);
            yaw += turning(frame as f64 / RATE_HZ) / RATE_HZ;
            at[0] += yaw.sin() * factor * speed_mps / RATE_HZ;
            at[1] += yaw.cos() * factor * speed_mps / RATE_HZ;
            point
        });
        (name, points.collect())
    };
    SHAPES.map(path).to_vec()
}

/// A path as a clip of one point.
pub(crate) fn clip(points: &[[f32; 2]]) -> Result<PointClip, MotionError> {
    let points = points.iter().map(|[x, z]| Some(Vec3::new(*x, 0.0, *z))).collect();
    PointClip::new(vec!["path".into()], RATE_HZ, points)
}
