//! Binary records, the containers of all content.
//!
//! A record has a name, values and records below it. Sizes and offsets have 64 bits, as in versions 7500 and later, so that files
//! may be of any size.

use glam::DMat4;

/// Version of the format.
pub(super) const VERSION: u32 = 7500;

/// The first bytes of a file, before its version.
const MAGIC: &[u8] = b"Kaydara FBX Binary  \0\x1a\0";

/// Bytes of the end offset, the number of values, their length, and the length of the name.
const HEADER_BYTES: usize = 25;

/// The last bytes of a file.
const FOOTER_ID: [u8; 16] =
    [0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e];
const FOOTER_MAGIC: [u8; 16] =
    [0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b];
const FOOTER_ZEROS: usize = 120;

/// A value of a record.
#[derive(Debug, Clone, Copy)]
pub(super) enum Value<'a> {
    Bool(bool),
    I32(i32),
    I64(i64),
    F64(f64),
    Text(&'a str),
    Bytes(&'a [u8]),
    I32s(&'a [i32]),
    I64s(&'a [i64]),
    F32s(&'a [f32]),
    F64s(&'a [f64]),
}

/// A file that is being written.
pub(super) struct Records {
    bytes: Vec<u8>,
}

impl Records {
    pub(super) fn new() -> Self {
        Self { bytes: [MAGIC, &VERSION.to_le_bytes()].concat() }
    }

    /// A record without records below it.
    pub(super) fn leaf(&mut self, name: &str, values: &[Value<'_>]) {
        let start = self.open(name, values);
        self.close(start);
    }

    /// A record with records below it.
    pub(super) fn record(&mut self, name: &str, values: &[Value<'_>], children: impl FnOnce(&mut Self)) {
        let start = self.open(name, values);
        children(self);
        self.bytes.extend([0; HEADER_BYTES]);
        self.close(start);
    }

    /// A matrix, by columns.
    pub(super) fn matrix(&mut self, name: &str, matrix: DMat4) {
        self.leaf(name, &[Value::F64s(&matrix.to_cols_array())]);
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.extend([0; HEADER_BYTES]);
        self.bytes.extend(FOOTER_ID);
        self.bytes.extend([0; 4]);
        let padding = 16 - self.bytes.len() % 16;
        self.bytes.resize(self.bytes.len() + padding, 0);
        self.bytes.extend(VERSION.to_le_bytes());
        self.bytes.extend([0; FOOTER_ZEROS]);
        self.bytes.extend(FOOTER_MAGIC);
        self.bytes
    }

    /// Writes a header and values. Returns where the record starts.
    fn open(&mut self, name: &str, values: &[Value<'_>]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend([0; HEADER_BYTES - 1]);
        // Names are those of this writer, all of them short.
        self.bytes.push(name.len() as u8);
        self.bytes.extend_from_slice(name.as_bytes());
        let first = self.bytes.len();
        values.iter().for_each(|value| self.value(value));
        let length = self.bytes.len() - first;
        self.set(start + 8, values.len());
        self.set(start + 16, length);
        start
    }

    fn close(&mut self, start: usize) {
        self.set(start, self.bytes.len());
    }

    fn set(&mut self, at: usize, number: usize) {
        let slot = self.bytes.get_mut(at..).and_then(|rest| rest.first_chunk_mut());
        if let Some(slot) = slot {
            *slot = (number as u64).to_le_bytes();
        }
    }

    fn value(&mut self, value: &Value<'_>) {
        match *value {
            Value::Bool(is_true) => self.bytes.extend([b'C', u8::from(is_true)]),
            Value::I32(number) => self.number(b'I', &number.to_le_bytes()),
            Value::I64(number) => self.number(b'L', &number.to_le_bytes()),
            Value::F64(number) => self.number(b'D', &number.to_le_bytes()),
            Value::Text(text) => self.text(b'S', text.as_bytes()),
            Value::Bytes(bytes) => self.text(b'R', bytes),
            Value::I32s(list) => self.list(b'i', list.iter().map(|number| number.to_le_bytes())),
            Value::I64s(list) => self.list(b'l', list.iter().map(|number| number.to_le_bytes())),
            Value::F32s(list) => self.list(b'f', list.iter().map(|number| number.to_le_bytes())),
            Value::F64s(list) => self.list(b'd', list.iter().map(|number| number.to_le_bytes())),
        }
    }

    fn number(&mut self, kind: u8, bytes: &[u8]) {
        self.bytes.push(kind);
        self.bytes.extend_from_slice(bytes);
    }

    fn text(&mut self, kind: u8, bytes: &[u8]) {
        self.number(kind, &(bytes.len() as u32).to_le_bytes());
        self.bytes.extend_from_slice(bytes);
    }

    /// An array, not compressed: its length, encoding and size in bytes, then its numbers.
    fn list<const N: usize>(&mut self, kind: u8, numbers: impl ExactSizeIterator<Item = [u8; N]>) {
        let length = numbers.len();
        self.number(kind, &(length as u32).to_le_bytes());
        self.bytes.extend([0; 4]);
        self.bytes.extend(((length * N) as u32).to_le_bytes());
        self.bytes.extend(numbers.flatten());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_the_ends() {
        let mut records = Records::new();
        records.record("A", &[Value::I32(7)], |below| below.leaf("Bee", &[Value::F32s(&[1.0, 2.0])]));
        let bytes = records.finish();
        let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        let start = MAGIC.len() + 4;
        assert_eq!(
            (number(start + 8), number(start + 16), &bytes[start + 24..start + 26]),
            (1, 5, &b"\x01A"[..])
        );
        let below = start + HEADER_BYTES + 1 + 5;
        assert_eq!((number(below + 8), number(below + 16)), (1, 1 + 12 + 8));
        assert_eq!(number(below), below + HEADER_BYTES + 3 + 21);
        assert_eq!(number(start), number(below) + HEADER_BYTES);
        // The footer starts at a multiple of 16.
        assert_eq!((bytes.len() - 16 - FOOTER_ZEROS - 4) % 16, 0);
    }
}
