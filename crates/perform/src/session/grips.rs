//! Section 4 of the paper: which limb ends hold which features, and the performer's target for each hold.

use glam::Vec3;
use marey_motion::smoothstep;

use super::PerformSession;
use crate::contact::Wish;
use crate::engage::{Effector, Situation};
use crate::geometry::Geometry;
use crate::simulation::Line;

/// The speed at which a limb end reaches its hold, in metres per second, and the limits of the duration, in seconds.
const CLOSING_MPS: f32 = 1.2;
const CLOSING_SECS: f32 = 0.08;
const STEP_SECS: f32 = 0.3;
/// A foot steps if it is this far from its intended position, in metres.
const ASTRAY_M: f32 = 0.1;
/// Stretch of a leg beyond the performer's at which its foot lets go, in metres.
const PLAY_M: f32 = 0.015;
/// A foot that is higher than the other by this much is being lifted, in metres.
const STEP_M: f32 = 0.02;
/// A foot that moves away from a surface faster than this lets go, in metres per second.
const RISING_MPS: f32 = 0.5;
/// The least cosine of the angle between a leg and the normal of the surface; a more inclined leg would slip.
const SLIPS: f32 = 0.7;
/// The speed at which a leg that landed bent is stretched, in metres per second.
const STRETCH_MPS: f32 = 0.8;
/// The least cosine of the angle between an arm and the direction to an anchor for shooting a web.
const AIM: f32 = 0.9;
/// The share by which a web is shortened when it is shot.
const DRAWN: f32 = 0.9;

/// The state of a grip.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Grip {
    pub(super) secs: f32,
    /// The offset from the contact to the limb end when the grip began.
    pub(super) gap: Vec3,
    /// The offset from the centre of mass to the limb end when the grip began.
    pub(super) arm: Vec3,
    /// Whether the hand was closed in the previous frame.
    pub(super) closed: bool,
    /// The length of the web, if it is one, in metres.
    pub(super) web_m: Option<f32>,
    /// Bend of a leg at landing, compared with the performer's, in metres.
    pub(super) short_m: f32,
    /// Whether no pose could reach the foothold, so that the foot lets go.
    pub(super) lost: bool,
}

impl Grip {
    /// The duration in which the limb end reaches its hold, by distance, in seconds.
    pub(super) fn closing_secs(&self) -> f32 {
        (self.gap.length() / CLOSING_MPS).clamp(CLOSING_SECS, STEP_SECS)
    }

    /// The position of a limb end on the path to its hold. A hand starts from its position on the body, so that a swinging rope does not
    /// matter; a foot starts from its position in the world and is lifted if the path is long.
    pub(super) fn place(&self, effector: Effector, held: Vec3, centre: Vec3) -> Vec3 {
        let left = smoothstep(1.0 - self.secs / self.closing_secs());
        if effector.is_hand() {
            return held.lerp(centre + self.arm, left);
        }
        let lift = (0.4 * self.gap.with_y(0.0).length()).min(0.06) * 4.0 * left * (1.0 - left);
        held + self.gap * left + Vec3::Y * lift
    }
}

