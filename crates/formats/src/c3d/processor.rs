//! Number encodings of three types of processor.

/// The type of processor that wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Processor {
    /// Little-endian, IEEE floats.
    Intel,
    /// Little-endian, VAX floats.
    Dec,
    /// Big-endian, IEEE floats: SGI, Sun.
    Mips,
}

impl Processor {
    /// From the fourth byte of the parameters.
    pub(super) fn of(byte: u8) -> Option<Self> {
        match byte {
            84 => Some(Self::Intel),
            85 => Some(Self::Dec),
            86 => Some(Self::Mips),
            _ => None,
        }
    }

    /// A 16-bit word.
    pub(super) fn word(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Intel | Self::Dec => u16::from_le_bytes(bytes),
            Self::Mips => u16::from_be_bytes(bytes),
        }
    }

    /// A 32-bit floating-point number.
    pub(super) fn float(self, bytes: [u8; 4]) -> f32 {
        match self {
            Self::Intel => f32::from_le_bytes(bytes),
            Self::Mips => f32::from_be_bytes(bytes),
            Self::Dec => vax_float(bytes),
        }
    }

    /// The word at an offset.
    pub(super) fn word_at(self, bytes: &[u8], offset: usize) -> Option<u16> {
        Some(self.word(*bytes.get(offset..)?.first_chunk()?))
    }

    /// The floating-point number at an offset.
    pub(super) fn float_at(self, bytes: &[u8], offset: usize) -> Option<f32> {
        Some(self.float(*bytes.get(offset..)?.first_chunk()?))
    }
}

/// A VAX "F" float: two little-endian words, the higher first; sign, 8 bits of exponent e, 23 of fraction f; 0.1f × 2^(e − 128).
/// With a zero exponent it is 0, or NaN if the sign is set.
fn vax_float([a, b, c, d]: [u8; 4]) -> f32 {
    let bits = u32::from_be_bytes([b, a, d, c]);
    let (sign, exponent, fraction) = (bits >> 31, (bits >> 23) & 0xff, bits & 0x007f_ffff);
    if exponent == 0 {
        return if sign == 0 { 0.0 } else { f32::NAN };
    }
    // All values are below 2^127, which fits an IEEE float; only the smallest lose digits.
    let value = f64::from(fraction | 0x0080_0000) * 2f64.powi(exponent as i32 - 128 - 24);
    (if sign == 0 { value } else { -value }) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_processors_decode_the_same_numbers() {
        // 1.0, −2.5 and 0.1 in each encoding, after the definitions of both formats.
        for (value, ieee, vax) in [
            (1.0f32, 0x3f80_0000u32, [0x80, 0x40, 0x00, 0x00]),
            (-2.5, 0xc020_0000, [0x20, 0xc1, 0x00, 0x00]),
            (0.1, 0x3dcc_cccd, [0xcc, 0x3e, 0xcd, 0xcc]),
        ] {
            assert_eq!(Processor::Intel.float(ieee.to_le_bytes()), value);
            assert_eq!(Processor::Mips.float(ieee.to_be_bytes()), value);
            assert_eq!(Processor::Dec.float(vax), value);
        }
        assert_eq!(Processor::Intel.word([1, 2]), 0x0201);
        assert_eq!(Processor::Dec.word([1, 2]), 0x0201);
        assert_eq!(Processor::Mips.word([1, 2]), 0x0102);
    }

    #[test]
    fn the_limits_of_the_vax_range_are_decoded() {
        assert_eq!(vax_float([0, 0, 0, 0]), 0.0);
        assert_eq!(vax_float([0x7f, 0x00, 0xff, 0xff]), 0.0);
        assert!(vax_float([0x00, 0x80, 0, 0]).is_nan());
        assert!(vax_float([0xff, 0x7f, 0xff, 0xff]) > 1.7e38);
        assert!(vax_float([0xff, 0x7f, 0xff, 0xff]).is_finite());
        let smallest = vax_float([0x80, 0x00, 0x00, 0x00]);
        assert!(smallest > 0.0 && smallest < 3e-39);
    }
}
