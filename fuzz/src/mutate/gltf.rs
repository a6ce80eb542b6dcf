//! glTF: its JSON, and the numbers of its binary chunk.

use super::json;
use super::number::Kind;
use super::random::Random;

/// Changes a GLB, or glTF as JSON. The lengths of a GLB are set anew.
pub(super) fn change(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    if !bytes.starts_with(b"glTF") {
        return json::change(bytes, random);
    }
    let (text, binary) = chunks(bytes)?;
    let (mut text, mut binary) = (text.to_vec(), binary.map(<[u8]>::to_vec));
    match &mut binary {
        Some(binary) if random.one_in(4) => {
            let at = 4 * random.below(binary.len() / 4);
            let kind = if random.one_in(3) { Kind::I16 } else { Kind::F32 };
            kind.replace(binary, at, random)?;
        }
        _ => text = json::change(&text, random)?,
    }
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut body = (text.len() as u32).to_le_bytes().to_vec();
    body.extend(b"JSON");
    body.extend(&text);
    if let Some(binary) = binary {
        body.extend((binary.len() as u32).to_le_bytes());
        body.extend(b"BIN\0");
        body.extend(binary);
    }
    let version: &[u8] = bytes.get(4..8)?;
    let length = (12 + body.len() as u32).to_le_bytes();
    Some([b"glTF", version, &length, &body].concat())
}

/// The JSON and the binary chunk of a GLB.
fn chunks(bytes: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let (text, rest) = chunk(bytes.get(12..)?)?;
    Some((text, chunk(rest).map(|(binary, _)| binary)))
}

fn chunk(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
    bytes.get(8..)?.split_at_checked(length)
}
