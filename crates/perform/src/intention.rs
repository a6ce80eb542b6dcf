//! Whether a performer imitates an example (section 6.1).
//!
//! What hands do at an instant is a vector w of their places and velocities. The directions A in which the example's own w vary
//! most span what belongs to it; what of the performer's w is outside of them is e₁ (eq. 5), what of its change from one frame to
//! the next is, e₂ (eq. 6). Who stays below both thresholds means it.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | w | `Movement`: places of both hands, then velocities, over the body's height and [`VELOCITY_SECS`] | |
//! | A | principal directions of the example's w | |
//! | e₁, e₂ | `pose_error`, `change_error` | |
//!
//! Changed, with the reason: hands are told from between the shoulders, not from the centre of mass, so that someone who stands
//! strokes like someone who lies in the water. w has the example's mean taken off before it is projected, and is then compared with
//! the example's nearest frame as well, since a plane reaches farther than the motion in it: arms at rest are near the plane of many
//! a motion. Whoever holds still does not imitate: hands must go at a good part of the example's speed.
//! Performers stand on their feet, so hands are what is free (S_f).

use crate::likeness::Likeness;
use crate::movement::Movement;

/// When someone is taken to imitate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntentionSettings {
    /// The most that e₁ may be, over the spread of the example's own movements; default 0.5; 0 to 100.
    pub pose_error: f32,
    /// The most that e₂ may be, likewise, for a change in 1/60 s; default 0.5; 0 to 100.
    pub change_error: f32,
    /// The most that the nearest frame of the example may be away, squared, likewise; default 0.5; 0 to 100.
    pub farthest: f32,
    /// The least speed of hands that begin, over that of the example where it is nearest; default 0.8; 0 to 2. Who imitates already may
    /// be a quarter slower.
    pub liveliness: f32,
    /// How many times as far someone may deviate who imitates already; default 3.5; 1 to 10.
    pub slack: f32,
    /// How long it must be so before it counts, in seconds; default 0.08; 0 to 1.
    pub begin_secs: f32,
    /// How long it must be otherwise before it counts no more, in seconds; default 0.12; 0 to 2.
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

/// How long hands' speed is averaged over, in seconds.
const SPEED_SECS: f32 = 0.16;
/// How slow hands of one who imitates already may be, over what it takes to begin: who holds on to a bar and kicks sways, and that is
/// no swing.
const TIRES: f32 = 0.75;
/// Hands that are faster count as this fast, over the example's mean: who raised them quickly stands still soon after.
const MOST_SPEED: f32 = 1.2;
/// No frame of an example counts as slower, over its mean: at its turns it is still.
const LEAST_SPEED: f32 = 0.45;

/// What is known about a performer and an example from frame to frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Intention {
    /// Whether the performer imitates the example.
    pub imitates: bool,
    /// e₁ of the last frame.
    pub pose_error: f32,
    /// e₂ of the last frame.
    pub change_error: f32,
    /// How far the nearest frame of the example was, squared, over the spread of the example.
    pub farthest: f32,
    /// The same, in heights of the body squared.
    distance: f32,
    /// Hands' speed over that of the example's nearest frames, lately.
    pub speed: f32,
    own_speed: f32,
    usual_speed: f32,
    /// How long it has been otherwise than `imitates` says, in seconds.
    doubt_secs: f32,
}

impl Intention {
    /// Nothing can be told: who jumps does not imitate.
    pub(crate) fn forget(&mut self) {
        let (own_speed, usual_speed) = (self.own_speed, self.usual_speed);
        *self = Self { own_speed, usual_speed, distance: f32::MAX, farthest: f32::MAX, ..Self::default() };
    }

    /// Looks at another frame.
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

    /// How far the nearest frame of the example was, squared, in heights of the body.
    pub(crate) fn distance(&self) -> f32 {
        self.distance
    }

    /// Judges what was seen; `rival` is how far the best of the other examples is.
    pub(crate) fn judge(&mut self, rival: f32, secs: f32, settings: &IntentionSettings) {
        // Who began may deviate more: styles differ, and a deviation that stays is no other intention.
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
    fn who_does_the_same_means_it_and_who_holds_still_does_not() {
        let circles = circle(120, 0.4);
        assert!(imitates(&circles, &circles));
        // Smaller and quicker is still the same.
        assert!(imitates(&circles, &circle(100, 0.36)));
        let still = Movement(std::array::from_fn(|i| if i < DIMS / 2 { circles[0].0[i] } else { 0.0 }));
        let still = vec![still; 60];
        assert!(!imitates(&circles, &still));
        // Elsewhere is not.
        let below: Vec<Movement> = circles
            .iter()
            .map(|w| Movement(std::array::from_fn(|i| w.0[i] - if i == 1 { 0.5 } else { 0.0 })))
            .collect();
        assert!(!imitates(&circles, &below));
    }
}
