//! Changes packets of Open Sound Control: the elements of a bundle, their order and depth, and single values.

use super::random::Random;

const HEADER: &[u8; 16] = b"#bundle\0\0\0\0\0\0\0\0\x01";
/// Values that are often special: sizes, numbers, types.
const WORDS: [[u8; 4]; 10] = [
    [0; 4],
    [0xff; 4],
    [0x7f, 0xff, 0xff, 0xff],
    [0x80, 0, 0, 0],
    [0x7f, 0xc0, 0, 0],
    [0x7f, 0x80, 0, 0],
    [0x3f, 0x80, 0, 0],
    [0, 0, 0, 4],
    *b",fff",
    *b"Hips",
];

/// One change of an element, or of a word of four bytes.
pub(super) fn change(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let Some(mut elements) = elements(bytes) else {
        // A single message becomes a bundle.
        return Some(bundle(&[bytes.to_vec()]));
    };
    let at = random.below(elements.len());
    match random.below(7) {
        0 => drop((!elements.is_empty()).then(|| elements.remove(at))),
        1 => elements.insert(at, elements.get(at)?.clone()),
        2 => {
            let other = random.below(elements.len());
            (!elements.is_empty()).then(|| elements.swap(at, other))?;
        }
        3 => *elements.get_mut(at)? = bundle(&[elements.get(at)?.clone()]),
        4 => {
            let inner = change(elements.get(at).filter(|element| element.starts_with(b"#bundle"))?, random)?;
            *elements.get_mut(at)? = inner;
        }
        _ => {
            let element = elements.get_mut(at)?;
            let word = 4 * random.below(element.len() / 4);
            let value = random.pick(&WORDS)?;
            element.get_mut(word..word + 4)?.copy_from_slice(value);
        }
    }
    Some(bundle(&elements))
}

/// The elements of a bundle.
fn elements(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut rest = bytes.strip_prefix(b"#bundle\0")?.get(8..)?;
    let mut elements = Vec::new();
    while let Some((size, after)) = rest.split_first_chunk::<4>() {
        let (element, after) = after.split_at_checked(u32::from_be_bytes(*size) as usize)?;
        elements.push(element.to_vec());
        rest = after;
    }
    Some(elements)
}

fn bundle(elements: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = HEADER.to_vec();
    for element in elements {
        bytes.extend((element.len() as u32).to_be_bytes());
        bytes.extend(element);
    }
    bytes
}
