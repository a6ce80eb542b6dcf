//! A bound on how far any joint may move in a frame, from the performer's own motion and the physics.
//!
//! A change of example, hold or support can ask for a pose far from the last one. The character goes there no faster than
//! [`FACTOR`] times the fastest joint of the performer in the last second, or than the simulated body, whichever is faster; while it imitates,
//! it may be as fast as the example. The centre of mass stays at its simulated place.
//!
//! Limits: a limb that has to leave a solid at once moves faster, by the depth at most.

use glam::{Quat, Vec3};

use super::PerformSession;
use crate::pose_solver::{PoseProblem, PoseSolution, PoseSolver};

/// How much faster than performer and physics a joint may move.
const FACTOR: f32 = 1.4;
/// How much faster than the example's fastest joint a joint may move, relative to the body.
const EXAMPLE: f32 = 1.2;
/// A pose that is deeper than this in a solid is not used, in metres.
const MAX_DEPTH_M: f32 = 0.004;
/// The time constant in which the performer's speed is forgotten, in seconds.
const MEMORY_SECS: f32 = 1.0;
/// A character may always move this fast, in metres per second: the speed at which a hand reaches for its hold.
const MIN_MPS: f32 = 1.6;

/// The last pose, and the recent speed of the performer.
#[derive(Debug, Clone)]
pub(super) struct Continuity {
    rotations: Vec<Quat>,
    positions: Vec<Vec3>,
    performer: Vec<Vec3>,
    centre: Vec3,
    world_from_performer: Quat,
    performer_mps: f32,
    is_first_frame: bool,
}

impl Continuity {
    pub(super) fn new(joints: usize) -> Self {
        Self {
            rotations: vec![Quat::IDENTITY; joints],
            positions: vec![Vec3::ZERO; joints],
            performer: vec![Vec3::ZERO; joints],
            centre: Vec3::ZERO,
            world_from_performer: Quat::IDENTITY,
            performer_mps: 0.0,
            is_first_frame: true,
        }
    }

    /// How far a joint of a pose is from where it was.
    fn moved_m(&self, solver: &PoseSolver) -> f32 {
        let joints = solver.world().positions.iter().zip(&self.positions);
        joints.map(|(now, before)| now.distance(*before)).fold(0.0, f32::max)
    }
}

impl PerformSession {
    /// Keeps every joint of the solved pose within its bound.
    pub(super) fn limit_motion(&mut self, secs: f32) {
        let before = &mut self.continuity;
        let seen = &self.performer.world.positions;
        let moved = seen.iter().zip(&before.performer).map(|(now, before)| now.distance(*before));
        let performer_mps = moved.fold(0.0, f32::max) / secs;
        before.performer.copy_from_slice(seen);
        if before.is_first_frame {
            return;
        }
        before.performer_mps = performer_mps.max(before.performer_mps * (-secs / MEMORY_SECS).exp());
        let turned = before.world_from_performer.angle_between(self.orientation.world_from_performer);
        let physics_mps =
            (self.state.centre.distance(before.centre) + turned * 0.5 * self.body.height_m()) / secs;
        let example_mps = self.imitated().map_or(0.0, |example| {
            physics_mps + EXAMPLE * self.feature_examples.examples[example].fastest_mps
        });
        let before = &self.continuity;
        let limit_mps = FACTOR * before.performer_mps.max(physics_mps).max(MIN_MPS);
        let limit_m = limit_mps.max(example_mps) * secs;
        if before.moved_m(&self.pose_solver) <= limit_m {
            return;
        }
        // Half way to the solved pose, a limb may be in a solid or off its hold, so the pose there is solved again.
        let mut last = std::mem::replace(&mut self.continuity, Continuity::new(0));
        self.approach(&last, limit_m);
        self.intended.pose.rotations.copy_from_slice(&self.pose_solver.pose().rotations);
        self.pose_solver.reset();
        let (pose_solver, problem) = self.pose_problem(None);
        let mut solution = pose_solver.solve(&problem);
        if last.moved_m(&self.pose_solver) > limit_m {
            let PoseSolution { error_m, depth_m, .. } = self.approach(&last, limit_m);
            solution = PoseSolution { error_m, depth_m, ..solution };
            if depth_m > MAX_DEPTH_M {
                // Holds that jump can wait; solids cannot.
                self.intended.pose.rotations.copy_from_slice(&self.pose_solver.pose().rotations);
                self.pose_solver.reset();
                let (pose_solver, problem) = self.pose_problem(None);
                let free = pose_solver.solve(&PoseProblem { targets: &[], ..problem });
                solution = PoseSolution { error_m, ..free };
            }
        }
        std::mem::swap(&mut self.continuity, &mut last);
        self.state.solution = solution;
        self.state.is_settled = false;
    }

    fn approach(&mut self, last: &Continuity, limit_m: f32) -> PoseSolution {
        let (pose_solver, problem) = self.pose_problem(None);
        pose_solver.approach(&problem, (&last.rotations, &last.positions), limit_m)
    }

    /// Remembers the pose of a frame.
    pub(super) fn remember_motion(&mut self) {
        let world = self.pose_solver.world();
        self.continuity.rotations.copy_from_slice(&self.pose_solver.pose().rotations);
        self.continuity.positions.copy_from_slice(&world.positions);
        self.continuity.centre = self.state.centre;
        self.continuity.world_from_performer = self.orientation.world_from_performer;
        self.continuity.is_first_frame = false;
    }
}
