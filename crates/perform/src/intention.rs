//! Recognises whether a performer imitates an example (section 6.1).
//!
//! The vector w holds positions and velocities of the hands. The principal directions A of the example's w span its motion. The part of
//! the performer's w outside this span is e₁ (eq. 5); the part of its change between two frames is e₂ (eq. 6). If both are below their
//! thresholds, the performer imitates the example.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | w | `HandMotion`: positions of both hands, then velocities, divided by the body's height and by 1 / [`VELOCITY_SECS`] | |
//! | A | principal directions of the example's w | |
//! | e₁, e₂ | `pose_error`, `change_error` | |
//!
//! Changed: hand positions are relative to the midpoint of the shoulders, not to the centre of mass, so that a standing performer can
//! imitate a swimmer. The example's mean is subtracted from w before the projection. w is also compared with the example's nearest
//! frame, because the span extends beyond the example: resting arms are close to the span of many motions. The hands must be nearly as
//! fast as the example's, so a performer who keeps still does not imitate.
//! Performers stand on their feet, so only the hands are free (S_f).

use crate::hand_motion::HandMotion;
use crate::hand_motion_model::HandMotionModel;

/// Thresholds for recognising that a performer imitates an example.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntentionSettings {
    /// The largest e₁, relative to the variance of the example's w; default 0.5; 0 to 100.
    pub pose_error: f32,
    /// The largest e₂ for a change in 1/60 s, relative to the same variance; default 0.5; 0 to 100.
    pub change_error: f32,
    /// The largest squared distance to the nearest frame of the example, relative to the same variance; default 0.5; 0 to 100.
    pub distance: f32,
    /// The lowest speed of the hands to begin, relative to the example's nearest frames; default 0.8; 0 to 2. A performer who already
    /// imitates may be a quarter slower.
    pub min_speed: f32,
    /// The factor on the error and distance thresholds for a performer who already imitates; default 3.5; 1 to 10.
    pub slack: f32,
    /// How long the thresholds must be met before the imitation begins, in seconds; default 0.08; 0 to 1.
    pub begin_secs: f32,
    /// How long they must be exceeded before the imitation ends, in seconds; default 0.12; 0 to 2.
    pub end_secs: f32,
}

impl Default for IntentionSettings {
    fn default() -> Self {
        Self {
            pose_error: 0.5,
            change_error: 0.5,
            distance: 0.5,
            min_speed: 0.8,
            slack: 3.5,
            begin_secs: 0.08,
            end_secs: 0.12,
        }
    }
}

impl IntentionSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), marey_ops::OutOfRange> {
        use marey_ops::OutOfRange;
        for (name, value) in [
            ("pose_error", self.pose_error),
            ("change_error", self.change_error),
            ("distance", self.distance),
        ] {
            OutOfRange::check(name, value, 0.0..=100.0)?;
        }
        OutOfRange::check("slack", self.slack, 1.0..=10.0)?;
        OutOfRange::check("begin_secs", self.begin_secs, 0.0..=1.0)?;
        OutOfRange::check("min_speed", self.min_speed, 0.0..=2.0)?;
        OutOfRange::check("end_secs", self.end_secs, 0.0..=2.0)
    }
}

/// The time over which the speed of the hands is averaged, in seconds.
const SPEED_SECS: f32 = 0.16;
/// The lowest speed of a performer who already imitates, relative to the speed to begin. The sway of a performer who kicks on a bar is
/// slower and does not count as a swing.
const ONGOING_SPEED: f32 = 0.75;
/// The largest speed that enters the average, relative to the example's, so that the average recovers quickly after a fast gesture.
const MAX_SPEED: f32 = 1.2;
/// The lowest speed that a frame of the example counts with, relative to its mean, because hands are still at turning points.
const MIN_SPEED: f32 = 0.45;

/// Whether a performer imitates an example, tracked from frame to frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Intention {
    /// Whether the performer imitates the example.
    pub is_imitating: bool,
    /// e₁ of the last frame.
    pub pose_error: f32,
    /// e₂ of the last frame.
    pub change_error: f32,
    /// The squared distance to the nearest frame of the example, relative to the example's variance.
    pub distance: f32,
    /// The same distance, in squared body heights.
    unscaled_distance: f32,
    /// The averaged speed of the hands, relative to the example's nearest frames.
    pub speed: f32,
    performer_speed: f32,
    example_speed: f32,
    /// How long the thresholds have contradicted `is_imitating`, in seconds.
    contradicted_secs: f32,
}

