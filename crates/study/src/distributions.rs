//! Distributions: normal, t, F, noncentral t and F, binomial.

use std::f64::consts::SQRT_2;

use crate::special::{erfc, incomplete_beta, ln_gamma};

/// Probability that a standard normal variable is at most `x`.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / SQRT_2)
}

/// The value that a standard normal variable exceeds with probability 1 − `p`.
pub fn normal_quantile(p: f64) -> f64 {
    root(normal_cdf, p, -40.0, 40.0)
}

/// Probability that a t variable is at most `t`.
pub fn t_cdf(t: f64, df: f64) -> f64 {
    let tail = 0.5 * incomplete_beta(0.5 * df, 0.5, df / (df + t * t));
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The value that a t variable exceeds with probability 1 − `p`.
pub fn t_quantile(p: f64, df: f64) -> f64 {
    let mut bound = 2.0;
    while bound < 1e12 && t_cdf(bound, df) < p.max(1.0 - p) {
        bound *= 2.0;
    }
    root(|t| t_cdf(t, df), p, -bound, bound)
}

/// Probability that an F variable exceeds `f`: the p-value of an F test.
pub fn f_tail(f: f64, df_effect: f64, df_error: f64) -> f64 {
    if f.is_nan() || f <= 0.0 {
        return 1.0;
    }
    incomplete_beta(0.5 * df_error, 0.5 * df_effect, df_error / (df_error + df_effect * f))
}

/// The value that an F variable exceeds with probability 1 − `p`.
pub fn f_quantile(p: f64, df_effect: f64, df_error: f64) -> f64 {
    let mut bound = 2.0;
    while bound < 1e12 && 1.0 - f_tail(bound, df_effect, df_error) < p {
        bound *= 2.0;
    }
    root(|f| 1.0 - f_tail(f, df_effect, df_error), p, 0.0, bound)
}

/// Probability that a noncentral F variable exceeds `f`: the power of an F test with this critical value.
pub fn noncentral_f_tail(f: f64, df_effect: f64, df_error: f64, noncentrality: f64) -> f64 {
    if f <= 0.0 {
        return 1.0;
    }
    let x = df_effect * f / (df_effect * f + df_error);
    let below = poisson_sum(0.5 * noncentrality, |j, weight| {
        weight * incomplete_beta(0.5 * df_effect + j, 0.5 * df_error, x)
    });
    (1.0 - below).clamp(0.0, 1.0)
}

/// Probability that a noncentral t variable is at most `t`.
pub fn noncentral_t_cdf(t: f64, df: f64, noncentrality: f64) -> f64 {
    if t < 0.0 {
        return 1.0 - noncentral_t_cdf(-t, df, -noncentrality);
    }
    let x = t * t / (df + t * t);
    let half = 0.5 * noncentrality * noncentrality;
    let above_zero = poisson_sum(half, |j, weight| {
        // The weight of the odd term is δ/√2 e^(−δ²/2) (δ²/2)^j / Γ(j + 3/2).
        let odd = noncentrality / SQRT_2 * (ln_gamma(j + 1.0) - ln_gamma(j + 1.5)).exp() * weight;
        weight * incomplete_beta(j + 0.5, 0.5 * df, x) + odd * incomplete_beta(j + 1.0, 0.5 * df, x)
    });
    (normal_cdf(-noncentrality) + 0.5 * above_zero).clamp(0.0, 1.0)
}

/// Sums a function of the number of events and its Poisson probability, over all numbers that matter.
fn poisson_sum(mean: f64, term: impl Fn(f64, f64) -> f64) -> f64 {
    if mean <= 0.0 {
        return term(0.0, 1.0);
    }
    let reach = 9.0 * mean.sqrt() + 40.0;
    let (first, last) = ((mean - reach).max(0.0).floor(), (mean + reach).ceil());
    let mut sum = 0.0;
    let mut j = first;
    while j <= last {
        sum += term(j, (j * mean.ln() - mean - ln_gamma(j + 1.0)).exp());
        j += 1.0;
    }
    sum
}

/// Probability of exactly `successes` of `trials`.
pub fn binomial_probability(successes: u64, trials: u64, chance: f64) -> f64 {
    if chance <= 0.0 || chance >= 1.0 {
        let certain = if chance <= 0.0 { 0 } else { trials };
        return if successes == certain { 1.0 } else { 0.0 };
    }
    let (k, n) = (successes as f64, trials as f64);
    let choose = ln_gamma(n + 1.0) - ln_gamma(k + 1.0) - ln_gamma(n - k + 1.0);
    (choose + k * chance.ln() + (n - k) * (-chance).ln_1p()).exp()
}

/// Where a growing function has a value, by bisection to the last bit.
pub(crate) fn root(function: impl Fn(f64) -> f64, value: f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if function(middle) < value {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, published: f64, tolerance: f64) {
        assert!((found - published).abs() <= tolerance, "{found}, published {published}");
    }

    #[test]
    fn quantiles_agree_with_printed_tables() {
        close(normal_quantile(0.975), 1.959_964, 1e-6);
        close(normal_quantile(0.995), 2.575_829, 1e-6);
        // Student's t, two-sided 5 % and 1 %.
        for (p, df, t) in
            [(0.975, 1.0, 12.706), (0.975, 10.0, 2.228), (0.995, 30.0, 2.750), (0.975, 120.0, 1.980)]
        {
            close(t_quantile(p, df), t, 5e-4);
        }
        // Fisher's F, upper 5 % and 1 %.
        for (p, one, two, f) in [
            (0.95, 1.0, 28.0, 4.20),
            (0.95, 5.0, 10.0, 3.33),
            (0.99, 3.0, 20.0, 4.94),
            (0.95, 8.0, 60.0, 2.10),
        ] {
            close(f_quantile(p, one, two), f, 5e-3);
        }
        close(f_tail(2.228_139 * 2.228_139, 1.0, 10.0), 0.05, 1e-6);
    }

    #[test]
    fn the_power_of_textbook_tests_is_as_published() {
        // Cohen (1988), table 2.4.1: the sizes of two groups for a power of 0.80, two-sided at 5 %.
        for (d, group, power) in [(0.5, 64.0, 0.8015), (0.8, 26.0, 0.8075), (0.2, 393.0, 0.80)] {
            let df = 2.0 * group - 2.0;
            let noncentrality = d * d * group / 2.0;
            close(noncentral_f_tail(f_quantile(0.95, 1.0, df), 1.0, df, noncentrality), power, 1e-3);
        }
        // One-way analysis of variance, three groups of 53, f = 0.25.
        close(noncentral_f_tail(f_quantile(0.95, 2.0, 156.0), 2.0, 156.0, 159.0 * 0.0625), 0.8049, 2e-4);
    }

    #[test]
    fn the_noncentral_distributions_agree_with_each_other() {
        for (t, df, delta) in [(1.5, 12.0, 0.7), (3.0, 40.0, 2.5), (2.0, 5.0, 0.0), (4.0, 25.0, 6.0)] {
            let both = noncentral_t_cdf(t, df, delta) - noncentral_t_cdf(-t, df, delta);
            close(both, 1.0 - noncentral_f_tail(t * t, 1.0, df, delta * delta), 1e-9);
            close(noncentral_t_cdf(t, df, 0.0), t_cdf(t, df), 1e-12);
        }
    }

    #[test]
    fn binomial_probabilities_sum_to_one() {
        let sum: f64 = (0..=37).map(|k| binomial_probability(k, 37, 0.31)).sum();
        close(sum, 1.0, 1e-12);
        close(binomial_probability(5, 10, 0.5), 252.0 / 1024.0, 1e-12);
        close(binomial_probability(10, 10, 1.0), 1.0, 0.0);
    }
}
