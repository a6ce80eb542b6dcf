//! Terrains as PNG height maps.
//!
//! A map with eight bits has a height every few millimetres, so that slopes become staircases. A profile is therefore the shortest line
//! within half a level of the heights ([`super::taut_line`]): slopes are straight again, and steps that are higher than a level stay.

use std::io::Cursor;

use marey_motion::{Code, Place, Terrain, Vec2};
use png::{BitDepth, ColorType, Decoder, Transformations};

use super::taut_line::taut_line;
use super::{TerrainSettings, codes};
use crate::FormatsError;

/// A profile deviates from the map by at most this, or by half a level of brightness, and a path leaves it by at most this, in metres.
const STRAIGHTNESS_TOLERANCE_M: f32 = 1e-4;
/// Largest number of pixels in a map, and of samples along a path.
const MAX_SAMPLES: usize = 64_000_000;

/// A path over a height map, along which the profile is taken.
#[derive(Clone, Copy)]
pub struct MapPath<'a> {
    /// The length of the path in metres.
    pub length_m: f32,
    /// The position at a distance along the path in metres: to the right of the lower left corner, and above it.
    pub position: &'a dyn Fn(f32) -> Vec2,
}

/// A height map. Brightness is height; transparent pixels are gaps.
#[derive(Debug, Clone, PartialEq)]
pub struct HeightMap {
    width: usize,
    scale_m: f32,
    /// Height between two neighbouring levels of brightness, in metres.
    level_m: f32,
    /// Row by row from the top. `None` for transparent pixels.
    heights_m: Vec<Option<f32>>,
}

impl HeightMap {
    /// Reads a PNG. Colours are averaged; pixels less than half opaque are gaps.
    pub fn read(bytes: &[u8], settings: &TerrainSettings) -> Result<Self, FormatsError> {
        settings.validate()?;
        let bad_png = |error: png::DecodingError| refused(&codes::BAD_PNG, error.to_string());
        let mut decoder = Decoder::new(Cursor::new(bytes));
        decoder.set_transformations(Transformations::EXPAND);
        let mut reader = decoder.read_info().map_err(bad_png)?;
        let (width, height) = (reader.info().width as usize, reader.info().height as usize);
        let levels = levels(reader.info());
        let too_large = || refused(&codes::LIMIT, format!("{width} × {height} pixels are too many"));
        let buffer_bytes = reader.output_buffer_size().ok_or_else(too_large)?;
        // A pixel takes up to 8 bytes in the buffer and 8 as a height.
        let limits = settings.limits;
        let heights_bytes = width.saturating_mul(height).saturating_mul(size_of::<Option<f32>>());
        let is_too_large = width.saturating_mul(height) > MAX_SAMPLES
            || buffer_bytes > limits.inflated_bytes
            || heights_bytes.saturating_add(buffer_bytes) > limits.memory_bytes;
        if is_too_large {
            return Err(too_large());
        }
        let mut pixels = vec![0; buffer_bytes];
        let frame = reader.next_frame(&mut pixels).map_err(bad_png)?;
        let (colours, has_alpha) = match frame.color_type {
            ColorType::Grayscale => (1, false),
            ColorType::GrayscaleAlpha => (1, true),
            ColorType::Rgb => (3, false),
            _ => (3, true),
        };
        let bytes_per_sample = if frame.bit_depth == BitDepth::Sixteen { 2 } else { 1 };
        // Between 0 and 1.
        let share = |sample: &[u8]| match *sample {
            [high, low] => f32::from(u16::from_be_bytes([high, low])) / 65535.0,
            [byte] => f32::from(byte) / 255.0,
            _ => 0.0,
        };
        let height_m = |pixel: &[u8]| {
            let mut samples = pixel.chunks_exact(bytes_per_sample).map(share);
            let brightness = samples.by_ref().take(colours).sum::<f32>() / colours as f32;
            let is_opaque = samples.all(|alpha| alpha > 0.5);
            is_opaque.then_some(brightness * settings.relief_m)
        };
        let rows = pixels.chunks_exact(frame.line_size.max(1)).take(height);
        let bytes_per_pixel = bytes_per_sample * (colours + usize::from(has_alpha));
        let heights_m = rows.flat_map(|row| row.chunks_exact(bytes_per_pixel).take(width)).map(height_m);
        let level_m = settings.relief_m / levels;
        Ok(Self { width, scale_m: settings.scale_m, level_m, heights_m: heights_m.collect() })
    }

    fn height(&self) -> usize {
        self.heights_m.len() / self.width.max(1)
    }

    /// The profile along the middle row, from left to right.
    pub fn middle_row(&self) -> Result<Terrain, FormatsError> {
        let row = self.heights_m.chunks(self.width.max(1)).nth(self.height() / 2).unwrap_or_default();
        let heights = row.iter().enumerate().map(|(column, height)| (column as f32 * self.scale_m, *height));
        profile(heights, 0.5 * self.level_m)
    }

