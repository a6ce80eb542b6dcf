//! The problem of eq. 12 as a session has it, solved again in other ways: what integration is measured against.

use glam::Quat;

use super::Session;
use crate::integration::{Integrator, Likely, Problem, Solved};

/// How far poses are drawn from what is meant to the mean of what is imitated: as much as if what is meant was seen with a ninth of the
/// example's own spread.
const LIKELY: f32 = 0.1;

impl Session {
    /// ln p of the character's pose under a feature's example, up to a constant; higher is more like it.
    pub fn log_likelihood(&self, feature: usize) -> Option<f32> {
        let example = &self.shown.examples[self.shown.of_feature.get(feature).copied().flatten()?];
        let mut pose = self.pose().clone();
        let yaw_rad = self.body.yaw_rad(self.world_pose()).unwrap_or(0.0);
        pose.rotations[0] = Quat::from_rotation_y(-yaw_rad) * pose.rotations[0];
        Some(example.log_likelihood(&pose))
    }

    /// Solves the last frame's problem of eq. 12 again, in the space of all joints at once and without the example: what integration is
    /// measured against. The pose is then that one.
    pub fn solve_in_joint_space(&mut self) -> Solved {
        let (integrator, problem) = self.split(None);
        integrator.solve_anew(&problem)
    }

    /// The same in the example's directions, one after another: as [`Session::step`] does where it cannot go on from the last frame.
    pub fn solve_by_expansion(&mut self) -> Solved {
        let (integrator, problem) = self.split(self.imitated());
        integrator.solve_anew(&problem)
    }

    /// Solves it again as [`Session::step`] did.
    pub fn solve_again(&mut self) -> Solved {
        let (integrator, problem) = self.split(self.imitated());
        integrator.solve_again(&problem)
    }

    /// The example that is imitated.
    pub(super) fn imitated(&self) -> Option<usize> {
        self.now.imitates.and_then(|feature| self.shown.of_feature[feature])
    }

    /// The problem of eq. 12, in the directions of an example, and what solves it.
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
