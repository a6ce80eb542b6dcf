//! The period of a rhythm.

use super::BeatSettings;
use super::evidence::Evidence;

/// The period of a rhythm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Period {
    /// Length of a beat, in samples of the evidence.
    pub(super) samples: f64,
    /// Autocorrelation at that lag, or half of its rise to that lag if that is smaller.
    pub(super) strength: f32,
}

/// The period within the range of tempi; `None` if the clip is too short.
pub(super) fn find(evidence: &Evidence, settings: &BeatSettings) -> Option<Period> {
    let lag = |bpm: f64| 60.0 / bpm * evidence.rate_hz;
    let (first, last) =
        (lag(settings.quickest_bpm).floor() as usize, lag(settings.slowest_bpm).ceil() as usize);
    if evidence.samples.len() < 3 * last {
        return None;
    }
    let like: Vec<f64> = (0..=2 * last).map(|lag| correlation(&evidence.samples, lag)).collect();
    // A rhythm repeats after two beats as well as after one.
    let score = |lag: usize| like[lag] + 0.5 * like[2 * lag];
    let lags = first.max(1)..=last;
    let chosen = lags.reduce(|best, lag| if score(lag) > score(best) { lag } else { best })?;
    // A slow drift correlates at every short lag; a rhythm first becomes uncorrelated, then correlated again.
    let lowest = like[..chosen].iter().copied().fold(like[chosen], f64::min);
    let strength = like[chosen].min(0.5 * (like[chosen] - lowest)) as f32;
    Some(Period { samples: chosen as f64, strength })
}

/// The autocorrelation of a signal at a lag.
fn correlation(samples: &[f64], lag: usize) -> f64 {
    let (early, late) = (&samples[..samples.len() - lag], &samples[lag..]);
    let product: f64 = early.iter().zip(late).map(|(a, b)| a * b).sum();
    let square = |list: &[f64]| list.iter().map(|v| v * v).sum::<f64>();
    product / (square(early) * square(late)).sqrt().max(f64::MIN_POSITIVE)
}