    /// The profile along a path, sampled once per pixel length.
    ///
    /// # Errors
    ///
    /// If the path leaves the map, or if there is no ground along it.
    pub fn profile_along(&self, path: MapPath<'_>) -> Result<Terrain, FormatsError> {
        let samples = (path.length_m / self.scale_m) as usize;
        if samples > MAX_SAMPLES {
            return Err(refused(&codes::LIMIT, format!("{samples} samples along the path are too many")));
        }
        let distances = (0..=samples).map(|i| i as f32 * self.scale_m);
        let corner = Vec2::new(self.width as f32 - 1.0, self.height() as f32 - 1.0) * self.scale_m;
        let is_off = |position: Vec2| {
            let beyond = position - corner;
            !(position.min_element() >= -STRAIGHTNESS_TOLERANCE_M
                && beyond.max_element() <= STRAIGHTNESS_TOLERANCE_M)
        };
        if let Some(along_m) = distances.clone().find(|along_m| is_off((path.position)(*along_m))) {
            let Vec2 { x, y: z } = (path.position)(along_m);
            let message = format!(
                "the path leaves the map {along_m:.2} m along, at x {x:.2} m and z {z:.2} m; the map is {:.2} × {:.2} m",
                corner.x, corner.y
            );
            return Err(refused(&codes::OFF_MAP, message));
        }
        let heights = distances.map(|along_m| {
            let position = (path.position)(along_m).clamp(Vec2::ZERO, corner);
            (along_m, self.height_at(position))
        });
        profile(heights, 0.5 * self.level_m)
    }

    /// The height at a position on the map, interpolated between four pixels. `None` if one of them is transparent.
    fn height_at(&self, position: Vec2) -> Option<f32> {
        let (last_column, last_row) = (self.width.checked_sub(1)?, self.height().checked_sub(1)?);
        let x = (position.x / self.scale_m).clamp(0.0, last_column as f32);
        let y = (last_row as f32 - position.y / self.scale_m).clamp(0.0, last_row as f32);
        let pixel =
            |column: usize, row: usize| self.heights_m.get(row * self.width + column).copied().flatten();
        let (column, row) = (x as usize, y as usize);
        let (right, below) = ((column + 1).min(last_column), (row + 1).min(last_row));
        let mix = |from: f32, to: f32, t: f32| from + t * (to - from);
        let upper = mix(pixel(column, row)?, pixel(right, row)?, x.fract());
        let lower = mix(pixel(column, below)?, pixel(right, below)?, x.fract());
        Some(mix(upper, lower, y.fract()))
    }
}

fn refused(code: &'static Code, message: impl Into<String>) -> FormatsError {
    FormatsError::refused(code, Place::default(), message)
}

/// Number of steps between black and white.
fn levels(info: &png::Info<'_>) -> f32 {
    match info.bit_depth {
        // The colours of a palette have eight bits, whatever their indices have.
        depth if info.color_type == ColorType::Indexed || depth == BitDepth::Eight => 255.0,
        depth => ((1u32 << (depth as u32)) - 1) as f32,
    }
}

