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

use glam::Vec3;
use nalgebra::DMatrix;

/// Numbers of a movement.
pub(crate) const DIMS: usize = 12;
/// A velocity counts as much as the place that it comes to in this time, in seconds.
pub(crate) const VELOCITY_SECS: f32 = 0.2;

/// w: what hands do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Movement(pub(crate) [f32; DIMS]);

impl Movement {
    /// From places of the hands away from the shoulders, facing ahead, and their velocities.
    pub(crate) fn new(places: [Vec3; 2], velocities: [Vec3; 2], height_m: f32) -> Self {
        let scaled = velocities.map(|velocity| velocity * VELOCITY_SECS);
        let mut w = [0.0; DIMS];
        for (number, vector) in places.into_iter().chain(scaled).enumerate() {
            w[3 * number..3 * number + 3].copy_from_slice(&(vector / height_m).to_array());
        }
        Self(w)
    }

    /// Those of a cycle, which ends as it begins.
    pub(crate) fn of_cycle(hands: &[[Vec3; 2]], secs: f32, height_m: f32) -> Vec<Self> {
        let frames = hands.len();
        let movement = |frame: usize| {
            let (before, after) = (hands[(frame + frames - 1) % frames], hands[(frame + 1) % frames]);
            let velocity = |hand: usize| (after[hand] - before[hand]) / (2.0 * secs);
            Self::new(hands[frame], [velocity(0), velocity(1)], height_m)
        };
        (0..frames).map(movement).collect()
    }

    fn minus(&self, other: &Self) -> [f32; DIMS] {
        std::array::from_fn(|i| self.0[i] - other.0[i])
    }

    /// How fast hands go, as numbers of w.
    fn speed(&self) -> f32 {
        self.0[DIMS / 2..].iter().map(|v| v * v).sum::<f32>().sqrt()
    }
}

/// When someone is taken to imitate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntentionSettings {
    /// The most that e₁ may be, over the spread of the example's own movements; default 0.7; 0 to 100.
    pub pose_error: f32,
    /// The most that e₂ may be, likewise, for a change in 1/60 s; default 0.5; 0 to 100.
    pub change_error: f32,
    /// The most that the nearest frame of the example may be away, squared, likewise; default 0.7; 0 to 100.
    pub farthest: f32,
    /// The least speed of hands, over that of the example where it is nearest; default 0.5; 0 to 2.
    pub liveliness: f32,
    /// How many times as far someone may deviate who imitates already; default 2.5; 1 to 10.
    pub slack: f32,
    /// How long it must be so before it counts, in seconds; default 0.08; 0 to 1.
    pub begin_secs: f32,
    /// How long it must be otherwise before it counts no more, in seconds; default 0.12; 0 to 2.
    pub end_secs: f32,
}

