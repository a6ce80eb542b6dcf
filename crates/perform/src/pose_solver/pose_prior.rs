//! The prior of a pose: the example that the performer imitates.

use glam::Quat;
use marey_motion::LocalPose;

use super::{PoseProblem, PoseSolver};
use crate::basis::log;

/// An example towards whose mean poses are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PosePrior<'a> {
    /// q̌_avg, without heading.
    pub(crate) mean: &'a LocalPose,
    /// The heading of q̄, in radians.
    pub(crate) yaw_rad: f32,
    /// The position of the most likely pose between q̄ (0) and the mean (1).
    pub(crate) weight: f32,
}

impl PoseSolver {
    /// Sets c, which lies between q̄ and the example's mean.
    pub(super) fn set_preferred(&mut self, problem: &PoseProblem<'_>) {
        self.preferred.fill(0.0);
        let Some(PosePrior { mean, yaw_rad, weight }) = problem.prior.filter(|prior| prior.weight > 0.0)
        else {
            return;
        };
        let heading = Quat::from_rotation_y(yaw_rad);
        let (intended, deviations) = (&problem.intended.rotations, self.deviation.as_chunks_mut::<3>().0);
        for (joint, (deviation, (intended, mean))) in
            deviations.iter_mut().zip(intended.iter().zip(&mean.rotations)).enumerate()
        {
            let mean = if joint == 0 { heading * *mean } else { *mean };
            *deviation = (weight * log(*intended, mean)).to_array();
        }
        problem.basis.coordinates_into(&self.deviation, &mut self.preferred);
    }
}
