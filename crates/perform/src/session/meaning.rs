//! Section 6 of the paper: the performer's intention, and the intended pose.

use glam::{Quat, Vec3};
use marey_motion::smoothstep;

use super::PerformSession;
use crate::engage::{Effector, EngageBy};
use crate::performed::follow;
use crate::water;

/// The time for which the last held feature still counts after letting go, in seconds.
const STEP_SECS: f32 = 0.15;
/// The duration of the transition of the feet when a walk begins or ends, in seconds.
const STRIDE_SECS: f32 = 0.9;
/// The same for their height.
const LIFT_SECS: f32 = 0.15;

impl PerformSession {
    /// Updates the performer's state, scaled to the character.
    pub(super) fn perform(&mut self, secs: f32) {
        self.scaled.rotations.copy_from_slice(&self.guard.pose.rotations);
        for (scaled, place) in self.scaled.positions.iter_mut().zip(&self.guard.pose.positions) {
            *scaled = *place * self.scale;
        }
        self.performed.update(&self.body, &self.scaled, self.floor_m, secs);
    }

    pub(super) fn find_water(&mut self) {
        let centre = self.simulation.centre();
        let in_it = |(number, feature): (usize, &crate::Feature)| {
            let is_water = feature.engage.by == EngageBy::Body && feature.dynamics.water.is_some();
            // A character leaves the water when no part of the body is in it.
            let wet = self.now.water == Some(number) && feature.geometry.is_over(centre);
            let wet = wet && water::immersed(feature.geometry.above_m(centre)) > 0.0;
            (is_water && (wet || feature.geometry.nearest(centre).distance_m < 0.0)).then_some(number)
        };
        self.now.water = self.world.features.iter().enumerate().find_map(in_it);
    }

    /// Section 6.1: updates which example the performer imitates; returns whether that changed.
    pub(super) fn intend(&mut self, secs: f32) -> bool {
        let standing = self.performed.stands.contains(&true);
        for (intention, example) in self.intentions.iter_mut().zip(&self.shown.examples) {
            let (before, now) = (&self.performed.movement_before, &self.performed.movement);
            if standing {
                intention.look(&example.likeness, before, now, secs);
            } else {
                intention.forget();
            }
        }
        for number in 0..self.intentions.len() {
            let others = self.intentions.iter().enumerate().filter(|(other, _)| standing && *other != number);
            let rival = others.map(|(_, other)| other.distance()).fold(f32::MAX, f32::min);
            self.intentions[number].judge(rival, secs, &self.settings.intention);
        }
        // Held features take precedence over water, and water over the ground.
        let held = self.now.holds;
        let candidates = [held[0], held[1], self.now.water, held[2], held[3]];
        let is_imitated = |feature: &usize| {
            self.shown.of_feature[*feature].is_some_and(|example| self.intentions[example].imitates)
        };
        // The imitation continues between two steps, or from one hold to the next.
        let still = self.now.imitates.filter(|_| self.now.flies && self.aloft_secs < STEP_SECS);
        let imitates = candidates.into_iter().flatten().chain(still).find(is_imitated);
        let example = |feature: Option<usize>| feature.and_then(|feature| self.shown.of_feature[feature]);
        let changed = example(imitates) != example(self.now.imitates);
        if changed {
            // A standing foot moves the body, so a walk begins and ends over the duration of a stride.
            let walks = |feature| example(feature).is_some_and(|example| self.shown.examples[example].stands);
            let strides = walks(imitates) || walks(self.now.imitates);
            self.meant.over_secs =
                if strides { STRIDE_SECS } else { self.settings.composition.blend_secs.max(1e-3) };
        }
        self.now.imitates = imitates;
        changed
    }

    /// Section 6.2: composes the intended pose, in the performer's frame.
    pub(super) fn compose(&mut self, changed: bool, secs: f32) {
        self.meant.pose.rotations.copy_from_slice(&self.performed.pose.rotations);
        self.meant.pose.positions.copy_from_slice(&self.performed.pose.positions);
        match self.imitated() {
            Some(number) => self.mix(number),
            None => self.composer.forget(),
        }
        self.meant.sharp.copy_from_slice(&self.meant.pose.rotations);
        self.meant.world.set(self.meant.pose.view());
        if changed {
            self.blend.begin(&self.last, &self.meant.sharp);
            self.integrator.rest();
        }
        let blend_secs = self.settings.composition.blend_secs;
        self.blend.apply(&mut self.meant.pose, secs, blend_secs);
        self.meant.left =
            if changed { 1.0 } else { (self.meant.left - secs / self.meant.over_secs).max(0.0) };
        // Feet are lifted immediately, so that the correct one stands.
        let gone_secs = (1.0 - self.meant.left) * self.meant.over_secs;
        let lifted = smoothstep(1.0 - gone_secs / LIFT_SECS);
        let left = Vec3::new(smoothstep(self.meant.left), lifted, smoothstep(self.meant.left));
        let centre = self.body.centre(&self.meant.world.positions);
        let share = 1.0 - (-secs / 0.02f32).exp();
        for effector in Effector::ALL {
            let slot = effector as usize;
            // Hands follow the performer; feet follow the intended pose, which begins and ends gradually.
            let new = self.body.end(&self.meant.world, effector) - centre;
            if changed {
                self.meant.off[slot] = if self.meant.fresh { Vec3::ZERO } else { self.meant.r[slot] - new };
            }
            let new = new + self.meant.off[slot] * left;
            let (r, rate) = (&mut self.meant.r[slot], &mut self.meant.rate[slot]);
            follow(r, rate, new, secs, share, self.meant.fresh);
            if effector.is_hand() {
                (*r, *rate) = (self.performed.r[slot], self.performed.rate[slot]);
            }
        }
        self.meant.fresh = false;
    }

    /// Starts a blend from the last pose to the intended one.
    pub(super) fn go_on_from_last(&mut self) {
        self.meant.pose.rotations.copy_from_slice(&self.meant.sharp);
        self.blend.begin(&self.last, &self.meant.sharp);
        self.integrator.rest();
        self.blend.apply(&mut self.meant.pose, 0.0, self.settings.composition.blend_secs);
    }

    /// The integration rule: parts that are constrained on the performer and free on the character come from the example.
    pub(super) fn mix(&mut self, number: usize) {
        let example = &self.shown.examples[number];
        let (composer, movement) = (&mut self.composer, &self.performed.movement);
        let composed = composer.compose(&self.body, example, number, movement, &self.settings.composition);
        let mut from_example = 0;
        for effector in [Effector::LeftFoot, Effector::RightFoot] {
            let slot = effector as usize;
            let bound = self.performed.stands[slot - 2];
            // A performer cannot walk through the room: their feet count as constrained, the character's as free.
            let free = self.simulation.holds[slot].is_none() || example.stands;
            if !(bound && free) {
                continue;
            }
            from_example += 1;
            for &joint in &self.body.branches[slot] {
                self.meant.pose.rotations[joint] = composed.rotations[joint];
            }
        }
        if from_example == 2 {
            // The trunk stands on the legs, so it has the same source.
            let heading = Quat::from_rotation_y(self.performed.yaw_rad);
            if example.lies {
                self.meant.pose.rotations.copy_from_slice(&composed.rotations);
            }
            self.meant.pose.rotations[0] = heading * composed.rotations[0];
        }
    }
}
