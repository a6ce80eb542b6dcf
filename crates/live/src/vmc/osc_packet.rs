//! Reads packets of Open Sound Control (OSC) 1.0: messages, and bundles of messages and bundles.
//!
//! Anyone can send a datagram, so nothing in a packet is trusted. The packet is read in place, without recursion and without
//! allocation. Bundles may be nested [`MAX_DEPTH`] deep. What is not valid is an [`OscError`], and reading goes on after it if the size of
//! the broken part is known.

use std::fmt;

/// The largest packet that is read, in bytes.
pub const MAX_PACKET_BYTES: usize = 16 << 10;
/// The number of bundles that may contain each other.
const MAX_DEPTH: usize = 8;
/// The first bytes of a bundle.
pub(super) const BUNDLE: &[u8; 8] = b"#bundle\0";
/// The size of the first bytes and the time of a bundle.
const BUNDLE_HEADER_BYTES: usize = 16;

/// Why a packet, or a part of it, cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OscError {
    /// The packet is longer than [`MAX_PACKET_BYTES`].
    TooLong,
    /// The packet ends within a value, or a size is larger than what follows.
    CutOff,
    /// A text is not UTF-8, or has no end.
    NotText,
    /// An element is neither a bundle nor a message: its address does not begin with a slash.
    NoAddress,
    /// A message does not state the types of its arguments.
    NoTypes,
    /// The type of an argument is not known, so that its size is not.
    UnknownType(char),
    /// Bundles are nested too deep.
    TooDeep,
}

impl fmt::Display for OscError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OscError::TooLong => write!(f, "the packet is longer than {MAX_PACKET_BYTES} bytes"),
            OscError::CutOff => write!(f, "the packet is cut off"),
            OscError::NotText => write!(f, "a text is not UTF-8, or has no end"),
            OscError::NoAddress => write!(f, "a message has no address"),
            OscError::NoTypes => write!(f, "a message does not state the types of its arguments"),
            OscError::UnknownType(tag) => write!(f, "an argument has the unknown type {tag:?}"),
            OscError::TooDeep => write!(f, "bundles are nested more than {MAX_DEPTH} deep"),
        }
    }
}

impl std::error::Error for OscError {}

/// An argument of a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OscValue<'a> {
    /// A whole number: `i`.
    Int(i32),
    /// A number: `f`.
    Float(f32),
    /// A text: `s`.
    Text(&'a str),
    /// A value of another type, which is skipped: `h`, `t`, `d`, `b`, `S`, `c`, `r`, `m`, `T`, `F`, `N`, `I`, `[`, `]`.
    Other,
}

/// A message: an address and arguments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OscMessage<'a> {
    /// The address, as in `/VMC/Ext/Bone/Pos`.
    pub address: &'a str,
    types: &'a [u8],
    data: &'a [u8],
}

impl<'a> OscMessage<'a> {
    fn read(bytes: &'a [u8]) -> Result<Self, OscError> {
        if bytes.first() != Some(&b'/') {
            return Err(OscError::NoAddress);
        }
        let (address, rest) = text(bytes)?;
        if rest.first() != Some(&b',') {
            return Err(OscError::NoTypes);
        }
        let (types, data) = text(rest)?;
        Ok(Self { address, types: types.as_bytes().get(1..).unwrap_or_default(), data })
    }

    /// The arguments. They end after one that cannot be read.
    pub fn arguments(&self) -> OscArgumentIter<'a> {
        OscArgumentIter { types: self.types, data: self.data }
    }
}

/// The arguments of a message.
#[derive(Debug, Clone)]
pub struct OscArgumentIter<'a> {
    types: &'a [u8],
    data: &'a [u8],
}

impl<'a> OscArgumentIter<'a> {
    fn value(&mut self, tag: u8) -> Result<OscValue<'a>, OscError> {
        Ok(match tag {
            b'i' => OscValue::Int(i32::from_be_bytes(self.take()?)),
            b'f' => OscValue::Float(f32::from_be_bytes(self.take()?)),
            b's' | b'S' => {
                let (text, rest) = text(self.data)?;
                self.data = rest;
                if tag == b's' { OscValue::Text(text) } else { OscValue::Other }
            }
            b'b' => {
                let size = usize::try_from(i32::from_be_bytes(self.take()?)).map_err(|_| OscError::CutOff)?;
                self.data = self.data.get(size.next_multiple_of(4)..).ok_or(OscError::CutOff)?;
                OscValue::Other
            }
            b'c' | b'r' | b'm' => self.take::<4>().map(|_| OscValue::Other)?,
            b'h' | b't' | b'd' => self.take::<8>().map(|_| OscValue::Other)?,
            b'T' | b'F' | b'N' | b'I' | b'[' | b']' => OscValue::Other,
            other => return Err(OscError::UnknownType(char::from(other))),
        })
    }

    fn take<const N: usize>(&mut self) -> Result<[u8; N], OscError> {
        let (bytes, rest) = self.data.split_first_chunk::<N>().ok_or(OscError::CutOff)?;
        self.data = rest;
        Ok(*bytes)
    }
}

