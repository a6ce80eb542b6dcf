//! Parses numbers in any notation. [`fast_rows`](crate::fast_rows) is the fast path for plain tables.

use std::borrow::Cow;

/// Whether a byte separates numbers: spaces, tabs, line ends and all other control characters.
pub(crate) fn is_blank(byte: u8) -> bool {
    byte <= b' '
}

/// The meaning of a comma between digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comma {
    /// `1,5` is one and a half.
    Decimal,
    /// `1,5` is one, then five.
    Separator,
}

impl Comma {
    /// Commas are decimal if lines have commas but no points between digits.
    pub(crate) fn of<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut comma = Comma::Separator;
        for window in lines.flat_map(|line| line.windows(3)) {
            match window {
                [a, b'.', b] if a.is_ascii_digit() && b.is_ascii_digit() => return Comma::Separator,
                [a, b',', b] if a.is_ascii_digit() && b.is_ascii_digit() => comma = Comma::Decimal,
                _ => {}
            }
        }
        comma
    }
}

/// The result of [`general`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Token {
    /// A number and its length in bytes. It may be infinite or NaN.
    Number(f64, usize),
    /// Not the start of a number.
    Other,
}

/// Parses one number in any common notation at the start of the text: sign, exponent, decimal comma, `nan`, `inf`, Windows'
/// `1.#IND`. It ends where the notation ends, so that numbers without a separator (`0.0-7.5`) are split.
pub(crate) fn general(text: &[u8], comma: Comma) -> Token {
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let unsigned = text.get(sign..).unwrap_or_default();
    if let Some(word) = not_finite_word(unsigned) {
        return Token::Number(f64::NAN, sign + word);
    }
    let count_digits = |from: usize| unsigned.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
    let whole = count_digits(0);
    let mut length = whole;
    let mut digits = whole;
    let mark = unsigned.get(length).copied();
    let is_point =
        mark == Some(b'.') || (mark == Some(b',') && comma == Comma::Decimal && count_digits(length + 1) > 0);
    if is_point {
        let fraction = count_digits(length + 1);
        length += 1 + fraction;
        digits += fraction;
        if unsigned.get(length) == Some(&b'#') {
            // C on Windows prints 1.#IND, 1.#INF, 1.#QNAN0.
            let tail =
                unsigned.iter().skip(length).take_while(|b| b.is_ascii_alphanumeric() || **b == b'#').count();
            return Token::Number(f64::NAN, sign + length + tail);
        }
    }
    if digits == 0 {
        return Token::Other;
    }
    if matches!(unsigned.get(length), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(unsigned.get(length + 1), Some(b'+' | b'-')));
        let exponent = count_digits(length + 1 + signed);
        if exponent > 0 {
            length += 1 + signed + exponent;
        }
    }
    let token = text.get(..sign + length).unwrap_or_default();
    let plain = if token.contains(&b',') {
        Cow::Owned(token.iter().map(|&b| if b == b',' { b'.' } else { b }).collect())
    } else {
        Cow::Borrowed(token)
    };
    match std::str::from_utf8(&plain).ok().and_then(|s| s.parse().ok()) {
        Some(value) => Token::Number(value, sign + length),
        None => Token::Other,
    }
}

/// The length of `nan`, `inf` or `infinity` at the start of the text, in any case.
fn not_finite_word(text: &[u8]) -> Option<usize> {
    let word = text.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let word_text = text.get(..word)?;
    let known = ["nan", "inf", "infinity"].iter().any(|k| word_text.eq_ignore_ascii_case(k.as_bytes()));
    known.then_some(word)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_notation_is_parsed() {
        let number = |text: &str, comma| match general(text.as_bytes(), comma) {
            Token::Number(value, length) => Some((value, length)),
            Token::Other => None,
        };
        for (text, value, length) in [
            ("1.5", 1.5, 3),
            ("+1.5 ", 1.5, 4),
            ("-1.5e-3x", -0.0015, 7),
            ("0.0-7.5", 0.0, 3),
            ("1.2.3", 1.2, 3),
            ("5.e2", 500.0, 4),
            ("3e", 3.0, 1),
            ("1,5", 1.0, 1),
            ("12345678901234567890", 12345678901234567890.0, 20),
        ] {
            assert_eq!(number(text, Comma::Separator), Some((value, length)), "{text}");
        }
        assert_eq!(number("1,5", Comma::Decimal), Some((1.5, 3)));
        assert_eq!(number("1, 5", Comma::Decimal), Some((1.0, 1)));
        for text in ["nan", "-NaN", "inf", "-Infinity", "1.#IND", "-1.#QNAN0"] {
            let (value, length) = number(text, Comma::Separator).unwrap();
            assert!(value.is_nan() && length == text.len(), "{text}");
        }
        for text in ["", "-", ".", "e5", "x1", "nano"] {
            assert_eq!(number(text, Comma::Separator), None, "{text}");
        }
    }

    #[test]
    fn a_comma_is_decimal_only_without_points() {
        let of = |text: &'static str| Comma::of(text.lines().map(str::as_bytes));
        assert_eq!(of("0,5 1,25\n3"), Comma::Decimal);
        assert_eq!(of("0,5,1\n0.5,1.25"), Comma::Separator);
        assert_eq!(of("0 5"), Comma::Separator);
    }

    proptest! {
        #[test]
        fn printed_numbers_are_parsed(value in any::<f64>().prop_filter("finite", |v| v.is_finite())) {
            for text in [format!("{value}"), format!("{value:e}")] {
                prop_assert_eq!(general(text.as_bytes(), Comma::Separator), Token::Number(value, text.len()));
            }
        }

        #[test]
        fn any_bytes_are_accepted(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = general(&bytes, Comma::Decimal);
        }
    }
}