impl Default for IntentionSettings {
    fn default() -> Self {
        Self {
            pose_error: 0.7,
            change_error: 0.5,
            farthest: 0.7,
            liveliness: 0.5,
            slack: 2.5,
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

/// What an example's hands do, to compare with.
#[derive(Debug, Clone)]
pub(crate) struct Likeness {
    movements: Vec<Movement>,
    mean: Movement,
    /// A, one direction after another.
    directions: Vec<[f32; DIMS]>,
    speed: f32,
    /// How much its movements vary: the sum of their variances.
    spread: f32,
}

/// Directions are used until they explain this share of what varies.
const EXPLAINED: f32 = 0.97;
/// How long hands' speed is averaged over, in seconds.
const SPEED_SECS: f32 = 0.16;
/// Hands that are faster count as this fast, over the example's mean: who raised them quickly stands still soon after.
const MOST_SPEED: f32 = 1.2;
/// No frame of an example counts as slower, over its mean: at its turns it is still.
const LEAST_SPEED: f32 = 0.45;

impl Likeness {
    pub(crate) fn learn(movements: Vec<Movement>) -> Self {
        let frames = movements.len().max(1) as f32;
        let mean: [f32; DIMS] =
            std::array::from_fn(|i| movements.iter().map(|w| w.0[i]).sum::<f32>() / frames);
        let mean = Movement(mean);
        let mut covariance = DMatrix::<f32>::zeros(DIMS, DIMS);
        for movement in &movements {
            let away = DMatrix::from_row_slice(1, DIMS, &movement.minus(&mean));
            covariance += away.transpose() * away / frames;
        }
        let whole = covariance.trace();
        let eigen = covariance.symmetric_eigen();
        let mut order: Vec<usize> = (0..DIMS).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
        let mut directions = Vec::new();
        let mut explained = 0.0;
        for number in order {
            if explained >= EXPLAINED * whole {
                break;
            }
            explained += eigen.eigenvalues[number];
            directions.push(std::array::from_fn(|i| eigen.eigenvectors[(i, number)]));
        }
        let speed = movements.iter().map(Movement::speed).sum::<f32>() / frames;
        Self { movements, mean, directions, speed, spread: whole.max(1e-4) }
    }

    /// ‖v − A Aᵀ v‖².
    fn outside(&self, v: [f32; DIMS]) -> f32 {
        let mut left = v;
        for direction in &self.directions {
            let dot: f32 = direction.iter().zip(&v).map(|(a, b)| a * b).sum();
            left.iter_mut().zip(direction).for_each(|(left, a)| *left -= dot * a);
        }
        left.iter().map(|v| v * v).sum()
    }

    /// Eq. 5.
    pub(crate) fn pose_error(&self, w: &Movement) -> f32 {
        self.outside(w.minus(&self.mean))
    }

    /// Eq. 6, as if the change had taken 1/60 s.
    pub(crate) fn change_error(&self, before: &Movement, w: &Movement, secs: f32) -> f32 {
        let share = 1.0 / (60.0 * secs.max(1e-3));
        self.outside(w.minus(before).map(|v| v * share))
    }

    /// The frames nearest to a movement, the nearest first, with their squared distances; as many as fit.
    pub(crate) fn nearest_into(&self, w: &Movement, found: &mut [(usize, f32)]) {
        found.fill((0, f32::MAX));
        for (frame, movement) in self.movements.iter().enumerate() {
            let distance = movement.minus(w).iter().map(|v| v * v).sum::<f32>();
            let place = found.partition_point(|(_, other)| *other <= distance);
            if place < found.len() {
                found[place..].rotate_right(1);
                found[place] = (frame, distance);
            }
        }
    }
}

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
        let seems = self.pose_error <= slack * settings.pose_error
            && self.change_error <= slack * settings.change_error
            && self.farthest <= slack * settings.farthest
            && self.speed >= settings.liveliness
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

    fn circle(frames: usize, radius: f32) -> Vec<Movement> {
        let hand = |frame: usize| {
            let turn = std::f32::consts::TAU * frame as f32 / frames as f32;
            [
                Vec3::new(0.2, radius * turn.cos(), radius * turn.sin()),
                Vec3::new(-0.2, radius * turn.cos(), 0.0),
            ]
        };
        let hands: Vec<[Vec3; 2]> = (0..frames).map(hand).collect();
        Movement::of_cycle(&hands, 2.0 / frames as f32, 1.7)
    }

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

    #[test]
    fn what_belongs_to_the_example_has_no_error() {
        let circles = circle(60, 0.4);
        let like = Likeness::learn(circles.clone());
        for two in circles.windows(2) {
            assert!(like.pose_error(&two[1]) < 1e-3);
            assert!(like.change_error(&two[0], &two[1], 1.0 / 60.0) < 1e-3);
        }
        let mut found = [(0, 0.0); 3];
        like.nearest_into(&circles[7], &mut found);
        assert_eq!(found[0], (7, 0.0));
        assert!(found[1].1 <= found[2].1);
    }
}
