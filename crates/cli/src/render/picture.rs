//! What kind of picture is drawn, from where, and how large.

use std::path::Path;
use std::str::FromStr;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use marey::codes;
use marey::motion::Take;
use marey::render::{Animation, Look, Sheet, View};

use crate::flags::FrameRange;
use marey::Error;

/// How a picture is drawn.
#[derive(Debug, Args)]
pub(crate) struct PictureFlags {
    /// From where the figure is seen
    #[arg(long, default_value_t, value_parser = views())]
    pub(crate) view: View,

    /// How many poses a contact sheet has [default: two a second, at least 6 and at most 10]
    #[arg(long, value_name = "N")]
    poses: Option<usize>,

    /// Pictures a second of an animation, 1 to 50 [default: 30]
    #[arg(long, value_name = "HZ")]
    fps: Option<f64>,

    /// Size in pixels, of an animation or of each pose of a sheet [default: 480x360, 240x300]
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,

    /// Draw only these frames: the first, and one past the last; either may be left out
    #[arg(long, value_name = "A..B")]
    pub(crate) frames: Option<FrameRange>,
}

fn views() -> impl TypedValueParser<Value = View> {
    PossibleValuesParser::new(View::ALL.map(View::name)).try_map(|name| name.parse::<View>())
}

impl PictureFlags {
    /// Refuses options that mean nothing for the kind of picture.
    pub(crate) fn check(&self, picture: Picture) -> Result<(), Error> {
        let message = match picture {
            Picture::Sheet if self.fps.is_some() => "--fps is for animations (.gif)",
            Picture::Animation if self.poses.is_some() => "--poses is for contact sheets (.png)",
            _ => return Ok(()),
        };
        Err(Error::usage(&codes::NOT_FOR_FORMAT, message))
    }

    /// Draws the picture.
    pub(crate) fn draw(
        &self,
        picture: Picture,
        take: &Take,
        look: Look,
    ) -> Result<Vec<u8>, marey::render::RenderError> {
        match picture {
            Picture::Sheet => {
                let mut sheet = Sheet { look, poses: self.poses, ..Sheet::default() };
                if let Some(Size { width_px, height_px }) = self.size {
                    (sheet.panel_width_px, sheet.panel_height_px) = (width_px, height_px);
                }
                sheet.png(take)
            }
            Picture::Animation => {
                let mut animation = Animation { look, ..Animation::default() };
                if let Some(Size { width_px, height_px }) = self.size {
                    (animation.width_px, animation.height_px) = (width_px, height_px);
                }
                animation.fps = self.fps.unwrap_or(animation.fps);
                animation.gif(take)
            }
        }
    }
}

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size {
    width_px: u32,
    height_px: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        let (width_px, height_px) = sides.ok_or("not a size such as 480x360")?;
        Ok(Self { width_px, height_px })
    }
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Picture {
    Sheet,
    Animation,
}

impl Picture {
    /// By the ending of the output.
    pub(crate) fn of(output: &Path) -> Result<Self, Error> {
        let ending = output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("png") => Ok(Self::Sheet),
            Some("gif") => Ok(Self::Animation),
            _ => {
                let message = format!("{} does not end in .png or .gif", output.display());
                Err(Error::usage(&codes::OUTPUT_ENDING, message))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_kinds_are_read() {
        assert_eq!("480x360".parse(), Ok(Size { width_px: 480, height_px: 360 }));
        for bad in ["480", "x", "480x", "480x-1", "480X360"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
        assert_eq!(Picture::of(Path::new("a.b/c.PNG")).unwrap(), Picture::Sheet);
        assert_eq!(Picture::of(Path::new("c.gif")).unwrap(), Picture::Animation);
        for bad in ["c", "c.bvh", "gif"] {
            assert_eq!(Picture::of(Path::new(bad)).unwrap_err().code.id, "command/output-ending");
        }
    }
}
