//! Draws text.

use glam::Vec2;
use tiny_skia::{LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Shader, Stroke, Transform};

use crate::glyphs::{GLYPHS, Glyph, UNKNOWN};
use crate::theme::Rgb;

/// Distance between letters, in grid units.
const GAP: f32 = 1.9;
/// The y of the baseline and of the top of capitals.
const LINE_AND_TOP: (f32, f32) = (2.0, 8.0);

/// A font size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Font {
    /// Height of a capital, in pixels.
    pub(crate) capital_px: f32,
}

impl Font {
    /// Pixels per grid unit.
    fn step_px(self) -> f32 {
        self.capital_px / (LINE_AND_TOP.1 - LINE_AND_TOP.0)
    }

    /// The width of a text, in pixels.
    pub(crate) fn width_px(self, text: &str) -> f32 {
        let steps: f32 = text.chars().map(|c| f32::from(glyph(c).1) + GAP).sum();
        (steps - GAP).max(0.0) * self.step_px()
    }

    /// Draws a text with its baseline starting at `line_start`.
    pub(crate) fn draw(self, canvas: &mut Pixmap, text: &str, line_start: Vec2, colour: Rgb) {
        let Some(path) = self.path(text, line_start) else { return };
        let stroke = Stroke {
            width: (0.14 * self.capital_px).max(1.0),
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let paint = Paint { shader: Shader::SolidColor(colour.with_alpha(1.0)), ..Paint::default() };
        canvas.stroke_path(&path, &paint, &stroke, Transform::identity(), None);
    }

    /// Shortens a text to a width. A shortened text ends in dots.
    pub(crate) fn cut(self, text: &str, width_px: f32) -> String {
        if self.width_px(text) <= width_px {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        while kept.pop().is_some() {
            let shorter: String = kept.iter().chain(&['.', '.', '.']).collect();
            if self.width_px(&shorter) <= width_px {
                return shorter;
            }
        }
        String::new()
    }

    fn path(self, text: &str, line_start: Vec2) -> Option<Path> {
        let mut path = PathBuilder::new();
        let mut x = 0.0;
        for c in text.chars() {
            let (_, width, strokes) = glyph(c);
            for stroke in strokes.split('/') {
                let points = stroke.split_whitespace().filter_map(grid_point);
                let positions = points.map(|p| {
                    let up = Vec2::new(x + p.x, LINE_AND_TOP.0 - p.y);
                    line_start + up * self.step_px()
                });
                add_stroke(&mut path, positions);
            }
            x += f32::from(width) + GAP;
        }
        path.finish()
    }
}

fn add_stroke(path: &mut PathBuilder, mut positions: impl Iterator<Item = Vec2>) {
    let Some(start) = positions.next() else { return };
    path.move_to(start.x, start.y);
    for position in positions {
        // A dot is a stroke without length; a tiny length makes it visible.
        let nudge = if position == start { 0.01 } else { 0.0 };
        path.line_to(position.x + nudge, position.y);
    }
}

fn glyph(c: char) -> Glyph {
    GLYPHS.iter().copied().find(|glyph| glyph.0 == c).unwrap_or(UNKNOWN)
}

/// Two digits as a point of the grid.
fn grid_point(digits: &str) -> Option<Vec2> {
    let mut digits = digits.chars().map(|c| c.to_digit(10));
    let (x, y) = (digits.next()??, digits.next()??);
    Some(Vec2::new(x as f32, y as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_well_formed_and_unique() {
        for (i, &(c, width, strokes)) in GLYPHS.iter().enumerate() {
            for pair in strokes.split(['/', ' ']).filter(|pair| !pair.is_empty()) {
                let p = grid_point(pair).unwrap_or_else(|| panic!("{c}: {pair}"));
                assert!(pair.len() == 2 && p.x <= f32::from(width) && p.y <= 8.0, "{c}: {pair}");
            }
            let twin = GLYPHS[..i].iter().find(|other| other.0 == c || other.2 == strokes);
            // Zero and capital O have one shape.
            assert!(twin.is_none_or(|twin| (twin.0, c) == ('0', 'O')), "{c}");
        }
    }

    #[test]
    fn all_letters_and_digits_exist() {
        for c in ('0'..='9').chain('a'..='z').chain('A'..='Z') {
            assert_eq!(glyph(c).0, c);
        }
        assert_eq!(glyph('é'), UNKNOWN);
    }

    #[test]
    fn a_long_text_is_cut_to_the_given_width() {
        let font = Font { capital_px: 9.0 };
        let room = font.width_px("walking");
        assert_eq!(font.cut("walking", room), "walking");
        let cut = font.cut("walking on", room);
        assert!(cut.starts_with("wal") && cut.ends_with("...") && font.width_px(&cut) <= room);
        assert_eq!(font.cut("walking", 1.0), "");
    }

    #[test]
    fn letters_are_drawn() {
        let mut canvas = Pixmap::new(40, 20).unwrap();
        Font { capital_px: 9.0 }.draw(&mut canvas, "i.", Vec2::new(4.0, 15.0), Rgb::BLACK);
        let inked = |rows: std::ops::Range<u32>| {
            rows.flat_map(|y| (0..40).map(move |x| (x, y)))
                .any(|(x, y)| canvas.pixel(x, y).unwrap().alpha() > 90)
        };
        assert!(inked(5..8), "the dot of the i");
        assert!(inked(10..16), "its stem");
    }
}
