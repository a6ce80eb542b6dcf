//! One numpy array: a header in Python's notation, then the numbers.
//!
//! After "NEP 1: A Simple File Format for NumPy Arrays" and the notes on versions 2 and 3 in numpy's documentation.

/// The first bytes of an array.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The first bytes of an array, up to its numbers. `kind` is numpy's type code with the byte order.
pub(super) fn header(kind: &str, shape: &[usize]) -> Vec<u8> {
    let sizes: String = shape.iter().map(|size| format!("{size}, ")).collect();
    let mut text =
        format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}", sizes.trim_end());
    // Numbers start at a multiple of 64 bytes, after a line end.
    let before = MAGIC.len() + 2 + size_of::<u16>();
    let length = (before + text.len() + 1).next_multiple_of(64) - before;
    text.extend(std::iter::repeat_n(' ', length - text.len() - 1));
    text.push('\n');
    [MAGIC, &[1, 0], &(length as u16).to_le_bytes(), text.as_bytes()].concat()
}

/// An array of numbers, decoded on demand.
#[derive(Debug, PartialEq)]
pub(super) struct Array<'a> {
    /// At most two dimensions, the last the fastest; a single number has none.
    shape: Vec<usize>,
    kind: Kind,
    is_big_endian: bool,
    /// Whether the first dimension is the fastest.
    is_fortran: bool,
    data: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Float32,
    Float64,
    Signed(usize),
    Unsigned(usize),
}

impl Kind {
    /// From numpy's type code: `f4`, `i8`, `u1`.
    fn of(letters: &str) -> Option<Self> {
        match letters {
            "f4" => Some(Self::Float32),
            "f8" => Some(Self::Float64),
            "i1" => Some(Self::Signed(1)),
            "i2" => Some(Self::Signed(2)),
            "i4" => Some(Self::Signed(4)),
            "i8" => Some(Self::Signed(8)),
            "u1" => Some(Self::Unsigned(1)),
            "u2" => Some(Self::Unsigned(2)),
            "u4" => Some(Self::Unsigned(4)),
            "u8" => Some(Self::Unsigned(8)),
            _ => None,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Self::Float32 => 4,
            Self::Float64 => 8,
            Self::Signed(bytes) | Self::Unsigned(bytes) => bytes,
        }
    }
}

impl<'a> Array<'a> {
    /// Reads the header of an array. The error describes the problem.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, String> {
        let (header, data) = split(bytes).ok_or("not an array, or a truncated one")?;
        let header = String::from_utf8_lossy(header);
        let descr = value(&header, "descr").and_then(quoted).ok_or("no plain type")?;
        let (order, letters) = descr.split_at_checked(1).ok_or("no type")?;
        let kind = Kind::of(letters)
            .ok_or_else(|| format!("numbers of type {:?}", crate::unique_labels::short(descr)))?;
        let is_fortran = value(&header, "fortran_order").is_some_and(|value| value.starts_with("True"));
        let shape = value(&header, "shape").and_then(shape).ok_or("no shape")?;
        if shape.len() > 2 {
            return Err(format!("{} dimensions", shape.len()));
        }
        let items = shape.iter().try_fold(1usize, |items, dim| items.checked_mul(*dim));
        let wanted = items.and_then(|items| items.checked_mul(kind.bytes()));
        match wanted.and_then(|wanted| data.get(..wanted)) {
            Some(data) => Ok(Self { shape, kind, is_big_endian: order == ">", is_fortran, data }),
            None => Err(format!("{} bytes for a shape of {shape:?}", data.len())),
        }
    }

    /// The number of rows and columns. A list is a column.
    pub(super) fn size(&self) -> (usize, usize) {
        match self.shape.as_slice() {
            [rows, columns] => (*rows, *columns),
            [rows] => (*rows, 1),
            _ => (1, 1),
        }
    }

    /// The number in a row and column; 0 outside.
    pub(super) fn at(&self, row: usize, column: usize) -> f64 {
        let (rows, columns) = self.size();
        let index = if self.is_fortran { column * rows + row } else { row * columns + column };
        let size = self.kind.bytes();
        let bytes = self.data.get(index * size..).and_then(|bytes| bytes.get(..size)).unwrap_or_default();
        // The bytes of the number, the lowest first, padded to eight.
        let mut low = [0; 8];
        for (slot, index) in low.iter_mut().zip(0..bytes.len()) {
            let from = if self.is_big_endian { bytes.len() - 1 - index } else { index };
            *slot = bytes.get(from).copied().unwrap_or_default();
        }
        let whole = u64::from_le_bytes(low);
        match self.kind {
            Kind::Float64 => f64::from_bits(whole),
            Kind::Float32 => f64::from(f32::from_bits(whole as u32)),
            Kind::Unsigned(_) => whole as f64,
            Kind::Signed(size) => {
                let unused = 64 - 8 * size as u32;
                ((whole << unused).cast_signed() >> unused) as f64
            }
        }
    }
}

