//! The likelihood of a pose, weighted against the intended pose.

use glam::Quat;
use marey_motion::LocalPose;

use super::{Integrator, Problem};
use crate::basis::log;

/// An example that poses are drawn towards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Likely<'a> {
    /// q̌_avg, without heading.
    pub(crate) mean: &'a LocalPose,
    /// The heading of q̄, in radians.
    pub(crate) yaw_rad: f32,
    /// The position of the most likely pose between q̄ (0) and the mean (1).
    pub(crate) share: f32,
}

impl Integrator {
    /// c: from q̄ towards the example's mean.
    pub(super) fn weigh(&mut self, problem: &Problem<'_>) {
        self.likeliest.fill(0.0);
        let Some(Likely { mean, yaw_rad, share }) = problem.likely.filter(|likely| likely.share > 0.0) else {
            return;
        };
        let heading = Quat::from_rotation_y(yaw_rad);
        let (meant, deviations) = (&problem.meant.rotations, self.deviation.as_chunks_mut::<3>().0);
        for (joint, (away, (meant, mean))) in
            deviations.iter_mut().zip(meant.iter().zip(&mean.rotations)).enumerate()
        {
            let mean = if joint == 0 { heading * *mean } else { *mean };
            *away = (share * log(*meant, mean)).to_array();
        }
        problem.basis.coordinates_into(&self.deviation, &mut self.likeliest);
    }
}
