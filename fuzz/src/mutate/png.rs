//! PNG: chunks with checksums.

use std::io::Cursor;

use super::number::Kind;
use super::random::Random;

/// Largest number of samples that are decoded.
const MAX_SAMPLES: u32 = 1 << 20;

/// Changes the samples, or a field of a chunk, whose checksum is set anew.
pub(super) fn change(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    if random.one_in(2) { change_chunk(bytes, random) } else { change_samples(bytes, random) }
}

fn change_chunk(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut starts = vec![8];
    while let Some(&start) = starts.last()
        && let Some(length) = bytes.get(start..).and_then(|rest| rest.first_chunk())
    {
        starts.push(start + 12 + u32::from_be_bytes(*length) as usize);
    }
    let start = starts.get(if random.one_in(2) { 0 } else { random.below(starts.len()) })?;
    let mut changed = bytes.to_vec();
    let length = u32::from_be_bytes(*bytes.get(*start..)?.first_chunk()?) as usize;
    let checked = start + 4..start + 8 + length;
    let kind = if random.one_in(2) { Kind::U8 } else { Kind::I32 };
    kind.replace(&mut changed, start + 8 + random.below(length), random)?;
    let checksum = crc32fast::hash(changed.get(checked.clone())?).to_be_bytes();
    changed.get_mut(checked.end..checked.end + 4)?.copy_from_slice(&checksum);
    Some(changed)
}

/// Another picture with the samples of this one: another size, depth or colour, other samples.
fn change_samples(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    let (width, height) = (reader.info().width, reader.info().height);
    if width.checked_mul(height)? > MAX_SAMPLES {
        return None;
    }
    let mut samples = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut samples).ok()?;
    let colours = [
        png::ColorType::Grayscale,
        png::ColorType::GrayscaleAlpha,
        png::ColorType::Rgb,
        png::ColorType::Rgba,
    ];
    let colour = if random.one_in(3) { *random.pick(&colours)? } else { frame.color_type };
    let depths = [png::BitDepth::Eight, png::BitDepth::Sixteen];
    let depth = if random.one_in(3) { *random.pick(&depths)? } else { frame.bit_depth };
    let size = |old: u32, random: &mut Random| match random.below(4) {
        0 => 1 + random.below(4) as u32,
        1 => old * 2,
        _ => old,
    };
    let (width, height) = (size(width, random), size(height, random));
    let at = random.below(samples.len());
    Kind::U8.replace(&mut samples, at, random)?;
    if random.one_in(4) {
        let level = random.below(256) as u8;
        samples.iter_mut().skip(at).for_each(|sample| *sample = level);
    }
    let row = (width as usize * colour.samples() * depth as usize).div_ceil(8);
    samples.resize(row.checked_mul(height as usize)?, 0);
    let mut written = Vec::new();
    let mut encoder = png::Encoder::new(&mut written, width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    encoder.write_header().ok()?.write_image_data(&samples).ok()?;
    Some(written)
}
