//! Scattered-data interpolation: weights of examples at a point of their parameter space.
//!
//! Rose, Cohen and Bodenheimer, *Verbs and Adverbs* (1998), in the form of Sloan, Rose and Cohen, *Shape by
//! Example* (2001), as Park et al. (*Analysis and Synthesis of Interactive Two-Character Motions*, 2004,
//! section 5.1.2) use it: for each example a function that is 1 at its own parameters and 0 at those of all
//! others, the sum of a best-fitting plane and radial basis functions.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | p | parameters: speed, turn, height, or any others | any |
//! | a | the plane of each example, over (1, p) | 1 |
//! | r, R(d) | coefficients of the radial functions; exp(−(d / width)²) at a distance d | 1 |
//!
//! Changed: their radial functions are cubic B-splines with individual widths; here all are Gaussians of one
//! width, the mean distance to the nearest neighbour, so that the equations can always be solved. Parameters
//! are normalised to a standard deviation of 1, so that units do not matter.
//!
//! Limits: far from all examples only the planes remain, and weights may be negative or above 1. Examples
//! with equal parameters share their weight.

use marey_motion::MotionError;
use nalgebra::{DMatrix, DVector};

use crate::Result;

/// Weights of examples over a parameter space.
#[derive(Debug, Clone)]
pub struct Scatter {
    middle: Vec<f64>,
    scale: Vec<f64>,
    /// The normalised parameters of the examples, one row each.
    at: DMatrix<f64>,
    width: f64,
    /// One column per example: planes and radial functions.
    planes: DMatrix<f64>,
    radials: DMatrix<f64>,
}

impl Scatter {
    /// Fits the parameters of examples: one list each, all of the same length and finite.
    ///
    /// ```
    /// use marey_ops::scatter::Scatter;
    /// // Walks at 1 m/s and 2 m/s. Half-way, half of each; at an example, only that one.
    /// let scatter = Scatter::new(&[vec![1.0], vec![2.0]])?;
    /// let half = scatter.weights(&[1.5])?;
    /// assert!((half[0] - 0.5).abs() < 1e-6 && (half[1] - 0.5).abs() < 1e-6);
    /// let own = scatter.weights(&[2.0])?;
    /// assert!(own[0].abs() < 1e-6 && (own[1] - 1.0).abs() < 1e-6);
    /// # Ok::<(), marey_ops::OpsError>(())
    /// ```
    pub fn new(parameters: &[Vec<f64>]) -> Result<Self> {
        let (count, wanted) = (parameters.len(), parameters.first().map_or(0, Vec::len));
        if count == 0 {
            return Err(MotionError::Empty { what: "a list of examples" }.into());
        }
        for (example, list) in parameters.iter().enumerate() {
            if list.len() != wanted {
                return Err(MotionError::Length { what: "parameters", found: list.len(), wanted }.into());
            }
            check(list, example)?;
        }
        let column = |j: usize| parameters.iter().map(move |list| list[j]);
        let middle: Vec<f64> = (0..wanted).map(|j| column(j).sum::<f64>() / count as f64).collect();
        let scale: Vec<f64> = (0..wanted)
            .map(|j| (column(j).map(|x| (x - middle[j]).powi(2)).sum::<f64>() / count as f64).sqrt())
            .map(|deviation| if deviation > 0.0 { 1.0 / deviation } else { 1.0 })
            .collect();
        let at = DMatrix::from_fn(count, wanted, |i, j| (parameters[i][j] - middle[j]) * scale[j]);
        let width = mean_nearest(&at);

        // The best-fitting planes: (1, p) a = 1 for the own example, 0 for the others.
        let affine = DMatrix::from_fn(count, wanted + 1, |i, j| if j == 0 { 1.0 } else { at[(i, j - 1)] });
        let own = DMatrix::<f64>::identity(count, count);
        let planes = affine
            .clone()
            .svd(true, true)
            .solve(&own, 1e-9)
            .unwrap_or_else(|_| DMatrix::zeros(wanted + 1, count));
        // Radial functions interpolate the residual. The small diagonal term lets equal examples share.
        let rest = own - &affine * &planes;
        let distance = |i: usize, j: usize| (at.row(i) - at.row(j)).norm();
        let r = DMatrix::from_fn(count, count, |i, j| {
            radial(distance(i, j), width) + if i == j { 1e-9 } else { 0.0 }
        });
        let radials = r.lu().solve(&rest).unwrap_or_else(|| DMatrix::zeros(count, count));
        Ok(Self { middle, scale, at, width, planes, radials })
    }

