//! Locally weighted ridge regression, as weights of the examples.
//!
//! With examples X (centred), targets Y, a diagonal K of weights that sum to 1 and a query x, ridge predicts
//! ȳ + YᵀKX (XᵀKX + λI)⁻¹ (x − x̄). That is a weighted sum of the targets, so one solve serves all of them:
//! w = K (1 + X (XᵀKX + λI)⁻¹ (x − x̄)).

use nalgebra::{Cholesky, DMatrix, DVector};

use super::projection::dot;

/// Examples, prepared for several values of λ.
#[derive(Debug)]
pub(crate) struct LocalRidge {
    /// Examples × features, centred.
    rows: Vec<f32>,
    query: DVector<f64>,
    /// XᵀKX.
    gram: DMatrix<f64>,
    /// The diagonal of K.
    kernel: Vec<f32>,
}

impl LocalRidge {
    /// Prepares the regression of examples, one feature vector and weight each.
    pub(crate) fn new(examples: &[Vec<f32>], kernel: Vec<f32>, query: &[f32]) -> Self {
        let width = query.len();
        let mut mean = vec![0f32; width];
        for (row, weight) in examples.iter().zip(&kernel) {
            mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += weight * value);
        }
        let mut rows = Vec::with_capacity(examples.len() * width);
        for row in examples {
            rows.extend(row.iter().zip(&mean).map(|(value, mean)| value - mean));
        }
        let mut gram = vec![0f32; width * width];
        for (row, weight) in rows.chunks_exact(width.max(1)).zip(&kernel) {
            for (index, (a, line)) in row.iter().zip(gram.chunks_exact_mut(width)).enumerate() {
                let a = weight * a;
                line.iter_mut().zip(row).take(index + 1).for_each(|(sum, b)| *sum += a * b);
            }
        }
        // Only the lower triangle is filled; the factorisation reads no other.
        let gram = DMatrix::from_row_iterator(width, width, gram.into_iter().map(f64::from));
        let centred = query.iter().zip(&mean).map(|(value, mean)| f64::from(value - mean));
        Self { rows, query: DVector::from_iterator(width, centred), gram, kernel }
    }

    /// The weights of the examples for λ, relative to the mean variance of a feature.
    pub(crate) fn weights(&self, lambda: f64) -> Vec<f32> {
        let mut gram = self.gram.clone();
        let width = gram.nrows();
        let penalty = lambda * (gram.trace() / width.max(1) as f64).max(1e-9);
        gram.set_diagonal(&gram.diagonal().add_scalar(penalty));
        let Some(factor) = Cholesky::new(gram) else { return self.kernel.clone() };
        let solution: Vec<f32> = factor.solve(&self.query).iter().map(|value| *value as f32).collect();
        let rows = self.rows.chunks_exact(width.max(1)).zip(&self.kernel);
        rows.map(|(row, weight)| weight * (1.0 + dot(row, &solution))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_target_is_predicted_exactly_without_a_penalty_and_by_its_mean_with_a_large_one() {
        let rows: Vec<Vec<f32>> = (0..20).map(|i| vec![i as f32, ((i * 7) % 5) as f32]).collect();
        let target = |row: &[f32]| 3.0 + 2.0 * row[0] - row[1];
        let kernel = vec![1.0 / 20.0; 20];
        let query = [30.0, 9.0];
        let ridge = LocalRidge::new(&rows, kernel, &query);
        let predict = |lambda: f64| -> f32 {
            ridge.weights(lambda).iter().zip(&rows).map(|(weight, row)| weight * target(row)).sum()
        };
        assert!((predict(0.0) - target(&query)).abs() < 0.02, "{}", predict(0.0));
        let mean = rows.iter().map(|row| target(row)).sum::<f32>() / 20.0;
        assert!((predict(1e9) - mean).abs() < 0.02);
    }

    #[test]
    fn weights_of_one_example_are_one() {
        let ridge = LocalRidge::new(&[vec![1.0, 2.0]], vec![1.0], &[5.0, 5.0]);
        assert!((ridge.weights(0.4)[0] - 1.0).abs() < 1e-5);
    }
}
