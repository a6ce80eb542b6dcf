//! Section 6 of the paper: the performer's intention, and the intended pose.

use glam::{Quat, Vec3};
use marey_motion::smoothstep;

use super::PerformSession;
use crate::engage::{Effector, EngageBy};
use crate::performer_state::track;
use crate::water;

/// How long an imitation continues in flight, between two steps or holds, in seconds.
const STEP_SECS: f32 = 0.15;
/// The duration of the transition of the feet when a walk begins or ends, in seconds.
const STRIDE_SECS: f32 = 0.9;
/// The duration of the transition of the height of the feet, in seconds.
const LIFT_SECS: f32 = 0.15;
/// The time constant of the rates of hands and feet, in seconds.
const RATE_SECS: f32 = 0.02;

impl PerformSession {
    /// Updates the performer's state, scaled to the character.
    pub(super) fn update_performer(&mut self, secs: f32) {
        self.scaled.rotations.copy_from_slice(&self.filter.pose.rotations);
        for (scaled, position) in self.scaled.positions.iter_mut().zip(&self.filter.pose.positions) {
            *scaled = *position * self.scale;
        }
        self.performer.update(&self.body, &self.scaled, self.floor.floor_m(), secs);
        let feet_m = [Effector::LeftFoot, Effector::RightFoot]
            .map(|foot| self.body.end(&self.performer.world, foot).y);
        let head_m = self.performer.world.positions[self.body.head].y;
        self.floor.add(feet_m, head_m, secs, self.filter.frame(), &mut self.filter.report);
    }

    /// Updates the water that the character is in.
    pub(super) fn update_water(&mut self) {
        let centre = self.simulation.centre();
        let contains_centre = |(index, feature): (usize, &crate::Feature)| {
            let is_water = feature.engage.by == EngageBy::Body && feature.dynamics.water.is_some();
            // A character leaves the water when no part of the body is in it.
            let was_in = self.state.water == Some(index) && feature.geometry.is_over(centre);
            let is_still_in = was_in && water::immersed(feature.geometry.height_above_m(centre)) > 0.0;
            (is_water && (is_still_in || feature.geometry.nearest(centre).distance_m < 0.0)).then_some(index)
        };
        self.state.water = self.world.features.iter().enumerate().find_map(contains_centre);
    }

    /// Section 6.1: updates which example the performer imitates; returns whether that changed.
    pub(super) fn update_intention(&mut self, secs: f32) -> bool {
        let is_standing = self.performer.is_standing.contains(&true);
        for (intention, example) in self.intentions.iter_mut().zip(&self.feature_examples.examples) {
            let (before, now) = (&self.performer.previous_hand_motion, &self.performer.hand_motion);
            if is_standing {
                intention.measure(&example.hand_motion, before, now, secs);
            } else {
                intention.reset();
            }
        }
        for index in 0..self.intentions.len() {
            let others =
                self.intentions.iter().enumerate().filter(|(other, _)| is_standing && *other != index);
            let other_distance = others.map(|(_, other)| other.unscaled_distance()).fold(f32::MAX, f32::min);
            self.intentions[index].decide(other_distance, secs, &self.settings.intention);
        }
        // Held features take precedence over water, and water over the ground.
        let held = self.state.holds;
        let candidates = [held[0], held[1], self.state.water, held[2], held[3]];
        let is_imitated = |feature: &usize| {
            self.feature_examples.of_feature[*feature]
                .is_some_and(|example| self.intentions[example].is_imitating)
        };
        // The imitation continues between two steps, or from one hold to the next.
        let ongoing =
            self.state.imitated_feature.filter(|_| self.state.is_flying && self.flight_secs < STEP_SECS);
        let imitated = candidates.into_iter().flatten().chain(ongoing).find(is_imitated);
        let example =
            |feature: Option<usize>| feature.and_then(|feature| self.feature_examples.of_feature[feature]);
        let has_changed = example(imitated) != example(self.state.imitated_feature);
        if has_changed {
            // A standing foot moves the body, so a walk begins and ends over the duration of a stride.
            let walks = |feature| {
                example(feature).is_some_and(|example| self.feature_examples.examples[example].is_standing)
            };
            let is_stride = walks(imitated) || walks(self.state.imitated_feature);
            self.intended.transition_secs =
                if is_stride { STRIDE_SECS } else { self.settings.composition.blend_secs.max(1e-3) };
        }
        self.state.imitated_feature = imitated;
        has_changed
    }

