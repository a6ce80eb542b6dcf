//! Lower bounds on distances of long vectors.

/// Numbers per block.
const BLOCK: usize = 64;
/// Allows for rounding, so that a bound never exceeds the distance.
const SLACK: f64 = 1.0 - 1e-5;

/// The norm of each block of 64 numbers of some vectors.
///
/// By the triangle inequality in each block, Σ (‖a_b‖ − ‖c_b‖)² ≤ ‖a − c‖². The sum is 64 times shorter than that of the distance, and
/// suffices to rule out most pairs.
#[derive(Debug, Clone)]
pub(super) struct BlockNorms {
    blocks: usize,
    norms: Vec<f32>,
}

impl BlockNorms {
    /// The norms of vectors of one length.
    pub(super) fn of(vectors: &[Vec<f32>]) -> Self {
        let blocks = vectors.first().map_or(0, |vector| vector.len().div_ceil(BLOCK));
        let norm = |block: &[f32]| block.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>().sqrt() as f32;
        Self { blocks, norms: vectors.iter().flat_map(|vector| vector.chunks(BLOCK).map(norm)).collect() }
    }

    /// A lower bound on the squared distance between one of these vectors and one of others.
    pub(super) fn least_squared(&self, vector: usize, others: &Self, other: usize) -> f64 {
        let sum: f32 = self.row(vector).iter().zip(others.row(other)).map(|(a, b)| (a - b) * (a - b)).sum();
        f64::from(sum) * SLACK
    }

    fn row(&self, vector: usize) -> &[f32] {
        self.norms.get(vector * self.blocks..(vector + 1) * self.blocks).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_bound_never_exceeds_the_distance(
            a in proptest::collection::vec(-9f32..9.0, 200), b in proptest::collection::vec(-9f32..9.0, 200), near in 0f32..1.0,
        ) {
            // Also for vectors that are almost equal, where rounding counts most.
            let b: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + near * near * near * (b - a)).collect();
            let squared: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(a - b).powi(2)).sum();
            let (one, other) = (BlockNorms::of(&[a]), BlockNorms::of(&[b]));
            prop_assert!(one.least_squared(0, &other, 0) <= squared + 1e-9);
        }
    }
}
