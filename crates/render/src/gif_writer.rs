//! GIF encoding: each picture is stored only where it differs from the previous one.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use crate::palette::Palette;
use crate::{RenderError, Result};

/// A GIF under construction.
pub(crate) struct GifWriter {
    encoder: Encoder<Vec<u8>>,
    width: usize,
    /// The indices of the current picture.
    shown: Vec<u8>,
}

/// Rows and columns of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Window {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl GifWriter {
    /// An empty, looping GIF with a size.
    pub(crate) fn new(width_px: u32, height_px: u32, palette: &Palette) -> Result<GifWriter> {
        let side = |px: u32| {
            u16::try_from(px).map_err(|_| RenderError::TooLarge {
                what: "pixels along a side",
                found: px.into(),
                limit: u16::MAX.into(),
            })
        };
        let mut encoder =
            Encoder::new(Vec::new(), side(width_px)?, side(height_px)?, &palette.bytes()).map_err(refused)?;
        encoder.set_repeat(Repeat::Infinite).map_err(refused)?;
        Ok(GifWriter { encoder, width: width_px as usize, shown: Vec::new() })
    }

    /// Appends a picture with a delay in hundredths of a second.
    pub(crate) fn add(&mut self, indices: Vec<u8>, delay_cs: u16) -> Result<()> {
        let whole = Window { left: 0, right: self.width, top: 0, bottom: indices.len() / self.width };
        let (window, buffer) = if self.shown.is_empty() {
            (whole, indices.clone())
        } else {
            let window = changed(&self.shown, &indices, self.width);
            (window, self.differences(&indices, window))
        };
        let frame = Frame {
            delay: delay_cs,
            dispose: DisposalMethod::Keep,
            transparent: (!self.shown.is_empty()).then_some(Palette::UNCHANGED),
            left: window.left as u16,
            top: window.top as u16,
            width: (window.right - window.left) as u16,
            height: (window.bottom - window.top) as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(refused)?;
        self.shown = indices;
        Ok(())
    }

    /// The whole file.
    pub(crate) fn finish(self) -> Result<Vec<u8>> {
        self.encoder.into_inner().map_err(|error| RenderError::Encode { problem: error.to_string() })
    }

    /// The new indices in a window, with "unchanged" for pixels that do not change.
    fn differences(&self, indices: &[u8], window: Window) -> Vec<u8> {
        let mut buffer = Vec::with_capacity((window.right - window.left) * (window.bottom - window.top));
        for y in window.top..window.bottom {
            let row = y * self.width + window.left..y * self.width + window.right;
            let pairs = indices[row.clone()].iter().zip(&self.shown[row]);
            buffer.extend(pairs.map(|(new, old)| if new == old { Palette::UNCHANGED } else { *new }));
        }
        buffer
    }
}

/// The smallest window that contains all changes; one pixel if there are none.
fn changed(old: &[u8], new: &[u8], width: usize) -> Window {
    let mut window = Window { left: width, right: 0, top: usize::MAX, bottom: 0 };
    for (y, (old, new)) in old.chunks_exact(width).zip(new.chunks_exact(width)).enumerate() {
        let differs = |(a, b): (&u8, &u8)| a != b;
        let Some(first) = old.iter().zip(new).position(differs) else { continue };
        let last = old.iter().zip(new).rposition(differs).unwrap_or(first);
        window.left = window.left.min(first);
        window.right = window.right.max(last + 1);
        window.top = window.top.min(y);
        window.bottom = y + 1;
    }
    if window.bottom == 0 { Window { left: 0, right: 1, top: 0, bottom: 1 } } else { window }
}

fn refused(error: EncodingError) -> RenderError {
    RenderError::Encode { problem: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_as_small_as_the_change() {
        let old = vec![0; 12];
        assert_eq!(changed(&old, &old, 4), Window { left: 0, right: 1, top: 0, bottom: 1 });
        let mut new = old.clone();
        new[5] = 1;
        new[10] = 1;
        assert_eq!(changed(&old, &new, 4), Window { left: 1, right: 3, top: 1, bottom: 3 });
    }
}
