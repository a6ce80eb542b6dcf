//! Soft shadows below a figure, which show where it stands and whether it hovers.

use glam::{Vec2, Vec3};
use tiny_skia::{BlendMode, Color, FillRule, Paint, Pixmap, Shader, Transform};

use crate::camera::Camera;
use crate::floor::Floor;
use crate::hull;
use crate::solid::{Ball, Solid};

/// Width of a shadow's soft edge, in metres.
const SOFTNESS_M: f32 = 0.035;
/// Height at which a shadow is half as dark as on the floor, in metres.
const HALF_DEPTH_M: f32 = 0.25;
/// Corners of the rim of a ball's shadow.
const RIM: usize = 12;

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy)]
struct Window {
    left: usize,
    top: usize,
    width: usize,
    height: usize,
}

/// Darkens the canvas below the solids, by at most `depth` of its light.
pub(crate) fn draw(canvas: &mut Pixmap, camera: &Camera, floor: &Floor, solids: &[Solid], depth: f32) {
    let shapes: Vec<(Vec<Vec2>, f32)> = solids.iter().filter_map(|s| cast(camera, floor, s)).collect();
    let spread_px = (SOFTNESS_M * camera.px_per_m()).clamp(1.0, 64.0) as usize;
    let Some(window) = window(canvas, &shapes, 2 * spread_px + 2) else { return };
    let Some(mut mask) = paint_mask(&shapes, window) else { return };
    for _ in 0..2 {
        blur(&mut mask, window.width, window.height, spread_px);
    }
    darken(canvas, &mask, window, depth);
}

/// The shadow of a solid on the floor, and its darkness.
fn cast(camera: &Camera, floor: &Floor, solid: &Solid) -> Option<(Vec<Vec2>, f32)> {
    let mut rims = Vec::with_capacity(solid.balls.len() * RIM);
    let mut lowest_m = f32::INFINITY;
    for ball in &solid.balls {
        lowest_m = lowest_m.min(ball.at.y - ball.radius_m - floor.height_m);
        rims.extend(rim(camera, floor, ball)?);
    }
    // Parts below the floor cast no shadow.
    let above_m = lowest_m.max(0.0);
    (above_m.is_finite()).then_some((rims, HALF_DEPTH_M / (HALF_DEPTH_M + above_m)))
}

/// The rim of a ball's shadow in the picture.
fn rim(camera: &Camera, floor: &Floor, ball: &Ball) -> Option<Vec<Vec2>> {
    let corner = |i: usize| {
        let (sin, cos) = (std::f32::consts::TAU * i as f32 / RIM as f32).sin_cos();
        let at = floor.under(ball.at) + ball.radius_m * Vec3::new(cos, 0.0, sin);
        camera.project(at).map(|spot| spot.at)
    };
    (0..RIM).map(corner).collect()
}

/// The part of the canvas that the shapes and their soft edges cover.
fn window(canvas: &Pixmap, shapes: &[(Vec<Vec2>, f32)], margin_px: usize) -> Option<Window> {
    let points = || shapes.iter().flat_map(|(points, _)| points);
    let size = Vec2::new(canvas.width() as f32, canvas.height() as f32);
    let low = points().fold(Vec2::INFINITY, |low, &p| low.min(p)) - margin_px as f32;
    let high = points().fold(Vec2::NEG_INFINITY, |high, &p| high.max(p)) + margin_px as f32;
    let (low, high) = (low.max(Vec2::ZERO).floor(), high.min(size).ceil());
    let extent = high - low;
    (extent.x >= 1.0 && extent.y >= 1.0).then_some(Window {
        left: low.x as usize,
        top: low.y as usize,
        width: extent.x as usize,
        height: extent.y as usize,
    })
}

