//! Section 7 of the paper: the pose that satisfies performance, physics and world.

use glam::Vec3;

use super::PerformSession;
use crate::engage::Effector;
use crate::pose_solver::LimbTarget;

/// The distance of a hand or foot from its hold beyond which the pose is reported as unsolved, in metres.
const UNSOLVED_M: f32 = 0.01;
/// Smaller shifts of the centre of mass are not reported, in metres.
const REPORTED_SHIFT_M: f32 = 0.02;
/// A solved pose that departs faster than this from the intended one counts as a jump, in radians per second.
const JUMP_RAD_PER_SEC: f32 = 12.0;
/// Solids within this distance of the centre of mass are in reach of the limbs, in body heights.
const REACH: f32 = 0.9;

impl PerformSession {
    /// Solves for the pose of a frame.
    pub(super) fn solve_pose(&mut self, secs: f32) {
        let world_from_performer = self.orientation.world_from_performer;
        self.intended.pose.rotations[0] = world_from_performer * self.intended.pose.rotations[0];
        self.targets.clear();
        self.state.is_settled = true;
        for effector in Effector::ALL {
            let limb = effector as usize;
            self.state.contacts[limb] = self.simulation.hold_position(limb);
            let Some(held) = self.state.contacts[limb] else { continue };
            // A foot that is out of reach lets go. The hold itself is removed in the next frame.
            if !effector.is_hand() && held.distance(self.state.centre) > self.reach_m(limb) {
                continue;
            }
            let grip = &self.grips[limb];
            let position = match grip.web_m {
                // A hand holds its web on the line to the anchor.
                Some(_) => {
                    let length_m = self.performer.r[limb].length().min(self.body.reach_m[limb]);
                    self.state.centre + (held - self.state.centre).normalize_or(Vec3::Y) * length_m
                }
                None => grip.position(effector, held, self.state.centre),
            };
            self.state.is_settled &= grip.secs >= grip.reach_secs();
            self.targets.push(LimbTarget { limb, point: self.body.ends[limb], position });
        }
        self.find_solids();
        let (pose_solver, problem) = self.pose_problem(self.imitated());
        self.state.solution = pose_solver.solve(&problem);
        if self.state.solution.centre_shift != Vec3::ZERO && self.release_stretched() {
            let (pose_solver, problem) = self.pose_problem(self.imitated());
            self.state.solution = pose_solver.solve_again(&problem);
        }
        if self.has_jumped(secs) {
            self.blend_jump();
        }
        self.limit_motion(secs);
        self.apply_centre_shift();
        self.remember_motion();
        let solved = self.pose_solver.pose();
        self.last_rotations.copy_from_slice(&solved.rotations);
        self.last_rotations[0] = world_from_performer.inverse() * solved.rotations[0];
        for (correction, (intended, solved)) in
            self.corrections.iter_mut().zip(self.intended.pose.rotations.iter().zip(&solved.rotations))
        {
            *correction = intended.inverse() * *solved;
        }
        if self.state.solution.error_m > UNSOLVED_M {
            self.filter.report_unsolved(self.state.solution.error_m);
        }
    }

    /// Whether the solved pose jumped although the intended pose did not, for example because a foot came free of an obstacle.
    fn has_jumped(&self, secs: f32) -> bool {
        let limit_rad = JUMP_RAD_PER_SEC * secs;
        let solved = self.intended.pose.rotations.iter().zip(&self.pose_solver.pose().rotations);
        let corrections = solved.map(|(intended, solved)| intended.inverse() * *solved);
        self.corrections.iter().zip(corrections).any(|(before, now)| before.angle_between(now) > limit_rad)
    }

    /// Blends from the last pose to a pose that jumped.
    fn blend_jump(&mut self) {
        self.blend_from_last();
        self.intended.pose.rotations[0] =
            self.orientation.world_from_performer * self.intended.pose.rotations[0];
        let (pose_solver, problem) = self.pose_problem(self.imitated());
        self.state.solution = pose_solver.solve(&problem);
    }

    /// Releases feet whose legs are overstretched, because legs do not pull. Returns whether one was released.
    fn release_stretched(&mut self) -> bool {
        let before = self.targets.len();
        let (centre, grips, r) = (self.state.centre, &mut self.grips, &self.intended.r);
        self.targets.retain(|target| {
            let is_foot = target.limb >= 2;
            let is_stretched = is_foot && target.position.distance(centre) > r[target.limb].length();
            grips[target.limb].is_out_of_reach |= is_stretched;
            !is_stretched
        });
        self.targets.len() < before
    }

    /// Collects the solids within reach of the limbs.
    fn find_solids(&mut self) {
        let reach_m = REACH * self.body.height_m();
        self.solids.clear();
        for (index, feature) in self.world.features.iter().enumerate() {
            if feature.geometry.is_solid() && feature.dynamics.water.is_none() {
                let shape = self.simulation.geometry(index);
                if shape.nearest(self.state.centre).distance_m < reach_m {
                    self.solids.push((index, shape));
                }
            }
        }
    }

    /// If the pose needed a shift of the centre of mass, continues the simulation from the shifted position.
    fn apply_centre_shift(&mut self) {
        let shift = self.state.solution.centre_shift;
        if shift == Vec3::ZERO {
            return;
        }
        self.state.centre += shift;
        let velocity = self.simulation.velocity();
        let direction = shift.normalize_or_zero();
        let kept = velocity - direction * velocity.dot(direction).min(0.0);
        self.simulation.set_state(self.simulation.centre() + shift, kept);
        self.state.velocity = kept;
        if shift.length() > REPORTED_SHIFT_M {
            self.filter.report_centre_shift(shift.length());
        }
    }
}
