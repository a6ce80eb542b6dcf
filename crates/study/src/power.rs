//! Power: how often a study finds a difference that is there.

use marey_plan::Seed;
use rand::{Rng, RngExt};
use serde::Serialize;

use crate::anova::ErrorTerm;
use crate::distributions::{f_quantile, noncentral_f_tail};
use crate::model::normal;
use crate::{FTest, NestedSums, Result, StudyError, StudyModel, SumOfSquares};

/// The largest number of raters that a plan considers.
pub const MAX_RATERS: usize = 10_000;

/// Number of tables that are drawn to compute a power; its standard error is below 0.5 %.
pub const DRAWS: u32 = 10_000;

/// A random number of the χ² distribution, by the method of Marsaglia and Tsang (2000) for the gamma distribution.
fn chi_square(df: f64, rng: &mut impl Rng) -> f64 {
    if df < 2.0 {
        // The method needs a shape of 1; smaller ones follow from the next larger.
        let uniform: f64 = rng.random_range(f64::MIN_POSITIVE..1.0);
        return chi_square(df + 2.0, rng) * uniform.powf(2.0 / df.max(1e-9));
    }
    let d = 0.5 * df - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        let uniform: f64 = rng.random_range(f64::MIN_POSITIVE..1.0);
        if v > 0.0 && uniform.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return 2.0 * d * v;
        }
    }
}

/// The planned power of a study of ratings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PlannedPower {
    /// Number of raters.
    pub raters: usize,
    /// The chance that the study finds the difference at 5 %.
    pub power: f64,
    /// Degrees of freedom of the error term.
    pub df_error: f64,
}

impl StudyModel {
    /// Checks the sizes and variances.
    pub fn validate(&self) -> Result<()> {
        let v = &self.variances;
        let variances = [v.sequence, v.class, v.class_by_sequence, v.rater, v.residual];
        if !variances.iter().all(|variance| (0.0..=1e6).contains(variance)) || v.residual <= 0.0 {
            return Err(StudyError::setting(
                "variances must be from 0 to 1000000, and that of one rating above 0",
            ));
        }
        if !(self.difference.is_finite() && self.difference.abs() <= 1e6) {
            return Err(StudyError::setting(format!("the difference is {}", self.difference)));
        }
        if !(2..=1000).contains(&self.sequences) {
            let message =
                format!("{} sequences of each condition; from 2 to 1000 are possible", self.sequences);
            return Err(StudyError::setting(message));
        }
        let raters: usize = self.raters.iter().sum();
        let is_class = |raters: &usize| (1..=MAX_RATERS).contains(raters);
        if self.raters.is_empty() || !self.raters.iter().all(is_class) || !(2..=MAX_RATERS).contains(&raters)
        {
            let message =
                format!("{raters} raters; from 2 to {MAX_RATERS} are possible, at least one in a class");
            return Err(StudyError::setting(message));
        }
        Ok(())
    }

    /// The same study with this many raters, in classes of nearly equal size.
    pub fn with_raters(&self, raters: usize) -> Self {
        let classes = self.raters.len().max(1);
        let sizes = (0..classes).map(|class| (raters + class) / classes);
        Self { raters: sizes.collect(), ..self.clone() }
    }

    /// The expected mean squares of the error terms of the method: two that are added, and one that is subtracted.
    fn expected_errors(&self) -> [SumOfSquares; 3] {
        let raters: usize = self.raters.iter().sum();
        let (classes, n, s) = (self.raters.len() as f64, raters as f64, self.sequences as f64);
        let in_class = n / classes;
        let v = &self.variances;
        let squares = |mean_square: f64, df: f64| SumOfSquares::new(mean_square * df, df);
        if self.raters.len() > 1 {
            let interaction = v.residual + in_class * v.class_by_sequence;
            let class = interaction + s * v.rater + in_class * s * v.class;
            let sequence = interaction + n * v.sequence;
            [
                squares(class, 2.0 * (classes - 1.0)),
                squares(sequence, 2.0 * (s - 1.0)),
                squares(interaction, 2.0 * (classes - 1.0) * (s - 1.0)),
            ]
        } else {
            // One class: what a class has of its own is part of every sequence.
            let rater = v.residual + s * v.rater;
            let sequence = v.residual + n * (v.sequence + v.class_by_sequence);
            [
                squares(rater, 2.0 * (n - 1.0)),
                squares(sequence, 2.0 * (s - 1.0)),
                squares(v.residual, 2.0 * (n - 1.0) * (s - 1.0)),
            ]
        }
    }

    /// How far the method is from having no effect.
    fn noncentrality(&self, error_mean_square: f64) -> f64 {
        let raters: usize = self.raters.iter().sum();
        let ratings = (raters * self.sequences) as f64;
        ratings * self.difference.powi(2) / (2.0 * error_mean_square)
    }

    /// The power of the quasi-F test of the method at 5 %, as if its error term had the expected mean squares. With few classes it
    /// is too high by several percent, because their mean square varies much.
    pub fn approximate_power(&self) -> f64 {
        let [first, second, third] = self.expected_errors();
        let error = ErrorTerm::quasi(&first, &second, &third);
        let critical = f_quantile(0.95, 1.0, error.df);
        noncentral_f_tail(critical, 1.0, error.df, self.noncentrality(error.mean_square))
    }

