//! One picture of a scene at one instant.

use glam::Vec2;
use tiny_skia::{Pixmap, PremultipliedColorU8};

use crate::camera::{Camera, Viewport};
use crate::floor::Line;
use crate::limits::SHEET_PIXELS;
use crate::scene::Scene;
use crate::text::Font;
use crate::theme::Theme;
use crate::{RenderError, Result, SceneOptions, painter, shadow, terrain_strip};

/// Duration of the strong end of a trail, in seconds.
const RECENT_SECS: f64 = 2.0;
/// Largest number of points in the faint part of a trail.
const MAX_TRAIL_POINTS: usize = 2000;

/// Draws single pictures of one size.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameRenderer {
    width_px: u32,
    height_px: u32,
    supersample: u32,
    pub(crate) theme: Theme,
    pub(crate) font: Font,
}

impl FrameRenderer {
    /// A renderer for pictures of a size.
    pub(crate) fn new(
        width_px: u32,
        height_px: u32,
        supersample: u32,
        options: &SceneOptions,
    ) -> FrameRenderer {
        let capital_px = if width_px.min(height_px) < 160 { 7.0 } else { 9.0 };
        let theme = Theme::of(options.background);
        FrameRenderer { width_px, height_px, supersample, theme, font: Font { capital_px } }
    }

    /// Number of pixels of the canvas of a picture.
    pub(crate) fn canvas_pixels(&self) -> u64 {
        u64::from(self.width_px) * u64::from(self.height_px) * u64::from(self.supersample).pow(2)
    }

    /// The part of the large canvas that the figure may fill. A strip below is reserved for the label.
    pub(crate) fn viewport(&self) -> Viewport {
        let scale = self.supersample as f32;
        let label_px = 2.2 * self.font.capital_px;
        Viewport {
            width_px: self.width_px as f32 * scale,
            height_px: (self.height_px as f32 - label_px).max(8.0) * scale,
        }
    }

    /// An empty picture of a size.
    pub(crate) fn blank(&self, width_px: u32, height_px: u32) -> Result<Pixmap> {
        let found = u64::from(width_px) * u64::from(height_px);
        let too_large = RenderError::TooLarge { what: "pixels", found, limit: SHEET_PIXELS };
        let mut canvas = Pixmap::new(width_px, height_px).ok_or(too_large)?;
        canvas.fill(self.theme.background.with_alpha(1.0));
        Ok(canvas)
    }

    /// The empty floor, on the large canvas.
    pub(crate) fn floor(&self, scene: &Scene, camera: &Camera) -> Result<Pixmap> {
        let scale = self.supersample;
        let mut canvas = self.blank(self.width_px * scale, self.height_px * scale)?;
        match &scene.terrain {
            Some(terrain) => terrain_strip::draw(&mut canvas, camera, terrain, &self.theme, scale as f32),
            None if scene.is_plain() => scene.floor.draw_grid(&mut canvas, camera, &self.theme, scale as f32),
            None => {}
        }
        Ok(canvas)
    }

    /// A complete picture at a time on a given floor, scaled down and labelled.
    pub(crate) fn draw(
        &self,
        scene: &Scene,
        camera: &Camera,
        floor: Pixmap,
        time_secs: f64,
    ) -> Result<Pixmap> {
        let px = self.supersample as f32;
        let mut canvas = floor;
        let mut solids = scene.solids_at(time_secs);
        if scene.is_plain() {
            self.draw_trails(&mut canvas, scene, camera, time_secs);
            shadow::draw(&mut canvas, camera, &scene.floor, &solids, self.theme.shadow);
        }
        scene.add_props(time_secs, &mut solids);
        let outline_px = (0.005 * camera.px_per_m()).clamp(0.6 * px, 2.0 * px);
        painter::draw(&mut canvas, camera, &self.theme, &solids, outline_px);
        let mut picture = self.blank(self.width_px, self.height_px)?;
        scale_down(&canvas, &mut picture, self.supersample as usize);
        self.label(&mut picture, scene, time_secs);
        Ok(picture)
    }

    /// A complete picture with poses at many times superimposed, scaled down and without a label.
    pub(crate) fn draw_superimposed(
        &self,
        scene: &Scene,
        camera: &Camera,
        times_secs: &[f64],
    ) -> Result<Pixmap> {
        let px = self.supersample as f32;
        let mut canvas = self.floor(scene, camera)?;
        let outline_px = (0.005 * camera.px_per_m()).clamp(0.6 * px, 2.0 * px);
        for &time_secs in times_secs {
            painter::draw(&mut canvas, camera, &self.theme, &scene.solids_at(time_secs), outline_px);
        }
        let mut picture = self.blank(self.width_px, self.height_px)?;
        scale_down(&canvas, &mut picture, self.supersample as usize);
        Ok(picture)
    }

    /// The path of each actor: all of it faint, the most recent part strong.
    fn draw_trails(&self, canvas: &mut Pixmap, scene: &Scene, camera: &Camera, time_secs: f64) {
        let px = self.supersample as f32;
        let recent = (RECENT_SECS * scene.rate_hz()) as usize + 1;
        for (actor, trail) in scene.trails_until(time_secs).enumerate() {
            let colour = self.theme.trail(actor, scene.actors());
            let faint = Line { colour, width_px: 1.3 * px, strength: 0.4 };
            let thinned = trail.iter().step_by(scene.frames().div_ceil(MAX_TRAIL_POINTS));
            scene.floor.draw_trail(canvas, camera, thinned, &faint);
            let strong = Line { colour, width_px: 2.4 * px, strength: 0.9 };
            scene.floor.draw_trail(canvas, camera, trail.iter().rev().take(recent), &strong);
        }
    }

