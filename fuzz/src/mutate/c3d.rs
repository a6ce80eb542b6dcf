//! C3D: a header of words, records of parameters, and frames of numbers.

use super::number::Kind;
use super::random::Random;

/// Bytes of a block.
const BLOCK: usize = 512;
/// Bytes of the header that have a meaning besides the labels of events.
const HEADER_WORDS: usize = 24;

/// Replaces one number by another, or copies a name over another.
pub(super) fn change(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let first = usize::from(*bytes.first()?).checked_sub(1)?.checked_mul(BLOCK)?;
    let fields = parameter_fields(bytes, first);
    let data = bytes.get(8 * 2..).and_then(|words| words.first_chunk()).map(|at| u16::from_le_bytes(*at));
    let data = usize::from(data?).checked_sub(1)?.checked_mul(BLOCK)?;
    let mut changed = bytes.to_vec();
    match random.below(6) {
        0 => Kind::I16.replace(&mut changed, 2 * random.below(HEADER_WORDS), random)?,
        // The processor decides how all numbers are read.
        1 => *changed.get_mut(first + 3)? = 83 + random.below(5) as u8,
        2 | 3 => {
            let (at, kind) = *random.pick(&fields)?;
            kind.replace(&mut changed, at, random)?;
        }
        4 => {
            let (from, to) = (random.pick(&fields)?.0, random.pick(&fields)?.0);
            let value = *changed.get(from)?;
            *changed.get_mut(to)? = value;
        }
        _ => {
            let kind = if random.one_in(2) { Kind::F32 } else { Kind::I16 };
            let at = data + kind.bytes() * random.below(bytes.len().checked_sub(data)? / kind.bytes());
            kind.replace(&mut changed, at, random)?;
        }
    }
    Some(changed)
}

/// The places and types of the numbers in the records of groups and parameters.
fn parameter_fields(bytes: &[u8], first: usize) -> Vec<(usize, Kind)> {
    let mut fields = Vec::new();
    let mut at = first + 4;
    while let Some(next) = record_fields(bytes, at, &mut fields).filter(|next| *next > at) {
        at = next;
    }
    fields
}

/// Adds the fields of a record. Returns where the next one starts.
fn record_fields(bytes: &[u8], at: usize, fields: &mut Vec<(usize, Kind)>) -> Option<usize> {
    let name = usize::from(bytes.get(at)?.cast_signed().unsigned_abs());
    let group = bytes.get(at + 1)?.cast_signed();
    if name == 0 || group == 0 {
        return None;
    }
    let after = at + 2 + name;
    let offset = usize::from(u16::from_le_bytes(*bytes.get(after..)?.first_chunk()?));
    fields.extend([(at, Kind::U8), (at + 1, Kind::U8), (at + 2, Kind::U8), (after, Kind::I16)]);
    if group > 0 {
        let (size, dimensions) = (bytes.get(after + 2)?.cast_signed(), usize::from(*bytes.get(after + 3)?));
        let kind = match size {
            2 => Kind::I16,
            4 => Kind::F32,
            _ => Kind::U8,
        };
        fields.extend((after + 2..after + 4 + dimensions).map(|place| (place, Kind::U8)));
        let start = after + 4 + dimensions;
        let lengths = bytes.get(after + 4..start)?.iter();
        let values = lengths.fold(1usize, |values, length| values.saturating_mul(usize::from(*length)));
        fields.extend((0..values.min(32)).map(|value| (start + value * kind.bytes(), kind)));
    }
    if offset == 0 { None } else { Some(after + offset) }
}
