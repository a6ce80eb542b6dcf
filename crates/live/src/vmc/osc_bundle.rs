//! Writes packets of Open Sound Control (OSC) 1.0.

use super::osc_packet::{BUNDLE, OscValue};

/// The largest packet that is sent, in bytes: it fits into one frame of the usual networks.
pub const MAX_SENT_BYTES: usize = 1400;
/// The time of a bundle that is to be used at once.
const AT_ONCE: [u8; 8] = [0, 0, 0, 0, 0, 0, 0, 1];

/// A bundle of messages that fits into one datagram.
///
/// ```
/// use marey_live::vmc::{OscBundle, OscPacket, OscValue};
/// let mut bundle = OscBundle::default();
/// assert!(bundle.add("/VMC/Ext/T", &[OscValue::Float(1.5)]));
/// let message = OscPacket::new(bundle.bytes()).next().unwrap()?;
/// assert_eq!(message.arguments().next(), Some(Ok(OscValue::Float(1.5))));
/// # Ok::<(), marey_live::vmc::OscError>(())
/// ```
#[derive(Debug, Clone)]
pub struct OscBundle {
    bytes: Vec<u8>,
}

impl Default for OscBundle {
    fn default() -> Self {
        let mut bundle = Self { bytes: Vec::with_capacity(MAX_SENT_BYTES) };
        bundle.clear();
        bundle
    }
}

impl OscBundle {
    /// Removes all messages.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.bytes.extend_from_slice(BUNDLE);
        self.bytes.extend_from_slice(&AT_ONCE);
    }

    /// Whether there are no messages.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() <= BUNDLE.len() + AT_ONCE.len()
    }

    /// The packet.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds a message. If the packet would be longer than [`MAX_SENT_BYTES`], it stays as it is, and the result is false. Values of
    /// other types cannot be written; they become the type that has no value, `N`.
    #[must_use]
    pub fn add(&mut self, address: &str, values: &[OscValue<'_>]) -> bool {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&[0; 4]);
        self.add_text([address.as_bytes()]);
        self.add_text([&b","[..]].into_iter().chain(values.iter().map(|value| tag(value))));
        for value in values {
            match value {
                OscValue::Int(value) => self.bytes.extend_from_slice(&value.to_be_bytes()),
                OscValue::Float(value) => self.bytes.extend_from_slice(&value.to_be_bytes()),
                OscValue::Text(text) => self.add_text([text.as_bytes()]),
                OscValue::Other => {}
            }
        }
        let size = self.bytes.len() - start - 4;
        if self.bytes.len() > MAX_SENT_BYTES {
            self.bytes.truncate(start);
            return false;
        }
        let size = (size as u32).to_be_bytes();
        self.bytes.iter_mut().skip(start).zip(size).for_each(|(byte, new)| *byte = new);
        true
    }

    /// Adds a text with a zero byte at its end, filled with zeros up to four bytes. A zero byte within the text ends it.
    fn add_text<'t>(&mut self, parts: impl IntoIterator<Item = &'t [u8]>) {
        let start = self.bytes.len();
        for part in parts {
            self.bytes.extend(part.iter().take_while(|byte| **byte != 0));
        }
        let length = (self.bytes.len() - start + 1).next_multiple_of(4);
        self.bytes.resize(start + length, 0);
    }
}

fn tag(value: &OscValue<'_>) -> &'static [u8] {
    match value {
        OscValue::Int(_) => b"i",
        OscValue::Float(_) => b"f",
        OscValue::Text(_) => b"s",
        OscValue::Other => b"N",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vmc::OscPacket;

    #[test]
    fn messages_read_back_and_a_full_bundle_refuses_more() {
        let mut bundle = OscBundle::default();
        assert!(bundle.is_empty());
        let values = [OscValue::Text("LeftUpperArm"), OscValue::Int(-1), OscValue::Float(0.1)];
        let mut count = 0;
        while bundle.add("/VMC/Ext/Bone/Pos", &values) {
            count += 1;
        }
        assert!(bundle.bytes().len() <= MAX_SENT_BYTES && bundle.bytes().len() > MAX_SENT_BYTES - 80);
        let messages: Vec<_> = OscPacket::new(bundle.bytes()).map(Result::unwrap).collect();
        assert_eq!(messages.len(), count);
        for message in messages {
            assert_eq!(message.address, "/VMC/Ext/Bone/Pos");
            assert_eq!(message.arguments().collect::<Result<Vec<_>, _>>(), Ok(values.to_vec()));
        }
        bundle.clear();
        assert!(bundle.is_empty() && !bundle.add(&format!("/{}", "x".repeat(2000)), &[]));
        assert!(bundle.is_empty());
    }

    #[test]
    fn texts_of_every_length_are_padded_and_a_zero_ends_a_text() {
        for length in 0..9 {
            let text = "x".repeat(length);
            let mut bundle = OscBundle::default();
            assert!(bundle.add("/a", &[OscValue::Text(&format!("{text}\0y")), OscValue::Int(7)]));
            let message = OscPacket::new(bundle.bytes()).next().unwrap().unwrap();
            let values: Vec<_> = message.arguments().map(Result::unwrap).collect();
            assert_eq!(values, [OscValue::Text(&text), OscValue::Int(7)]);
        }
    }
}