/// The header's text and what follows it.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (&[major, _minor], rest) = rest.split_first_chunk()?;
    let (length, rest) = if major == 1 {
        let (length, rest) = rest.split_first_chunk()?;
        (usize::from(u16::from_le_bytes(*length)), rest)
    } else {
        let (length, rest) = rest.split_first_chunk()?;
        (usize::try_from(u32::from_le_bytes(*length)).ok()?, rest)
    };
    rest.split_at_checked(length)
}

/// The text after a key: `'shape': (3, 156), }` gives `(3, 156), }`.
fn value<'h>(header: &'h str, key: &str) -> Option<&'h str> {
    let behind = |quote: char| header.split_once(&format!("{quote}{key}{quote}")).map(|(_, behind)| behind);
    let behind = behind('\'').or_else(|| behind('"'))?;
    Some(behind.trim_start().strip_prefix(':')?.trim_start())
}

/// The text between quotes at the start.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|letter| matches!(letter, '\'' | '"'))?;
    text.get(1..)?.split_once(quote).map(|(inside, _)| inside)
}

/// The numbers between parentheses at the start. Python 2 wrote them with an L.
fn shape(text: &str) -> Option<Vec<usize>> {
    let (inside, _) = text.strip_prefix('(')?.split_once(')')?;
    let numbers = inside.split(',').map(|number| number.trim().trim_end_matches('L'));
    numbers.filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let length = header.len() as u32;
        let length =
            if version == 1 { length.to_le_bytes()[..2].to_vec() } else { length.to_le_bytes().to_vec() };
        [MAGIC, &[version, 0], &length, header.as_bytes(), data].concat()
    }

    fn read(header: &str, data: &[u8]) -> Result<Vec<Vec<f64>>, String> {
        let bytes = array(1, header, data);
        let array = Array::read(&bytes)?;
        let (rows, columns) = array.size();
        Ok((0..rows).map(|row| (0..columns).map(|column| array.at(row, column)).collect()).collect())
    }

    #[test]
    fn byte_orders_and_dimension_orders_are_read() {
        let little: Vec<u8> =
            [1.5f64, -2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|v| v.to_le_bytes()).collect();
        let big: Vec<u8> = [1.5f32, -2.0, 3.0, 4.0, 5.0, 6.0].iter().flat_map(|v| v.to_be_bytes()).collect();
        let rows = vec![vec![1.5, -2.0, 3.0], vec![4.0, 5.0, 6.0]];
        let of = |descr: &str, fortran: &str, shape: &str| {
            format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}")
        };
        assert_eq!(read(&of("<f8", "False", "(2, 3)"), &little), Ok(rows.clone()));
        assert_eq!(read(&of(">f4", "False", "(2, 3)"), &big), Ok(rows));
        let columns = vec![vec![1.5, 3.0, 5.0], vec![-2.0, 4.0, 6.0]];
        assert_eq!(read(&of("<f8", "True", "(2, 3)"), &little), Ok(columns));
        assert_eq!(read(&of("<i2", "False", "(2L,)"), &[0xfe, 0xff, 3, 0]), Ok(vec![vec![-2.0], vec![3.0]]));
        assert_eq!(read(&of("|u1", "False", "()"), &[120]), Ok(vec![vec![120.0]]));
    }

    #[test]
    fn later_versions_have_longer_headers() {
        let header = "{\"descr\": \"<i8\", 'shape': (1,), 'fortran_order': False}";
        for version in [2, 3] {
            let bytes = array(version, header, &(-7i64).to_le_bytes());
            assert_eq!(Array::read(&bytes).unwrap().at(0, 0), -7.0);
        }
    }

    #[test]
    fn errors_describe_the_problem() {
        for (header, data, why) in [
            ("{'descr': '<f8', 'shape': (2,), }", 8, "8 bytes for a shape of [2]"),
            ("{'descr': '<f8', 'shape': (99999999999, 99999999999), }", 8, "for a shape"),
            ("{'descr': '|O', 'shape': (), }", 8, "type \"|O\""),
            ("{'descr': [('a', '<f8')], 'shape': (), }", 8, "no plain type"),
            ("{'descr': '', 'shape': (), }", 8, "no type"),
            ("{'descr': '<f8', 'shape': (1, 1, 1), }", 8, "3 dimensions"),
            ("{'descr': '<f8', 'shape': (-1,), }", 8, "no shape"),
            ("{'descr': '<f8'}", 8, "no shape"),
        ] {
            let error = read(header, &vec![0; data]).unwrap_err();
            assert!(error.contains(why), "{header}: {error}");
        }
        assert!(Array::read(b"\x93NUMPY\x01\x00\xff\xff{").is_err());
        assert!(Array::read(b"").is_err());
    }
}
