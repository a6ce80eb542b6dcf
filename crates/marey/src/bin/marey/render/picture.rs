//! What kind of picture is drawn, and how large.

use std::path::Path;
use std::str::FromStr;

use marey::codes;

use crate::failure::Failure;

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) width_px: u32,
    pub(super) height_px: u32,
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
pub(super) enum Picture {
    Sheet,
    Animation,
}

impl Picture {
    /// By the ending of the output.
    pub(super) fn of(output: &Path) -> Result<Self, Failure> {
        let ending = output.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("png") => Ok(Self::Sheet),
            Some("gif") => Ok(Self::Animation),
            _ => {
                let message = format!("{} does not end in .png or .gif", output.display());
                Err(Failure::usage(&codes::OUTPUT_ENDING, message))
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
