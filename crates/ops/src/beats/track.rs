//! From a period to beats.

use super::BeatSettings;
use super::evidence::Evidence;

/// Range of intervals that are considered, as shares of the period.
const SHORTEST: f64 = 0.6;
const LONGEST: f64 = 1.6;
/// Number of beats on either side that define the local period.
const AROUND: usize = 4;
/// The smallest share of the on-beat evidence that evidence half-way between beats needs to halve the period.
/// It is about a half if the period is two beats; if it is one, limbs are fastest there and it is below 0.
const BETWEEN: f64 = 0.2;

/// The frames of the beats.
pub(super) fn frames(evidence: &Evidence, period: f64, settings: &BeatSettings) -> Vec<usize> {
    let samples = &evidence.samples;
    let along = |periods: &[f64]| path(samples, periods, settings.steadiness);
    let shortest = 60.0 / settings.quickest_bpm * evidence.rate_hz;
    let mut period = period;
    let mut beats = along(&vec![period; samples.len()]);
    while 0.5 * period >= shortest && stops_between(samples, &beats) {
        period *= 0.5;
        beats = along(&vec![period; samples.len()]);
    }
    let beats = along(&local_periods(&beats, period, samples.len()));
    let mut frames: Vec<usize> =
        beats.into_iter().map(|at| (at + evidence.per_frame / 2) / evidence.per_frame).collect();
    frames.dedup();
    frames
}

/// Whether the evidence half-way between beats is as strong as on them.
fn stops_between(samples: &[f64], beats: &[usize]) -> bool {
    let mean = |places: &mut dyn Iterator<Item = usize>| {
        let (sum, count) = places.fold((0.0, 0.0), |(sum, count), at| (sum + samples[at], count + 1.0));
        sum / f64::max(count, 1.0)
    };
    let between = mean(&mut beats.windows(2).map(|pair| (pair[0] + pair[1]) / 2));
    between > BETWEEN * mean(&mut beats.iter().copied())
}

/// The median number of frames between neighbours.
pub(super) fn median_interval(frames: &[usize]) -> Option<f64> {
    let mut intervals: Vec<usize> = frames.windows(2).map(|pair| pair[1] - pair[0]).collect();
    intervals.sort_unstable();
    let middle = intervals.len() / 2;
    // Frames round intervals, so the mean of the middle half is more accurate than a single one.
    let half = &intervals[middle / 2..intervals.len() - middle / 2];
    (!half.is_empty()).then(|| half.iter().sum::<usize>() as f64 / half.len() as f64)
}

/// The best path through the evidence, with a period at each sample: the largest Σ O − α Σ log²(interval / period).
fn path(samples: &[f64], periods: &[f64], steadiness: f64) -> Vec<usize> {
    let mut best: Vec<f64> = Vec::with_capacity(samples.len());
    let mut before: Vec<Option<usize>> = Vec::with_capacity(samples.len());
    for (at, &here) in samples.iter().enumerate() {
        let (nearest, furthest) = reach(periods[at]);
        let candidates = at.saturating_sub(furthest)..(at + 1).saturating_sub(nearest);
        let mut chosen: (f64, Option<usize>) = (0.0, None);
        for from in candidates {
            let irregular = ((at - from) as f64 / periods[at]).ln();
            let sum = best[from] - steadiness * irregular * irregular;
            if sum > chosen.0 {
                chosen = (sum, Some(from));
            }
        }
        best.push(here + chosen.0);
        before.push(chosen.1);
    }
    // The end is the best sample within the last beat.
    let tail = periods.last().map_or(0, |&period| period.round() as usize);
    let last =
        (best.len().saturating_sub(tail)..best.len()).reduce(|a, b| if best[b] > best[a] { b } else { a });
    let mut path: Vec<usize> = std::iter::successors(last, |&at| before[at]).collect();
    path.reverse();
    path
}

/// The shortest and the longest interval that is considered.
fn reach(period: f64) -> (usize, usize) {
    ((SHORTEST * period).ceil().max(1.0) as usize, (LONGEST * period).floor().max(1.0) as usize)
}

/// The period around each sample: the mean interval of the beats around it.
fn local_periods(beats: &[usize], period: f64, samples: usize) -> Vec<f64> {
    if beats.len() < 3 {
        return vec![period; samples];
    }
    (0..samples)
        .map(|at| {
            let next = beats.partition_point(|&beat| beat < at);
            let (from, until) = (next.saturating_sub(AROUND), (next + AROUND).min(beats.len() - 1));
            (beats[until] - beats[from]) as f64 / (until - from).max(1) as f64
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The best of all paths, enumerated from the end.
    fn best_by_trying_all(samples: &[f64], period: f64, steadiness: f64, at: usize) -> f64 {
        let (nearest, furthest) = reach(period);
        let earlier = (0..at).filter(|from| (nearest..=furthest).contains(&(at - from)));
        let sums = earlier.map(|from| {
            let irregular = ((at - from) as f64 / period).ln();
            best_by_trying_all(samples, period, steadiness, from) - steadiness * irregular * irregular
        });
        samples[at] + sums.fold(0.0, f64::max)
    }

    proptest! {
        #[test]
        fn path_equals_enumeration(
            samples in proptest::collection::vec(-1f64..2.0, 1..24), period in 2f64..7.0, steadiness in 0f64..9.0,
        ) {
            let found = path(&samples, &vec![period; samples.len()], steadiness);
            let intervals = found.windows(2).map(|pair| ((pair[1] - pair[0]) as f64 / period).ln().powi(2));
            let sum = found.iter().map(|&at| samples[at]).sum::<f64>() - steadiness * intervals.sum::<f64>();
            let tail = samples.len().saturating_sub(period.round() as usize)..samples.len();
            let best = tail.map(|at| best_by_trying_all(&samples, period, steadiness, at));
            prop_assert!((sum - best.fold(f64::NEG_INFINITY, f64::max)).abs() < 1e-9);
        }
    }
}
