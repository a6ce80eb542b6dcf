//! FBX in its binary form: a tree of nodes with typed properties.

use super::number::Kind;
use super::random::Random;

const MAGIC: &[u8] = b"Kaydara FBX Binary  \0";
/// Numbers of an array that can be chosen.
const MAX_CHOICES: usize = 64;

/// A field of a node.
#[derive(Debug, Clone, Copy)]
enum Field {
    Number(usize, Kind),
    /// Start and length of a text.
    Text(usize, usize),
}

/// Replaces a property of a node by another; `None` if the bytes are not binary FBX.
pub(super) fn change(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    if !bytes.starts_with(MAGIC) {
        return None;
    }
    let version = u32::from_le_bytes(*bytes.get(23..)?.first_chunk()?);
    let mut fields = Vec::new();
    let mut at = 27;
    while let Some(next) = node_fields(bytes, at, version >= 7500, &mut fields, 0).filter(|next| *next > at) {
        at = next;
    }
    let mut changed = bytes.to_vec();
    match *random.pick(&fields)? {
        Field::Number(at, kind) => kind.replace(&mut changed, at, random)?,
        Field::Text(start, length) => {
            let other = fields.iter().skip(random.below(fields.len())).find_map(|field| match *field {
                Field::Text(other, same) if same == length && other != start => Some(other),
                _ => None,
            });
            match other {
                Some(other) => changed.copy_within(other..other + length, start),
                None => Kind::U8.replace(&mut changed, start + random.below(length), random)?,
            }
        }
    }
    Some(changed)
}

/// Adds the fields of a node and its children. Returns where the node ends.
fn node_fields(
    bytes: &[u8],
    at: usize,
    is_wide: bool,
    fields: &mut Vec<Field>,
    depth: usize,
) -> Option<usize> {
    let width = if is_wide { 8 } else { 4 };
    let word = |n: usize| number_at(bytes, at + n * width, width);
    let (end, properties) = (word(0)?, word(1)?);
    let name = usize::from(*bytes.get(at + 3 * width)?);
    if end == 0 || depth > 32 {
        return None;
    }
    let start = at + 3 * width + 1;
    if name > 0 {
        fields.push(Field::Text(start, name));
    }
    let mut inside = start + name;
    for _ in 0..properties.min(MAX_CHOICES) {
        inside = property_fields(bytes, inside, fields)?;
    }
    while inside < end {
        match node_fields(bytes, inside, is_wide, fields, depth + 1) {
            Some(next) if next > inside => inside = next,
            _ => break,
        }
    }
    Some(end)
}

/// Adds the fields of a property. Returns where it ends.
fn property_fields(bytes: &[u8], at: usize, fields: &mut Vec<Field>) -> Option<usize> {
    let start = at + 1;
    let single = |kind: Kind| (kind, start + kind.bytes());
    let (kind, end) = match *bytes.get(at)? {
        b'Y' => single(Kind::I16),
        b'C' | b'B' => single(Kind::U8),
        b'I' => single(Kind::I32),
        b'F' => single(Kind::F32),
        b'D' => single(Kind::F64),
        b'L' => single(Kind::I64),
        b'S' | b'R' => {
            let length = number_at(bytes, start, 4)?;
            if length > 0 {
                fields.push(Field::Text(start + 4, length));
            }
            return Some(start + 4 + length);
        }
        array => return array_fields(bytes, array, start, fields),
    };
    fields.push(Field::Number(start, kind));
    Some(end)
}

/// Adds the numbers of an array, unless it is compressed. Returns where it ends.
fn array_fields(bytes: &[u8], kind: u8, at: usize, fields: &mut Vec<Field>) -> Option<usize> {
    let kind = match kind {
        b'f' => Kind::F32,
        b'd' => Kind::F64,
        b'l' => Kind::I64,
        b'i' => Kind::I32,
        _ => Kind::U8,
    };
    let (count, encoding, length) =
        (number_at(bytes, at, 4)?, number_at(bytes, at + 4, 4)?, number_at(bytes, at + 8, 4)?);
    fields.push(Field::Number(at, Kind::I32));
    if encoding == 0 {
        let numbers = (0..count.min(MAX_CHOICES)).map(|n| Field::Number(at + 12 + n * kind.bytes(), kind));
        fields.extend(numbers);
        return Some(at + 12 + count.checked_mul(kind.bytes())?);
    }
    Some(at + 12 + length)
}

/// A little-endian number of 4 or 8 bytes.
fn number_at(bytes: &[u8], at: usize, width: usize) -> Option<usize> {
    let mut number = [0u8; 8];
    number.get_mut(..width)?.copy_from_slice(bytes.get(at..at.checked_add(width)?)?);
    usize::try_from(u64::from_le_bytes(number)).ok().filter(|number| *number < 1 << 40)
}
