//! Section 4 of the paper: which hands and feet hold which features, and the performer's target for each hold.

use glam::Vec3;
use marey_motion::smoothstep;

use super::PerformSession;
use crate::contact::ContactTarget;
use crate::engage::{Effector, EngageContext};
use crate::geometry::Geometry;
use crate::hand_stillness::HandStillness;
use crate::simulation::HoldForce;

/// The speed at which a hand or foot reaches its hold, in metres per second, and the limits of the duration, in seconds.
const REACH_MPS: f32 = 1.2;
const MIN_REACH_SECS: f32 = 0.08;
const MAX_REACH_SECS: f32 = 0.3;
/// A foot steps if it is farther than this from its intended position, in metres.
const MISPLACED_M: f32 = 0.1;
/// How much farther than the performer's a limb may stretch before a foot lets go, in metres.
const STRETCH_TOLERANCE_M: f32 = 0.015;
/// A foot that is higher than the other by more than this is being lifted, in metres.
const LIFTED_M: f32 = 0.02;
/// A foot that moves away from a surface faster than this lets go, in metres per second.
const RISING_MPS: f32 = 0.5;
/// The smallest cosine of the angle between a leg and the normal of the surface; a more inclined leg would slip.
const MIN_LEG_COSINE: f32 = 0.7;
/// The speed at which a leg stretches after it landed bent, in metres per second.
const STRETCH_MPS: f32 = 0.8;
/// The smallest cosine of the angle between an arm and the direction to an anchor that it aims at.
const MIN_AIM_COSINE: f32 = 0.9;
/// The length of a web, relative to the distance of the anchor when it is shot.
const WEB_LENGTH: f32 = 0.9;

/// The grip of a hand or foot.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Grip {
    /// The age of the grip, in seconds.
    pub(super) secs: f32,
    /// The offset from the contact to the hand or foot when the grip began.
    pub(super) gap: Vec3,
    /// The offset from the centre of mass to the hand or foot when the grip began.
    pub(super) from_centre: Vec3,
    /// Whether the hand was closed in the previous frame; `None` if the stream does not show it.
    pub(super) was_closed: Option<bool>,
    /// The length of the web in metres, if the hand holds a web.
    pub(super) web_m: Option<f32>,
    /// How much shorter than the performer's a leg still is after landing, in metres.
    pub(super) shortened_m: f32,
    /// Whether no pose could reach the foothold, so that the foot lets go in the next frame.
    pub(super) is_out_of_reach: bool,
}

impl Grip {
    /// The time in which the hand or foot reaches its hold, by distance, in seconds.
    pub(super) fn reach_secs(&self) -> f32 {
        (self.gap.length() / REACH_MPS).clamp(MIN_REACH_SECS, MAX_REACH_SECS)
    }

    /// The position of a hand or foot on the way to its hold. A hand starts from its position relative to the body, so that the motion of
    /// a swinging rope does not matter. A foot starts from its position in the world and is lifted if the way is long.
    pub(super) fn position(&self, effector: Effector, held: Vec3, centre: Vec3) -> Vec3 {
        let remaining = smoothstep(1.0 - self.secs / self.reach_secs());
        if effector.is_hand() {
            return held.lerp(centre + self.from_centre, remaining);
        }
        let lift = (0.4 * self.gap.with_y(0.0).length()).min(0.06) * 4.0 * remaining * (1.0 - remaining);
        held + self.gap * remaining + Vec3::Y * lift
    }
}

