//! Smooth curves through a few keys.

/// A cubic spline through keys, level at both ends, with a continuous second derivative in between.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spline {
    keys: Vec<(f64, f64)>,
    slopes: Vec<f64>,
}

impl Spline {
    /// A spline through keys (position, value) of strictly increasing positions.
    pub(crate) fn level_ended(keys: Vec<(f64, f64)>) -> Self {
        let slopes = inner_slopes(&keys);
        Self { keys, slopes }
    }

    /// The value at a position. It is constant beyond the ends.
    pub(crate) fn at(&self, place: f64) -> f64 {
        let right = self.keys.partition_point(|key| key.0 <= place);
        let (Some(&(x0, y0)), Some(&(x1, y1))) =
            (right.checked_sub(1).and_then(|i| self.keys.get(i)), self.keys.get(right))
        else {
            let end = if right == 0 { self.keys.first() } else { self.keys.last() };
            return end.map_or(0.0, |key| key.1);
        };
        let width = x1 - x0;
        let s = (place - x0) / width;
        let (m0, m1) = (self.slopes[right - 1] * width, self.slopes[right] * width);
        let rise = y1 - y0;
        y0 + s * (m0 + s * (3.0 * rise - 2.0 * m0 - m1 + s * (m0 + m1 - 2.0 * rise)))
    }
}

/// The slopes that make the second derivative continuous, from a tridiagonal system.
fn inner_slopes(keys: &[(f64, f64)]) -> Vec<f64> {
    let n = keys.len();
    let mut slopes = vec![0.0; n];
    let mut above = vec![0.0; n];
    for i in 1..n.saturating_sub(1) {
        let (left, right) = (keys[i].0 - keys[i - 1].0, keys[i + 1].0 - keys[i].0);
        let wanted =
            3.0 * (right * (keys[i].1 - keys[i - 1].1) / left + left * (keys[i + 1].1 - keys[i].1) / right);
        let pivot = 2.0 * (left + right) - right * above[i - 1];
        above[i] = left / pivot;
        slopes[i] = (wanted - right * slopes[i - 1]) / pivot;
    }
    for i in (1..n.saturating_sub(1)).rev() {
        slopes[i] -= above[i] * slopes[i + 1];
    }
    slopes
}

/// The quintic between two states (position, speed, acceleration), at the fraction `s` of a duration.
pub(crate) fn quintic(from: [f64; 3], to: [f64; 3], secs: f64, s: f64) -> f64 {
    let [p, v, a] = [from[0], from[1] * secs, from[2] * secs * secs];
    let [q, w, b] = [to[0], to[1] * secs, to[2] * secs * secs];
    let c3 = 10.0 * (q - p) - 6.0 * v - 4.0 * w - 1.5 * a + 0.5 * b;
    let c4 = -15.0 * (q - p) + 8.0 * v + 7.0 * w + 1.5 * a - b;
    let c5 = 6.0 * (q - p) - 3.0 * (v + w) - 0.5 * (a - b);
    p + s * (v + s * (0.5 * a + s * (c3 + s * (c4 + s * c5))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First and second derivative by differences.
    fn derivatives(f: impl Fn(f64) -> f64, x: f64, h: f64) -> (f64, f64) {
        ((f(x + h) - f(x - h)) / (2.0 * h), (f(x + h) - 2.0 * f(x) + f(x - h)) / (h * h))
    }

    #[test]
    fn a_spline_passes_through_its_keys_with_level_ends_and_continuous_curvature() {
        let keys = vec![(0.0, 1.0), (0.3, -2.0), (0.5, 0.0), (1.1, 3.0), (2.0, 2.0)];
        let spline = Spline::level_ended(keys.clone());
        for &(x, y) in &keys {
            assert!((spline.at(x) - y).abs() < 1e-12);
        }
        assert_eq!((spline.at(-1.0), spline.at(9.0)), (1.0, 2.0));
        for x in [1e-5, 2.0 - 1e-5] {
            assert!(derivatives(|x| spline.at(x), x, 1e-6).0.abs() < 1e-2);
        }
        for &(x, _) in &keys[1..4] {
            let (before, after) = (
                derivatives(|x| spline.at(x), x - 2e-4, 1e-4),
                derivatives(|x| spline.at(x), x + 2e-4, 1e-4),
            );
            assert!(
                (before.0 - after.0).abs() < 0.1 && (before.1 - after.1).abs() < 0.5,
                "{before:?} {after:?}"
            );
        }
    }

    #[test]
    fn a_quintic_meets_both_ends() {
        let (from, to, secs) = ([1.0, 2.0, -3.0], [4.0, -1.0, 5.0], 0.7);
        let f = |t: f64| quintic(from, to, secs, t / secs);
        for (t, [p, v, a]) in [(0.0, from), (secs, to)] {
            let (speed, acceleration) = derivatives(f, t, 1e-4);
            assert!((f(t) - p).abs() < 1e-9 && (speed - v).abs() < 1e-5 && (acceleration - a).abs() < 1e-3);
        }
    }
}