/// The darkness of each pixel in the window. If shadows overlap, the darkest is used.
fn paint_mask(shapes: &[(Vec<Vec2>, f32)], window: Window) -> Option<Vec<u8>> {
    let mut plate = Pixmap::new(window.width as u32, window.height as u32)?;
    plate.fill(Color::BLACK);
    let move_in = Transform::from_translate(-(window.left as f32), -(window.top as f32));
    for (points, depth) in shapes {
        let Some(path) = hull::polygon(points.clone()) else { continue };
        let shader = Shader::SolidColor(Color::from_rgba(*depth, *depth, *depth, 1.0)?);
        let paint = Paint { shader, blend_mode: BlendMode::Lighten, ..Paint::default() };
        plate.fill_path(&path, &paint, FillRule::Winding, move_in, None);
    }
    Some(plate.pixels().iter().map(|p| p.red()).collect())
}

/// Averages over a square of `2 reach + 1` pixels, rows first, then columns.
fn blur(mask: &mut [u8], width: usize, height: usize, reach: usize) {
    let mut line = Vec::new();
    for y in 0..height {
        blur_line(mask, y * width, 1, width, reach, &mut line);
    }
    for x in 0..width {
        blur_line(mask, x, width, height, reach, &mut line);
    }
}

fn blur_line(mask: &mut [u8], start: usize, stride: usize, len: usize, reach: usize, line: &mut Vec<u8>) {
    line.clear();
    line.extend((0..len).map(|i| mask[start + i * stride]));
    let span = (2 * reach + 1) as u32;
    let mut sum: u32 = line.iter().take(reach).map(|&v| u32::from(v)).sum();
    for i in 0..len {
        sum += line.get(i + reach).map_or(0, |&v| u32::from(v));
        mask[start + i * stride] = ((sum + span / 2) / span) as u8;
        sum -= if i >= reach { u32::from(line[i - reach]) } else { 0 };
    }
}

fn darken(canvas: &mut Pixmap, mask: &[u8], window: Window, depth: f32) {
    let stride = canvas.width() as usize;
    let pixels = canvas.data_mut();
    for (y, row) in mask.chunks_exact(window.width).enumerate() {
        let start = 4 * ((window.top + y) * stride + window.left);
        for (pixel, &shade) in pixels[start..].chunks_exact_mut(4).zip(row) {
            let kept = 1.0 - depth * f32::from(shade) / 255.0;
            for part in &mut pixel[..3] {
                *part = (f32::from(*part) * kept + 0.5) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::View;
    use crate::camera::{CameraAxes, Viewport};
    use crate::theme::Material;

    #[test]
    fn blurring_spreads_evenly_and_keeps_the_sum() {
        let mut mask = vec![0; 49];
        mask[24] = 90;
        blur(&mut mask, 7, 7, 1);
        for (i, &value) in mask.iter().enumerate() {
            let inside = (i % 7).abs_diff(3) <= 1 && (i / 7).abs_diff(3) <= 1;
            assert_eq!(value, if inside { 10 } else { 0 });
        }
    }

    #[test]
    fn a_shadow_is_on_the_floor_below_and_fades_with_height() {
        let viewport = Viewport { width_px: 200.0, height_px: 200.0 };
        let camera = Camera::new(CameraAxes::of(View::ThreeQuarter, Vec3::Z), Vec3::Y, 6.0, viewport);
        let floor = Floor { height_m: 0.0, low: Vec2::ZERO, high: Vec2::ZERO };
        let below = camera.project(Vec3::ZERO).unwrap().at;
        let light_below = |height: f32| {
            let mut canvas = Pixmap::new(200, 200).unwrap();
            canvas.fill(Color::WHITE);
            let solid = Solid::hull(vec![Ball::new(Vec3::Y * height, 0.15)], Material::Left);
            draw(&mut canvas, &camera, &floor, &[solid], 0.5);
            let dark = canvas.pixels().iter().filter(|p| p.red() < 250).count();
            assert!(dark > 50 && dark < 4000, "{dark}");
            canvas.pixel(below.x as u32, below.y as u32).unwrap().red()
        };
        assert!(light_below(0.15) < 150);
        assert!(light_below(0.15) < light_below(0.5) && light_below(0.5) < light_below(1.5));
    }
}