impl PerformSession {
    /// Section 4: updates the feature that each hand and foot holds. Returns whether one changed.
    pub(super) fn update_holds(&mut self, closed: [Option<bool>; 2], secs: f32) -> bool {
        let mut has_changed = false;
        let hides_fingers =
            closed.contains(&None)
                && self.world.features.iter().any(|feature| {
                    feature.engage.accepts(Effector::LeftHand) && feature.engage.grip.is_none()
                });
        if hides_fingers {
            self.filter.report_no_fingers();
        }
        for effector in Effector::ALL {
            let limb = effector as usize;
            let is_closed = closed.get(limb).copied().flatten();
            let still =
                self.performer.hand_trackers.get(limb).map_or(HandStillness::default(), |hand| hand.still);
            let centre = self.simulation.centre();
            let position = self.intended_position(effector);
            let velocity =
                self.simulation.velocity() + self.orientation.world_from_performer * self.intended.rate[limb];
            let is_lifted =
                self.intended.r[limb].y - self.intended.r[2].y.min(self.intended.r[3].y) > LIFTED_M;
            let is_supporting =
                !effector.is_hand() && self.performer.is_standing[limb.saturating_sub(2)] && !is_lifted;
            let nearest = |feature: usize| match effector.is_hand() {
                true => self.simulation.nearest(feature, position),
                false => self.simulation.nearest_to_foot(feature, position),
            };
            let context = |feature: usize, is_holding: bool| EngageContext {
                effector,
                position,
                velocity,
                is_closed,
                // A hand that imitates what a feature is for moves without letting go.
                still: HandStillness { has_left: still.has_left && !self.imitates(feature), ..still },
                nearest: nearest(feature),
                centre,
                is_holding,
                is_supporting,
            };
            let held = self.simulation.holds[limb].map(|hold| hold.feature);
            // A leg does not pull: the foot lets go before the leg is overstretched.
            let contact = self.simulation.hold_position(limb);
            let relative_velocity =
                |feature: usize| self.simulation.velocity() - self.simulation.velocity_of(feature);
            let is_beyond_reach = |feature: usize, position: Vec3| {
                let next_centre = centre + relative_velocity(feature) * secs;
                !effector.is_hand() && position.distance(next_centre) > self.reach_m(limb)
            };
            let is_stretched =
                held.zip(contact).is_some_and(|(feature, contact)| is_beyond_reach(feature, contact))
                    || self.grips[limb].is_out_of_reach;
            let better = held.map(|feature| nearest(feature).point);
            let should_step = is_supporting
                && contact
                    .zip(better)
                    .is_some_and(|(contact, better)| self.should_step(limb, contact, better));
            let kept = held.filter(|feature| match self.grips[limb].web_m {
                Some(_) => is_closed == Some(true),
                None => {
                    !is_stretched
                        && !should_step
                        && self.conditions[*feature].engages(&context(*feature, true))
                }
            });
            let new = kept.or_else(|| {
                let candidates = (0..self.world.features.len()).filter_map(|feature| {
                    let engage = &self.world.features[feature].engage;
                    let context = context(feature, false);
                    let is_suitable =
                        engage.accepts(effector) && self.world.features[feature].dynamics.web_reach_m == 0.0;
                    // A foot that is moving up does not land.
                    let away_velocity = velocity - self.simulation.velocity_of(feature);
                    let is_rising =
                        !effector.is_hand() && away_velocity.dot(context.nearest.normal) > RISING_MPS;
                    let leg = (centre - context.nearest.point).normalize_or_zero();
                    let up = if engage.above { Vec3::Y } else { context.nearest.normal };
                    let would_slip = !effector.is_hand() && leg.dot(up) < MIN_LEG_COSINE;
                    let is_far = is_beyond_reach(feature, context.nearest.point);
                    let is_possible = !is_rising && !would_slip && !is_far && !self.is_taken(feature, limb);
                    (is_suitable
                        && is_possible
                        && !is_stretched
                        && self.conditions[feature].engages(&context))
                    .then_some((feature, context.nearest.distance_m.abs()))
                });
                candidates.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(feature, _)| feature)
            });
            let has_closed = is_closed == Some(true) && self.grips[limb].was_closed != Some(true);
            let shot = (new.is_none() && has_closed).then(|| self.aimed_anchor(effector)).flatten();
            if kept.is_none() && (held.is_some() || new.is_some() || shot.is_some()) {
                has_changed = true;
                self.simulation.release(limb);
                self.grips[limb].web_m = None;
                if let Some(hand) = self.performer.hand_trackers.get_mut(limb) {
                    if new.is_some() { hand.grip() } else { hand.release() }
                }
                if let Some(feature) = new {
                    self.take_hold(effector, feature, position);
                } else if let Some(feature) = shot {
                    self.shoot_web(limb, feature);
                }
            }
            self.grips[limb].is_out_of_reach = false;
            self.grips[limb].secs += secs;
            self.grips[limb].shortened_m = (self.grips[limb].shortened_m - STRETCH_MPS * secs).max(0.0);
            self.grips[limb].was_closed = is_closed;
        }
        for limb in 0..4 {
            self.state.holds[limb] = self.simulation.holds[limb].map(|hold| hold.feature);
        }
        has_changed
    }

    /// Whether the performer imitates the example of a feature.
    fn imitates(&self, feature: usize) -> bool {
        let example = self.feature_examples.of_feature[feature];
        example.is_some_and(|example| self.intentions[example].is_imitating)
    }

    /// Whether the other hand or foot holds a feature that has room for only one.
    fn is_taken(&self, feature: usize, limb: usize) -> bool {
        let other = limb ^ 1;
        let is_point = matches!(self.world.features[feature].geometry, Geometry::Point { .. });
        is_point && self.simulation.holds[other].is_some_and(|hold| hold.feature == feature)
    }

    /// The intended position of a hand or foot. While one hand holds, the other one is placed relative to it: the body hangs elsewhere than
    /// the performer stands, but the offset between the hands is the same.
    pub(super) fn intended_position(&self, effector: Effector) -> Vec3 {
        let limb = effector as usize;
        let other = 1 - limb.min(1);
        let held = self
            .simulation
            .hold_position(other)
            .filter(|_| effector.is_hand() && self.grips[other].web_m.is_none());
        match held {
            Some(held) => {
                held + self.orientation.world_from_performer
                    * (self.intended.r[limb] - self.intended.r[other])
            }
            None => self.simulation.centre() + self.orientation.world_from_performer * self.intended.r[limb],
        }
    }

    /// The largest distance of the centre of mass from a hand or foot: the reach of the limb, or the distance in the intended pose if that
    /// is larger.
    pub(super) fn reach_m(&self, limb: usize) -> f32 {
        self.body.reach_m[limb].max(self.intended.r[limb].length() + STRETCH_TOLERANCE_M)
    }

    /// Whether a foot is far enough from its intended position to step, while the other foot stands.
    pub(super) fn should_step(&self, limb: usize, held: Vec3, better: Vec3) -> bool {
        let other = 5 - limb;
        let is_steady = self.simulation.holds[other].is_some() && self.grips[other].secs > MAX_REACH_SECS;
        let off_m = (held - better).with_y(0.0).length();
        self.state.imitated_feature.is_none()
            && is_steady
            && self.grips[limb].secs > MAX_REACH_SECS
            && off_m > MISPLACED_M
    }

    /// Lets a hand or foot hold the nearest point of a feature.
    pub(super) fn take_hold(&mut self, effector: Effector, feature: usize, position: Vec3) {
        let limb = effector as usize;
        let gains = self.world.features[feature].dynamics;
        let contact = match effector.is_hand() {
            true => self.simulation.nearest(feature, position).point,
            false => self.simulation.nearest_to_foot(feature, position).point,
        };
        let pulls = effector.is_hand() && gains.pulls;
        // A rock supports feet like a floor.
        let gains = if effector.is_hand() || !gains.pulls { gains } else { crate::Dynamics::FLOOR };
        let force = if pulls { HoldForce::PushAndPull } else { HoldForce::Push };
        self.simulation.add_hold(limb, feature, contact, self.reach_m(limb), force, gains);
        self.grips[limb].secs = 0.0;
        let end = self.body.end(self.pose_solver.world(), effector);
        self.grips[limb].gap = end - contact;
        self.grips[limb].from_centre = end - self.body.centre(&self.pose_solver.world().positions);
        // After a landing with a bent leg, the leg stretches gradually. A step keeps the current height.
        let other = limb ^ 1;
        let shortened_m = match self.simulation.holds[other] {
            Some(_) => self.grips[other].shortened_m,
            None => self.intended.r[limb].length() - contact.distance(self.simulation.centre()),
        };
        self.grips[limb].shortened_m = if pulls { 0.0 } else { shortened_m.max(0.0) };
    }

    /// The anchor that an arm points at, if one is within the range of a web.
    pub(super) fn aimed_anchor(&self, effector: Effector) -> Option<usize> {
        let centre = self.simulation.centre();
        let root = self.body.roots[effector as usize];
        let shoulder = self.performer.world.positions[root] - self.performer.centre;
        let arm = self.orientation.world_from_performer * (self.performer.r[effector as usize] - shoulder);
        let from = centre + self.orientation.world_from_performer * shoulder;
        let anchors = self.world.features.iter().enumerate().filter_map(|(index, feature)| {
            let reach_m = feature.dynamics.web_reach_m;
            let to = self.simulation.nearest(index, from).point - from;
            let aimed = to.normalize_or_zero().dot(arm.normalize_or_zero());
            (reach_m > 0.0 && to.length() <= reach_m && aimed > MIN_AIM_COSINE).then_some((index, aimed))
        });
        anchors.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    /// Shoots a web from a hand to an anchor.
    pub(super) fn shoot_web(&mut self, limb: usize, feature: usize) {
        let centre = self.simulation.centre();
        let anchor = self.simulation.nearest(feature, centre).point;
        let gains = self.world.features[feature].dynamics;
        let length_m = WEB_LENGTH * anchor.distance(centre);
        self.simulation.add_hold(limb, feature, anchor, f32::from(u16::MAX), HoldForce::Pull, gains);
        self.grips[limb].secs = 0.0;
        self.grips[limb].gap = Vec3::ZERO;
        self.grips[limb].web_m = Some(length_m);
    }

    /// Sets the performer's target for each hold at the end of this frame.
    pub(super) fn update_targets(&mut self) {
        let feet = self.simulation.holds[2..].iter().flatten().count().max(1) as f32;
        let centre = self.simulation.centre();
        for limb in 0..4 {
            let held = self.simulation.hold_position(limb);
            let Some(hold) = &mut self.simulation.holds[limb] else { continue };
            let mut target = ContactTarget {
                r: self.orientation.world_from_performer * self.intended.r[limb],
                rate: self.orientation.world_from_performer * self.intended.rate[limb],
            };
            let gains = &self.world.features[hold.feature].dynamics;
            if let (Some(length_m), Some(held)) = (self.grips[limb].web_m, held) {
                target =
                    ContactTarget { r: (held - centre).normalize_or(Vec3::Y) * length_m, rate: Vec3::ZERO };
            } else if limb >= 2 {
                // A longer target makes up for the sag of the spring under the weight.
                let sag_m = self.world.gravity_mps2 / (gains.stiffness.max(1.0) * feet);
                target.r += target.r.normalize_or_zero() * (sag_m - self.grips[limb].shortened_m);
            }
            let is_new = hold.targets[1] == ContactTarget::default();
            hold.targets = if is_new { [target; 2] } else { [hold.targets[1], target] };
            hold.reach_m = self.body.reach_m[limb].max(self.intended.r[limb].length() + STRETCH_TOLERANCE_M);
        }
    }
}
