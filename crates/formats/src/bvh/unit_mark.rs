//! The unit of a BVH that Marey wrote, if readers would infer another.
//!
//! BVH has no place for a unit, and readers infer it from the height of the person. For a doll or a giant they infer the wrong one.
//! Marey then marks its own file with blanks after the word HIERARCHY, which other programs skip: a tab, one blank for the first named
//! unit, two for the second and so on, and a tab.

use marey_conventions::{Unit, is_unit_evident};
use marey_motion::Take;

const KEYWORD: &[u8] = b"HIERARCHY";

/// The mark of a take that is written in a unit; empty if a reader infers that unit, or if it has no name.
pub(super) fn mark_of(take: &Take, unit: Unit) -> String {
    if is_unit_evident(take.first().skeleton(), unit) {
        return String::new();
    }
    let number = Unit::NAMED.into_iter().position(|named| named == unit);
    number.map_or_else(String::new, |number| format!("\t{}\t", " ".repeat(number + 1)))
}

/// The unit that a file is marked with.
pub(super) fn marked_unit(text: &[u8]) -> Option<Unit> {
    let rest = text.strip_prefix(KEYWORD)?.strip_prefix(b"\t")?;
    let blanks = rest.iter().take_while(|byte| **byte == b' ').count();
    let is_closed = rest.get(blanks) == Some(&b'\t');
    Unit::NAMED.get(blanks.checked_sub(1)?).copied().filter(|_| is_closed)
}

#[cfg(test)]
mod tests {
    use marey_examples::walk::{WalkSettings, walk};

    use super::*;
    use crate::bvh::{BvhOptions, BvhSettings, read, write};

    #[test]
    fn only_sizes_that_readers_misjudge_are_marked() {
        let take = walk(&WalkSettings::default()).unwrap().take;
        let of_size =
            |scale: f32| Take::solo("walk", take.first().slice(0..2).unwrap().scaled(scale).unwrap());
        for (scale, unit, is_marked) in [
            (1.0, Unit::Centimetre, false),
            (0.45, Unit::Centimetre, true),
            (2.0, Unit::Metre, true),
            (0.45, Unit::Foot, true),
            (0.45, Unit::Metres(0.2), false),
        ] {
            let (bytes, _) = write(&of_size(scale), &BvhOptions { unit, ..BvhOptions::default() });
            let file = read(&bytes, &BvhSettings::default()).unwrap();
            assert_eq!(file.unit, is_marked.then_some(unit), "{scale} {unit}");
        }
    }

    #[test]
    fn other_blanks_are_no_mark() {
        for text in
            ["HIERARCHY \n", "HIERARCHY\t\n", "HIERARCHY\t\t\n", "HIERARCHY\t          \t\n", "ROOT\t \t"]
        {
            assert_eq!(marked_unit(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(marked_unit(b"HIERARCHY\t \t\r\n"), Some(Unit::Metre));
    }
}