    /// Time on the left, frame on the right.
    fn label(&self, picture: &mut Pixmap, scene: &Scene, time_secs: f64) {
        let frame = scene.first_frame as f64 + time_secs * scene.rate_hz();
        let line = self.height_px as f32 - 0.9 * self.font.capital_px;
        let pad = self.font.capital_px;
        let time_secs = frame / scene.rate_hz();
        self.font.draw(picture, &format!("{time_secs:.2} s"), Vec2::new(pad, line), self.theme.ink);
        let frame = format!("frame {frame:.0}");
        let left = self.width_px as f32 - pad - self.font.width_px(&frame);
        self.font.draw(picture, &frame, Vec2::new(left, line), self.theme.faint_ink);
    }
}

/// Averages squares of `factor` × `factor` opaque pixels.
fn scale_down(large: &Pixmap, small: &mut Pixmap, factor: usize) {
    if factor == 1 {
        small.data_mut().copy_from_slice(large.data());
        return;
    }
    let (width, stride) = (small.width() as usize, 4 * large.width() as usize);
    let area = (factor * factor) as u32;
    let source = large.data();
    for (y, row) in small.pixels_mut().chunks_exact_mut(width).enumerate() {
        for (x, pixel) in row.iter_mut().enumerate() {
            let mut sum = [0u32; 3];
            for line in 0..factor {
                let start = (y * factor + line) * stride + 4 * x * factor;
                for part in source[start..start + 4 * factor].chunks_exact(4) {
                    for (sum, &value) in sum.iter_mut().zip(part) {
                        *sum += u32::from(value);
                    }
                }
            }
            let [r, g, b] = sum.map(|sum| ((sum + area / 2) / area) as u8);
            *pixel = PremultipliedColorU8::from_rgba(r, g, b, 255).unwrap_or(*pixel);
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use marey_motion::Take;

    use super::*;
    use crate::{View, person};

    /// The first and last pixel row of a standing person, and the camera.
    fn rows_of_a_person(view: View, options: SceneOptions) -> (f32, f32, Camera) {
        let options = SceneOptions { view, ..options };
        let scene = Scene::of(&Take::solo("person", person::standing(1)), &options).unwrap();
        let renderer = FrameRenderer::new(300, 400, 1, &options);
        let camera = scene.cameras(&[0.0], renderer.viewport())[0];
        let empty = renderer.floor(&scene, &camera).unwrap();
        let mut canvas = empty.clone();
        painter::draw(&mut canvas, &camera, &renderer.theme, &scene.solids_at(0.0), 0.0);
        let differs = |&y: &u32| (0..300).any(|x| canvas.pixel(x, y) != empty.pixel(x, y));
        let rows: Vec<u32> = (0..400).filter(differs).collect();
        (rows[0] as f32, rows[rows.len() - 1] as f32, camera)
    }

    #[test]
    fn a_person_is_drawn_from_the_floor_to_the_top_of_the_head() {
        for view in [View::Front, View::Side, View::ThreeQuarter] {
            let (top, bottom, camera) = rows_of_a_person(view, SceneOptions::default());
            let row = |point: Vec3| camera.project(point).unwrap().at.y;
            // The head is round, so its visible top is slightly in front of or behind the crown.
            assert!((top - row(Vec3::Y * 1.7)).abs() < 4.0, "{view}");
            let soles = [Vec3::new(0.1, 0.0, 0.22), Vec3::new(-0.1, 0.0, 0.22), Vec3::new(0.1, 0.0, -0.05)];
            let floor_line = soles.map(row).into_iter().fold(0.0, f32::max);
            assert!((bottom - floor_line).abs() < 4.0, "{view}: {bottom} {floor_line}");
        }
    }

    #[test]
    fn a_person_spans_as_many_pixels_as_the_camera_scale_gives() {
        let (top, bottom, camera) = rows_of_a_person(View::Side, SceneOptions::default());
        let expected = 1.7 * camera.px_per_m();
        assert!(((bottom - top) / expected - 1.0).abs() < 0.05, "{} {expected}", bottom - top);
        assert!(bottom - top > 300.0, "the figure fills the picture");
    }

    #[test]
    fn a_lower_floor_leaves_the_figure_in_the_air() {
        let options = SceneOptions { floor_m: -0.5, ..SceneOptions::default() };
        let (_, bottom, camera) = rows_of_a_person(View::Front, options);
        let floor_row = camera.project(Vec3::new(0.1, -0.5, 0.22)).unwrap().at.y;
        assert!(bottom + 0.3 * camera.px_per_m() < floor_row);
    }

    #[test]
    fn scaling_down_is_the_mean() {
        let mut large = Pixmap::new(4, 2).unwrap();
        for (i, pixel) in large.pixels_mut().iter_mut().enumerate() {
            *pixel = PremultipliedColorU8::from_rgba(10 * i as u8, 0, 200, 255).unwrap();
        }
        let mut small = Pixmap::new(2, 1).unwrap();
        scale_down(&large, &mut small, 2);
        let reds: Vec<u8> = small.pixels().iter().map(|p| p.red()).collect();
        assert_eq!(reds, [25, 45]);
        assert!(small.pixels().iter().all(|p| p.blue() == 200 && p.alpha() == 255));
    }
}
