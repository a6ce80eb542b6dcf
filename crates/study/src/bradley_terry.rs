//! Paired comparisons: the model of Bradley and Terry (1952), by maximum likelihood.
//!
//! The chance that i is preferred to j is 1 / (1 + e^(βj − βi)). The likelihood is maximised by Newton's method with halved steps.
//!
//! Known limits: a maximum exists only if no group of conditions wins or loses every comparison with the others (Ford 1957);
//! other tables are refused. Answers of one rater are treated as independent.

use serde::Serialize;

use crate::distributions::{normal_cdf, normal_quantile};
use crate::{Interval, Result, StudyError};

/// The model, fitted to a table of wins.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BradleyTerry {
    /// The strength of each condition, relative to the first, in logits.
    pub strengths: Vec<Strength>,
    /// The covariance of the strengths of all conditions but the first.
    #[serde(skip)]
    covariance: Vec<Vec<f64>>,
    /// Logarithm of the likelihood.
    pub log_likelihood: f64,
}

/// How strong a condition is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Strength {
    /// Logarithm of the odds that it is preferred to the first condition.
    pub logit: f64,
    /// The standard error; 0 for the first.
    pub standard_error: f64,
    /// The chance that it is preferred to the first condition, with 95 % confidence.
    pub preferred: Interval,
}

/// Two conditions compared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StrengthDifference {
    /// The chance that the second is preferred to the first.
    pub preferred: f64,
    /// Where that is with 95 % confidence.
    pub interval: Interval,
    /// Probability of a larger difference without an effect, by Wald's test.
    pub p: f64,
}

fn logistic(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

impl BradleyTerry {
    /// Fits the model. `wins[i][j]` is how often i was preferred to j.
    pub fn fit(wins: &[Vec<f64>]) -> Result<Self> {
        let count = wins.len();
        if count < 2 || !is_connected(wins) {
            return Err(StudyError::too_few(
                "some conditions won or lost every comparison with the others, so that no strength can be computed",
            ));
        }
        let won = |i: usize, j: usize| wins.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0.0);
        let mut logits = vec![0.0; count];
        let mut likelihood = log_likelihood(&logits, &won);
        let mut covariance = Vec::new();
        for _ in 0..100 {
            let at = |i: usize| logits.get(i).copied().unwrap_or(0.0);
            let chance = |i: usize, j: usize| logistic(at(i) - at(j));
            let others = || 0..count;
            let gradient: Vec<f64> = (1..count)
                .map(|i| others().map(|j| won(i, j) - (won(i, j) + won(j, i)) * chance(i, j)).sum())
                .collect();
            let weight = |i: usize, j: usize| {
                if i == j { 0.0 } else { (won(i, j) + won(j, i)) * chance(i, j) * chance(j, i) }
            };
            let information: Vec<Vec<f64>> = (1..count)
                .map(|i| {
                    let sum: f64 = others().map(|j| weight(i, j)).sum();
                    (1..count).map(|j| if i == j { sum } else { -weight(i, j) }).collect()
                })
                .collect();
            covariance = inverse(information)
                .ok_or_else(|| StudyError::too_few("the comparisons do not determine the strengths"))?;
            let step: Vec<f64> = covariance
                .iter()
                .map(|row| row.iter().zip(&gradient).map(|(a, b)| a * b).sum::<f64>())
                .collect();
            let mut scale = 1.0;
            let next = loop {
                let moved = step.iter().zip(logits.iter().skip(1)).map(|(step, logit)| logit + scale * step);
                let next: Vec<f64> = std::iter::once(0.0).chain(moved).collect();
                if scale < 1e-6 || log_likelihood(&next, &won) >= likelihood - 1e-12 {
                    break next;
                }
                scale *= 0.5;
            };
            logits = next;
            likelihood = log_likelihood(&logits, &won);
            if step.iter().all(|step| step.abs() < 1e-10) {
                break;
            }
        }
        let reach = normal_quantile(0.975);
        let strengths = logits.iter().enumerate().map(|(i, logit)| {
            let variance = i.checked_sub(1).and_then(|i| covariance.get(i)?.get(i)).copied().unwrap_or(0.0);
            let standard_error = variance.max(0.0).sqrt();
            let [low, high] = [-1.0, 1.0].map(|sign| logistic(logit + sign * reach * standard_error));
            Strength { logit: *logit, standard_error, preferred: Interval { low, high } }
        });
        Ok(Self { strengths: strengths.collect(), covariance, log_likelihood: likelihood })
    }

    /// Compares the second condition with the first of a pair.
    pub fn compare(&self, first: usize, second: usize) -> StrengthDifference {
        let logit = |i: usize| self.strengths.get(i).map_or(0.0, |strength| strength.logit);
        let covariance = |i: usize, j: usize| match (i.checked_sub(1), j.checked_sub(1)) {
            (Some(i), Some(j)) => self.covariance.get(i).and_then(|row| row.get(j)).copied().unwrap_or(0.0),
            _ => 0.0,
        };
        let difference = logit(second) - logit(first);
        let variance =
            covariance(first, first) + covariance(second, second) - 2.0 * covariance(first, second);
        let standard_error = variance.max(0.0).sqrt();
        let reach = normal_quantile(0.975) * standard_error;
        let z = if standard_error > 0.0 { difference.abs() / standard_error } else { 0.0 };
        StrengthDifference {
            preferred: logistic(difference),
            interval: Interval { low: logistic(difference - reach), high: logistic(difference + reach) },
            p: 2.0 * normal_cdf(-z),
        }
    }
}

