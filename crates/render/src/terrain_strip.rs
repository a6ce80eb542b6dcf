//! Draws a terrain as a strip of ground along +Z.

use glam::{Vec2, Vec3};
use marey_motion::Terrain;
use tiny_skia::{FillRule, Paint, PathBuilder, Pixmap, Shader, Stroke, Transform};

use crate::camera::Camera;
use crate::theme::{Rgb, Theme};

/// Half the width of the strip, in metres.
const HALF_M: f32 = 0.16;
/// Depth of the side of the ground below its lowest point, in metres.
const DEPTH_M: f32 = 0.12;
/// Longest piece of ground, in metres. Longer parts are split, so that none reaches behind the camera.
const PIECE_M: f32 = 0.25;

/// Draws a terrain: its upper faces, and the side that faces the viewer.
pub(crate) fn draw(canvas: &mut Pixmap, camera: &Camera, terrain: &Terrain, theme: &Theme, px: f32) {
    let bottom_m = terrain.lowest_m() - DEPTH_M;
    // The strip's nearer edge, along x.
    let near = if camera.direction_from(camera.target).x < 0.0 { -HALF_M } else { HALF_M };
    let world_point = |x: f32, at: Vec2| Vec3::new(x, at.y, at.x);
    let (top, side) = (theme.background.mix(theme.grid, 0.22), theme.background.mix(theme.grid, 0.42));
    for two in terrain.pieces().iter().flat_map(|piece| piece.windows(2)) {
        let (from, to) = (two[0], two[1]);
        let pieces = ((to.x - from.x) / PIECE_M).ceil().max(1.0) as usize;
        for i in 0..pieces {
            let [a, b] = [i, i + 1].map(|i| from.lerp(to, i as f32 / pieces as f32));
            fill(
                canvas,
                camera,
                [world_point(-near, a), world_point(-near, b), world_point(near, b), world_point(near, a)],
                top,
            );
            let low = |at: Vec2| world_point(near, at.with_y(bottom_m));
            if b.x > a.x {
                fill(canvas, camera, [world_point(near, a), world_point(near, b), low(b), low(a)], side);
            }
            line(canvas, camera, [world_point(near, a), world_point(near, b)], theme.faint_ink, 1.4 * px);
        }
    }
}

fn fill(canvas: &mut Pixmap, camera: &Camera, corners: [Vec3; 4], colour: Rgb) {
    let mut path = PathBuilder::new();
    for (i, corner) in corners.into_iter().enumerate() {
        let Some(spot) = camera.project(corner) else { return };
        if i == 0 { path.move_to(spot.at.x, spot.at.y) } else { path.line_to(spot.at.x, spot.at.y) }
    }
    path.close();
    if let Some(path) = path.finish() {
        // Antialiased edges would leave seams between neighbours.
        let paint = Paint {
            shader: Shader::SolidColor(colour.with_alpha(1.0)),
            anti_alias: false,
            ..Paint::default()
        };
        canvas.fill_path(&path, &paint, FillRule::Winding, Transform::identity(), None);
    }
}

fn line(canvas: &mut Pixmap, camera: &Camera, ends: [Vec3; 2], colour: Rgb, width_px: f32) {
    let [Some(from), Some(to)] = ends.map(|end| camera.project(end)) else { return };
    let mut path = PathBuilder::new();
    path.move_to(from.at.x, from.at.y);
    path.line_to(to.at.x, to.at.y);
    if let Some(path) = path.finish() {
        let paint = Paint { shader: Shader::SolidColor(colour.with_alpha(0.8)), ..Paint::default() };
        let stroke = Stroke { width: width_px, ..Stroke::default() };
        canvas.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
    }
}

#[cfg(test)]
mod tests {
    use tiny_skia::Color;

    use super::*;
    use crate::camera::{CameraAxes, Viewport};
    use crate::{Background, View};

    #[test]
    fn ground_is_drawn_and_gaps_are_not() {
        let piece = |from: f32, to: f32| vec![Vec2::new(from, 0.0), Vec2::new(to, 0.0)];
        let terrain = Terrain::new(vec![piece(-1.0, -0.2), piece(0.2, 1.0)]).unwrap();
        let viewport = Viewport { width_px: 400.0, height_px: 400.0 };
        let camera = Camera::new(CameraAxes::of(View::Side, Vec3::Z), Vec3::ZERO, 6.0, viewport);
        let mut canvas = Pixmap::new(400, 400).unwrap();
        canvas.fill(Color::WHITE);
        draw(&mut canvas, &camera, &terrain, &Theme::of(Background::Light), 1.0);
        let is_drawn = |along: f32| {
            let at = camera.project(Vec3::new(-HALF_M, -0.05, along)).unwrap().at;
            canvas.pixel(at.x as u32, at.y as u32).unwrap().red() < 250
        };
        assert!(is_drawn(-0.5) && is_drawn(0.5) && !is_drawn(0.0) && !is_drawn(1.1));
    }
}
