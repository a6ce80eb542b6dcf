//! A height map, as ground in profile.

use std::io::Cursor;

use crate::motion::Vec2;
use crate::traverse::Way;
use png::{ColorType, Decoder, Transformations};

/// Points between which the ground goes straight within so much are left out, in metres.
const STRAIGHT_M: f32 = 1e-4;
/// No map has more pixels.
const MOST_PIXELS: u64 = 64_000_000;

/// A height map.
pub(super) struct HeightMap {
    width: usize,
    scale: f32,
    /// Row by row, from the top; `None` where it is transparent.
    heights_m: Vec<Option<f32>>,
}

impl HeightMap {
    /// Reads a map: a pixel is `scale` metres long, white `relief` metres above black.
    pub(super) fn read(bytes: &[u8], scale: f32, relief: f32) -> Result<Self, String> {
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
        let height_of = |pixel: &[u8]| {
            let has_alpha = samples % 2 == 0;
            let (colours, alpha) = pixel.split_at(samples - usize::from(has_alpha));
            let grey = colours.iter().map(|c| f32::from(*c)).sum::<f32>() / colours.len() as f32;
            alpha.iter().all(|alpha| *alpha >= 128).then_some(grey / 255.0 * relief)
        };
        let rows = pixels.chunks_exact(frame.line_size).take(height as usize);
        let heights_m = rows.flat_map(|row| row.chunks_exact(samples).take(width as usize)).map(height_of);
        Ok(Self { width: width as usize, scale, heights_m: heights_m.collect() })
    }

    fn rows(&self) -> usize {
        self.heights_m.len() / self.width.max(1)
    }

    /// The ground along the middle row, from left to right.
    pub(super) fn middle_row(&self) -> Result<Vec<Vec<Vec2>>, String> {
        let row = self.heights_m.chunks(self.width.max(1)).nth(self.rows() / 2).unwrap_or_default();
        profile(row.iter().enumerate().map(|(column, height)| (column as f32 * self.scale, *height)))
    }

    /// The ground along a way, which must not leave the map; x is to the right of the lower left corner, z above it.
    pub(super) fn along(&self, way: &Way) -> Result<Vec<Vec<Vec2>>, String> {
        let places = (way.length_m() / self.scale) as usize;
        let alongs = (0..=places).map(|i| i as f32 * self.scale);
        let corner = Vec2::new(self.width as f32 - 1.0, self.rows() as f32 - 1.0) * self.scale;
        let is_off =
            |place: Vec2| place.min_element() < -STRAIGHT_M || (place - corner).max_element() > STRAIGHT_M;
        if let Some(along_m) = alongs.clone().find(|along_m| is_off(way.at(*along_m))) {
            let Vec2 { x, y: z } = way.at(along_m);
            return Err(format!(
                "the way leaves the map {along_m:.2} m along, at x {x:.2} m and z {z:.2} m; the map is {:.2} × {:.2} m",
                corner.x, corner.y
            ));
        }
        profile(alongs.map(|along_m| (along_m, self.at(way.at(along_m).clamp(Vec2::ZERO, corner)))))
    }

    /// The height at a place on the map, between the four pixels around it; `None` where one is transparent.
    fn at(&self, place: Vec2) -> Option<f32> {
        let last = [self.width.checked_sub(1)?, self.rows().checked_sub(1)?].map(|last| last as f32);
        let (x, y) = (place.x / self.scale, last[1] - place.y / self.scale);
        let (x, y) = (x.clamp(0.0, last[0]), y.clamp(0.0, last[1]));
        let pixel = |column: usize, row: usize| self.heights_m[row * self.width + column];
        let (column, row) = (x as usize, y as usize);
        let (right, below) = ((column + 1).min(self.width - 1), (row + 1).min(self.rows() - 1));
        let mix = |from: f32, to: f32, share: f32| from + share * (to - from);
        let upper = mix(pixel(column, row)?, pixel(right, row)?, x.fract());
        let lower = mix(pixel(column, below)?, pixel(right, below)?, x.fract());
        Some(mix(upper, lower, y.fract()))
    }
}

