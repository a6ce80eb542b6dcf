//! Section 7 of the paper: the pose that satisfies the performance, the physics and the world.

use glam::Vec3;

use super::PerformSession;
use crate::engage::Effector;
use crate::integration::Target;

/// The depth of a limb end inside a solid from which the pose counts as unsolved, in metres.
const UNSOLVED_M: f32 = 0.01;

/// Smaller shifts of the centre of mass are not reported, in metres.
const GAVE_M: f32 = 0.02;
/// A pose that departs faster from the intended one counts as a jump, in radians per second.
const JUMP_RAD_PER_SEC: f32 = 12.0;
/// The longest reach of a limb from the centre of mass, in body heights.
const NEAR: f32 = 0.9;

impl PerformSession {
    /// Section 7: solves for the pose.
    pub(super) fn integrate(&mut self, secs: f32) {
        let turn = self.spin.turn;
        self.meant.pose.rotations[0] = turn * self.meant.pose.rotations[0];
        self.targets.clear();
        self.now.settled = true;
        for effector in Effector::ALL {
            let slot = effector as usize;
            self.now.contacts[slot] = self.simulation.held(slot);
            let Some(held) = self.now.contacts[slot] else { continue };
            // A foot that is left behind has let go, although that is only detected in the next frame.
            if !effector.is_hand() && held.distance(self.now.centre) > self.reach_m(slot) {
                continue;
            }
            let grip = &self.grips[slot];
            let place = match grip.web_m {
                // A hand holds its web where the web passes.
                Some(_) => {
                    let length_m = self.performed.r[slot].length().min(self.body.reach_m[slot]);
                    self.now.centre + (held - self.now.centre).normalize_or(Vec3::Y) * length_m
                }
                None => grip.place(effector, held, self.now.centre),
            };
            self.now.settled &= grip.secs >= grip.closing_secs();
            self.targets.push(Target { slot, point: self.body.ends[slot], place });
        }
        self.find_solids();
        let (integrator, problem) = self.split(self.imitated());
        self.now.solved = integrator.solve(&problem);
        if self.now.solved.gave != Vec3::ZERO && self.leave_stretched() {
            let (integrator, problem) = self.split(self.imitated());
            self.now.solved = integrator.solve_again(&problem);
        }
        if self.jumps(secs) {
            self.ease();
        }
        self.give_way();
        let found = self.integrator.pose();
        self.last.copy_from_slice(&found.rotations);
        self.last[0] = turn.inverse() * found.rotations[0];
        for (away, (meant, found)) in
            self.away.iter_mut().zip(self.meant.pose.rotations.iter().zip(&found.rotations))
        {
            *away = meant.inverse() * *found;
        }
        if self.now.solved.error_m > UNSOLVED_M {
            self.guard.tell_unsolved(self.now.solved.error_m);
        }
    }

    /// Whether the pose jumped although the intended pose did not: for example because a foot came free of an obstacle.
    fn jumps(&self, secs: f32) -> bool {
        let most_rad = JUMP_RAD_PER_SEC * secs;
        let found = self.meant.pose.rotations.iter().zip(&self.integrator.pose().rotations);
        let aways = self.away.iter().zip(found.map(|(meant, found)| meant.inverse() * *found));
        aways.into_iter().any(|(before, now)| before.angle_between(now) > most_rad)
    }

    /// Blends to the new pose.
    fn ease(&mut self) {
        self.go_on_from_last();
        self.meant.pose.rotations[0] = self.spin.turn * self.meant.pose.rotations[0];
        let (integrator, problem) = self.split(self.imitated());
        self.now.solved = integrator.solve(&problem);
    }

    /// If not all constraints can be met, lets go of a foot whose leg is overstretched, because legs do not pull. Returns whether one let
    /// go.
    fn leave_stretched(&mut self) -> bool {
        let before = self.targets.len();
        let (centre, grips, r) = (self.now.centre, &mut self.grips, &self.meant.r);
        self.targets.retain(|target| {
            let is_foot = target.slot >= 2;
            let stretched = is_foot && target.place.distance(centre) > r[target.slot].length();
            grips[target.slot].lost |= stretched;
            !stretched
        });
        self.targets.len() < before
    }

    /// Collects the solids within reach of the limbs.
    fn find_solids(&mut self) {
        let reach_m = NEAR * self.body.height_m();
        self.solids.clear();
        for (number, feature) in self.world.features.iter().enumerate() {
            if feature.geometry.is_solid() && feature.dynamics.water.is_none() {
                let shape = self.simulation.geometry(number);
                if shape.nearest(self.now.centre).distance_m < reach_m {
                    self.solids.push((number, shape));
                }
            }
        }
    }

    /// If no pose has its centre of mass at the simulated position, continues the simulation from the centre of mass of the pose.
    fn give_way(&mut self) {
        let gave = self.now.solved.gave;
        if gave == Vec3::ZERO {
            return;
        }
        self.now.centre += gave;
        let velocity = self.simulation.velocity();
        let along = gave.normalize_or_zero();
        let kept = velocity - along * velocity.dot(along).min(0.0);
        self.simulation.place(self.simulation.centre() + gave, kept);
        self.now.velocity = kept;
        if gave.length() > GAVE_M {
            self.guard.tell_gave_way(gave.length());
        }
    }
}
