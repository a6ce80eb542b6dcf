//! Reads the lines between MOTION and the first frame: number of frames and frame time.

use super::codes;
use super::scan::Scanner;
use crate::FormatsError;
use crate::number::{Comma, Token, general};

/// The number of frames and the rate in the header.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Timing {
    /// Announced number of frames, if it is an integer.
    pub(super) frames: Option<usize>,
    /// Frame rate in Hz, if the header has a valid one.
    pub(super) rate_hz: Option<f64>,
}

/// Reads `Frames:` and `Frame Time:` in any order, up to the first line that starts with a number.
///
/// An invalid frame time is an error unless the caller sets the rate (`has_override`).
pub(super) fn read(scan: &mut Scanner<'_>, has_override: bool) -> Result<Timing, FormatsError> {
    let mut timing = Timing::default();
    let mut fault = None;
    loop {
        scan.skip_blank();
        let at = scan.at();
        if starts_a_row(scan.rest()) {
            break;
        }
        let line = scan.rest_of_line()?;
        if line.is_empty() {
            // Skip a stray brace.
            scan.word();
            scan.warn(&codes::EXTRA_BRACE, at, || "a brace in the motion header".into());
            continue;
        }
        let (key, value) = split_key(line);
        match key.as_str() {
            "frames" => {
                timing.frames = value.trim().parse().ok();
                if timing.frames.is_none() {
                    scan.warn(&codes::FRAME_COUNT, at, || format!("{value:?} frames announced"));
                }
            }
            "frametime" | "time" => match period(value) {
                Some(Period::Seconds(rate_hz)) => timing.rate_hz = Some(rate_hz),
                Some(Period::Repaired(rate_hz, why)) => {
                    timing.rate_hz = Some(rate_hz);
                    scan.warn(&codes::FRAME_TIME_REPAIRED, at, || format!("{value}: {why}, {rate_hz} Hz"));
                }
                None => fault = Some((at, format!("the frame time is {value:?}"))),
            },
            "framerate" | "fps" => match rate(value) {
                Some(rate_hz) => {
                    timing.rate_hz = Some(rate_hz);
                    scan.warn(&codes::FRAME_TIME_REPAIRED, at, || format!("given as a rate, {rate_hz} Hz"));
                }
                None => fault = Some((at, format!("the frame rate is {value:?}"))),
            },
            _ => {
                let name = String::from_utf8_lossy(line).chars().take(40).collect::<String>();
                scan.warn(&codes::UNKNOWN_KEYWORD, at, || format!("skipped {name:?}"));
            }
        }
    }
    if timing.rate_hz.is_none() && !has_override {
        let (at, message) = fault.unwrap_or((scan.at(), "the frame time is missing".into()));
        return scan.refuse(&codes::FRAME_TIME, at, message);
    }
    Ok(timing)
}

/// Whether the header ends: at the end of the text, or at a number, including `nan` and a lone sign.
fn starts_a_row(text: &[u8]) -> bool {
    match text.first() {
        None | Some(b'0'..=b'9' | b'-' | b'+' | b'.') => true,
        _ => matches!(general(text, Comma::Separator), Token::Number(..)),
    }
}

/// Splits `Frame Time:  0.0083` into `frametime` and `0.0083`. The key is the letters before the value, without spaces.
fn split_key(line: &[u8]) -> (String, &str) {
    let text = std::str::from_utf8(line).unwrap_or_default();
    let (key, value) = match text.split_once(':') {
        Some(parts) => parts,
        // Without a colon, the value is the last word.
        None => text.trim().rsplit_once([' ', '\t']).unwrap_or((text, "")),
    };
    (key.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect(), value.trim())
}

