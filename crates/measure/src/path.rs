//! Distance of a character from its path.

use glam::Vec3;
use marey_motion::{Clip, PointClip};
use serde::Serialize;

/// Horizontal distance of a character from its path.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PathDeviation {
    /// Mean distance from the path position at the same time, in centimetres.
    pub mean_cm: f64,
    /// The largest of these, in centimetres.
    pub largest_cm: f64,
    /// Its frame.
    pub worst_frame: usize,
    /// Mean distance from the nearest point of the path, in centimetres: whether the shape is kept.
    pub shape_cm: f64,
}

/// Measures the distance of the ground under the hips from the first point of a path. Times count from the
/// first frame of both; a path holds its end positions, and missing points are interpolated linearly. `None`
/// if the path has no points.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Joint, PointClip, Quat, Skeleton, Vec3};
/// let skeleton = Arc::new(Skeleton::new(vec![Joint::new("hips", None, Vec3::Y)], vec![])?);
/// let positions = (0..5).map(|f| Vec3::new(0.1, 1.0, f as f32)).collect();
/// let clip = Clip::new(skeleton, 10.0, ClipParts { rotations: vec![Quat::IDENTITY; 5], positions })?;
/// // The path goes the same way, 10 cm beside, at half the rate.
/// let points = (0..3).map(|f| Some(Vec3::Z * 2.0 * f as f32)).collect();
/// let path = PointClip::new(vec!["path".into()], 5.0, points)?;
/// let error = marey_measure::path::path_error(&clip, &path).unwrap();
/// assert!((error.mean_cm - 10.0).abs() < 1e-4 && (error.shape_cm - 10.0).abs() < 1e-4);
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub fn path_error(clip: &Clip, path: &PointClip) -> Option<PathDeviation> {
    let line: Vec<(f64, Vec3)> = (0..path.frames())
        .filter_map(|frame| Some((frame as f64 / path.rate_hz(), path.get(frame, 0)?.with_y(0.0))))
        .collect();
    let (mut sum, mut shape) = (0.0, 0.0);
    let mut worst = (0.0, 0);
    for (frame, ground) in clip.ground_track().frames.iter().enumerate() {
        let here = ground.translation();
        let off = f64::from(at_time(&line, clip.time_of(frame))?.distance(here));
        sum += off;
        shape += f64::from(nearest(&line, here)?);
        if off > worst.0 {
            worst = (off, frame);
        }
    }
    let frames = clip.frames() as f64;
    Some(PathDeviation {
        mean_cm: 100.0 * sum / frames,
        largest_cm: 100.0 * worst.0,
        worst_frame: worst.1,
        shape_cm: 100.0 * shape / frames,
    })
}

fn at_time(line: &[(f64, Vec3)], secs: f64) -> Option<Vec3> {
    let after = line.partition_point(|(time, _)| *time <= secs);
    let before = line.get(after.saturating_sub(1))?;
    let Some(next) = line.get(after).filter(|_| after > 0) else { return Some(before.1) };
    Some(before.1.lerp(next.1, ((secs - before.0) / (next.0 - before.0)) as f32))
}

/// The distance from the nearest point of a line segment.
fn nearest(line: &[(f64, Vec3)], point: Vec3) -> Option<f32> {
    let to_piece = |pair: &[(f64, Vec3)]| {
        let (a, b) = (pair.first()?.1, pair.last()?.1);
        let along = (point - a).dot(b - a) / (b - a).length_squared().max(f32::MIN_POSITIVE);
        Some(a.lerp(b, along.clamp(0.0, 1.0)).distance(point))
    };
    match line {
        [only] => Some(only.1.distance(point)),
        _ => line.windows(2).filter_map(to_piece).reduce(f32::min),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_hold_their_ends_and_interpolate_gaps() {
        let line = [(0.0, Vec3::ZERO), (1.0, Vec3::X), (3.0, Vec3::X * 3.0)];
        for (secs, x) in [(-1.0, 0.0), (0.5, 0.5), (2.0, 2.0), (9.0, 3.0)] {
            assert!(at_time(&line, secs).unwrap().distance(Vec3::X * x) < 1e-6, "{secs}");
        }
        assert_eq!(nearest(&line, Vec3::new(2.0, 0.0, 1.0)), Some(1.0));
        assert_eq!(nearest(&line[..1], Vec3::Z), Some(1.0));
        assert_eq!(nearest(&[], Vec3::Z), None);
    }
}
