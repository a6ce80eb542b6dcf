//! Principal components.

use marey_motion::Observer;
use nalgebra::{DMatrix, SymmetricEigen};

use crate::Result;
use crate::error::check_cancelled;

/// Number of feature vectors between two looks at the observer.
const LOOK: usize = 256;

/// The mean of feature vectors and their directions of largest variance.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Projection {
    mean: Vec<f32>,
    /// Components × features.
    rows: Vec<f32>,
}

impl Projection {
    /// Computes up to `components` components of `rows`, which have one length.
    pub(crate) fn learn(rows: &[Vec<f32>], components: usize, observer: Observer<'_>) -> Result<Self> {
        let width = rows.first().map_or(0, Vec::len);
        let count = rows.len().max(1) as f64;
        let mut mean = vec![0f64; width];
        for row in rows {
            mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += f64::from(*value) / count);
        }
        let mut covariance = vec![0f32; width * width];
        for (number, row) in rows.iter().enumerate() {
            if number.is_multiple_of(LOOK) {
                check_cancelled(observer)?;
            }
            let centred: Vec<f32> = row.iter().zip(&mean).map(|(value, mean)| value - *mean as f32).collect();
            for (a, line) in centred.iter().zip(covariance.chunks_exact_mut(width.max(1))) {
                line.iter_mut().zip(&centred).for_each(|(sum, b)| *sum += a * b);
            }
        }
        let covariance =
            DMatrix::from_iterator(width, width, covariance.iter().map(|sum| f64::from(*sum) / count));
        check_cancelled(observer)?;
        let eigen = SymmetricEigen::new(covariance);
        check_cancelled(observer)?;
        let mut order: Vec<(usize, f64)> = eigen.eigenvalues.iter().copied().enumerate().collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1));
        let rows = order
            .into_iter()
            .take(components)
            .flat_map(|(component, _)| {
                eigen.eigenvectors.column(component).iter().map(|value| *value as f32).collect::<Vec<_>>()
            })
            .collect();
        Ok(Self { mean: mean.into_iter().map(|value| value as f32).collect(), rows })
    }

    /// Number of components.
    pub(crate) fn components(&self) -> usize {
        self.rows.len() / self.mean.len().max(1)
    }

    /// The components of a feature vector.
    pub(crate) fn apply(&self, features: &[f32]) -> Vec<f32> {
        let centred: Vec<f32> = features.iter().zip(&self.mean).map(|(value, mean)| value - mean).collect();
        self.rows.chunks_exact(self.mean.len().max(1)).map(|row| dot(row, &centred)).collect()
    }
}

/// A dot product in eight partial sums, which compilers vectorise.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0f32; 8];
    let ((chunks_a, rest_a), (chunks_b, rest_b)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum::<f32>() + rest
}

/// The squared distance of two vectors.
pub(crate) fn distance_squared(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0f32; 8];
    let ((chunks_a, rest_a), (chunks_b, rest_b)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let rest: f32 = rest_a.iter().zip(rest_b).map(|(a, b)| (a - b) * (a - b)).sum();
    for (a, b) in chunks_a.iter().zip(chunks_b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            let difference = a - b;
            *sum += difference * difference;
        }
    }
    sums.iter().sum::<f32>() + rest
}
