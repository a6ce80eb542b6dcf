//! Flags of pictures.

use std::path::Path;
use std::str::FromStr;

use clap::Args;
use marey::render::{PictureFormat, PictureOptions, View};
use marey::{Error, codes};

use crate::flags::{FrameRange, choice};

/// How a picture is drawn.
#[derive(Debug, Args)]
pub(crate) struct PictureFlags {
    /// View direction
    #[arg(long, default_value_t, value_parser = choice(View::ALL.map(|view| (view.name(), "", view))))]
    view: View,

    /// Number of poses of a contact sheet [default: two per second, at least 6 and at most 10]
    #[arg(long, value_name = "N")]
    poses: Option<usize>,

    /// Pictures per second of an animation, 1 to 50 [default: 30]
    #[arg(long, value_name = "HZ")]
    fps: Option<f64>,

    /// Size in pixels, of an animation or of each pose of a sheet [default: 480x360, 240x300]
    #[arg(long, value_name = "WxH")]
    size: Option<Size>,

    /// Draw only these frames: the first, and one past the last; either may be left out
    #[arg(long, value_name = "A..B")]
    frames: Option<FrameRange>,
}

impl PictureFlags {
    pub(crate) fn options(&self) -> PictureOptions {
        PictureOptions {
            view: self.view,
            poses: self.poses,
            fps: self.fps,
            size_px: self.size.map(|Size(size_px)| size_px),
            frames: self.frames,
            ..PictureOptions::default()
        }
    }
}

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Size([u32; 2]);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let sides = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
        sides.map(Self).ok_or_else(|| "not a size such as 480x360".into())
    }
}

/// The format that the ending of a picture file selects.
pub(crate) fn picture_format(output: &Path) -> Result<PictureFormat, Error> {
    let ending = output.extension().and_then(|ending| ending.to_str());
    ending.and_then(PictureFormat::from_ending).ok_or_else(|| {
        let message = format!("{} does not end in .png or .gif", output.display());
        Error::usage(&codes::OUTPUT_ENDING, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_formats_are_parsed() {
        assert_eq!("480x360".parse(), Ok(Size([480, 360])));
        for bad in ["480", "x", "480x", "480x-1", "480X360"] {
            assert!(bad.parse::<Size>().is_err(), "{bad}");
        }
        assert_eq!(picture_format(Path::new("a.b/c.PNG")).unwrap(), PictureFormat::Png);
        for bad in ["c", "c.bvh", "gif"] {
            assert_eq!(picture_format(Path::new(bad)).unwrap_err().code.id, "command/output-ending");
        }
    }
}
