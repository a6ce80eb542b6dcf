//! The exact binomial test.

use serde::Serialize;

use crate::Interval;
use crate::distributions::{binomial_probability, root};
use crate::special::incomplete_beta;

/// The result of an exact binomial test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct BinomialTest {
    /// Number of successes.
    pub successes: u64,
    /// Number of trials.
    pub trials: u64,
    /// The share of successes.
    pub share: f64,
    /// Where the chance of success is with 95 % confidence (Clopper and Pearson 1934).
    pub interval: Interval,
    /// Probability, without an effect, of a result that is at most as likely as this one.
    pub p: f64,
}

impl BinomialTest {
    /// Tests, in both directions, whether the chance of success is `chance`.
    pub fn new(successes: u64, trials: u64, chance: f64) -> Self {
        let own = binomial_probability(successes, trials, chance);
        let as_unlikely = (0..=trials).map(|k| binomial_probability(k, trials, chance));
        // Equal probabilities differ by rounding.
        let p: f64 = as_unlikely.filter(|other| *other <= own * (1.0 + 1e-7)).sum();
        let (k, n) = (successes as f64, trials as f64);
        let low =
            if successes == 0 { 0.0 } else { root(|x| incomplete_beta(k, n - k + 1.0, x), 0.025, 0.0, 1.0) };
        let high = if successes >= trials {
            1.0
        } else {
            root(|x| incomplete_beta(k + 1.0, n - k, x), 0.975, 0.0, 1.0)
        };
        let share = if trials == 0 { 0.0 } else { k / n };
        Self { successes, trials, share, interval: Interval { low, high }, p: p.min(1.0) }
    }

    /// The chance that a test of `trials` trials at 5 % finds that the chance of success is `chance` and not one half.
    pub fn power(trials: u64, chance: f64) -> f64 {
        // The test rejects the outermost results. Their number follows from the probabilities of one tail.
        let mut tail = 0.0;
        let mut power = 0.0;
        for k in 0..=trials / 2 {
            tail += binomial_probability(k, trials, 0.5);
            if 2.0 * tail > 0.05 || 2 * k == trials {
                break;
            }
            power +=
                binomial_probability(k, trials, chance) + binomial_probability(trials - k, trials, chance);
        }
        power.min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_conover_is_recomputed() {
        // Conover (1971), page 97, as binom.test(682, 925, p = 0.75) of R prints it.
        let test = BinomialTest::new(682, 925, 0.75);
        assert!((test.p - 0.3825).abs() < 5e-5, "{test:?}");
        assert!((test.interval.low - 0.707_668_3).abs() < 5e-7, "{test:?}");
        assert!((test.interval.high - 0.765_406_6).abs() < 5e-7, "{test:?}");
    }

    #[test]
    fn extreme_results_have_intervals_that_end_at_zero_and_one() {
        let none = BinomialTest::new(0, 10, 0.5);
        // 1 − 0.025^(1/10), and two of 1024 results.
        assert!((none.interval.high - 0.308_497).abs() < 1e-6 && none.interval.low == 0.0);
        assert!((none.p - 2.0 / 1024.0).abs() < 1e-12);
        assert_eq!(BinomialTest::new(10, 10, 0.5).interval.high, 1.0);
        let empty = BinomialTest::new(0, 0, 0.5);
        assert_eq!((empty.p, empty.share, empty.interval.low, empty.interval.high), (1.0, 0.0, 0.0, 1.0));
    }

    #[test]
    fn the_power_is_that_of_the_test() {
        for (trials, chance) in [(40, 0.7), (60, 0.6), (17, 0.9)] {
            let rejected = (0..=trials).filter(|k| BinomialTest::new(*k, trials, 0.5).p <= 0.05);
            let power: f64 = rejected.map(|k| binomial_probability(k, trials, chance)).sum();
            assert!((BinomialTest::power(trials, chance) - power).abs() < 1e-12, "{trials} {chance}");
        }
        assert!(BinomialTest::power(1000, 0.5) < 0.05);
    }
}
