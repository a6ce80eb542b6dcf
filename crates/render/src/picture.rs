//! Options of a picture file: a contact sheet or an animation.

use marey_motion::{FrameRange, Terrain};
use serde::{Deserialize, Serialize};

use crate::{Animation, Background, Prop, Result, SceneOptions, Sheet, Stage, View};

/// The format of a picture file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PictureFormat {
    /// A contact sheet.
    #[default]
    Png,
    /// An animation.
    Gif,
}

impl PictureFormat {
    /// The format with a file name ending, in either case.
    pub fn from_ending(ending: &str) -> Option<Self> {
        [("png", Self::Png), ("gif", Self::Gif)]
            .into_iter()
            .find_map(|(name, format)| name.eq_ignore_ascii_case(ending).then_some(format))
    }
}

/// How a picture of motion is drawn.
///
/// ```
/// # use std::sync::Arc;
/// # use marey_motion::{Clip, Joint, LocalPose, Skeleton, Take, Vec3};
/// # let joints = vec![Joint::new("root", None, Vec3::ZERO), Joint::new("top", Some(0), Vec3::Y)];
/// # let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// # let clip = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton))?;
/// use marey_render::{PictureFormat, PictureOptions, Stage};
/// let stage = Stage::new(vec![Take::solo("post", clip)], 0)?;
/// let options = PictureOptions { size_px: Some([80, 100]), ..PictureOptions::default() };
/// assert!(options.draw(PictureFormat::Png, &stage, None, vec![])?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PictureOptions {
    /// View direction; default three-quarter.
    pub view: View,
    /// Whether the camera follows the figure; default true.
    pub follow: bool,
    /// Light or dark; default light.
    pub background: Background,
    /// Number of poses of a contact sheet; default two per second, at least 6 and at most 10.
    pub poses: Option<usize>,
    /// Pictures per second of an animation, 1 to 50; default 30.
    pub fps: Option<f64>,
    /// Width and height in pixels, of an animation or of each pose of a sheet; default 480 × 360, 240 × 300.
    pub size_px: Option<[u32; 2]>,
    /// The frames to draw; default those of the stage.
    pub frames: Option<FrameRange>,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            view: View::default(),
            follow: true,
            background: Background::default(),
            poses: None,
            fps: None,
            size_px: None,
            frames: None,
        }
    }
}

impl PictureOptions {
    /// The name of an option that is set but has no meaning for a format.
    pub fn unused_option(&self, format: PictureFormat) -> Option<&'static str> {
        match format {
            PictureFormat::Png => self.fps.map(|_| "fps"),
            PictureFormat::Gif => self.poses.map(|_| "poses"),
        }
    }

    /// Draws a stage, over a terrain or among props if there are any.
    pub fn draw(
        &self,
        format: PictureFormat,
        stage: &Stage,
        terrain: Option<Terrain>,
        props: Vec<Prop>,
    ) -> Result<Vec<u8>> {
        let frames = self.frames.map_or(stage.frames.clone(), |range| range.within(stage.take.frames()));
        let scene = SceneOptions {
            view: self.view,
            follow: self.follow,
            background: self.background,
            floor_m: stage.floor_m,
            terrain,
            props,
            frames: Some(frames),
        };
        match format {
            PictureFormat::Png => {
                let sheet = Sheet { scene, poses: self.poses, ..Sheet::default() };
                let [panel_width_px, panel_height_px] =
                    self.size_px.unwrap_or([sheet.panel_width_px, sheet.panel_height_px]);
                Sheet { panel_width_px, panel_height_px, ..sheet }.png(&stage.take)
            }
            PictureFormat::Gif => {
                let animation = Animation { scene, ..Animation::default() };
                let [width_px, height_px] = self.size_px.unwrap_or([animation.width_px, animation.height_px]);
                let fps = self.fps.unwrap_or(animation.fps);
                Animation { fps, width_px, height_px, ..animation }.gif(&stage.take)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_their_own_endings_and_options() {
        assert_eq!(PictureFormat::from_ending("PNG"), Some(PictureFormat::Png));
        assert_eq!(PictureFormat::from_ending("bvh"), None);
        let options = PictureOptions { poses: Some(3), ..PictureOptions::default() };
        assert_eq!(options.unused_option(PictureFormat::Png), None);
        assert_eq!(options.unused_option(PictureFormat::Gif), Some("poses"));
    }
}