impl<'a> Iterator for OscArgumentIter<'a> {
    type Item = Result<OscValue<'a>, OscError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (tag, rest) = self.types.split_first()?;
        self.types = rest;
        let value = self.value(*tag);
        if value.is_err() {
            self.types = &[];
        }
        Some(value)
    }
}

/// The messages of a packet, in order. What cannot be read is an error in its place.
///
/// ```
/// use marey_live::vmc::{OscPacket, OscValue};
/// let bytes = b"/VMC/Ext/OK\0,i\0\0\0\0\0\x01";
/// let messages: Vec<_> = OscPacket::new(bytes).collect::<Result<_, _>>()?;
/// assert_eq!(messages[0].address, "/VMC/Ext/OK");
/// assert_eq!(messages[0].arguments().next(), Some(Ok(OscValue::Int(1))));
/// # Ok::<(), marey_live::vmc::OscError>(())
/// ```
#[derive(Debug, Clone)]
pub struct OscPacket<'a> {
    /// The packet itself, before it was read.
    element: Option<&'a [u8]>,
    /// What follows in each open bundle.
    open: [&'a [u8]; MAX_DEPTH],
    depth: usize,
}

impl<'a> OscPacket<'a> {
    /// Reads a packet.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { element: Some(bytes), open: [&[]; MAX_DEPTH], depth: 0 }
    }

    /// The next element of the innermost bundle that has one.
    fn next_element(&mut self) -> Option<Result<&'a [u8], OscError>> {
        if let Some(whole) = self.element.take() {
            return Some(if whole.len() > MAX_PACKET_BYTES { Err(OscError::TooLong) } else { Ok(whole) });
        }
        while let Some(rest) = self.depth.checked_sub(1).and_then(|last| self.open.get_mut(last)) {
            if rest.is_empty() {
                self.depth -= 1;
                continue;
            }
            let element = split_element(rest);
            *rest = element.map_or(&[], |(_, after)| after);
            return Some(element.map(|(element, _)| element).ok_or(OscError::CutOff));
        }
        None
    }

    fn open_bundle(&mut self, bundle: &'a [u8]) -> Result<(), OscError> {
        let elements = bundle.get(BUNDLE_HEADER_BYTES..).ok_or(OscError::CutOff)?;
        *self.open.get_mut(self.depth).ok_or(OscError::TooDeep)? = elements;
        self.depth += 1;
        Ok(())
    }
}

impl<'a> Iterator for OscPacket<'a> {
    type Item = Result<OscMessage<'a>, OscError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let element = match self.next_element()? {
                Ok(element) => element,
                Err(error) => return Some(Err(error)),
            };
            if !element.starts_with(BUNDLE) {
                return Some(OscMessage::read(element));
            }
            if let Err(error) = self.open_bundle(element) {
                return Some(Err(error));
            }
        }
    }
}

/// The first element of a bundle, and what follows it. Both parts are shorter, so that reading ends.
fn split_element(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (size, rest) = bytes.split_first_chunk::<4>()?;
    rest.split_at_checked(usize::try_from(i32::from_be_bytes(*size)).ok()?)
}