/// Heights from left to right, as pieces with gaps between.
fn profile(heights: impl Iterator<Item = (f32, Option<f32>)>) -> Result<Vec<Vec<Vec2>>, String> {
    let mut pieces: Vec<Vec<Vec2>> = vec![Vec::new()];
    for (along_m, height_m) in heights {
        match (height_m, pieces.last_mut()) {
            (Some(height_m), Some(piece)) => add(piece, Vec2::new(along_m, height_m)),
            _ => pieces.push(Vec::new()),
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    if pieces.is_empty() { Err("no ground is on the way".into()) } else { Ok(pieces) }
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
        let rows = pixels.len() as u32 / width / if alpha { 2 } else { 1 };
        let mut encoder = png::Encoder::new(&mut bytes, width, rows);
        encoder.set_color(if alpha { ColorType::GrayscaleAlpha } else { ColorType::Grayscale });
        encoder.write_header().unwrap().write_image_data(pixels).unwrap();
        bytes
    }

    fn read(bytes: &[u8], scale: f32, relief: f32) -> Result<HeightMap, String> {
        HeightMap::read(bytes, scale, relief)
    }

    #[test]
    fn grey_is_height_and_nothing_is_a_gap() {
        let ramp = read(&png(5, false, &[0, 0, 0, 255, 255]), 0.5, 1.0).unwrap().middle_row().unwrap();
        let wanted = [(0.0, 0.0), (1.0, 0.0), (1.5, 1.0), (2.0, 1.0)].map(|(x, y)| Vec2::new(x, y));
        assert_eq!(ramp, [wanted.to_vec()]);
        let pixels = [0, 255, 0, 255, 0, 0, 255, 255, 255, 255];
        let gap = read(&png(5, true, &pixels), 1.0, 2.0).unwrap().middle_row().unwrap();
        assert_eq!(gap[0], [Vec2::ZERO, Vec2::X]);
        assert_eq!(gap[1], [Vec2::new(3.0, 2.0), Vec2::new(4.0, 2.0)]);
    }

    #[test]
    fn a_way_over_a_map_has_its_heights() {
        // Four by three pixels, brighter from left to right.
        let pixels: Vec<u8> = [0, 85, 170, 255].repeat(3);
        let map = read(&png(4, false, &pixels), 1.0, 3.0).unwrap();
        let way = Way::new(vec![Vec2::new(0.0, 0.0), Vec2::new(3.0, 0.0), Vec2::new(3.0, 2.0)]).unwrap();
        let ground = map.along(&way).unwrap();
        let wanted = [(0.0, 0.0), (3.0, 3.0), (5.0, 3.0)].map(|(x, y)| Vec2::new(x, y));
        assert_eq!(ground.len(), 1);
        for (found, wanted) in ground[0].iter().zip(wanted) {
            assert!(found.distance(wanted) < 1e-5, "{ground:?}");
        }
        let beside = Way::new(vec![Vec2::new(-9.0, 0.0), Vec2::new(-5.0, 0.0)]).unwrap();
        assert!(map.along(&beside).unwrap_err().contains("leaves the map 0.00 m along, at x -9.00 m"));
        let out = Way::new(vec![Vec2::new(0.0, 1.0), Vec2::new(9.0, 1.0)]).unwrap();
        assert!(map.along(&out).unwrap_err().contains("leaves the map 4.00 m along"));
    }

    #[test]
    fn what_is_no_map_is_refused() {
        assert!(read(b"no picture", 1.0, 1.0).is_err());
        let empty = read(&png(2, true, &[9, 0, 9, 0]), 1.0, 1.0).unwrap();
        assert!(empty.middle_row().unwrap_err().contains("no ground"));
        let whole = png(5, false, &[0, 0, 0, 255, 255]);
        assert!(read(&whole[..whole.len() - 20], 1.0, 1.0).is_err());
    }
}