    /// Section 6.2: composes the intended pose, in the performer's frame.
    pub(super) fn compose(&mut self, has_changed: bool, secs: f32) {
        self.intended.pose.rotations.copy_from_slice(&self.performer.pose.rotations);
        self.intended.pose.positions.copy_from_slice(&self.performer.pose.positions);
        match self.imitated() {
            Some(example) => self.mix_in(example),
            None => self.composer.reset(),
        }
        self.intended.unblended.copy_from_slice(&self.intended.pose.rotations);
        self.intended.world.set(self.intended.pose.view());
        if has_changed {
            self.blend.begin(&self.last_rotations, &self.intended.unblended);
            self.pose_solver.reset();
        }
        let blend_secs = self.settings.composition.blend_secs;
        self.blend.apply(&mut self.intended.pose, secs, blend_secs);
        self.intended.remaining = if has_changed {
            1.0
        } else {
            (self.intended.remaining - secs / self.intended.transition_secs).max(0.0)
        };
        // The height of the feet changes quickly, so that the correct foot stands.
        let elapsed_secs = (1.0 - self.intended.remaining) * self.intended.transition_secs;
        let vertical = smoothstep(1.0 - elapsed_secs / LIFT_SECS);
        let horizontal = smoothstep(self.intended.remaining);
        let weight = Vec3::new(horizontal, vertical, horizontal);
        let centre = self.body.centre(&self.intended.world.positions);
        let rate_weight = 1.0 - (-secs / RATE_SECS).exp();
        for effector in Effector::ALL {
            let limb = effector as usize;
            // Hands follow the performer. Feet follow the intended pose, with a gradual transition when the example changes.
            let new = self.body.end(&self.intended.world, effector) - centre;
            if has_changed {
                self.intended.offsets[limb] =
                    if self.intended.is_first_frame { Vec3::ZERO } else { self.intended.r[limb] - new };
            }
            let new = new + self.intended.offsets[limb] * weight;
            let (r, rate) = (&mut self.intended.r[limb], &mut self.intended.rate[limb]);
            track(r, rate, new, secs, rate_weight, self.intended.is_first_frame);
            if effector.is_hand() {
                (*r, *rate) = (self.performer.r[limb], self.performer.rate[limb]);
            }
        }
        self.intended.is_first_frame = false;
    }

    /// Starts a blend from the last pose to the intended one.
    pub(super) fn blend_from_last(&mut self) {
        self.intended.pose.rotations.copy_from_slice(&self.intended.unblended);
        self.blend.begin(&self.last_rotations, &self.intended.unblended);
        self.pose_solver.reset();
        self.blend.apply(&mut self.intended.pose, 0.0, self.settings.composition.blend_secs);
    }

    /// The integration rule: parts that are constrained on the performer and free on the character come from the example.
    pub(super) fn mix_in(&mut self, index: usize) {
        let example = &self.feature_examples.examples[index];
        let (composer, hands) = (&mut self.composer, &self.performer.hand_motion);
        let composed = composer.compose(&self.body, example, index, hands, &self.settings.composition);
        let mut legs_from_example = 0;
        for effector in [Effector::LeftFoot, Effector::RightFoot] {
            let limb = effector as usize;
            let is_constrained = self.performer.is_standing[limb - 2];
            // A performer cannot walk through the room: their feet count as constrained, the character's as free.
            let is_free = self.simulation.holds[limb].is_none() || example.is_standing;
            if !(is_constrained && is_free) {
                continue;
            }
            legs_from_example += 1;
            for &joint in &self.body.branches[limb] {
                self.intended.pose.rotations[joint] = composed.rotations[joint];
            }
        }
        if legs_from_example == 2 {
            // The legs carry the trunk, so it comes from the same source.
            let heading = Quat::from_rotation_y(self.performer.yaw_rad);
            if example.is_lying {
                self.intended.pose.rotations.copy_from_slice(&composed.rotations);
            }
            self.intended.pose.rotations[0] = heading * composed.rotations[0];
        }
    }
}