/// Heights from left to right, known to a tolerance, as pieces with gaps between them.
fn profile(
    heights: impl Iterator<Item = (f32, Option<f32>)>,
    tolerance_m: f32,
) -> Result<Terrain, FormatsError> {
    let mut pieces: Vec<Vec<Vec2>> = vec![Vec::new()];
    for (along_m, height_m) in heights {
        match (height_m, pieces.last_mut()) {
            (Some(height_m), Some(piece)) => piece.push(Vec2::new(along_m, height_m)),
            _ => pieces.push(Vec::new()),
        }
    }
    pieces.retain(|piece| piece.len() > 1);
    if pieces.is_empty() {
        return Err(refused(&codes::NO_GROUND, "there is no ground along the profile"));
    }
    let pieces = pieces.iter().map(|piece| taut_line(piece, tolerance_m.max(STRAIGHTNESS_TOLERANCE_M)));
    Ok(Terrain::new(pieces.collect())?)
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;
    use crate::Limits;

    fn png(width: u32, has_alpha: bool, pixels: &[u8]) -> Vec<u8> {
        png_of_depth(BitDepth::Eight, width, has_alpha, pixels)
    }

    fn png_of_depth(depth: BitDepth, width: u32, has_alpha: bool, pixels: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let sample_bytes = if depth == BitDepth::Sixteen { 2 } else { 1 };
        let rows = pixels.len() as u32 / width / sample_bytes / if has_alpha { 2 } else { 1 };
        let mut encoder = png::Encoder::new(&mut bytes, width, rows);
        encoder.set_depth(depth);
        encoder.set_color(if has_alpha { ColorType::GrayscaleAlpha } else { ColorType::Grayscale });
        encoder.write_header().unwrap().write_image_data(pixels).unwrap();
        bytes
    }

    fn read(bytes: &[u8], scale_m: f32, relief_m: f32) -> Result<HeightMap, FormatsError> {
        HeightMap::read(bytes, &TerrainSettings { scale_m, relief_m, ..TerrainSettings::default() })
    }

    /// The profile along a straight path between two positions.
    fn profile_between(map: &HeightMap, from: Vec2, to: Vec2) -> Result<Terrain, FormatsError> {
        let position = |along_m: f32| from + (to - from).normalize() * along_m;
        map.profile_along(MapPath { length_m: from.distance(to), position: &position })
    }

    #[test]
    fn brightness_is_height_and_transparency_is_a_gap() {
        let ramp = read(&png(5, false, &[0, 0, 0, 255, 255]), 0.5, 1.0).unwrap().middle_row().unwrap();
        assert_eq!(ramp.pieces().len(), 1);
        // Half a level of brightness is 2 mm.
        for (at, height_m) in [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.25, 0.5), (1.5, 1.0), (2.0, 1.0)] {
            assert!((ramp.height_at(at).unwrap() - height_m).abs() < 2e-3, "{at}");
        }
        let pixels = [0, 255, 0, 255, 0, 0, 255, 255, 255, 255];
        let gap = read(&png(5, true, &pixels), 1.0, 2.0).unwrap().middle_row().unwrap();
        assert_eq!(gap.pieces()[0], [Vec2::ZERO, Vec2::X]);
        assert_eq!(gap.pieces()[1], [Vec2::new(3.0, 2.0), Vec2::new(4.0, 2.0)]);
    }

    #[test]
    fn a_gentle_slope_has_no_steps_in_eight_bits_and_all_its_digits_in_sixteen() {
        // A rise of 2 cm over 4 m; a level of eight bits is 2 mm.
        let slope_m = |column: u32| 0.1 + 0.005 * 0.05 * column as f32;
        let eight: Vec<u8> = (0..81).map(|column| (slope_m(column) / 0.5 * 255.0).round() as u8).collect();
        let sixteen: Vec<u8> = (0..81)
            .flat_map(|column| ((slope_m(column) / 0.5 * 65535.0).round() as u16).to_be_bytes())
            .collect();
        for (depth, pixels, tolerance_m) in
            [(BitDepth::Eight, eight, 1.1e-3), (BitDepth::Sixteen, sixteen, 1.5e-4)]
        {
            let map = read(&png_of_depth(depth, 81, false, &pixels), 0.05, 0.5).unwrap();
            let profile = map.middle_row().unwrap();
            for column in 0..81 {
                let height_m = profile.height_at(0.05 * column as f32).unwrap();
                assert!((height_m - slope_m(column)).abs() < tolerance_m, "{depth:?} {column}: {height_m}");
            }
            // A staircase would have ten slopes of 2 mm in 5 cm.
            for [from, to] in profile.segments() {
                let slope = (to.y - from.y) / (to.x - from.x);
                assert!((slope - 0.005).abs() < 6e-3, "{depth:?} {from}: {slope}");
            }
        }
    }

    #[test]
    fn a_path_over_a_map_gives_its_profile() {
        // Four by three pixels, brighter from left to right.
        let pixels: Vec<u8> = [0, 85, 170, 255].repeat(3);
        let map = read(&png(4, false, &pixels), 1.0, 3.0).unwrap();
        let terrain = profile_between(&map, Vec2::new(0.0, 1.0), Vec2::new(3.0, 1.0)).unwrap();
        assert_eq!(terrain.pieces().len(), 1);
        assert!((terrain.height_at(3.0).unwrap() - 3.0).abs() < 1e-5);
        let level = profile_between(&map, Vec2::new(3.0, 0.0), Vec2::new(3.0, 2.0)).unwrap();
        assert!((level.height_at(1.0).unwrap() - 3.0).abs() < 1e-5);
        for (from, to, message) in [
            (Vec2::new(-9.0, 0.0), Vec2::new(-5.0, 0.0), "leaves the map 0.00 m along, at x -9.00 m"),
            (Vec2::new(0.0, 1.0), Vec2::new(9.0, 1.0), "leaves the map 4.00 m along"),
        ] {
            let error = profile_between(&map, from, to).unwrap_err();
            assert_eq!(error.code(), &codes::OFF_MAP);
            assert!(error.to_string().contains(message), "{error}");
        }
    }

    #[test]
    fn invalid_maps_are_refused() {
        assert_eq!(read(b"no picture", 1.0, 1.0).unwrap_err().code(), &codes::BAD_PNG);
        let empty = read(&png(2, true, &[9, 0, 9, 0]), 1.0, 1.0).unwrap();
        assert_eq!(empty.middle_row().unwrap_err().code(), &codes::NO_GROUND);
        let whole = png(5, false, &[0, 0, 0, 255, 255]);
        assert_eq!(read(&whole[..whole.len() - 20], 1.0, 1.0).unwrap_err().code(), &codes::BAD_PNG);
        assert_eq!(read(&whole, 0.0, 1.0).unwrap_err().code(), &codes::SETTINGS);
        let limits = Limits { inflated_bytes: 4, ..Limits::default() };
        let settings = TerrainSettings { limits, ..TerrainSettings::default() };
        assert_eq!(HeightMap::read(&whole, &settings).unwrap_err().code(), &codes::LIMIT);
    }
}
