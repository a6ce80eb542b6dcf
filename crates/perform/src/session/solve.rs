//! The problem of eq. 12, solved again in other ways, as a baseline for measurements.

use glam::Quat;

use super::PerformSession;
use crate::integration::{Integrator, Likely, PoseSolution, Problem};

/// Weight that draws poses from the intended pose to the mean of the imitated example: as if the intended pose was measured with a ninth
/// of the example's variance.
const LIKELY: f32 = 0.1;

impl PerformSession {
    /// The log-likelihood of the character's pose under a feature's example, up to a constant.
    pub fn log_likelihood(&self, feature: usize) -> Option<f32> {
        let example = &self.shown.examples[self.shown.of_feature.get(feature).copied().flatten()?];
        let mut pose = self.pose().clone();
        let yaw_rad = self.body.yaw_rad(self.world_pose()).unwrap_or(0.0);
        pose.rotations[0] = Quat::from_rotation_y(-yaw_rad) * pose.rotations[0];
        Some(example.log_likelihood(&pose))
    }

    /// Solves the last frame's problem of eq. 12 again, in the space of all joints and without the example, as a baseline. Replaces the
    /// pose.
    pub fn solve_in_joint_space(&mut self) -> PoseSolution {
        let (integrator, problem) = self.split(None);
        integrator.solve_anew(&problem)
    }

    /// The same in the example's directions, added step by step, as [`PerformSession::step`] does without a previous frame.
    pub fn solve_by_expansion(&mut self) -> PoseSolution {
        let (integrator, problem) = self.split(self.imitated());
        integrator.solve_anew(&problem)
    }

    /// Solves the problem again as [`PerformSession::step`] did.
    pub fn solve_again(&mut self) -> PoseSolution {
        let (integrator, problem) = self.split(self.imitated());
        integrator.solve_again(&problem)
    }

    /// The example that is imitated.
    pub(super) fn imitated(&self) -> Option<usize> {
        self.now.imitates.and_then(|feature| self.shown.of_feature[feature])
    }

    /// The problem of eq. 12 in the directions of an example, and its solver.
    pub(super) fn split(&mut self, example: Option<usize>) -> (&mut Integrator, Problem<'_>) {
        let shown = example.map(|number| &self.shown.examples[number]);
        let share = LIKELY * (1.0 - self.blend.share());
        let problem = Problem {
            body: &self.body,
            basis: shown.map_or(&self.plain, |example| &example.basis),
            likely: shown.map(|example| Likely { mean: &example.mean, yaw_rad: self.now.yaw_rad, share }),
            number: example.unwrap_or(usize::MAX),
            meant: &self.meant.pose,
            centre: self.now.centre,
            targets: &self.targets,
            solids: &self.solids,
        };
        (&mut self.integrator, problem)
    }
}
