//! The floor: a metric grid, and the path of each figure up to the current time.

use glam::{Vec2, Vec3};
use marey_motion::smoothstep;
use tiny_skia::{LineCap, LineJoin, Paint, PathBuilder, Pixmap, Shader, Stroke, Transform};

use crate::camera::Camera;
use crate::theme::{Rgb, Theme};

/// Distance beyond the motion over which the grid fades out, in metres.
const FADE_M: f32 = 1.6;
/// Smallest distance between drawn lines, in pixels.
const CLOSEST_PX: f32 = 4.0;
/// Number of fading steps.
const STEPS: usize = 12;
/// Number of pieces of a line, each with its own strength.
const PIECES: usize = 40;

/// The part of the floor that a motion uses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Floor {
    pub(crate) height_m: f32,
    /// Smallest x and z of the motion.
    pub(crate) low: Vec2,
    /// Largest x and z of the motion.
    pub(crate) high: Vec2,
}

impl Floor {
    /// The point of the floor under a point.
    pub(crate) fn under(&self, point: Vec3) -> Vec3 {
        Vec3::new(point.x, self.height_m, point.z)
    }

    /// Extends the used part to below these points.
    pub(crate) fn reach(&mut self, points: impl Iterator<Item = Vec3>) {
        for point in points {
            let at = Vec2::new(point.x, point.z);
            (self.low, self.high) = (self.low.min(at), self.high.max(at));
        }
    }

    /// The strength of a line at a position: 1 near the motion, 0 far away.
    fn presence(&self, at: Vec2) -> f32 {
        let outside = (self.low - at).max(at - self.high).max(Vec2::ZERO).length();
        smoothstep(1.0 - outside / FADE_M)
    }

    /// Draws the grid: bold lines every metre, thin ones every quarter, and a coarser grid if that would be too dense.
    /// `px` is the size of a pixel of the finished picture.
    pub(crate) fn draw_grid(&self, canvas: &mut Pixmap, camera: &Camera, theme: &Theme, px: f32) {
        let mut step_m = 0.25;
        while step_m * camera.px_per_m() < CLOSEST_PX * px {
            step_m *= 4.0;
        }
        let thin = Lines { step_m, skip_every: Some(4), width_px: 0.8 * px, strength: 0.38 };
        let bold = Lines { step_m: 4.0 * step_m, skip_every: None, width_px: 1.4 * px, strength: 0.85 };
        for lines in [thin, bold] {
            self.draw_lines(canvas, camera, theme.grid, &lines, px);
        }
    }

    fn draw_lines(&self, canvas: &mut Pixmap, camera: &Camera, colour: Rgb, lines: &Lines, px: f32) {
        let mut by_strength: Vec<PathBuilder> = (0..STEPS).map(|_| PathBuilder::new()).collect();
        // Beyond this distance, even the lines across the view are too dense.
        let reach_m = camera.distance_m * camera.px_per_m() * lines.step_m / (CLOSEST_PX * px);
        let target = Vec2::new(camera.target.x, camera.target.z);
        let low = (self.low - FADE_M).max(target - reach_m);
        let high = (self.high + FADE_M).min(target + reach_m);
        for axis in [Vec2::X, Vec2::Y] {
            let across = Vec2::ONE - axis;
            let (from, to) = (across.dot(low), across.dot(high));
            let mut line = (from / lines.step_m).ceil() as i64;
            while (line as f32) * lines.step_m <= to {
                if lines.skip_every.is_none_or(|every| line % every != 0) {
                    let offset = across * (line as f32 * lines.step_m);
                    let ends = [axis * axis.dot(low) + offset, axis * axis.dot(high) + offset];
                    self.add_line(&mut by_strength, camera, ends, lines.step_m, px);
                }
                line += 1;
            }
        }
        let stroke = Stroke { width: lines.width_px, ..Stroke::default() };
        for (step, path) in by_strength.into_iter().enumerate() {
            let strength = lines.strength * (step + 1) as f32 / STEPS as f32;
            let shader = Shader::SolidColor(colour.with_alpha(strength));
            let paint = Paint { shader, ..Paint::default() };
            if let Some(path) = path.finish() {
                canvas.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
            }
        }
    }

    /// Adds a line in pieces, each to the path with its strength.
    fn add_line(
        &self,
        by_strength: &mut [PathBuilder],
        camera: &Camera,
        ends: [Vec2; 2],
        step_m: f32,
        px: f32,
    ) {
        let spot = |i: usize| {
            let at = ends[0].lerp(ends[1], i as f32 / PIECES as f32);
            camera.project(Vec3::new(at.x, self.height_m, at.y)).map(|spot| (at, spot))
        };
        for i in 0..PIECES {
            let (Some((a, from)), Some((b, to))) = (spot(i), spot(i + 1)) else { continue };
            let spacing_px = step_m * from.px_per_m.min(to.px_per_m) / px;
            let room = (spacing_px / CLOSEST_PX - 1.0).clamp(0.0, 1.0);
            let strength = room * self.presence(0.5 * (a + b));
            let step = (strength * STEPS as f32).round() as usize;
            if step > 0 {
                by_strength[step - 1].move_to(from.at.x, from.at.y);
                by_strength[step - 1].line_to(to.at.x, to.at.y);
            }
        }
    }

