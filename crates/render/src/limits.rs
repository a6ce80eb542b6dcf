//! What options may be, and how large pictures may become.

use std::fmt::Display;
use std::ops::RangeInclusive;

use crate::{RenderError, Result};

/// The most pixels a sheet may have.
pub(crate) const SHEET_PIXELS: u64 = 40_000_000;
/// The most pixels the canvas of one panel of a sheet may have, before it is scaled down.
pub(crate) const PANEL_CANVAS_PIXELS: u64 = 64_000_000;
/// The most pixels the canvas of one picture of an animation may have, before it is scaled down. Several are drawn at
/// a time.
pub(crate) const FRAME_CANVAS_PIXELS: u64 = 16_000_000;
/// The most pixels that all pictures of an animation may have together.
pub(crate) const ANIMATION_PIXELS: u64 = 2_000_000_000;

/// Refuses a size beyond a limit.
pub(crate) fn check_size(what: &'static str, found: u64, limit: u64) -> Result<()> {
    if found <= limit { Ok(()) } else { Err(RenderError::TooLarge { what, found, limit }) }
}

/// Refuses a value outside its range; what is not a number is outside.
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

/// Refuses a side of a picture or panel that is too short to show anything, or too long.
pub(crate) fn check_side(name: &'static str, side_px: u32) -> Result<()> {
    check_range(name, side_px, 48..=4096, "within 48 to 4096")
}

/// Refuses a number of lines and columns for each pixel that pictures are not drawn with.
pub(crate) fn check_supersample(supersample: u32) -> Result<()> {
    check_range("supersample", supersample, 1..=4, "within 1 to 4")
}
