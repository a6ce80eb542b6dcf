//! Fast parser for one number of a motion.
//!
//! Motions are written with a fixed number of significant digits rather than decimals (`8.87208`, `-0.643012`, `1.9e-014`),
//! so the table reader, which expects points in columns, does not apply. A number of at most eighteen digits is an integer
//! divided by a power of ten. Both are exact or nearly exact in an `f64`, which is enough for an `f32`.

/// Parses a number at the start of the text. Returns its value and length in bytes.
///
/// `None` if it has other parts than a sign, digits, a point and an exponent, or if neither a blank nor the end of the text
/// follows. [`general`](crate::number::general) parses such numbers.
#[inline]
pub(super) fn read(text: &[u8]) -> Option<(f32, usize)> {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let mut digits: u64 = 0;
    // Number of bytes up to and including the point, if there is one.
    let mut point = 0;
    let mut length = 0;
    let mut end = b' ';
    for &byte in unsigned {
        let digit = byte.wrapping_sub(b'0');
        if digit < 10 {
            digits = digits.wrapping_mul(10).wrapping_add(u64::from(digit));
        } else if byte == b'.' && point == 0 {
            point = length + 1;
        } else {
            end = byte;
            break;
        }
        length += 1;
    }
    let count = length - usize::from(point > 0);
    if count == 0 || count > 18 {
        return None;
    }
    let mut power = if point > 0 { point as i32 - length as i32 } else { 0 };
    if matches!(end, b'e' | b'E') {
        let (exponent, size) = read_exponent(unsigned.get(length + 1..)?)?;
        power += exponent;
        length += 1 + size;
    } else if end > b' ' {
        return None;
    }
    let magnitude = scaled(digits as f64, power)? as f32;
    Some((if sign > 0 { -magnitude } else { magnitude }, sign + length))
}

/// Parses an exponent such as `-014`. Returns its value and length in bytes.
fn read_exponent(text: &[u8]) -> Option<(i32, usize)> {
    let signed = matches!(text.first(), Some(b'+' | b'-'));
    let digits = text.get(usize::from(signed)..)?;
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !(1..=4).contains(&length) || digits.get(length).is_some_and(|byte| *byte > b' ') {
        return None;
    }
    let value = digits.iter().take(length).fold(0, |value, byte| value * 10 + i32::from(byte - b'0'));
    Some((if text.first() == Some(&b'-') { -value } else { value }, usize::from(signed) + length))
}

/// Digits times a power of ten. `None` if the power is too large for the table.
#[inline]
fn scaled(digits: f64, power: i32) -> Option<f64> {
    let size = power.unsigned_abs() as usize;
    let factor = match POWERS.get(size) {
        Some(factor) => *factor,
        None => *POWERS.last()? * *POWERS.get(size - (POWERS.len() - 1))?,
    };
    Some(if power < 0 { digits / factor } else { digits * factor })
}

/// Ten to the power of n, exactly.
const POWERS: [f64; 23] = [
    1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::number::{Comma, Token, general};

    #[test]
    fn plain_numbers_are_parsed() {
        for (text, value, length) in [
            ("8.87208 15", 8.87208, 7),
            ("-0.643012\n", -0.643012, 9),
            ("7", 7.0, 1),
            ("-.5", -0.5, 3),
            ("5.\r\n", 5.0, 2),
            ("-2.43511e-015 1", -2.43511e-15, 13),
            ("1E+3", 1000.0, 4),
            ("1.4564e-038", 1.4564e-38, 11),
        ] {
            assert_eq!(read(text.as_bytes()), Some((value, length)), "{text}");
        }
    }

    #[test]
    fn other_notations_are_not_parsed() {
        for text in [
            "",
            "-",
            ".",
            "-.",
            "e5",
            "1e",
            "1e-",
            "1e5x",
            "1x",
            "1,5",
            "1.2.3",
            "0.0-7.5",
            "--1",
            "+1",
            "nan",
            "inf",
            "1.#IND",
            "1234567890123456789",
            "1e99",
            "1e00001",
        ] {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn fast_equals_slow(value in -1e9f64..1e9, small in 0i32..40, places in 0usize..9) {
            let value = value / 10f64.powi(small);
            for text in [format!("{value:.places$} "), format!("{value:.places$e} "), format!("{value:.places$e}")] {
                let Token::Number(slow, length) = general(text.as_bytes(), Comma::Separator) else { panic!("{text}") };
                let (fast, fast_length) = read(text.as_bytes()).unwrap();
                prop_assert_eq!(length, fast_length);
                prop_assert!((f64::from(fast) - slow).abs() <= slow.abs() * 6e-8 + 1e-45, "{} for {}", fast, text);
            }
        }

        #[test]
        fn almost_numbers_agree(text in "[-+0-9.eE,# ]{0,24}") {
            if let Some((fast, fast_length)) = read(text.as_bytes()) {
                let Token::Number(slow, length) = general(text.as_bytes(), Comma::Separator) else { panic!("{text:?}") };
                prop_assert_eq!(length, fast_length);
                prop_assert!(fast == slow as f32 || (f64::from(fast) - slow).abs() <= slow.abs() * 6e-8);
            }
        }
    }
}
