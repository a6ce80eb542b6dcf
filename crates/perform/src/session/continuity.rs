//! A bound on how far any joint may move in a frame, from the performer's own motion and the physics.
//!
//! A change of example, hold or support can ask for a pose far from the last one. The character goes there no faster than
//! [`FACTOR`] times the fastest joint of the performer in the last second, or than the simulated body, whichever is faster. The centre of
//! mass stays at its simulated place.

use glam::{Quat, Vec3};

use super::PerformSession;
use crate::pose_solver::PoseSolution;

/// How much faster than performer and physics a joint may move.
const FACTOR: f32 = 1.4;
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

    /// The last pose.
    pub(super) fn last(&self) -> (&[Quat], &[Vec3]) {
        (&self.rotations, &self.positions)
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
        before.performer_mps =
            performer_mps.max(before.performer_mps * (-secs / MEMORY_SECS).exp());
        let turned = before.world_from_performer.angle_between(self.orientation.world_from_performer);
        let physics_mps =
            (self.state.centre.distance(before.centre) + turned * 0.5 * self.body.height_m()) / secs;
        let limit_m = FACTOR * before.performer_mps.max(physics_mps).max(MIN_MPS) * secs;
        let solved = self.pose_solver.world();
        let moved = solved.positions.iter().zip(&before.positions).map(|(now, before)| now.distance(*before));
        if moved.fold(0.0, f32::max) <= limit_m {
            return;
        }
        let last = std::mem::replace(&mut self.continuity, Continuity::new(0));
        let (pose_solver, problem) = self.pose_problem(self.imitated());
        let solution = pose_solver.approach(&problem, last.last(), limit_m);
        self.continuity = last;
        let PoseSolution { error_m, depth_m, .. } = solution;
        self.state.solution = PoseSolution { error_m, depth_m, ..self.state.solution };
        self.state.is_settled = false;
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
