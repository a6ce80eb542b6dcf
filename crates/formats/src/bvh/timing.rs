//! The lines between MOTION and the first frame: how many frames, and how long each lasts.

use super::codes;
use super::scan::{Scanner, is_word};
use crate::Error;

/// What the header says about time.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Timing {
    /// Frames announced, where a whole number is.
    pub(super) frames: Option<usize>,
    /// Frames a second, where the header gives a usable one.
    pub(super) rate_hz: Option<f64>,
}

/// Reads `Frames:` and `Frame Time:` in any order, up to the first line that starts as a number does.
///
/// A frame time that is not usable is an error unless the caller brings a rate of its own.
pub(super) fn read(scan: &mut Scanner<'_>, own_rate: bool) -> Result<Timing, Error> {
    let mut timing = Timing::default();
    let mut fault = None;
    loop {
        scan.skip_blank();
        let at = scan.at();
        match scan.rest().first() {
            None => break,
            Some(b'0'..=b'9' | b'-' | b'+' | b'.') => break,
            _ => {}
        }
        let line = scan.rest_of_line()?;
        if line.is_empty() {
            // A stray brace: pass over it.
            scan.word();
            scan.warn(&codes::EXTRA_BRACE, at, || "a brace in the motion".into());
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
                None => fault = Some((at, format!("a frame time of {value:?}"))),
            },
            "framerate" | "fps" => match value.parse::<f64>().ok().filter(|r| r.is_finite() && *r > 0.0) {
                Some(rate_hz) => {
                    timing.rate_hz = Some(rate_hz);
                    scan.warn(&codes::FRAME_TIME_REPAIRED, at, || format!("given as a rate, {rate_hz} Hz"));
                }
                None => fault = Some((at, format!("a frame rate of {value:?}"))),
            },
            _ => {
                if is_word(value.as_bytes(), "nan") {
                    fault = Some((at, "a frame time that is not a number".into()));
                }
                let name = String::from_utf8_lossy(line).chars().take(40).collect::<String>();
                scan.warn(&codes::UNKNOWN_KEYWORD, at, || format!("passed over {name:?}"));
            }
        }
    }
    if timing.rate_hz.is_none() && !own_rate {
        let (at, message) = fault.unwrap_or((scan.at(), "no frame time".into()));
        return scan.refuse(&codes::FRAME_TIME, at, message);
    }
    Ok(timing)
}

/// `Frame Time:  0.0083` as `frametime` and `0.0083`: the key is the letters before the value, closed up.
fn split_key(line: &[u8]) -> (String, &str) {
    let text = std::str::from_utf8(line).unwrap_or_default();
    let (key, value) = match text.split_once(':') {
        Some(parts) => parts,
        // Without a colon, the value is the last word.
        None => text.trim().rsplit_once([' ', '\t']).unwrap_or((text, "")),
    };
    (key.chars().filter(|c| c.is_alphabetic()).flat_map(char::to_lowercase).collect(), value.trim())
}

/// A frame time, understood.
enum Period {
    /// As it should be: a rate, from seconds.
    Seconds(f64),
    /// A rate, and what was wrong.
    Repaired(f64, &'static str),
}

/// Rates that motion is captured and played at.
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

fn period(text: &str) -> Option<Period> {
    let text = text.split_whitespace().next()?.replace(',', ".");
    let value: f64 = text.parse().ok().filter(|v: &f64| v.is_finite() && *v != 0.0)?;
    if value < 0.0 {
        return Some(Period::Repaired(rate_of(-value, &text)?, "a negative frame time"));
    }
    if value < 1.0 {
        return Some(Period::Seconds(rate_of(value, &text)?));
    }
    // No motion is captured at a frame a second or less: this is a rate, or milliseconds.
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

/// The rate of a period, to the usual rate that it is the rounded period of: `0.0083333` is 120 Hz, not 120.0005.
fn rate_of(period_secs: f64, text: &str) -> Option<f64> {
    let places =
        text.split_once('.').map_or(0, |(_, digits)| digits.chars().take_while(char::is_ascii_digit).count());
    // As many digits as were written, or one fewer: exporters cut as often as they round.
    let step = 10f64.powi(-(places.min(18) as i32));
    let whole = |rate: f64| (1.0 / rate - period_secs).abs() <= step * 1.000_001;
    let rate = 1.0 / period_secs;
    let near = USUAL_RATES.iter().copied().chain([rate.round()]).filter(|&r| r > 0.0 && whole(r));
    // Of several within rounding, the nearest.
    let best = near.min_by(|a, b| (a - rate).abs().total_cmp(&(b - rate).abs()));
    Some(best.unwrap_or(rate)).filter(|r| r.is_finite() && (1e-3..=1e6).contains(r))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(text: &str) -> Option<(f64, bool)> {
        Some(match period(text)? {
            Period::Seconds(rate) => (rate, false),
            Period::Repaired(rate, _) => (rate, true),
        })
    }

    #[test]
    fn rounded_periods_are_the_rate_they_mean() {
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
            ("8.3333e-3", 120.0),
        ] {
            assert_eq!(
                rate(text).map(|r| (r.0 * 1e3).round() / 1e3),
                Some((hz * 1e3f64).round() / 1e3),
                "{text}"
            );
        }
        // A period that is no usual one stays as it is.
        assert!((rate("0.0312517").unwrap().0 - 1.0 / 0.0312517).abs() < 1e-3);
    }

    #[test]
    fn strange_periods_are_repaired_or_refused() {
        assert_eq!(rate("30"), Some((30.0, true)));
        assert_eq!(rate("120.0"), Some((120.0, true)));
        assert_eq!(rate("33.3333"), Some((30.0, true)));
        assert_eq!(rate("8.333"), Some((120.0, true)));
        assert_eq!(rate("-0.0333333"), Some((30.0, true)));
        for text in ["0", "0.0", "", "abc", "nan", "inf", "1e30", "1e-30"] {
            assert_eq!(rate(text), None, "{text}");
        }
    }

    #[test]
    fn keys_are_read_with_and_without_colon() {
        assert_eq!(split_key(b"Frame Time:\t0.5"), ("frametime".into(), "0.5"));
        assert_eq!(split_key(b"FRAMES 12"), ("frames".into(), "12"));
        assert_eq!(split_key(b"Frames:12"), ("frames".into(), "12"));
        assert_eq!(split_key(b"Frame Time 0.5"), ("frametime".into(), "0.5"));
    }
}
