//! Animated pictures (GIF).

use marey_motion::Take;
use rayon::prelude::*;
use tiny_skia::Pixmap;

use crate::camera::Camera;
use crate::frame_renderer::FrameRenderer;
use crate::gif_writer::GifWriter;
use crate::limits::{
    ANIMATION_PIXELS, FRAME_CANVAS_PIXELS, check_range, check_side, check_size, check_supersample,
};
use crate::palette::Palette;
use crate::scene::Scene;
use crate::{Result, SceneOptions};

/// Number of pictures that are sampled for the palette.
const SAMPLED_PICTURES: usize = 20;
/// Number of pictures that are drawn before they are written.
const BATCH: usize = 32;

/// Settings of an animation. It loops, and has the duration of the motion.
///
/// ```
/// # use std::sync::Arc;
/// # use marey_motion::{Clip, ClipParts, Joint, Quat, Skeleton, Take, Vec3};
/// # let joints = vec![Joint::new("root", None, Vec3::ZERO), Joint::new("top", Some(0), Vec3::Y)];
/// # let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// # let parts = ClipParts { rotations: vec![Quat::IDENTITY; 20], positions: vec![Vec3::ZERO; 10] };
/// # let clip = Clip::new(skeleton, 30.0, parts)?;
/// use marey_render::Animation;
/// let take = Take::solo("post", clip);
/// let gif: Vec<u8> = Animation { width_px: 160, height_px: 120, ..Animation::default() }.gif(&take)?;
/// assert!(gif.starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Animation {
    /// View, camera, background.
    pub scene: SceneOptions,
    /// Pictures per second, 1 to 50. Delays in a GIF are whole hundredths of a second: at 30, they alternate between 3 and 4, so that the
    /// duration is exact.
    pub fps: f64,
    /// Width in pixels, 48 to 4096.
    pub width_px: u32,
    /// Height in pixels, 48 to 4096.
    pub height_px: u32,
    /// Supersampling: rows and columns per pixel, 1 to 4. Edges are antialiased at 1; thin lines are smooth from 2 on.
    pub supersample: u32,
}

impl Default for Animation {
    fn default() -> Self {
        Self { scene: SceneOptions::default(), fps: 30.0, width_px: 480, height_px: 360, supersample: 1 }
    }
}

impl Animation {
    /// Checks every field's range.
    pub fn validate(&self) -> Result<()> {
        self.scene.validate()?;
        check_range("fps", self.fps, 1.0..=50.0, "within 1 to 50")?;
        check_supersample(self.supersample)?;
        check_side("width_px", self.width_px)?;
        check_side("height_px", self.height_px)
    }

    /// Draws a take.
    pub fn gif(&self, take: &Take) -> Result<Vec<u8>> {
        self.validate()?;
        let renderer = FrameRenderer::new(self.width_px, self.height_px, self.supersample, &self.scene);
        check_size(
            "pixels of a picture before it is scaled down",
            renderer.canvas_pixels(),
            FRAME_CANVAS_PIXELS,
        )?;
        let scene = Scene::of(take, &self.scene)?;
        let count = picture_count(scene.duration_secs(), self.fps);
        let pixels = u64::from(self.width_px) * u64::from(self.height_px);
        check_size("pixels of all pictures", pixels.saturating_mul(count as u64), ANIMATION_PIXELS)?;
        let (times, delays) = timing(scene.duration_secs(), count);
        let reel = Reel::new(renderer, scene, times, self.scene.follow)?;
        let palette = reel.palette()?;
        let mut writer = GifWriter::new(self.width_px, self.height_px, &palette)?;
        let all: Vec<usize> = (0..reel.times.len()).collect();
        for batch in all.chunks(BATCH) {
            let drawn: Vec<Vec<u8>> =
                batch.par_iter().map(|&i| Ok(palette.indices(&reel.picture(i)?))).collect::<Result<_>>()?;
            for (&i, indices) in batch.iter().zip(drawn) {
                writer.add(indices, delays[i])?;
            }
        }
        writer.finish()
    }
}

/// The number of pictures, rounded down, so that none is shown for less than its period.
fn picture_count(duration_secs: f64, fps: f64) -> usize {
    ((duration_secs * fps + 1e-6) as usize).max(1)
}

/// The time of each of `count` pictures in seconds, and its delay in hundredths of a second.
///
/// The end of each delay is the rounded end of the picture, so that errors do not add up. Delays are at least two hundredths, because
/// viewers slow down shorter ones.
fn timing(duration_secs: f64, count: usize) -> (Vec<f64>, Vec<u16>) {
    let end = |i: usize| (duration_secs * 100.0 * i as f64 / count as f64).round();
    let times = (0..count).map(|i| duration_secs * i as f64 / count as f64).collect();
    let delays = (0..count).map(|i| (end(i + 1) - end(i)).max(2.0) as u16).collect();
    (times, delays)
}

/// The pictures of an animation, drawn on demand.
struct Reel {
    renderer: FrameRenderer,
    scene: Scene,
    times: Vec<f64>,
    cameras: Vec<Camera>,
    /// The empty floor, if the camera is static.
    floor: Option<Pixmap>,
}

impl Reel {
    fn new(renderer: FrameRenderer, scene: Scene, times: Vec<f64>, follow: bool) -> Result<Reel> {
        let cameras = scene.cameras(&times, renderer.viewport());
        let floor = if follow { None } else { Some(renderer.floor(&scene, &cameras[0])?) };
        Ok(Reel { renderer, scene, times, cameras, floor })
    }

    fn picture(&self, index: usize) -> Result<Pixmap> {
        let camera = &self.cameras[index];
        let floor = match &self.floor {
            Some(floor) => floor.clone(),
            None => self.renderer.floor(&self.scene, camera)?,
        };
        self.renderer.draw(&self.scene, camera, floor, self.times[index])
    }

    /// The colours of pictures sampled over the whole animation.
    fn palette(&self) -> Result<Palette> {
        let count = self.times.len().min(SAMPLED_PICTURES);
        let sampled: Vec<Pixmap> = (0..count)
            .into_par_iter()
            .map(|i| self.picture(i * self.times.len() / count))
            .collect::<Result<_>>()?;
        Ok(Palette::for_pictures(sampled.iter()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn delays_at_30_hz_alternate() {
        let (times, delays) = timing(1.0, 30);
        assert_eq!(times.len(), 30);
        assert_eq!(delays[..6], [3, 4, 3, 3, 4, 3]);
        assert_eq!(delays.iter().sum::<u16>(), 100);
        assert_eq!(timing(1.0, 25).1, [4; 25]);
    }

    proptest! {
        #[test]
        fn delays_sum_to_the_duration(duration in 0.02f64..200.0, fps in 1.0f64..=50.0) {
            let (times, delays) = timing(duration, picture_count(duration, fps));
            let total: u64 = delays.iter().map(|&delay| u64::from(delay)).sum();
            prop_assert!((total as f64 - 100.0 * duration).abs() <= 0.5 + 1e-6);
            prop_assert!(delays.iter().all(|&delay| delay >= 2));
            prop_assert!(times.len() as f64 <= duration * fps + 1.0);
            prop_assert!(times.windows(2).all(|w| w[0] < w[1]) && times[times.len() - 1] < duration);
        }
    }
}