    /// The weight of each example at some parameters; the weights sum to 1.
    pub fn weights(&self, parameters: &[f64]) -> Result<Vec<f64>> {
        let wanted = self.middle.len();
        if parameters.len() != wanted {
            return Err(MotionError::Length { what: "parameters", found: parameters.len(), wanted }.into());
        }
        check(parameters, 0)?;
        let p = DVector::from_fn(wanted, |j, _| (parameters[j] - self.middle[j]) * self.scale[j]);
        let affine = DVector::from_fn(wanted + 1, |j, _| if j == 0 { 1.0 } else { p[j - 1] });
        let near = DVector::from_fn(self.at.nrows(), |i, _| {
            radial((self.at.row(i).transpose() - &p).norm(), self.width)
        });
        let weights = self.planes.transpose() * affine + self.radials.transpose() * near;
        let sum: f64 = weights.sum();
        let share = if sum.abs() > 1e-9 { 1.0 / sum } else { 1.0 };
        Ok(weights.iter().map(|weight| weight * share).collect())
    }
}

fn radial(distance: f64, width: f64) -> f64 {
    (-(distance / width).powi(2)).exp()
}

/// The mean distance of examples to their nearest neighbour; 1 if there is none.
fn mean_nearest(at: &DMatrix<f64>) -> f64 {
    let count = at.nrows();
    let nearest = (0..count).filter_map(|i| {
        let others = (0..count).filter(|&j| j != i).map(|j| (at.row(i) - at.row(j)).norm());
        others.filter(|d| *d > 0.0).min_by(f64::total_cmp)
    });
    let nearest: Vec<f64> = nearest.collect();
    if nearest.is_empty() { 1.0 } else { nearest.iter().sum::<f64>() / nearest.len() as f64 }
}

fn check(parameters: &[f64], example: usize) -> Result<()> {
    match parameters.iter().position(|x| !x.is_finite()) {
        Some(joint) => Err(MotionError::NotFinite { what: "a parameter", frame: example, joint }.into()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn weights_are_one_at_the_example_itself(
            points in prop::collection::vec((-5i32..5, -50i32..50), 2..9),
        ) {
            let mut points = points;
            points.sort();
            points.dedup();
            let lists: Vec<Vec<f64>> = points.iter().map(|(x, y)| vec![f64::from(*x), f64::from(*y)]).collect();
            let scatter = Scatter::new(&lists).unwrap();
            for (i, list) in lists.iter().enumerate() {
                let weights = scatter.weights(list).unwrap();
                for (j, weight) in weights.iter().enumerate() {
                    let wanted = if i == j { 1.0 } else { 0.0 };
                    prop_assert!((weight - wanted).abs() < 1e-3, "{i} {j} {weight}");
                }
            }
            let between = scatter.weights(&[0.3, 7.7]).unwrap();
            prop_assert!((between.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn linear_functions_are_reproduced() {
        // A value of 3 x − y at every example is reproduced everywhere if the examples define a plane.
        let lists: Vec<Vec<f64>> =
            [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)].iter().map(|(x, y)| vec![*x, *y]).collect();
        let scatter = Scatter::new(&lists).unwrap();
        for (x, y) in [(0.5, 0.5), (0.2, 0.1), (2.0, -1.0)] {
            let weights = scatter.weights(&[x, y]).unwrap();
            let value: f64 = weights.iter().zip(&lists).map(|(w, p)| w * (3.0 * p[0] - p[1])).sum();
            assert!((value - (3.0 * x - y)).abs() < 1e-6);
        }
    }

    #[test]
    fn invalid_parameters_are_rejected_and_equal_ones_share() {
        assert!(Scatter::new(&[]).is_err());
        assert!(Scatter::new(&[vec![1.0], vec![1.0, 2.0]]).is_err());
        assert!(Scatter::new(&[vec![f64::NAN]]).is_err());
        let same = Scatter::new(&[vec![1.0], vec![1.0], vec![3.0]]).unwrap();
        let weights = same.weights(&[1.0]).unwrap();
        assert!((weights[0] - weights[1]).abs() < 1e-6 && (weights[0] - 0.5).abs() < 1e-3, "{weights:?}");
        assert!(same.weights(&[1.0, 2.0]).is_err() && same.weights(&[f64::INFINITY]).is_err());
    }
}
