//! Section 7 of the paper: the pose that meets the performance, the physics and the world.

use glam::Vec3;

use super::Session;
use crate::engage::Effector;
use crate::integration::Target;

/// Ends of limbs go into solids this deep before anything is wrong with the world, in metres.
const UNSOLVED_M: f32 = 0.01;

impl Session {
    /// Section 7: the pose that meets all of it.
    pub(super) fn integrate(&mut self) {
        let turn = self.spin.turn;
        self.meant.pose.rotations[0] = turn * self.meant.pose.rotations[0];
        self.targets.clear();
        self.now.settled = true;
        for effector in Effector::ALL {
            let slot = effector as usize;
            self.now.contacts[slot] = self.simulation.held(slot);
            let Some(held) = self.now.contacts[slot] else { continue };
            // A foot that is left behind has left, though that is only seen when the next frame comes.
            if !effector.is_hand() && held.distance(self.now.centre) > self.reach_m(slot) {
                continue;
            }
            let grip = &self.grips[slot];
            let place = match grip.web_m {
                // A hand holds its web where the web comes by.
                Some(_) => {
                    let length_m = self.performed.r[slot].length().min(self.body.reach_m[slot]);
                    self.now.centre + (held - self.now.centre).normalize_or(Vec3::Y) * length_m
                }
                None => held + grip.closing(effector),
            };
            self.now.settled &= grip.secs >= grip.closing_secs();
            self.targets.push(Target { point: self.body.ends[slot], place });
        }
        self.solids.clear();
        for (number, feature) in self.world.features.iter().enumerate() {
            if feature.geometry.is_solid() && feature.dynamics.water.is_none() {
                self.solids.push(self.simulation.geometry(number));
            }
        }
        self.now.solved = self.solve_again();
        let found = self.integrator.pose();
        self.last.copy_from_slice(&found.rotations);
        self.last[0] = turn.inverse() * found.rotations[0];
        if self.now.solved.error_m > UNSOLVED_M {
            self.guard.tell_unsolved(self.now.solved.error_m);
        }
    }
}
