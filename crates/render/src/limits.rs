//! Ranges of options, and limits of picture sizes.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::{RenderError, Result};

/// Largest number of pixels in a sheet.
pub(crate) const SHEET_PIXELS: u64 = 40_000_000;
/// Largest number of pixels in the canvas of one panel of a sheet, before it is scaled down.
pub(crate) const PANEL_CANVAS_PIXELS: u64 = 64_000_000;
/// Largest number of pixels in the canvas of one picture of an animation, before it is scaled down. Several are drawn at a time.
pub(crate) const FRAME_CANVAS_PIXELS: u64 = 16_000_000;
/// Largest number of pixels in all pictures of an animation.
pub(crate) const ANIMATION_PIXELS: u64 = 2_000_000_000;

/// An error if a size exceeds a limit.
pub(crate) fn check_size(what: &'static str, found: u64, limit: u64) -> Result<()> {
    if found <= limit { Ok(()) } else { Err(RenderError::TooLarge { what, found, limit }) }
}

/// An error if a value is outside its range. NaN is outside.
pub(crate) fn check_range<T: PartialOrd + Display>(
    name: &'static str,
    value: T,
    range: RangeInclusive<T>,
    wanted: &'static str,
) -> Result<()> {
    if range.contains(&value) {
        Ok(())
    } else {
        Err(RenderError::Option { name, found: value.to_string(), wanted })
    }
}

/// An error if the side of a picture or panel is too short or too long.
pub(crate) fn check_side(name: &'static str, side_px: u32) -> Result<()> {
    check_range(name, side_px, 48..=4096, "within 48 to 4096")
}

/// An error if the supersampling factor is outside its range.
pub(crate) fn check_supersample(supersample: u32) -> Result<()> {
    check_range("supersample", supersample, 1..=4, "within 1 to 4")
}