impl Intention {
    /// Ends the imitation. During a jump, nothing can be recognised.
    pub(crate) fn reset(&mut self) {
        let Self { performer_speed, example_speed, .. } = *self;
        let distance = f32::MAX;
        *self =
            Self { performer_speed, example_speed, distance, unscaled_distance: distance, ..Self::default() };
    }

    /// Measures a frame of the performer.
    pub(crate) fn measure(
        &mut self,
        example: &HandMotionModel,
        before: &HandMotion,
        now: &HandMotion,
        secs: f32,
    ) {
        let mut nearest = [(0, f32::MAX)];
        example.nearest_into(now, &mut nearest);
        self.pose_error = example.pose_error(now) / example.variance;
        self.change_error = example.change_error(before, now, secs) / example.variance;
        self.distance = nearest[0].1 / example.variance;
        self.unscaled_distance = nearest[0].1;
        let weight = 1.0 - (-secs / SPEED_SECS).exp();
        let example_speed = example.frames.get(nearest[0].0).map_or(0.0, HandMotion::speed);
        let example_speed = example_speed.max(MIN_SPEED * example.mean_speed);
        self.example_speed += weight * (example_speed - self.example_speed);
        self.performer_speed += weight * (now.speed().min(MAX_SPEED * example_speed) - self.performer_speed);
        self.speed = self.performer_speed / self.example_speed.max(1e-6);
    }

    /// The squared distance to the nearest frame of the example, in squared body heights.
    pub(crate) fn unscaled_distance(&self) -> f32 {
        self.unscaled_distance
    }

    /// Updates `is_imitating`. `other_distance` is the unscaled distance to the nearest of the other examples.
    pub(crate) fn decide(&mut self, other_distance: f32, secs: f32, settings: &IntentionSettings) {
        // An imitation that has begun may deviate more: styles differ, and a lasting deviation does not mean another intention.
        let slack = if self.is_imitating { settings.slack } else { 1.0 };
        let min_speed = settings.min_speed * if self.is_imitating { ONGOING_SPEED } else { 1.0 };
        let meets_thresholds = self.pose_error <= slack * settings.pose_error
            && self.change_error <= slack * settings.change_error
            && self.distance <= slack * settings.distance
            && self.speed >= min_speed
            && self.unscaled_distance <= other_distance;
        let is_confirmed = meets_thresholds == self.is_imitating;
        self.contradicted_secs = if is_confirmed { 0.0 } else { self.contradicted_secs + secs };
        let limit_secs = if self.is_imitating { settings.end_secs } else { settings.begin_secs };
        if self.contradicted_secs > limit_secs {
            self.is_imitating = meets_thresholds;
            self.contradicted_secs = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand_motion::{DIMS, circle};

    fn imitates(example: &[HandMotion], performed: &[HandMotion]) -> bool {
        let example = HandMotionModel::fit(example.to_vec());
        let mut intention = Intention::default();
        for two in performed.windows(2) {
            intention.measure(&example, &two[0], &two[1], 1.0 / 60.0);
            intention.decide(f32::MAX, 1.0 / 60.0, &IntentionSettings::default());
        }
        intention.is_imitating
    }

    #[test]
    fn the_same_motion_is_an_imitation_and_keeping_still_is_not() {
        let circles = circle(120, 0.4);
        assert!(imitates(&circles, &circles));
        // A smaller and faster motion is still an imitation.
        assert!(imitates(&circles, &circle(100, 0.36)));
        let still = HandMotion(std::array::from_fn(|i| if i < DIMS / 2 { circles[0].0[i] } else { 0.0 }));
        let still = vec![still; 60];
        assert!(!imitates(&circles, &still));
        // The same motion at another height is not.
        let below: Vec<HandMotion> = circles
            .iter()
            .map(|w| HandMotion(std::array::from_fn(|i| w.0[i] - if i == 1 { 0.5 } else { 0.0 })))
            .collect();
        assert!(!imitates(&circles, &below));
    }
}
