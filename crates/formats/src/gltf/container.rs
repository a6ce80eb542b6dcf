//! The two containers of glTF: JSON, or GLB with chunks.

use marey_motion::{Place, Report};

use super::codes;
use crate::FormatsError;
use crate::text::Text;

const MAGIC: &[u8; 4] = b"glTF";
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";

/// The JSON description, and the binary chunk.
#[derive(Debug)]
pub(super) struct Container<'a> {
    pub(super) json: &'a [u8],
    /// The first buffer of a GLB.
    pub(super) bin: Option<&'a [u8]>,
}

/// Whether bytes start like a GLB.
pub(super) fn is_glb(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Whether text looks like glTF: an object whose first keys are those of glTF.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    const KEYS: [&[u8]; 7] =
        [b"asset", b"accessors", b"animations", b"buffers", b"extensionsUsed", b"nodes", b"scene"];
    let start = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let Some(b'{') = start.first() else { return false };
    let has = |key: &[u8]| {
        start
            .windows(key.len() + 2)
            .any(|w| w.starts_with(b"\"") && w.ends_with(b"\"") && w.get(1..=key.len()) == Some(key))
    };
    // Every glTF has an asset, but it need not come first.
    KEYS.iter().any(|key| has(key))
}

/// Splits a file into its description and its binary chunk.
pub(super) fn open<'a>(bytes: &'a [u8], report: &mut Report) -> Result<Container<'a>, FormatsError> {
    if is_glb(bytes) {
        return open_glb(bytes, report);
    }
    let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let is_object = body.trim_ascii_start().first() == Some(&b'{');
    if !is_object || (Text { bytes: body.into(), was_utf16: false }).zero_byte().is_some() {
        let message = "the file starts neither with { nor with glTF";
        return Err(FormatsError::refused(&codes::NOT_GLTF, Place::default(), message));
    }
    Ok(Container { json: body, bin: None })
}

fn open_glb<'a>(bytes: &'a [u8], report: &mut Report) -> Result<Container<'a>, FormatsError> {
    let cut =
        || FormatsError::refused(&codes::CHUNK, Place::default(), "the GLB ends inside its first chunk");
    let (version, length) = (word(bytes, 4).ok_or_else(cut)?, word(bytes, 8).ok_or_else(cut)?);
    if version != 2 {
        let message = format!("the version of the GLB is {version}");
        return Err(FormatsError::refused(&codes::VERSION, Place::default(), message));
    }
    if length as usize != bytes.len() {
        let message = format!("{length} bytes announced, {} found", bytes.len());
        report.warn(&codes::LENGTH, Place::default(), message);
    }
    let (kind, json, mut rest) = chunk(bytes.get(12..).unwrap_or_default()).ok_or_else(cut)?;
    if kind != JSON {
        let message = format!("the first chunk is {:?}, not JSON", String::from_utf8_lossy(&kind));
        return Err(FormatsError::refused(&codes::CHUNK, Place::default(), message));
    }
    // Unknown chunks are skipped.
    let mut bin = None;
    while bin.is_none() && !rest.is_empty() {
        let Some((kind, data, behind)) = chunk(rest) else {
            // Missing bytes are reported by the accessor that needs them.
            bin = (rest.get(4..8) == Some(&BIN)).then(|| rest.get(8..).unwrap_or_default());
            break;
        };
        bin = (kind == BIN).then_some(data);
        rest = behind;
    }
    Ok(Container { json, bin })
}

/// The kind and content of the first chunk, and the bytes after it.
fn chunk(bytes: &[u8]) -> Option<([u8; 4], &[u8], &[u8])> {
    let length = word(bytes, 0)? as usize;
    let kind = bytes.get(4..8)?.try_into().ok()?;
    let (data, rest) = bytes.get(8..)?.split_at_checked(length)?;
    Some((kind, data, rest))
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Builds a GLB from a description and a buffer. `None` if it would exceed 4 GiB.
pub(super) fn close_glb(json: &[u8], bin: &[u8]) -> Option<Vec<u8>> {
    close_chunks(&[(JSON, json, b' '), (BIN, bin, 0)])
}

/// Builds a GLB from a description alone.
pub(super) fn close_json(json: &[u8]) -> Option<Vec<u8>> {
    close_chunks(&[(JSON, json, b' ')])
}

fn close_chunks(chunks: &[([u8; 4], &[u8], u8)]) -> Option<Vec<u8>> {
    let padded = |length: usize| length.next_multiple_of(4);
    let length = 12 + chunks.iter().map(|(_, data, _)| 8 + padded(data.len())).sum::<usize>();
    let mut out = Vec::with_capacity(length);
    out.extend_from_slice(MAGIC);
    for word in [2, u32::try_from(length).ok()?] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    for (kind, data, padding) in chunks {
        out.extend_from_slice(&(padded(data.len()) as u32).to_le_bytes());
        out.extend_from_slice(kind);
        out.extend_from_slice(data);
        out.extend(std::iter::repeat_n(*padding, padded(data.len()) - data.len()));
    }
    Some(out)
}
