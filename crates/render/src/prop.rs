//! Objects around figures: static or moving lines in the world, which the camera ignores.

use glam::Vec3;

use crate::solid::{Ball, Solid};
use crate::theme::Material;

/// A line through points: the edge of a floor, a bar, a rope.
///
/// ```
/// use marey_motion::Vec3;
/// use marey_render::Prop;
/// let bar = Prop::still(vec![Vec3::new(-1.0, 2.0, 0.0), Vec3::new(1.0, 2.0, 0.0)], 0.02);
/// assert_eq!(bar.points(7), bar.points(0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Prop {
    points: Vec<Vec3>,
    points_per_frame: usize,
    radius_m: f32,
}

/// Longest piece of a line, in metres, so that each piece has a well-defined depth.
const PIECE_M: f32 = 0.5;

impl Prop {
    /// A static line.
    pub fn still(points: Vec<Vec3>, radius_m: f32) -> Self {
        Self { points_per_frame: points.len(), points, radius_m }
    }

    /// A moving line: the points of every frame of the take, one frame after another.
    pub fn moving(points: Vec<Vec3>, points_per_frame: usize, radius_m: f32) -> Self {
        Self { points, points_per_frame, radius_m }
    }

    /// The points in a frame. After the last frame, those of the last.
    pub fn points(&self, frame: usize) -> &[Vec3] {
        let frames = self.points.len() / self.points_per_frame.max(1);
        let first = frame.min(frames.saturating_sub(1)) * self.points_per_frame;
        self.points.get(first..first + self.points_per_frame).unwrap_or_default()
    }

    /// Adds the line to a list of solids.
    pub(crate) fn build(&self, frame: usize, solids: &mut Vec<Solid>) {
        for two in self.points(frame).windows(2) {
            let pieces = (two[0].distance(two[1]) / PIECE_M).ceil().clamp(1.0, 200.0);
            let at = |piece: usize| Ball::new(two[0].lerp(two[1], piece as f32 / pieces), self.radius_m);
            for piece in 0..pieces as usize {
                let solid = Solid::capsule(at(piece), at(piece + 1), Material::Prop);
                let before = solids.len().checked_sub(1).filter(|_| piece > 0);
                solids.push(before.map_or(solid.clone(), |before| solid.continuing(before)));
            }
        }
    }

    /// The largest coordinate, in metres; infinite if a value is not finite.
    pub(crate) fn farthest_m(&self) -> f32 {
        let numbers = self.points.iter().flat_map(|point| point.to_array()).chain([self.radius_m]);
        numbers.fold(
            0.0,
            |largest, number| if number.is_finite() { number.abs().max(largest) } else { f32::INFINITY },
        )
    }
}