/// The meaning of a frame time.
enum Period {
    /// A rate, from a valid time in seconds.
    Seconds(f64),
    /// A rate, and the problem that was repaired.
    Repaired(f64, &'static str),
}

/// Common rates of motion capture and playback.
const USUAL_RATES: [f64; 20] = [
    10.0,
    12.0,
    12.5,
    15.0,
    20.0,
    23.976_023_976,
    24.0,
    25.0,
    29.970_029_97,
    30.0,
    40.0,
    48.0,
    50.0,
    59.940_059_94,
    60.0,
    72.0,
    90.0,
    100.0,
    120.0,
    240.0,
];

/// Rates that are accepted from a file.
const POSSIBLE_RATES: std::ops::RangeInclusive<f64> = 1e-3..=1e6;

/// The value without trailing text such as a unit, with a decimal point.
fn first_word(text: &str) -> Option<String> {
    Some(text.split_whitespace().next()?.replace(',', "."))
}

fn rate(text: &str) -> Option<f64> {
    first_word(text)?.parse().ok().filter(|rate| POSSIBLE_RATES.contains(rate))
}

fn period(text: &str) -> Option<Period> {
    let text = first_word(text)?;
    let value: f64 = text.parse().ok().filter(|v: &f64| v.is_finite() && *v != 0.0)?;
    if value < 0.0 {
        return Some(Period::Repaired(rate_of(-value, &text)?, "a negative frame time"));
    }
    if value < 1.0 {
        return Some(Period::Seconds(rate_of(value, &text)?));
    }
    // Motion is not captured at one frame per second or less, so this is a rate, or milliseconds.
    let usual = |rate: f64| {
        let off = |r: &f64| (r / rate - 1.0).abs();
        USUAL_RATES.into_iter().filter(|r| off(r) < 2e-3).min_by(|a, b| off(a).total_cmp(&off(b)))
    };
    match (usual(value), usual(1000.0 / value)) {
        (None, Some(rate_hz)) => Some(Period::Repaired(rate_hz, "a frame time in milliseconds")),
        _ if value <= 10_000.0 => Some(Period::Repaired(value, "a frame time given as a rate")),
        _ => None,
    }
}

/// The rate of a period. A text with few digits may be rounded or truncated from any period in a range: `0.0083333` is 120 Hz, not
/// 120.0005, and `0.017` is 60 Hz, not 58.8.
fn rate_of(period_secs: f64, text: &str) -> Option<f64> {
    let exact = 1.0 / period_secs;
    let step = last_place(text);
    let is_written_so = |rate: &f64| {
        let off = 1.0 / rate - period_secs;
        (-0.500_001 * step..1.000_001 * step).contains(&off)
    };
    // Prefer integer rates; if there are several, the closest.
    let by_likeness = |a: &f64, b: &f64| {
        let order = (a.fract() != 0.0).cmp(&(b.fract() != 0.0));
        order.then((a - exact).abs().total_cmp(&(b - exact).abs()))
    };
    let rate = if (exact / exact.round() - 1.0).abs() < 1e-9 {
        exact.round()
    } else {
        let usual = USUAL_RATES.into_iter().filter(is_written_so).min_by(by_likeness);
        usual.or(Some(exact.round()).filter(is_written_so)).unwrap_or(exact)
    };
    Some(rate).filter(|rate| POSSIBLE_RATES.contains(rate))
}

/// The value of one unit in the last digit of a number.
fn last_place(text: &str) -> f64 {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let places = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
    let exponent: i32 = exponent.parse().unwrap_or(0);
    10f64.powi(exponent.saturating_sub(places.min(400) as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate_of_period(text: &str) -> Option<(f64, bool)> {
        Some(match period(text)? {
            Period::Seconds(rate) => (rate, false),
            Period::Repaired(rate, _) => (rate, true),
        })
    }

    #[test]
    fn rounded_periods_give_exact_rates() {
        for (text, hz) in [
            ("0.0083333", 120.0),
            ("0.008333", 120.0),
            (".03333", 30.0),
            ("0.033333333", 30.0),
            ("0.016667", 60.0),
            ("0.016666", 60.0),
            ("0.041667", 24.0),
            ("0.025000", 40.0),
            ("0,04", 25.0),
            ("0.033367", 29.970_029_97),
            ("0.0334", 29.970_029_97),
            ("8.3333e-3", 120.0),
            ("0.03", 30.0),
            ("0.016", 60.0),
            ("0.017", 60.0),
            ("0.0167", 60.0),
            ("0.0417", 24.0),
            ("0.008", 125.0),
            ("0.005", 200.0),
        ] {
            assert_eq!(
                rate_of_period(text).map(|r| (r.0 * 1e3).round() / 1e3),
                Some((hz * 1e3f64).round() / 1e3),
                "{text}"
            );
        }
        // The period of an uncommon rate is kept, in any notation.
        for text in ["0.0312517", "3.12517e-2", "8.35e-3"] {
            assert!(
                (rate_of_period(text).unwrap().0 * text.parse::<f64>().unwrap() - 1.0).abs() < 1e-9,
                "{text}"
            );
        }
    }

    #[test]
    fn strange_periods_are_repaired_or_refused() {
        assert_eq!(rate_of_period("30"), Some((30.0, true)));
        assert_eq!(rate_of_period("120.0"), Some((120.0, true)));
        assert_eq!(rate_of_period("33.3333"), Some((30.0, true)));
        assert_eq!(rate_of_period("8.333"), Some((120.0, true)));
        assert_eq!(rate_of_period("-0.0333333"), Some((30.0, true)));
        for text in ["0", "0.0", "", "abc", "nan", "inf", "1e30", "1e-30"] {
            assert_eq!(rate_of_period(text), None, "{text}");
        }
    }

    #[test]
    fn implausible_rates_are_refused() {
        assert_eq!(rate("60"), Some(60.0));
        assert_eq!(rate("29,97 fps"), Some(29.97));
        for text in ["", "0", "-30", "nan", "inf", "1e300", "1e-300", "many"] {
            assert_eq!(rate(text), None, "{text}");
        }
    }

    #[test]
    fn a_row_may_start_with_nan_or_a_sign() {
        for text in ["0", "-1", "+", ".5", "nan 0", "-inf", "INF 1", ""] {
            assert!(starts_a_row(text.as_bytes()), "{text}");
        }
        for text in ["Frames: 1", "infinite: 1", "nano", "}", "e5", ": 3"] {
            assert!(!starts_a_row(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn keys_are_read_with_and_without_a_colon() {
        assert_eq!(split_key(b"Frame Time:\t0.5"), ("frametime".into(), "0.5"));
        assert_eq!(split_key(b"FRAMES 12"), ("frames".into(), "12"));
        assert_eq!(split_key(b"Frames:12"), ("frames".into(), "12"));
        assert_eq!(split_key(b"Frame Time 0.5"), ("frametime".into(), "0.5"));
    }
}