/// A text that ends with a zero byte and is filled with zeros up to four bytes, and what follows it.
fn text(bytes: &[u8]) -> Result<(&str, &[u8]), OscError> {
    let end = bytes.iter().position(|byte| *byte == 0).ok_or(OscError::NotText)?;
    let (text, rest) = bytes.split_at_checked((end + 1).next_multiple_of(4)).ok_or(OscError::CutOff)?;
    let text = std::str::from_utf8(text.get(..end).unwrap_or_default()).map_err(|_| OscError::NotText)?;
    Ok((text, rest))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::vmc::OscBundle;

    fn nested(depth: usize) -> Vec<u8> {
        let mut packet = b"/a\0\0,\0\0\0".to_vec();
        for _ in 0..depth {
            let size = (packet.len() as u32).to_be_bytes();
            packet = [&BUNDLE[..], &[0; 8], &size, &packet].concat();
        }
        packet
    }

    #[test]
    fn every_type_of_argument_is_read_or_skipped() {
        let mut packet = b"/all\0\0\0\0,ihtdbSrcmTFNI[i]sf\0".to_vec();
        packet.extend(7i32.to_be_bytes());
        packet.extend([1; 24]);
        packet.extend(5i32.to_be_bytes());
        packet.extend([9; 8]);
        packet.extend(b"symbol\0\0");
        packet.extend([2; 12]);
        packet.extend((-3i32).to_be_bytes());
        packet.extend(b"Hips\0\0\0\0");
        packet.extend(0.5f32.to_be_bytes());
        let message = OscPacket::new(&packet).next().unwrap().unwrap();
        let values: Vec<_> = message.arguments().map(Result::unwrap).collect();
        assert_eq!(values.len(), 18);
        assert_eq!(values[0], OscValue::Int(7));
        assert_eq!(values[14], OscValue::Int(-3));
        assert_eq!(values[16..], [OscValue::Text("Hips"), OscValue::Float(0.5)]);
        assert_eq!(values.iter().filter(|value| **value == OscValue::Other).count(), 14);
    }

    #[test]
    fn bundles_are_opened_up_to_a_depth_and_the_deepest_are_errors() {
        for depth in [0, 1, MAX_DEPTH] {
            let packet = nested(depth);
            let messages: Vec<_> = OscPacket::new(&packet).collect();
            assert!(matches!(messages[..], [Ok(message)] if message.address == "/a"), "{depth}");
        }
        for depth in [MAX_DEPTH + 1, 700] {
            let messages: Vec<_> = OscPacket::new(&nested(depth)).map(|m| m.map(|_| ())).collect();
            assert_eq!(messages, [Err(OscError::TooDeep)], "{depth}");
        }
        let huge: Vec<_> = OscPacket::new(&nested(2500)).map(|m| m.map(|_| ())).collect();
        assert_eq!(huge, [Err(OscError::TooLong)]);
    }

    #[test]
    fn a_bad_message_of_a_bundle_does_not_hide_the_others() {
        let mut packet = [&BUNDLE[..], &[0; 8]].concat();
        for element in [&b"/a\0\0,\0\0\0"[..], b"bad\0", b"", b"/b\0\0,q\0\0", b"/c\0\0,i\0\0"] {
            packet.extend((element.len() as u32).to_be_bytes());
            packet.extend(element);
        }
        packet.extend(1000u32.to_be_bytes());
        let found: Vec<_> = OscPacket::new(&packet).map(|m| m.map(|m| m.address)).collect();
        let missing = Err(OscError::NoAddress);
        assert_eq!(found, [Ok("/a"), missing, missing, Ok("/b"), Ok("/c"), Err(OscError::CutOff)]);
        let bad = |index: usize| {
            let message = OscPacket::new(&packet).nth(index).unwrap().unwrap();
            message.arguments().next().unwrap().unwrap_err()
        };
        assert_eq!([bad(3), bad(4)], [OscError::UnknownType('q'), OscError::CutOff]);
    }

    #[test]
    fn damaged_packets_give_a_bounded_number_of_messages_and_errors() {
        let mut bundle = OscBundle::default();
        for name in ["Hips", "LeftHand", "RightFoot"] {
            let values = [OscValue::Text(name), OscValue::Float(0.25), OscValue::Int(3)];
            assert!(bundle.add("/VMC/Ext/Bone/Pos", &values));
        }
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let mut errors = 0;
        for _ in 0..100_000 {
            let mut bytes = bundle.bytes().to_vec();
            for _ in 0..rng.random_range(1..6) {
                let at = rng.random_range(0..bytes.len());
                match rng.random_range(0..4) {
                    0 => bytes.truncate(at.max(1)),
                    1 => bytes[at] = rng.random(),
                    2 => bytes.insert(at, rng.random()),
                    _ => {
                        let nested = [&BUNDLE[..], &[0; 8]].concat();
                        bytes.splice(at..at, nested);
                    }
                }
            }
            let mut elements = 0;
            for message in OscPacket::new(&bytes) {
                elements += 1;
                errors += match message {
                    Ok(message) => message.arguments().filter(Result::is_err).count(),
                    Err(_) => 1,
                };
            }
            assert!(elements <= bytes.len() / 4 + 1);
        }
        assert!(errors > 10_000, "{errors}");
    }
}
