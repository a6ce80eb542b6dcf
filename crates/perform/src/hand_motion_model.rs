//! The hand motion of an example, and how far a performer's hand motion is from it (eq. 5 and 6).

use nalgebra::DMatrix;

use crate::hand_motion::{DIMS, HandMotion};

/// The hand motion of an example: its frames, their mean and their principal directions.
#[derive(Debug, Clone)]
pub(crate) struct HandMotionModel {
    pub(crate) frames: Vec<HandMotion>,
    mean: HandMotion,
    /// A, one direction after another.
    directions: Vec<[f32; DIMS]>,
    /// The mean speed of the hands.
    pub(crate) mean_speed: f32,
    /// The total variance of the frames.
    pub(crate) variance: f32,
}

/// The fraction of the variance that the used directions explain.
const EXPLAINED: f32 = 0.97;

impl HandMotionModel {
    pub(crate) fn fit(frames: Vec<HandMotion>) -> Self {
        let count = frames.len().max(1) as f32;
        let mean: [f32; DIMS] = std::array::from_fn(|i| frames.iter().map(|w| w.0[i]).sum::<f32>() / count);
        let mean = HandMotion(mean);
        let mut covariance = DMatrix::<f32>::zeros(DIMS, DIMS);
        for motion in &frames {
            let deviation = DMatrix::from_row_slice(1, DIMS, &motion.minus(&mean));
            covariance += deviation.transpose() * deviation / count;
        }
        let total = covariance.trace();
        let eigen = covariance.symmetric_eigen();
        let mut order: Vec<usize> = (0..DIMS).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let mut directions = Vec::new();
        let mut explained = 0.0;
        for index in order {
            if explained >= EXPLAINED * total {
                break;
            }
            explained += eigen.eigenvalues[index];
            directions.push(std::array::from_fn(|i| eigen.eigenvectors[(i, index)]));
        }
        let mean_speed = frames.iter().map(HandMotion::speed).sum::<f32>() / count;
        Self { frames, mean, directions, mean_speed, variance: total.max(1e-4) }
    }

    /// ‖v − A Aᵀ v‖².
    fn residual(&self, v: [f32; DIMS]) -> f32 {
        let mut rest = v;
        for direction in &self.directions {
            let dot: f32 = direction.iter().zip(&v).map(|(a, b)| a * b).sum();
            rest.iter_mut().zip(direction).for_each(|(rest, a)| *rest -= dot * a);
        }
        rest.iter().map(|v| v * v).sum()
    }

    /// e₁ (eq. 5).
    pub(crate) fn pose_error(&self, w: &HandMotion) -> f32 {
        self.residual(w.minus(&self.mean))
    }

    /// e₂ (eq. 6), for a change in 1/60 s.
    pub(crate) fn change_error(&self, before: &HandMotion, w: &HandMotion, secs: f32) -> f32 {
        let scale = 1.0 / (60.0 * secs.max(1e-3));
        self.residual(w.minus(before).map(|v| v * scale))
    }

    /// Fills `found` with the frames nearest to w and their squared distances, nearest first.
    pub(crate) fn nearest_into(&self, w: &HandMotion, found: &mut [(usize, f32)]) {
        found.fill((0, f32::MAX));
        for (frame, motion) in self.frames.iter().enumerate() {
            let distance = motion.minus(w).iter().map(|v| v * v).sum::<f32>();
            let index = found.partition_point(|(_, other)| *other <= distance);
            if index < found.len() {
                found[index..].rotate_right(1);
                found[index] = (frame, distance);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand_motion::circle;

    #[test]
    fn the_frames_of_the_example_have_no_error() {
        let circles = circle(60, 0.4);
        let model = HandMotionModel::fit(circles.clone());
        for two in circles.windows(2) {
            assert!(model.pose_error(&two[1]) < 1e-3);
            assert!(model.change_error(&two[0], &two[1], 1.0 / 60.0) < 1e-3);
        }
        let mut found = [(0, 0.0); 3];
        model.nearest_into(&circles[7], &mut found);
        assert_eq!(found[0], (7, 0.0));
        assert!(found[1].1 <= found[2].1);
    }
}
