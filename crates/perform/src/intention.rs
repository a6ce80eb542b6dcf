//! Whether a performer imitates an example (section 6.1).
//!
//! The movement of the hands is a vector w of their positions and velocities. The principal directions A of the example's w span the
//! movements of the example. The part of the performer's w outside of that span is e₁ (eq. 5); the part of its change between two
//! frames is e₂ (eq. 6). A performer below both thresholds imitates the example.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | w | `Movement`: positions of both hands, then velocities, divided by the body's height and by 1 / [`VELOCITY_SECS`] | |
//! | A | principal directions of the example's w | |
//! | e₁, e₂ | `pose_error`, `change_error` | |
//!
//! Changed: hand positions are relative to the midpoint of the shoulders, not to the centre of mass, so that a standing performer can
//! imitate a swimmer. The example's mean is subtracted from w before the projection. w is also compared with the example's nearest
//! frame, because a plane extends beyond the motion in it: arms at rest are near the plane of many motions. The hands must move at a
//! large part of the example's speed, so a performer who holds still does not imitate.
//! Performers stand on their feet, so only the hands are free (S_f).

use crate::likeness::Likeness;
use crate::movement::Movement;

/// Thresholds for recognising that a performer imitates an example.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntentionSettings {
    /// The largest e₁, relative to the variance of the example's movements; default 0.5; 0 to 100.
    pub pose_error: f32,
    /// The largest e₂ for a change in 1/60 s, relative to the same variance; default 0.5; 0 to 100.
    pub change_error: f32,
    /// The largest squared distance to the nearest frame of the example, relative to the same variance; default 0.5; 0 to 100.
    pub farthest: f32,
    /// The least speed of the hands to begin, relative to the example's nearest frames; default 0.8; 0 to 2. A performer who already
    /// imitates may be a quarter slower.
    pub liveliness: f32,
    /// The factor on all thresholds for a performer who already imitates; default 3.5; 1 to 10.
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
            farthest: 0.5,
            liveliness: 0.8,
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
            ("farthest", self.farthest),
        ] {
            OutOfRange::check(name, value, 0.0..=100.0)?;
        }
        OutOfRange::check("slack", self.slack, 1.0..=10.0)?;
        OutOfRange::check("begin_secs", self.begin_secs, 0.0..=1.0)?;
        OutOfRange::check("liveliness", self.liveliness, 0.0..=2.0)?;
        OutOfRange::check("end_secs", self.end_secs, 0.0..=2.0)
    }
}

/// The time over which the speed of the hands is averaged, in seconds.
const SPEED_SECS: f32 = 0.16;
/// The least speed of a performer who already imitates, relative to the speed to begin. The sway of a performer who kicks on a bar is
/// slower and is not a swing.
const TIRES: f32 = 0.75;
/// The largest speed that counts, relative to the example's mean: after a quick raise of the hands, the average soon drops again.
const MOST_SPEED: f32 = 1.2;
/// The least speed of a frame of the example that counts, relative to its mean: at its turning points the example is still.
const LEAST_SPEED: f32 = 0.45;

/// Whether a performer imitates an example, tracked from frame to frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Intention {
    /// Whether the performer imitates the example.
    pub imitates: bool,
    /// e₁ of the last frame.
    pub pose_error: f32,
    /// e₂ of the last frame.
    pub change_error: f32,
    /// The squared distance to the nearest frame of the example, relative to the example's variance.
    pub farthest: f32,
    /// The same distance, in squared body heights.
    distance: f32,
    /// The averaged speed of the hands, relative to the example's nearest frames.
    pub speed: f32,
    own_speed: f32,
    usual_speed: f32,
    /// How long the thresholds have contradicted `imitates`, in seconds.
    doubt_secs: f32,
}

impl Intention {
    /// Ends the imitation: nothing can be recognised during a jump.
    pub(crate) fn forget(&mut self) {
        let (own_speed, usual_speed) = (self.own_speed, self.usual_speed);
        *self = Self { own_speed, usual_speed, distance: f32::MAX, farthest: f32::MAX, ..Self::default() };
    }

    /// Takes a frame.
    pub(crate) fn look(&mut self, like: &Likeness, before: &Movement, now: &Movement, secs: f32) {
        let mut nearest = [(0, f32::MAX)];
        like.nearest_into(now, &mut nearest);
        self.pose_error = like.pose_error(now) / like.spread;
        self.change_error = like.change_error(before, now, secs) / like.spread;
        self.farthest = nearest[0].1 / like.spread;
        self.distance = nearest[0].1;
        let share = 1.0 - (-secs / SPEED_SECS).exp();
        let usual =
            like.movements.get(nearest[0].0).map_or(0.0, Movement::speed).max(LEAST_SPEED * like.speed);
        self.usual_speed += share * (usual - self.usual_speed);
        self.own_speed += share * (now.speed().min(MOST_SPEED * usual) - self.own_speed);
        self.speed = self.own_speed / self.usual_speed.max(1e-6);
    }

    /// The squared distance to the nearest frame of the example, in body heights.
    pub(crate) fn distance(&self) -> f32 {
        self.distance
    }

    /// Updates `imitates`; `rival` is the distance to the best of the other examples.
    pub(crate) fn judge(&mut self, rival: f32, secs: f32, settings: &IntentionSettings) {
        // An imitation that has begun may deviate more: styles differ, and a constant deviation is not another intention.
        let slack = if self.imitates { settings.slack } else { 1.0 };
        let live = settings.liveliness * if self.imitates { TIRES } else { 1.0 };
        let seems = self.pose_error <= slack * settings.pose_error
            && self.change_error <= slack * settings.change_error
            && self.farthest <= slack * settings.farthest
            && self.speed >= live
            && self.distance <= rival;
        self.doubt_secs = if seems == self.imitates { 0.0 } else { self.doubt_secs + secs };
        let patience = if self.imitates { settings.end_secs } else { settings.begin_secs };
        if self.doubt_secs > patience {
            self.imitates = seems;
            self.doubt_secs = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movement::{DIMS, circle};

    fn imitates(movements: &[Movement], seen: &[Movement]) -> bool {
        let like = Likeness::learn(movements.to_vec());
        let mut intention = Intention::default();
        for two in seen.windows(2) {
            intention.look(&like, &two[0], &two[1], 1.0 / 60.0);
            intention.judge(f32::MAX, 1.0 / 60.0, &IntentionSettings::default());
        }
        intention.imitates
    }

    #[test]
    fn the_same_movement_is_an_imitation_and_holding_still_is_not() {
        let circles = circle(120, 0.4);
        assert!(imitates(&circles, &circles));
        // A smaller and faster movement is still an imitation.
        assert!(imitates(&circles, &circle(100, 0.36)));
        let still = Movement(std::array::from_fn(|i| if i < DIMS / 2 { circles[0].0[i] } else { 0.0 }));
        let still = vec![still; 60];
        assert!(!imitates(&circles, &still));
        // The same movement at another place is not.
        let below: Vec<Movement> = circles
            .iter()
            .map(|w| Movement(std::array::from_fn(|i| w.0[i] - if i == 1 { 0.5 } else { 0.0 })))
            .collect();
        assert!(!imitates(&circles, &below));
    }
}