    /// The power of the quasi-F test of the method at 5 %: the share of [`DRAWS`] tables, whose mean squares are drawn from their
    /// distributions, that show the difference.
    pub fn power(&self) -> PlannedPower {
        let expected = self.expected_errors();
        let [first, second, third] = &expected;
        let error = ErrorTerm::quasi(first, second, third);
        let shift = self.noncentrality(error.mean_square).sqrt();
        let mut rng = Seed(0).rng(0);
        let mut found = 0_u32;
        for _ in 0..DRAWS {
            let method = error.mean_square * (shift + normal(&mut rng)).powi(2);
            let [first, second, third] = expected
                .map(|term| SumOfSquares::new(term.mean_square() * chi_square(term.df, &mut rng), term.df));
            let drawn = ErrorTerm::quasi(&first, &second, &third);
            let test = FTest::new(&SumOfSquares::new(method, 1.0), drawn.mean_square, drawn.df);
            found += u32::from(test.p < 0.05);
        }
        let raters = self.raters.iter().sum();
        PlannedPower { raters, power: f64::from(found) / f64::from(DRAWS), df_error: error.df }
    }

    /// The smallest number of raters with which the study has this power; `None` if no number has, because the sequences vary too
    /// much for so few of them.
    pub fn raters_for(&self, power: f64) -> Option<PlannedPower> {
        let least = 2 * self.raters.len().max(1);
        let is_enough = |raters: usize| self.with_raters(raters).power().power >= power;
        if !is_enough(MAX_RATERS) {
            return None;
        }
        // The approximation is fast and nearly right.
        let (mut low, mut high) = (least, MAX_RATERS);
        while low < high {
            let middle = (low + high) / 2;
            let is_near = self.with_raters(middle).approximate_power() >= power;
            if is_near { high = middle } else { low = middle + 1 }
        }
        let (mut low, mut high) = (high, high);
        while low > least && is_enough(low) {
            (low, high) = ((low / 2).max(least), low);
        }
        while !is_enough(high) {
            (low, high) = (high, (2 * high).min(MAX_RATERS));
        }
        while low < high {
            let middle = (low + high) / 2;
            if is_enough(middle) { high = middle } else { low = middle + 1 }
        }
        Some(self.with_raters(high).power())
    }

    /// The share of simulated studies that find the difference at 5 %.
    pub fn simulated_power(&self, studies: u64, seed: u64) -> Result<f64> {
        use rayon::prelude::*;
        self.validate()?;
        let is_found = |number: u64| {
            let sums = NestedSums::of(&self.ratings(seed.wrapping_add(number)))?;
            Ok(u64::from(sums.analyse().method.is_some_and(|test| test.p < 0.05)))
        };
        let found: Vec<u64> = (0..studies).into_par_iter().map(is_found).collect::<Result<_>>()?;
        Ok(found.iter().sum::<u64>() as f64 / studies.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VarianceComponents;

    #[test]
    fn two_thousand_studies_without_an_effect_find_one_in_five_percent() {
        let with_classes = VarianceComponents { class: 0.05, ..VarianceComponents::default() };
        let models = [
            StudyModel { variances: with_classes, ..StudyModel::default() },
            StudyModel { raters: vec![3, 5, 4, 6], ..StudyModel::default() },
            StudyModel { raters: vec![20], ..StudyModel::default() },
        ];
        for model in models {
            let found = model.simulated_power(2000, 11).unwrap();
            assert!((found - 0.05).abs() <= 0.01, "{found} of {model:?}");
        }
    }

    #[test]
    fn simulated_studies_have_the_planned_power() {
        let base = StudyModel { difference: 0.6, ..StudyModel::default() };
        let models = [
            base.clone(),
            StudyModel { difference: 0.9, ..base.clone() },
            StudyModel { raters: vec![12], sequences: 16, ..base.clone() },
            StudyModel { raters: vec![4; 3], sequences: 20, ..base.clone() },
            // The mean square of two classes varies so much that the approximation promises a tenth too much.
            StudyModel { raters: vec![3, 4], difference: 1.5, ..base },
        ];
        for model in models {
            let (planned, simulated) = (model.power().power, model.simulated_power(2000, 5).unwrap());
            assert!((planned - simulated).abs() <= 0.03, "{planned} planned, {simulated} of {model:?}");
        }
    }

    #[test]
    fn chi_square_numbers_have_their_mean_and_variance() {
        let mut rng = Seed(3).rng(0);
        for df in [1.0, 2.0, 7.5, 300.0] {
            let drawn: Vec<f64> = (0..20_000).map(|_| chi_square(df, &mut rng)).collect();
            let mean = drawn.iter().sum::<f64>() / 20_000.0;
            let variance = drawn.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 20_000.0;
            assert!(
                (mean / df - 1.0).abs() < 0.04 && (variance / (2.0 * df) - 1.0).abs() < 0.1,
                "{df}: {mean} {variance}"
            );
        }
    }

    #[test]
    fn the_approximation_is_that_of_many_classes() {
        let model = StudyModel { difference: 0.9, raters: vec![4; 12], ..StudyModel::default() };
        assert!((model.power().power - model.approximate_power()).abs() < 0.02);
    }

    #[test]
    fn a_plan_names_the_fewest_raters_or_says_that_sequences_are_too_few() {
        let model = StudyModel { difference: 1.0, raters: vec![1; 2], ..StudyModel::default() };
        let plan = model.raters_for(0.8).unwrap();
        assert!(plan.power >= 0.8 && model.with_raters(plan.raters - 1).power().power < 0.8, "{plan:?}");
        // Three sequences of each condition do not represent it, whoever rates them.
        let few = StudyModel { difference: 0.4, sequences: 3, ..model.clone() };
        assert_eq!(few.raters_for(0.8), None);
        assert!(StudyModel { sequences: 1, ..model.clone() }.validate().is_err());
        assert!(StudyModel { raters: vec![], ..model.clone() }.validate().is_err());
        assert!(StudyModel { difference: f64::NAN, ..model }.validate().is_err());
    }
}
