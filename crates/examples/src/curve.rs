//! A function of time on a fine uniform grid: set as a polyline, smoothed, and interpolated.
//!
//! Motion is planned on this grid at any output rate, so that a seed gives the same walk at every rate.

use std::collections::VecDeque;

/// Grid points per second: fine enough for the fastest planned movement, the sway of a quick step.
const GRID_HZ: f64 = 240.0;

/// A function of time that starts at 0. It is constant beyond its ends.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Curve {
    values: Vec<f64>,
}

impl Curve {
    /// Samples a function over a duration.
    pub(crate) fn sampled(duration_secs: f64, mut value: impl FnMut(f64) -> f64) -> Self {
        let points = (duration_secs * GRID_HZ).ceil() as usize + 1;
        Self { values: (0..points).map(|i| value(i as f64 / GRID_HZ)).collect() }
    }

    /// Straight lines between nodes (time in seconds, value), sorted by time.
    pub(crate) fn polyline(duration_secs: f64, nodes: &[(f64, f64)]) -> Self {
        let mut next = 0;
        Self::sampled(duration_secs, |t| {
            while next < nodes.len() && nodes[next].0 <= t {
                next += 1;
            }
            match (next.checked_sub(1).and_then(|i| nodes.get(i)), nodes.get(next)) {
                (Some(a), Some(b)) => a.1 + (b.1 - a.1) * (t - a.0) / (b.0 - a.0),
                (Some(only), None) | (None, Some(only)) => only.1,
                (None, None) => 0.0,
            }
        })
    }

    /// The moving average over a window, applied three times: smooth to the second derivative, without overshoot, and with a
    /// support of 1.5 windows to either side.
    pub(crate) fn smoothed(self, window_secs: f64) -> Self {
        let half = (window_secs * GRID_HZ / 2.0).round() as usize;
        (0..3).fold(self, |curve, _| curve.averaged(half))
    }

    fn averaged(&self, half: usize) -> Self {
        let count = (2 * half + 1) as f64;
        let value = |i: isize| self.values[i.clamp(0, self.values.len() as isize - 1) as usize];
        let half = half as isize;
        let mut sum: f64 = (-half..=half).map(value).sum();
        let values = (0..self.values.len() as isize)
            .map(|i| {
                let mean = sum / count;
                sum += value(i + half + 1) - value(i - half);
                mean
            })
            .collect();
        Self { values }
    }

    /// A smooth curve that is nowhere above this one and follows it as closely as the window allows.
    pub(crate) fn smoothly_below(self, window_secs: f64) -> Self {
        // Three windows of 2 · half + 1 points cover 3 · half points to either side.
        let half = (window_secs * GRID_HZ / 2.0).round() as usize;
        self.minimum_within(3 * half).smoothed(window_secs)
    }

    /// The minimum within `reach` points to either side.
    fn minimum_within(&self, reach: usize) -> Self {
        let n = self.values.len();
        let mut candidates: VecDeque<usize> = VecDeque::new();
        let mut ahead = 0;
        let values = (0..n)
            .map(|i| {
                while ahead < n && ahead <= i + reach {
                    while candidates.back().is_some_and(|&j| self.values[j] >= self.values[ahead]) {
                        candidates.pop_back();
                    }
                    candidates.push_back(ahead);
                    ahead += 1;
                }
                while candidates.front().is_some_and(|&j| j + reach < i) {
                    candidates.pop_front();
                }
                self.values[candidates.front().copied().unwrap_or(i)]
            })
            .collect();
        Self { values }
    }

    /// The value at a time, interpolated by a cubic through four grid points.
    pub(crate) fn at(&self, secs: f64) -> f64 {
        let last = self.values.len() - 1;
        let place = (secs * GRID_HZ).max(0.0).min(last as f64);
        let i = (place as usize).min(last.saturating_sub(1));
        let s = place - i as f64;
        let value = |k: usize| self.values[k.min(last)];
        let (a, b, c, d) = (value(i.saturating_sub(1)), value(i), value(i + 1), value(i + 2));
        let (slope_b, slope_c) = (0.5 * (c - a), 0.5 * (d - b));
        let rise = c - b;
        b + s * (slope_b + s * (3.0 * rise - 2.0 * slope_b - slope_c + s * (slope_b + slope_c - 2.0 * rise)))
    }

    /// The derivative at a time, per second.
    pub(crate) fn rate_at(&self, secs: f64) -> f64 {
        let h = 1.0 / GRID_HZ;
        (self.at(secs + h) - self.at(secs - h)) / (2.0 * h)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_polyline_passes_through_its_nodes_and_is_constant_beyond_its_ends() {
        let curve = Curve::polyline(4.0, &[(1.0, 2.0), (2.0, 4.0), (3.0, -1.0)]);
        for (t, value) in [(0.0, 2.0), (1.5, 3.0), (2.5, 1.5), (3.7, -1.0), (9.0, -1.0), (-1.0, 2.0)] {
            assert!((curve.at(t) - value).abs() < 1e-9, "at {t}: {}", curve.at(t));
        }
        assert!((curve.rate_at(1.5) - 2.0).abs() < 1e-9);
        let smoothed = curve.smoothed(0.2);
        assert!((smoothed.at(1.5) - 3.0).abs() < 1e-9, "a symmetric mean keeps a straight line");
    }

    proptest! {
        #[test]
        fn the_minimum_equals_a_plain_search(
            values in proptest::collection::vec(-5f64..5.0, 1..60), reach in 0usize..12,
        ) {
            let curve = Curve { values: values.clone() };
            for (i, &least) in curve.minimum_within(reach).values.iter().enumerate() {
                let range = i.saturating_sub(reach)..(i + reach + 1).min(values.len());
                let plain = values[range].iter().copied().fold(f64::INFINITY, f64::min);
                prop_assert_eq!(least, plain);
            }
        }

        #[test]
        fn smoothly_below_is_never_above(
            values in proptest::collection::vec(-5f64..5.0, 200..400), window in 0.02f64..0.3,
        ) {
            let curve = Curve { values };
            let below = curve.clone().smoothly_below(window);
            for (low, high) in below.values.iter().zip(&curve.values) {
                prop_assert!(*low <= *high + 1e-9);
            }
        }
    }
}
