//! A simple writer of numpy arrays and uncompressed archives for fixtures.

/// An array in numpy's format.
#[derive(Clone)]
pub(super) struct Npy {
    pub(super) version: u8,
    pub(super) header: String,
    pub(super) data: Vec<u8>,
}

impl Npy {
    pub(super) fn new(descr: &str, shape: &str, data: Vec<u8>) -> Self {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
        Self { version: 1, header, data }
    }

    /// Rows of 64-bit floating-point numbers.
    pub(super) fn rows(rows: &[Vec<f64>]) -> Self {
        let data = rows.concat().iter().flat_map(|value| value.to_le_bytes()).collect();
        Self::new("<f8", &format!("({}, {})", rows.len(), rows.first().map_or(0, Vec::len)), data)
    }

    pub(super) fn number(value: f64) -> Self {
        Self::new("<f8", "()", value.to_le_bytes().to_vec())
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut header = self.header.clone().into_bytes();
        let length_bytes = if self.version == 1 { 2 } else { 4 };
        // Data starts at a multiple of 64 bytes.
        while !(8 + length_bytes + header.len() + 1).is_multiple_of(64) {
            header.push(b' ');
        }
        header.push(b'\n');
        let length = (header.len() as u32).to_le_bytes();
        [b"\x93NUMPY", [self.version, 0].as_slice(), &length[..length_bytes], &header, &self.data].concat()
    }
}

/// Zips files without compression: local headers with content, the directory, its end.
pub(super) fn zip(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for (name, content) in files {
        let offset = bytes.len() as u32;
        let size = (content.len() as u32).to_le_bytes();
        // Version 2.0, no flags, stored, 1 January 1980.
        let about =
            [&[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0], crc32(content).to_le_bytes().as_slice(), &size, &size]
                .concat();
        let length = (name.len() as u16).to_le_bytes();
        bytes.extend([b"PK\x03\x04", about.as_slice(), &length, &[0, 0], name.as_bytes(), content].concat());
        directory.extend(
            [b"PK\x01\x02\x14\0", about.as_slice(), &length, &[0; 12], &offset.to_le_bytes()].concat(),
        );
        directory.extend(name.as_bytes());
    }
    let (count, start, size) = (files.len() as u16, bytes.len() as u32, directory.len() as u32);
    bytes.extend(directory);
    bytes.extend([b"PK\x05\x06\0\0\0\0".as_slice(), &count.to_le_bytes(), &count.to_le_bytes()].concat());
    bytes.extend([size.to_le_bytes(), start.to_le_bytes()].concat());
    bytes.extend([0, 0]);
    bytes
}

/// The checksum of a zip, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    })
}