fn log_likelihood(logits: &[f64], won: &impl Fn(usize, usize) -> f64) -> f64 {
    let mut sum = 0.0;
    for (i, first) in logits.iter().enumerate() {
        for (j, second) in logits.iter().enumerate() {
            if i != j {
                sum -= won(i, j) * (second - first).exp().ln_1p();
            }
        }
    }
    sum
}

/// Whether every condition can be reached from every other through wins.
fn is_connected(wins: &[Vec<f64>]) -> bool {
    let reaches_all = |beats: &dyn Fn(usize, usize) -> bool| {
        let mut reached = vec![false; wins.len()];
        let mut open = vec![0];
        while let Some(i) = open.pop() {
            if let Some(place) = reached.get_mut(i).filter(|place| !**place) {
                *place = true;
                open.extend((0..wins.len()).filter(|j| beats(i, *j)));
            }
        }
        reached.into_iter().all(|is_reached| is_reached)
    };
    let has_won = |i: usize, j: usize| wins.get(i).and_then(|row| row.get(j)).is_some_and(|wins| *wins > 0.0);
    reaches_all(&has_won) && reaches_all(&|i, j| has_won(j, i))
}

/// The inverse of a positive definite matrix by Gauss and Jordan; `None` if it is singular.
fn inverse(matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let unit = |row: usize| (0..size).map(move |column| f64::from(u8::from(row == column)));
    let mut rows: Vec<Vec<f64>> = matrix
        .into_iter()
        .enumerate()
        .map(|(row, values)| values.into_iter().chain(unit(row)).collect())
        .collect();
    for column in 0..size {
        let pivot = *rows.get(column)?.get(column)?;
        if pivot.is_nan() || pivot <= 1e-12 {
            return None;
        }
        rows.get_mut(column)?.iter_mut().for_each(|value| *value /= pivot);
        let pivot_row = rows.get(column)?.clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != column) {
            let factor = *row.get(column)?;
            row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    Some(rows.into_iter().map(|row| row.into_iter().skip(size).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The 1987 season of baseball (Agresti 1990, table 10.10): wins of the row over the column.
    const BASEBALL: [[f64; 7]; 7] = [
        [0.0, 2.0, 4.0, 1.0, 3.0, 1.0, 7.0],
        [11.0, 0.0, 7.0, 9.0, 7.0, 7.0, 9.0],
        [9.0, 6.0, 0.0, 7.0, 5.0, 11.0, 9.0],
        [12.0, 4.0, 6.0, 0.0, 7.0, 7.0, 8.0],
        [10.0, 6.0, 8.0, 6.0, 0.0, 6.0, 7.0],
        [12.0, 6.0, 2.0, 6.0, 7.0, 0.0, 7.0],
        [6.0, 4.0, 4.0, 5.0, 6.0, 6.0, 0.0],
    ];

    #[test]
    fn the_strengths_of_baseball_teams_are_as_published() {
        // Baltimore, Milwaukee, Detroit, Toronto, New York, Boston, Cleveland (Agresti; Turner and Firth 2012).
        let published = [0.0, 1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839];
        let errors = [0.0, 0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319];
        let model = BradleyTerry::fit(&BASEBALL.map(Vec::from)).unwrap();
        for ((found, logit), error) in model.strengths.iter().zip(published).zip(errors) {
            assert!(
                (found.logit - logit).abs() < 1e-4 && (found.standard_error - error).abs() < 1e-4,
                "{found:?}"
            );
        }
        let difference = model.compare(0, 1);
        assert!((difference.preferred - logistic(1.5814)).abs() < 1e-4);
        assert!(difference.interval.contains(difference.preferred) && difference.p < 1e-4);
        let back = model.compare(1, 0);
        assert!((back.preferred + difference.preferred - 1.0).abs() < 1e-12 && back.p == difference.p);
        assert_eq!(model.compare(3, 3).p, 1.0);
    }

    #[test]
    fn two_conditions_are_a_share_of_wins() {
        let model = BradleyTerry::fit(&[vec![0.0, 30.0], vec![70.0, 0.0]]).unwrap();
        assert!((model.compare(0, 1).preferred - 0.7).abs() < 1e-9);
        // The variance of a logit of 100 trials.
        assert!((model.strengths[1].standard_error.powi(2) - 1.0 / 21.0).abs() < 1e-9);
    }

    #[test]
    fn tables_without_a_maximum_are_refused() {
        for wins in [vec![vec![0.0, 5.0], vec![0.0, 0.0]], vec![vec![0.0; 3]; 3], vec![], vec![vec![0.0]]] {
            assert!(matches!(BradleyTerry::fit(&wins), Err(StudyError::TooFew { .. })), "{wins:?}");
        }
    }
}
