//! A contact sheet: poses side by side, as PNG.

use marey_motion::Take;
use tiny_skia::{Paint, Pixmap, Rect, Shader, Transform};

use crate::frame_renderer::FrameRenderer;
use crate::limits::{
    PANEL_CANVAS_PIXELS, SHEET_PIXELS, check_range, check_side, check_size, check_supersample,
};
use crate::scene::Scene;
use crate::{RenderError, Result, SceneOptions, header};

/// Settings of a contact sheet: poses at uniform times, all at one scale.
///
/// ```
/// # use std::sync::Arc;
/// # use marey_motion::{Clip, Joint, LocalPose, Skeleton, Take, Vec3};
/// # let joints = vec![Joint::new("root", None, Vec3::ZERO), Joint::new("top", Some(0), Vec3::Y)];
/// # let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// # let clip = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton))?;
/// use marey_render::{SceneOptions, Sheet, View};
/// let take = Take::solo("post", clip);
/// let sheet = Sheet { scene: SceneOptions { view: View::Side, ..SceneOptions::default() }, ..Sheet::default() };
/// let png: Vec<u8> = sheet.png(&take)?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// View, camera, background.
    pub scene: SceneOptions,
    /// Number of poses, 1 to 1000; at most the number of frames. If `None`, two per second, at least 6 and at most 10.
    pub poses: Option<usize>,
    /// Panels per row. If `None`, one row for up to 6 poses, else two.
    pub columns: Option<usize>,
    /// Width of a panel in pixels, 48 to 4096.
    pub panel_width_px: u32,
    /// Height of a panel in pixels, 48 to 4096.
    pub panel_height_px: u32,
    /// Supersampling: rows and columns per pixel, 1 to 4. Edges are antialiased at 1; thin lines are smooth from 2 on.
    pub supersample: u32,
}

impl Default for Sheet {
    fn default() -> Self {
        Self {
            scene: SceneOptions::default(),
            poses: None,
            columns: None,
            panel_width_px: 240,
            panel_height_px: 300,
            supersample: 2,
        }
    }
}

/// The layout of the panels.
struct Layout {
    columns: u32,
    header_px: u32,
    width_px: u32,
    height_px: u32,
}

impl Sheet {
    /// Checks every field's range.
    pub fn validate(&self) -> Result<()> {
        self.scene.validate()?;
        check_range("poses", self.poses.unwrap_or(1), 1..=1000, "within 1 to 1000")?;
        check_range("columns", self.columns.unwrap_or(1), 1..=1000, "within 1 to 1000")?;
        check_supersample(self.supersample)?;
        check_side("panel_width_px", self.panel_width_px)?;
        check_side("panel_height_px", self.panel_height_px)
    }

    /// Draws a take.
    pub fn png(&self, take: &Take) -> Result<Vec<u8>> {
        self.validate()?;
        let renderer =
            FrameRenderer::new(self.panel_width_px, self.panel_height_px, self.supersample, &self.scene);
        check_size(
            "pixels of a panel before it is scaled down",
            renderer.canvas_pixels(),
            PANEL_CANVAS_PIXELS,
        )?;
        let scene = Scene::of(take, &self.scene)?;
        let times = self.times(&scene);
        let layout = self.layout(times.len(), &renderer);
        check_size("pixels", u64::from(layout.width_px) * u64::from(layout.height_px), SHEET_PIXELS)?;
        let mut sheet = renderer.blank(layout.width_px, layout.height_px)?;
        header::draw(&mut sheet, &renderer, &scene, take);
        for (i, (camera, &time)) in scene.cameras(&times, renderer.viewport()).iter().zip(&times).enumerate()
        {
            let panel = renderer.draw(&scene, camera, renderer.floor(&scene, camera)?, time)?;
            let (column, row) = (i as u32 % layout.columns, i as u32 / layout.columns);
            let left = column * self.panel_width_px;
            let top = layout.header_px + row * self.panel_height_px;
            paste(&mut sheet, &panel, left as usize, top as usize);
            draw_frame(&mut sheet, &renderer, left, top, &panel);
        }
        encode(&sheet)
    }

    /// The times of the poses. They are at whole frames, from the first to the last.
    fn times(&self, scene: &Scene) -> Vec<f64> {
        let wanted = 2 * scene.duration_secs().round().clamp(3.0, 5.0) as usize;
        let poses = self.poses.unwrap_or(wanted).min(scene.frames());
        let (last, gaps) = (scene.frames() - 1, (poses - 1).max(1));
        (0..poses).map(|i| ((i * last + gaps / 2) / gaps) as f64 / scene.rate_hz()).collect()
    }

    fn layout(&self, poses: usize, renderer: &FrameRenderer) -> Layout {
        let columns = self.columns.unwrap_or(if poses > 6 { poses.div_ceil(2) } else { poses }).min(poses);
        let (columns, rows) = (columns as u32, poses.div_ceil(columns) as u32);
        let header_px = (2.8 * renderer.font.capital_px) as u32;
        let height_px = header_px + rows * self.panel_height_px;
        Layout { columns, header_px, width_px: columns * self.panel_width_px, height_px }
    }
}

/// Copies a whole picture into a larger one.
fn paste(sheet: &mut Pixmap, panel: &Pixmap, left: usize, top: usize) {
    let (stride, width) = (4 * sheet.width() as usize, 4 * panel.width() as usize);
    for (y, row) in panel.data().chunks_exact(width).enumerate() {
        let start = (top + y) * stride + 4 * left;
        sheet.data_mut()[start..start + width].copy_from_slice(row);
    }
}

/// Draws the upper and the left edge of a panel, which separate it from its neighbours.
fn draw_frame(sheet: &mut Pixmap, renderer: &FrameRenderer, left: u32, top: u32, panel: &Pixmap) {
    let colour = renderer.theme.background.mix(renderer.theme.grid, 0.35).with_alpha(1.0);
    let paint = Paint { shader: Shader::SolidColor(colour), anti_alias: false, ..Paint::default() };
    let edges = [(panel.width(), 1), (u32::from(left > 0), panel.height())];
    for (width, height) in edges {
        if let Some(edge) = Rect::from_xywh(left as f32, top as f32, width as f32, height as f32) {
            sheet.fill_rect(edge, &paint, Transform::identity(), None);
        }
    }
}

/// An opaque picture as PNG.
pub(crate) fn encode(picture: &Pixmap) -> Result<Vec<u8>> {
    let rgb: Vec<u8> = picture.pixels().iter().flat_map(|p| [p.red(), p.green(), p.blue()]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width(), picture.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let refused = |error: png::EncodingError| RenderError::Encode { problem: error.to_string() };
    let mut writer = encoder.write_header().map_err(refused)?;
    writer.write_image_data(&rgb).map_err(refused)?;
    writer.finish().map_err(refused)?;
    Ok(bytes)
}
