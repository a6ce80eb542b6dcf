//! Small dense linear algebra without allocations.

/// The number of parallel sums.
const LANES: usize = 8;

/// The dot product, in eight parallel sums.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a_lanes, a_rest) = a.as_chunks::<LANES>();
    let (b_lanes, b_rest) = b.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Solves a positive definite system, given by its lower half, by Cholesky decomposition. Returns false if the matrix is not positive
/// definite.
pub(crate) fn solve_in_place(square: &mut [f32], rhs: &mut [f32], n: usize) -> bool {
    for i in 0..n {
        for j in 0..=i {
            let value = square[i * n + j] - dot(&square[i * n..i * n + j], &square[j * n..j * n + j]);
            if i == j {
                if value.is_nan() || value <= 0.0 {
                    return false;
                }
                square[i * n + i] = value.sqrt();
            } else {
                square[i * n + j] = value / square[j * n + j];
            }
        }
    }
    for i in 0..n {
        rhs[i] = (rhs[i] - dot(&square[i * n..i * n + i], &rhs[..i])) / square[i * n + i];
    }
    for i in (0..n).rev() {
        let after: f32 = (i + 1..n).map(|k| square[k * n + i] * rhs[k]).sum();
        rhs[i] = (rhs[i] - after) / square[i * n + i];
    }
    true
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn solutions_are_those_of_a_general_solver(
            n in 1usize..12, numbers in prop::collection::vec(-1f32..1.0, 144), rhs in prop::collection::vec(-1f32..1.0, 12),
        ) {
            let random = DMatrix::from_fn(n, n, |i, j| numbers[12 * i + j]);
            let square = &random * random.transpose() + DMatrix::identity(n, n) * 0.5;
            let expected = square.clone().lu().solve(&DVector::from_column_slice(&rhs[..n])).unwrap();
            // The matrix is symmetric, so its rows are its columns.
            let (mut square, mut found) = (square.as_slice().to_vec(), rhs[..n].to_vec());
            prop_assert!(solve_in_place(&mut square, &mut found, n));
            for (a, b) in found.iter().zip(expected.iter()) {
                prop_assert!((a - b).abs() < 1e-3 * (1.0 + b.abs()), "{a} {b}");
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_definite_is_rejected() {
        assert!(!solve_in_place(&mut [1.0, 0.0, 2.0, 1.0], &mut [1.0, 1.0], 2));
        assert!((dot(&[1.0; 19], &[2.0; 19]) - 38.0).abs() < 1e-6);
    }
}
