//! The problem of eq. 12 of a session, and other ways to solve it, as baselines for measurements.

use glam::Quat;

use super::PerformSession;
use crate::pose_solver::{PosePrior, PoseProblem, PoseSolution, PoseSolver};

/// How far poses are drawn from the intended pose to the mean of the imitated example: as if the intended pose were a measurement with a
/// ninth of the example's variance.
const PRIOR_WEIGHT: f32 = 0.1;

impl PerformSession {
    /// The log-likelihood of the character's pose under a feature's example, up to a constant.
    pub fn log_likelihood(&self, feature: usize) -> Option<f32> {
        let example = &self.feature_examples.examples
            [self.feature_examples.of_feature.get(feature).copied().flatten()?];
        let mut pose = self.pose().clone();
        let yaw_rad = self.body.yaw_rad(self.world_pose()).unwrap_or(0.0);
        pose.rotations[0] = Quat::from_rotation_y(-yaw_rad) * pose.rotations[0];
        Some(example.log_likelihood(&pose))
    }

    /// Solves the problem of the last frame again in the space of all joints, without the example. Replaces the pose.
    pub fn solve_in_joint_space(&mut self) -> PoseSolution {
        let (pose_solver, problem) = self.pose_problem(None);
        pose_solver.solve_from_intended(&problem)
    }

    /// Solves the problem of the last frame again in the directions of the example, starting from the intended pose. Replaces the pose.
    pub fn solve_by_expansion(&mut self) -> PoseSolution {
        let (pose_solver, problem) = self.pose_problem(self.imitated());
        pose_solver.solve_from_intended(&problem)
    }

    /// Solves the problem of the last frame again as [`PerformSession::step`] did.
    pub fn solve_again(&mut self) -> PoseSolution {
        let (pose_solver, problem) = self.pose_problem(self.imitated());
        pose_solver.solve_again(&problem)
    }

    /// The index of the example that the performer imitates.
    pub(super) fn imitated(&self) -> Option<usize> {
        self.state.imitated_feature.and_then(|feature| self.feature_examples.of_feature[feature])
    }

    /// The problem of eq. 12 in the directions of an example, and its solver.
    pub(super) fn pose_problem(&mut self, example: Option<usize>) -> (&mut PoseSolver, PoseProblem<'_>) {
        let prior = example.map(|index| &self.feature_examples.examples[index]);
        let weight = PRIOR_WEIGHT * (1.0 - self.blend.weight());
        let problem = PoseProblem {
            body: &self.body,
            basis: prior.map_or(&self.default_basis, |example| &example.basis),
            prior: prior.map(|example| PosePrior {
                mean: &example.mean,
                yaw_rad: self.state.yaw_rad,
                weight,
            }),
            basis_id: example.unwrap_or(usize::MAX),
            intended: &self.intended.pose,
            centre: self.state.centre,
            targets: &self.targets,
            solids: &self.solids,
        };
        (&mut self.pose_solver, problem)
    }
}
