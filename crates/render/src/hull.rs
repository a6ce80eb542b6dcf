//! The outline around discs in the picture.

use std::f32::consts::TAU;

use glam::Vec2;
use tiny_skia::{Path, PathBuilder};

/// The projection of a ball.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Disc {
    pub(crate) at: Vec2,
    pub(crate) radius_px: f32,
}

/// The convex outline around discs, each grown by `grow_px`. `None` if there are none.
pub(crate) fn around(discs: &[Disc], grow_px: f32) -> Option<Path> {
    let mut rim = Vec::new();
    for disc in discs {
        let radius = disc.radius_px + grow_px;
        // Enough corners to look round.
        let corners = (8.0 + 6.0 * radius.max(0.0).sqrt()).min(48.0) as usize;
        rim.extend((0..corners).map(|i| {
            let (sin, cos) = (TAU * i as f32 / corners as f32).sin_cos();
            disc.at + radius * Vec2::new(cos, sin)
        }));
    }
    polygon(rim)
}

/// The convex outline around points.
pub(crate) fn polygon(mut points: Vec<Vec2>) -> Option<Path> {
    points.retain(|p| p.is_finite());
    let corners = convex(points);
    let mut path = PathBuilder::with_capacity(corners.len() + 1, corners.len());
    for (i, p) in corners.iter().enumerate() {
        if i == 0 { path.move_to(p.x, p.y) } else { path.line_to(p.x, p.y) }
    }
    path.close();
    path.finish()
}

/// The corners of the convex hull, in order, by Andrew's monotone chain (1979).
fn convex(mut points: Vec<Vec2>) -> Vec<Vec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut corners = half_hull(points.iter().copied());
    corners.pop();
    let mut upper = half_hull(points.iter().rev().copied());
    upper.pop();
    corners.append(&mut upper);
    corners
}

fn half_hull(points: impl Iterator<Item = Vec2>) -> Vec<Vec2> {
    let mut chain: Vec<Vec2> = Vec::new();
    for p in points {
        while let [.., a, b] = chain[..]
            && (b - a).perp_dot(p - a) <= 0.0
        {
            chain.pop();
        }
        chain.push(p);
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hull_of_a_square_with_a_middle_is_the_square() {
        let square = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        let mut points = square.to_vec();
        points.extend([Vec2::splat(0.5), Vec2::new(0.5, 0.0), Vec2::X]);
        assert_eq!(convex(points), square);
    }

    #[test]
    fn two_discs_are_bounded_by_their_far_rims() {
        let discs = [
            Disc { at: Vec2::new(10.0, 10.0), radius_px: 5.0 },
            Disc { at: Vec2::new(40.0, 10.0), radius_px: 2.0 },
        ];
        let bounds = around(&discs, 1.0).unwrap().bounds();
        assert!((bounds.left() - 4.0).abs() < 0.2 && (bounds.right() - 43.0).abs() < 0.2);
        assert!((bounds.height() - 12.0).abs() < 0.4);
    }

    #[test]
    fn no_discs_have_no_outline() {
        assert_eq!(around(&[], 1.0), None);
        assert_eq!(around(&[Disc { at: Vec2::NAN, radius_px: 1.0 }], 0.0), None);
    }
}
