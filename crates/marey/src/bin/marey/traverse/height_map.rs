//! The middle row of a height map, as ground in profile.

use std::io::Cursor;

use marey::motion::Vec2;
use png::{ColorType, Decoder, Transformations};

/// Points between which the ground goes straight within so much are left out, in metres.
const STRAIGHT_M: f32 = 1e-4;
/// No map has more pixels.
const MOST_PIXELS: u64 = 64_000_000;

/// The ground along the middle row, from left to right: a pixel is `scale` metres long, white `relief` metres above black; what is
/// transparent is a gap.
pub(super) fn middle_row(bytes: &[u8], scale: f32, relief: f32) -> Result<Vec<Vec<Vec2>>, String> {
    let refused = |error: png::DecodingError| error.to_string();
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(refused)?;
    let (width, height) = (reader.info().width, reader.info().height);
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(format!("{width} × {height} pixels are too many"));
    }
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("it is too large")?];
    let frame = reader.next_frame(&mut pixels).map_err(refused)?;
    let samples = match frame.color_type {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb => 3,
        _ => 4,
    };
    let row = pixels.chunks_exact(frame.line_size).nth(height as usize / 2).ok_or("it has no rows")?;
    let mut pieces: Vec<Vec<Vec2>> = vec![Vec::new()];
    for (column, pixel) in row.chunks_exact(samples).enumerate() {
        let has_alpha = samples % 2 == 0;
        let (colours, alpha) = pixel.split_at(samples - usize::from(has_alpha));
        if alpha.first().is_some_and(|alpha| *alpha < 128) {
            pieces.push(Vec::new());
            continue;
        }
        let grey = colours.iter().map(|c| f32::from(*c)).sum::<f32>() / colours.len() as f32;
        let point = Vec2::new(column as f32 * scale, grey / 255.0 * relief);
        if let Some(piece) = pieces.last_mut() {
            add(piece, point);
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    if pieces.is_empty() { Err("its middle row is empty".into()) } else { Ok(pieces) }
}

/// Adds a point; the last one goes where it lies on the way to it.
fn add(piece: &mut Vec<Vec2>, point: Vec2) {
    if let [.., before, last] = piece[..] {
        let share = (last.x - before.x) / (point.x - before.x);
        if (before.lerp(point, share).y - last.y).abs() < STRAIGHT_M {
            piece.pop();
        }
    }
    piece.push(point);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, alpha: bool, pixels: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, 1);
        encoder.set_color(if alpha { ColorType::GrayscaleAlpha } else { ColorType::Grayscale });
        encoder.write_header().unwrap().write_image_data(pixels).unwrap();
        bytes
    }

    #[test]
    fn grey_is_height_and_nothing_is_a_gap() {
        let ramp = middle_row(&png(5, false, &[0, 0, 0, 255, 255]), 0.5, 1.0).unwrap();
        let wanted = [(0.0, 0.0), (1.0, 0.0), (1.5, 1.0), (2.0, 1.0)].map(|(x, y)| Vec2::new(x, y));
        assert_eq!(ramp, [wanted.to_vec()]);
        let gap = middle_row(&png(5, true, &[0, 255, 0, 255, 0, 0, 255, 255, 255, 255]), 1.0, 2.0).unwrap();
        assert_eq!(gap[0], [Vec2::ZERO, Vec2::X]);
        assert_eq!(gap[1], [Vec2::new(3.0, 2.0), Vec2::new(4.0, 2.0)]);
    }

    #[test]
    fn what_is_no_map_is_refused() {
        assert!(middle_row(b"no picture", 1.0, 1.0).is_err());
        assert!(middle_row(&png(2, true, &[9, 0, 9, 0]), 1.0, 1.0).unwrap_err().contains("empty"));
        let whole = png(5, false, &[0, 0, 0, 255, 255]);
        assert!(middle_row(&whole[..whole.len() - 20], 1.0, 1.0).is_err());
    }
}
