//! Simulated raters: the model that the analysis of variance assumes, with known effects.

use marey_plan::Seed;
use rand::{Rng, RngExt};

use crate::{Rating, VarianceComponents};

/// A study of ratings with two methods whose effects are known.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyModel {
    /// Mean rating of the second method minus that of the first; default 0.
    pub difference: f64,
    /// Sequences of each method; default 10, as in the paper.
    pub sequences: usize,
    /// Raters in each class; default five classes of eight.
    pub raters: Vec<usize>,
    /// How ratings vary.
    pub variances: VarianceComponents,
}

impl Default for StudyModel {
    fn default() -> Self {
        Self { difference: 0.0, sequences: 10, raters: vec![8; 5], variances: VarianceComponents::default() }
    }
}

impl Default for VarianceComponents {
    /// In points of a scale of five: those of the paper's table 1, which are of transformed ratings, divided by the square of
    /// the slope of the transformation at 3.
    fn default() -> Self {
        Self { sequence: 0.30, class: 0.0, class_by_sequence: 0.14, rater: 0.16, residual: 1.20 }
    }
}

/// A random number of the standard normal distribution, by the polar method of Marsaglia.
pub(crate) fn normal(rng: &mut impl Rng) -> f64 {
    loop {
        let (x, y) = (rng.random_range(-1.0..1.0_f64), rng.random_range(-1.0..1.0_f64));
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * square.ln() / square).sqrt();
        }
    }
}

impl StudyModel {
    /// The ratings of one study, in points, neither rounded nor limited. The same seed gives the same ratings.
    pub fn ratings(&self, seed: u64) -> Vec<Rating> {
        let mut rng = Seed(seed).rng(0);
        let VarianceComponents { sequence, class, class_by_sequence, rater, residual } = self.variances;
        let [sequence, class, class_by_sequence, rater, residual] =
            [sequence, class, class_by_sequence, rater, residual]
                .map(|variance: f64| variance.max(0.0).sqrt());
        let mut ratings = Vec::new();
        for method in 0..2 {
            let mean = 3.0 + (method as f64 - 0.5) * self.difference;
            let sequences: Vec<f64> = (0..self.sequences).map(|_| sequence * normal(&mut rng)).collect();
            let mut first_rater = 0;
            for (class_index, raters) in self.raters.iter().copied().enumerate() {
                let of_class = class * normal(&mut rng);
                let of_sequences: Vec<f64> = sequences
                    .iter()
                    .map(|of_sequence| of_sequence + class_by_sequence * normal(&mut rng))
                    .collect();
                for own in 0..raters {
                    let of_rater = mean + of_class + rater * normal(&mut rng);
                    for (sequence_index, of_sequence) in of_sequences.iter().enumerate() {
                        ratings.push(Rating {
                            rater: first_rater + own,
                            class: class_index,
                            method,
                            sequence: sequence_index,
                            value: of_rater + of_sequence + residual * normal(&mut rng),
                        });
                    }
                }
                first_rater += raters;
            }
        }
        ratings
    }
}
