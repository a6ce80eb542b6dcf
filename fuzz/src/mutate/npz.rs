//! NPZ: a zip of arrays, each with a header in Python's notation.

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::number::Kind;
use super::random::Random;
use super::text;

/// Largest array that is unpacked.
const MAX_BYTES: u64 = 4 << 20;

/// Changes an array and writes the zip anew, with right checksums.
pub(super) fn change(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index(index).ok()?;
        let name = entry.name().ok()?.into_owned();
        let mut content = Vec::new();
        entry.take(MAX_BYTES).read_to_end(&mut content).ok()?;
        entries.push((name, content));
    }
    if entries.is_empty() {
        return None;
    }
    let chosen = random.below(entries.len());
    match random.below(10) {
        0 => {
            entries.remove(chosen);
        }
        1 => {
            let content = entries.get(random.below(entries.len()))?.1.clone();
            entries.get_mut(chosen)?.1 = content;
        }
        _ => {
            let content = &mut entries.get_mut(chosen)?.1;
            *content = change_array(content, random)?;
        }
    }
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        let method = if random.one_in(2) { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        writer.start_file(name, SimpleFileOptions::default().compression_method(method)).ok()?;
        writer.write_all(&content).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}

/// Changes the header or a number of an array.
fn change_array(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let long = *bytes.get(6)? >= 2;
    let prefix = if long { 12 } else { 10 };
    let length = match long {
        true => u32::from_le_bytes(*bytes.get(8..)?.first_chunk()?) as usize,
        false => usize::from(u16::from_le_bytes(*bytes.get(8..)?.first_chunk()?)),
    };
    let (header, data) = bytes.get(prefix..)?.split_at_checked(length)?;
    let (mut header, mut data) = (header.to_vec(), data.to_vec());
    match random.below(4) {
        0 => data.truncate(random.below(data.len())),
        1 => header = text::change(&header, random)?,
        _ => {
            let kind = *random.pick(&[Kind::F64, Kind::F32, Kind::I64])?;
            let at = kind.bytes() * random.below(data.len() / kind.bytes());
            kind.replace(&mut data, at, random)?;
        }
    }
    let length = header.len().min(usize::from(u16::MAX)) as u16;
    let mut changed = bytes.get(..8)?.to_vec();
    match long {
        true => changed.extend(u32::from(length).to_le_bytes()),
        false => changed.extend(length.to_le_bytes()),
    }
    changed.extend(header.get(..usize::from(length))?);
    changed.extend(data);
    Some(changed)
}
