//! The movement of an example's hands, and the distance of a performer's movement from it (eq. 5 and 6).

use nalgebra::DMatrix;

use crate::movement::{DIMS, Movement};

/// The movement of an example's hands.
#[derive(Debug, Clone)]
pub(crate) struct Likeness {
    pub(crate) movements: Vec<Movement>,
    mean: Movement,
    /// A, one direction after another.
    directions: Vec<[f32; DIMS]>,
    /// The mean speed of the hands.
    pub(crate) speed: f32,
    /// The total variance of its movements.
    pub(crate) spread: f32,
}

/// The share of the variance that the used directions explain.
const EXPLAINED: f32 = 0.97;

impl Likeness {
    pub(crate) fn learn(movements: Vec<Movement>) -> Self {
        let frames = movements.len().max(1) as f32;
        let mean: [f32; DIMS] =
            std::array::from_fn(|i| movements.iter().map(|w| w.0[i]).sum::<f32>() / frames);
        let mean = Movement(mean);
        let mut covariance = DMatrix::<f32>::zeros(DIMS, DIMS);
        for movement in &movements {
            let away = DMatrix::from_row_slice(1, DIMS, &movement.minus(&mean));
            covariance += away.transpose() * away / frames;
        }
        let whole = covariance.trace();
        let eigen = covariance.symmetric_eigen();
        let mut order: Vec<usize> = (0..DIMS).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let mut directions = Vec::new();
        let mut explained = 0.0;
        for number in order {
            if explained >= EXPLAINED * whole {
                break;
            }
            explained += eigen.eigenvalues[number];
            directions.push(std::array::from_fn(|i| eigen.eigenvectors[(i, number)]));
        }
        let speed = movements.iter().map(Movement::speed).sum::<f32>() / frames;
        Self { movements, mean, directions, speed, spread: whole.max(1e-4) }
    }

    /// ‖v − A Aᵀ v‖².
    fn outside(&self, v: [f32; DIMS]) -> f32 {
        let mut left = v;
        for direction in &self.directions {
            let dot: f32 = direction.iter().zip(&v).map(|(a, b)| a * b).sum();
            left.iter_mut().zip(direction).for_each(|(left, a)| *left -= dot * a);
        }
        left.iter().map(|v| v * v).sum()
    }

    /// Eq. 5.
    pub(crate) fn pose_error(&self, w: &Movement) -> f32 {
        self.outside(w.minus(&self.mean))
    }

    /// Eq. 6, as if the change had taken 1/60 s.
    pub(crate) fn change_error(&self, before: &Movement, w: &Movement, secs: f32) -> f32 {
        let share = 1.0 / (60.0 * secs.max(1e-3));
        self.outside(w.minus(before).map(|v| v * share))
    }

    /// Fills `found` with the frames nearest to a movement, nearest first, with their squared distances.
    pub(crate) fn nearest_into(&self, w: &Movement, found: &mut [(usize, f32)]) {
        found.fill((0, f32::MAX));
        for (frame, movement) in self.movements.iter().enumerate() {
            let distance = movement.minus(w).iter().map(|v| v * v).sum::<f32>();
            let place = found.partition_point(|(_, other)| *other <= distance);
            if place < found.len() {
                found[place..].rotate_right(1);
                found[place] = (frame, distance);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movement::circle;

    #[test]
    fn what_belongs_to_the_example_has_no_error() {
        let circles = circle(60, 0.4);
        let like = Likeness::learn(circles.clone());
        for two in circles.windows(2) {
            assert!(like.pose_error(&two[1]) < 1e-3);
            assert!(like.change_error(&two[0], &two[1], 1.0 / 60.0) < 1e-3);
        }
        let mut found = [(0, 0.0); 3];
        like.nearest_into(&circles[7], &mut found);
        assert_eq!(found[0], (7, 0.0));
        assert!(found[1].1 <= found[2].1);
    }
}
