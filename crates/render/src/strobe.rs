//! Many instants in one picture, as Étienne-Jules Marey photographed motion.

use marey_motion::Take;

use crate::frame_renderer::FrameRenderer;
use crate::limits::{PANEL_CANVAS_PIXELS, check_range, check_side, check_size, check_supersample};
use crate::scene::Scene;
use crate::sheet::encode;
use crate::{Result, SceneOptions};

/// Settings of a strobed picture: poses at uniform times, superimposed, from a static camera.
///
/// ```
/// # use std::sync::Arc;
/// # use marey_motion::{Clip, Joint, LocalPose, Skeleton, Take, Vec3};
/// # let joints = vec![Joint::new("root", None, Vec3::ZERO), Joint::new("top", Some(0), Vec3::Y)];
/// # let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// # let clip = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton))?;
/// use marey_render::Strobe;
/// let png: Vec<u8> = Strobe::default().png(&Take::solo("post", clip))?;
/// assert!(png.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Strobe {
    /// View and background; the camera is always static.
    pub scene: SceneOptions,
    /// Number of poses, 1 to 2000; default 60; at most the number of frames.
    pub poses: usize,
    /// Width in pixels, 48 to 4096; default 1200.
    pub width_px: u32,
    /// Height in pixels, 48 to 4096; default 260.
    pub height_px: u32,
    /// Supersampling: rows and columns per pixel, 1 to 4; default 2.
    pub supersample: u32,
}

impl Default for Strobe {
    fn default() -> Self {
        Self { scene: SceneOptions::default(), poses: 60, width_px: 1200, height_px: 260, supersample: 2 }
    }
}

impl Strobe {
    /// Checks every field's range.
    pub fn validate(&self) -> Result<()> {
        self.scene.validate()?;
        check_range("poses", self.poses, 1..=2000, "within 1 to 2000")?;
        check_supersample(self.supersample)?;
        check_side("width_px", self.width_px)?;
        check_side("height_px", self.height_px)
    }

    /// Draws a take.
    pub fn png(&self, take: &Take) -> Result<Vec<u8>> {
        self.validate()?;
        let options = SceneOptions { follow: false, ..self.scene.clone() };
        let renderer = FrameRenderer::new(self.width_px, self.height_px, self.supersample, &options);
        check_size(
            "pixels of a picture before it is scaled down",
            renderer.canvas_pixels(),
            PANEL_CANVAS_PIXELS,
        )?;
        let scene = Scene::of(take, &options)?;
        let (last, poses) = (scene.frames() - 1, self.poses.min(scene.frames()));
        let times: Vec<f64> =
            (0..poses).map(|i| (i * last / (poses - 1).max(1)) as f64 / scene.rate_hz()).collect();
        let cameras = scene.cameras(&times, renderer.viewport());
        encode(&renderer.draw_superimposed(&scene, &cameras[0], &times)?)
    }
}