impl PerformSession {
    /// Section 4: updates which limb ends hold what; returns whether that changed.
    pub(super) fn engage(&mut self, closed: [bool; 2], secs: f32) -> bool {
        let mut changed = false;
        for effector in Effector::ALL {
            let slot = effector as usize;
            let closed = effector.is_hand() && closed[slot.min(1)];
            let centre = self.simulation.centre();
            let place = self.place_of(effector);
            let velocity = self.simulation.velocity() + self.spin.turn * self.meant.rate[slot];
            let lifted = self.meant.r[slot].y - self.meant.r[2].y.min(self.meant.r[3].y) > STEP_M;
            let firm = !effector.is_hand() && self.performed.stands[slot.saturating_sub(2)] && !lifted;
            let near = |feature: usize| match effector.is_hand() {
                true => self.simulation.nearest(feature, place),
                false => self.simulation.nearest_to_foot(feature, place),
            };
            let situation = |feature: usize, holds: bool| Situation {
                effector,
                place,
                velocity,
                closed,
                nearest: near(feature),
                centre,
                holds,
                firm,
            };
            let held = self.simulation.holds[slot].map(|hold| hold.feature);
            // A leg does not pull: the foot lets go before the leg is overstretched.
            let at = self.simulation.held(slot);
            let leaves = |feature: usize| self.simulation.velocity() - self.simulation.velocity_of(feature);
            let beyond = |feature: usize, place: Vec3| {
                let soon = centre + leaves(feature) * secs;
                !effector.is_hand() && place.distance(soon) > self.reach_m(slot)
            };
            let stretched =
                held.zip(at).is_some_and(|(feature, at)| beyond(feature, at)) || self.grips[slot].lost;
            let better = |feature: usize| near(feature).point;
            let astray =
                firm && at.zip(held.map(better)).is_some_and(|(at, better)| self.is_astray(slot, at, better));
            let kept = held.filter(|feature| match self.grips[slot].web_m {
                Some(_) => closed,
                None => {
                    !stretched && !astray && self.conditions[*feature].engages(&situation(*feature, true))
                }
            });
            let new = kept.or_else(|| {
                let possible = (0..self.world.features.len()).filter_map(|feature| {
                    let engage = &self.world.features[feature].engage;
                    let situation = situation(feature, false);
                    let takes =
                        engage.takes(effector) && self.world.features[feature].dynamics.web_reach_m == 0.0;
                    // A foot that is moving up does not land.
                    let away = velocity - self.simulation.velocity_of(feature);
                    let rises = !effector.is_hand() && away.dot(situation.nearest.normal) > RISING_MPS;
                    let leg = (centre - situation.nearest.point).normalize_or_zero();
                    let up = if engage.above { Vec3::Y } else { situation.nearest.normal };
                    let slips = !effector.is_hand() && leg.dot(up) < SLIPS;
                    let far = beyond(feature, situation.nearest.point);
                    let free = !rises && !slips && !far && !self.is_taken(feature, slot);
                    (takes && free && !stretched && self.conditions[feature].engages(&situation))
                        .then_some((feature, situation.nearest.distance_m.abs()))
                });
                possible.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(feature, _)| feature)
            });
            let shot =
                (new.is_none() && closed && !self.grips[slot].closed).then(|| self.aim(effector)).flatten();
            if kept.is_none() && (held.is_some() || new.is_some() || shot.is_some()) {
                changed = true;
                self.simulation.release(slot);
                self.grips[slot].web_m = None;
                if let Some(feature) = new {
                    self.grip(effector, feature, place);
                } else if let Some(feature) = shot {
                    self.shoot(slot, feature);
                }
            }
            self.grips[slot].lost = false;
            self.grips[slot].secs += secs;
            self.grips[slot].short_m = (self.grips[slot].short_m - STRETCH_MPS * secs).max(0.0);
            self.grips[slot].closed = closed;
        }
        for slot in 0..4 {
            self.now.holds[slot] = self.simulation.holds[slot].map(|hold| hold.feature);
        }
        changed
    }

    /// Whether a feature with room for one limb is held by the other hand or foot.
    fn is_taken(&self, feature: usize, slot: usize) -> bool {
        let other = slot ^ 1;
        let is_point = matches!(self.world.features[feature].geometry, Geometry::Point { .. });
        is_point && self.simulation.holds[other].is_some_and(|hold| hold.feature == feature)
    }

    /// The intended position of a limb end. A hand that reaches while the other one holds is placed relative to that one: a hanging body is
    /// not where the standing performer is, but the distance between the hands is the same.
    pub(super) fn place_of(&self, effector: Effector) -> Vec3 {
        let slot = effector as usize;
        let other = 1 - slot.min(1);
        let held =
            self.simulation.held(other).filter(|_| effector.is_hand() && self.grips[other].web_m.is_none());
        match held {
            Some(held) => held + self.spin.turn * (self.meant.r[slot] - self.meant.r[other]),
            None => self.simulation.centre() + self.spin.turn * self.meant.r[slot],
        }
    }

    /// The largest distance of the centre of mass from a limb end: the reach of the limb, or the distance in the intended pose.
    pub(super) fn reach_m(&self, slot: usize) -> f32 {
        self.body.reach_m[slot].max(self.meant.r[slot].length() + PLAY_M)
    }

    /// Whether a foot is far enough from its intended position to step, while the other foot stands.
    pub(super) fn is_astray(&self, slot: usize, held: Vec3, better: Vec3) -> bool {
        let other = 5 - slot;
        let steady = self.simulation.holds[other].is_some() && self.grips[other].secs > STEP_SECS;
        let off = (held - better).with_y(0.0).length();
        self.now.imitates.is_none() && steady && self.grips[slot].secs > STEP_SECS && off > ASTRAY_M
    }

    pub(super) fn grip(&mut self, effector: Effector, feature: usize, place: Vec3) {
        let slot = effector as usize;
        let gains = self.world.features[feature].dynamics;
        let contact = match effector.is_hand() {
            true => self.simulation.nearest(feature, place).point,
            false => self.simulation.nearest_to_foot(feature, place).point,
        };
        let pulls = effector.is_hand() && gains.pulls;
        // A rock supports feet like a floor.
        let gains = if effector.is_hand() || !gains.pulls { gains } else { crate::Dynamics::FLOOR };
        let line = if pulls { Line::Both } else { Line::Push };
        self.simulation.hold(slot, feature, contact, self.reach_m(slot), line, gains);
        self.grips[slot].secs = 0.0;
        let end = self.body.end(self.integrator.world(), effector);
        self.grips[slot].gap = end - contact;
        self.grips[slot].arm = end - self.body.centre(&self.integrator.world().positions);
        // After landing low, the leg is stretched gradually; a step keeps the present height.
        let other = slot ^ 1;
        let short_m = match self.simulation.holds[other] {
            Some(_) => self.grips[other].short_m,
            None => self.meant.r[slot].length() - contact.distance(self.simulation.centre()),
        };
        self.grips[slot].short_m = if pulls { 0.0 } else { short_m.max(0.0) };
    }

    /// The anchor that an arm points at, if one is within the range of a web.
    pub(super) fn aim(&self, effector: Effector) -> Option<usize> {
        let centre = self.simulation.centre();
        let root = self.body.roots[effector as usize];
        let shoulder = self.performed.world.positions[root] - self.performed.centre;
        let arm = self.spin.turn * (self.performed.r[effector as usize] - shoulder);
        let from = centre + self.spin.turn * shoulder;
        let anchors = self.world.features.iter().enumerate().filter_map(|(number, feature)| {
            let reach_m = feature.dynamics.web_reach_m;
            let to = self.simulation.nearest(number, from).point - from;
            let aimed = to.normalize_or_zero().dot(arm.normalize_or_zero());
            (reach_m > 0.0 && to.length() <= reach_m && aimed > AIM).then_some((number, aimed))
        });
        anchors.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
    }

    pub(super) fn shoot(&mut self, slot: usize, feature: usize) {
        let centre = self.simulation.centre();
        let anchor = self.simulation.nearest(feature, centre).point;
        let gains = self.world.features[feature].dynamics;
        let length_m = DRAWN * anchor.distance(centre);
        self.simulation.hold(slot, feature, anchor, f32::from(u16::MAX), Line::Pull, gains);
        self.grips[slot].secs = 0.0;
        self.grips[slot].gap = Vec3::ZERO;
        self.grips[slot].web_m = Some(length_m);
    }

    /// Sets the performer's target for each hold at the end of this frame.
    pub(super) fn wish(&mut self) {
        let feet = self.simulation.holds[2..].iter().flatten().count().max(1) as f32;
        let centre = self.simulation.centre();
        for slot in 0..4 {
            let held = self.simulation.held(slot);
            let Some(hold) = &mut self.simulation.holds[slot] else { continue };
            let mut wish =
                Wish { r: self.spin.turn * self.meant.r[slot], rate: self.spin.turn * self.meant.rate[slot] };
            let gains = &self.world.features[hold.feature].dynamics;
            if let (Some(length_m), Some(held)) = (self.grips[slot].web_m, held) {
                wish = Wish { r: (held - centre).normalize_or(Vec3::Y) * length_m, rate: Vec3::ZERO };
            } else if slot >= 2 {
                // Legs support the weight without yielding.
                let sag_m = self.world.gravity_mps2 / (gains.stiffness.max(1.0) * feet);
                wish.r += wish.r.normalize_or_zero() * (sag_m - self.grips[slot].short_m);
            }
            let fresh = hold.wishes[1] == Wish::default();
            hold.wishes = if fresh { [wish; 2] } else { [hold.wishes[1], wish] };
            hold.reach_m = self.body.reach_m[slot].max(self.meant.r[slot].length() + PLAY_M);
        }
    }
}
