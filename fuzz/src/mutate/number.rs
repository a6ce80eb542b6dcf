//! Numbers that are likely to be handled wrongly.

use super::random::Random;

/// Limits of number types, sizes beyond any file, and values without a meaning.
const ODD: [f64; 34] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    3.0,
    255.0,
    256.0,
    32_767.0,
    -32_768.0,
    65_535.0,
    65_536.0,
    1e6,
    1e7,
    1e9,
    2_147_483_647.0,
    2_147_483_648.0,
    -2_147_483_648.0,
    4_294_967_295.0,
    9_007_199_254_740_993.0,
    9.3e18,
    1.9e19,
    1e-3,
    1e-7,
    1e-20,
    1e-45,
    1e-308,
    1e20,
    3.5e38,
    1e308,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
];

/// Another number: an odd one, or one that is related to the old one.
pub(super) fn number(old: f64, random: &mut Random) -> f64 {
    match random.below(10) {
        0 => -old,
        1 => old + 1.0,
        2 => old - 1.0,
        3 => old * 2.0,
        4 => old * 1000.0,
        5 => old * 0.001,
        _ => random.pick(&ODD).copied().unwrap_or(0.0),
    }
}

/// A whole number, as far as it fits.
pub(super) fn whole(old: i64, random: &mut Random) -> i64 {
    number(old as f64, random) as i64
}

/// The type of a number in a binary file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    U8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

impl Kind {
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::I16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }

    /// Replaces the little-endian number at `at` by another.
    pub(super) fn replace(self, bytes: &mut [u8], at: usize, random: &mut Random) -> Option<()> {
        let place = bytes.get_mut(at..at.checked_add(self.bytes())?)?;
        let mut old = [0u8; 8];
        old.get_mut(..place.len())?.copy_from_slice(place);
        let old = u64::from_le_bytes(old);
        let new = match self {
            Self::U8 => whole(old as i64, random) as u64,
            Self::I16 => whole(i64::from(old as i16), random) as u64,
            Self::I32 => whole(i64::from(old as i32), random) as u64,
            Self::I64 => whole(old as i64, random) as u64,
            Self::F32 => u64::from((number(f64::from(f32::from_bits(old as u32)), random) as f32).to_bits()),
            Self::F64 => number(f64::from_bits(old), random).to_bits(),
        };
        place.copy_from_slice(new.to_le_bytes().get(..place.len())?);
        Some(())
    }
}
