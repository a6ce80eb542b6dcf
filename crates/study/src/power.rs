//! Power: how often a study finds a difference that is there.

use serde::Serialize;

use crate::anova::ErrorTerm;
use crate::distributions::{f_quantile, noncentral_f_tail};
use crate::{NestedSums, Result, StudyError, StudyModel, SumOfSquares};

/// The largest number of raters that a plan considers.
pub const MAX_RATERS: usize = 10_000;

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

    /// The power of the quasi-F test of the method at 5 %, from the expected mean squares.
    pub fn power(&self) -> PlannedPower {
        let raters: usize = self.raters.iter().sum();
        let (classes, n, s) = (self.raters.len() as f64, raters as f64, self.sequences as f64);
        let in_class = n / classes;
        let v = &self.variances;
        let squares = |mean_square: f64, df: f64| SumOfSquares::new(mean_square * df, df);
        let error = if self.raters.len() > 1 {
            let interaction = v.residual + in_class * v.class_by_sequence;
            let class = interaction + s * v.rater + in_class * s * v.class;
            let sequence = interaction + n * v.sequence;
            ErrorTerm::quasi(
                &squares(class, 2.0 * (classes - 1.0)),
                &squares(sequence, 2.0 * (s - 1.0)),
                &squares(interaction, 2.0 * (classes - 1.0) * (s - 1.0)),
            )
        } else {
            // One class: what a class has of its own is part of every sequence.
            let rater = v.residual + s * v.rater;
            let sequence = v.residual + n * (v.sequence + v.class_by_sequence);
            ErrorTerm::quasi(
                &squares(rater, 2.0 * (n - 1.0)),
                &squares(sequence, 2.0 * (s - 1.0)),
                &squares(v.residual, 2.0 * (n - 1.0) * (s - 1.0)),
            )
        };
        let noncentrality = n * s * self.difference.powi(2) / (2.0 * error.mean_square);
        let critical = f_quantile(0.95, 1.0, error.df);
        let power = noncentral_f_tail(critical, 1.0, error.df, noncentrality);
        PlannedPower { raters, power, df_error: error.df }
    }

    /// The smallest number of raters with which the study has this power; `None` if no number has, because the sequences vary too
    /// much for so few of them.
    pub fn raters_for(&self, power: f64) -> Option<PlannedPower> {
        let least = 2 * self.raters.len().max(1);
        let at = |raters: usize| self.with_raters(raters).power();
        let (mut low, mut high) = (least, least);
        while at(high).power < power {
            if high >= MAX_RATERS {
                return None;
            }
            (low, high) = (high, (2 * high).min(MAX_RATERS));
        }
        while low < high {
            let middle = (low + high) / 2;
            if at(middle).power < power { low = middle + 1 } else { high = middle }
        }
        Some(at(high))
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
            StudyModel { raters: vec![4; 3], sequences: 20, ..base },
        ];
        for model in models {
            let (planned, simulated) = (model.power().power, model.simulated_power(2000, 5).unwrap());
            assert!((planned - simulated).abs() <= 0.03, "{planned} planned, {simulated} of {model:?}");
        }
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