    /// Draws the path of these positions over the floor.
    pub(crate) fn draw_trail<'a>(
        &self,
        canvas: &mut Pixmap,
        camera: &Camera,
        positions: impl Iterator<Item = &'a Vec3>,
        line: &Line,
    ) {
        let mut path = PathBuilder::new();
        let mut pen: Option<Vec2> = None;
        for spot in positions.map(|&position| camera.project(self.under(position))) {
            match (pen, spot) {
                (Some(last), Some(spot)) if spot.at.distance(last) < 0.5 * line.width_px => continue,
                (Some(_), Some(spot)) => path.line_to(spot.at.x, spot.at.y),
                (None, Some(spot)) => path.move_to(spot.at.x, spot.at.y),
                _ => {}
            }
            pen = spot.map(|spot| spot.at);
        }
        let stroke = Stroke {
            width: line.width_px,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let shader = Shader::SolidColor(line.colour.with_alpha(line.strength));
        if let Some(path) = path.finish() {
            let paint = Paint { shader, ..Paint::default() };
            canvas.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
        }
    }
}

/// The style of a trail.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    pub(crate) colour: Rgb,
    pub(crate) width_px: f32,
    pub(crate) strength: f32,
}

/// Parallel lines.
struct Lines {
    step_m: f32,
    /// Interval of lines that are omitted because bolder lines are drawn there.
    skip_every: Option<i64>,
    width_px: f32,
    strength: f32,
}

#[cfg(test)]
mod tests {
    use tiny_skia::Color;

    use super::*;
    use crate::camera::{CameraAxes, Viewport};
    use crate::{Background, View};

    const FLOOR: Floor = Floor { height_m: 0.0, low: Vec2::splat(-2.0), high: Vec2::splat(2.0) };

    fn from_above(distance_m: f32) -> (Camera, Pixmap) {
        let viewport = Viewport { width_px: 400.0, height_px: 400.0 };
        let camera = Camera::new(CameraAxes::of(View::Top, Vec3::Z), Vec3::ZERO, distance_m, viewport);
        let mut canvas = Pixmap::new(400, 400).unwrap();
        canvas.fill(Color::WHITE);
        FLOOR.draw_grid(&mut canvas, &camera, &Theme::of(Background::Light), 1.0);
        (camera, canvas)
    }

    /// The darkness of the canvas at a position on the floor and its neighbours.
    fn darkness(camera: &Camera, canvas: &Pixmap, x: f32, z: f32) -> u32 {
        let at = camera.project(Vec3::new(x, 0.0, z)).unwrap().at;
        let pixels = [-1.0f32, 0.0, 1.0].map(|d| canvas.pixel((at.x + d) as u32, at.y as u32).unwrap());
        pixels.iter().map(|p| 255 - u32::from(p.red())).sum()
    }

    #[test]
    fn metres_are_bold_quarters_thin_and_the_rest_empty() {
        let (camera, canvas) = from_above(6.0);
        let at = |x| darkness(&camera, &canvas, x, 0.62);
        assert!(at(1.0) > 2 * at(0.75) && at(0.75) > 20);
        assert_eq!(at(0.62), 0);
    }

    #[test]
    fn lines_end_beyond_the_motion() {
        let (camera, canvas) = from_above(20.0);
        assert!(darkness(&camera, &canvas, 1.0, 1.62) > 50);
        assert_eq!(darkness(&camera, &canvas, 4.0, 1.62), 0);
    }

    #[test]
    fn from_far_away_the_grid_is_coarser_instead_of_grey() {
        let floor = Floor { low: Vec2::splat(-4e5), high: Vec2::splat(4e5), ..FLOOR };
        let viewport = Viewport { width_px: 400.0, height_px: 400.0 };
        let camera = Camera::new(CameraAxes::of(View::ThreeQuarter, Vec3::Z), Vec3::ZERO, 1e6, viewport);
        let mut canvas = Pixmap::new(400, 400).unwrap();
        canvas.fill(Color::WHITE);
        floor.draw_grid(&mut canvas, &camera, &Theme::of(Background::Light), 1.0);
        let empty = canvas.pixels().iter().filter(|p| p.red() == 255).count();
        assert!(empty > 400 * 400 / 3 && empty < 400 * 400);
    }
}
