//! The cues by which a leader leads.

use rand::{Rng, RngExt};

use super::{PatternTransition, Turn};

/// The share of unclear leads.
const UNCLEAR_SHARE: f64 = 0.15;

/// The cue of one transition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lead {
    /// The rise of the joined hands, from 0 to 1.
    pub(super) raise: f64,
    /// The beat after the start at which the hands begin to rise.
    pub(super) rise_beat: f64,
    /// Shift of the joined hands to the leader's left, in metres.
    pub(super) hands_m: f64,
    /// Shift of the leader's weight to the left, in metres.
    pub(super) weight_m: f64,
    /// Rotation of the leader's chest to the left, in radians.
    pub(super) chest_rad: f64,
}

impl Lead {
    /// Chooses how clearly a transition is led. A change of hands looks like the start of an outside turn.
    pub(super) fn of(transition: &PatternTransition, rng: &mut impl Rng) -> Self {
        let range = if rng.random_bool(UNCLEAR_SHARE) { 0.0..0.25 } else { 0.6..1.0 };
        let clear = rng.random_range(range);
        let changes = transition.from.is_crosshand() != transition.to.is_crosshand();
        let (raise, direction) = match transition.turn {
            Turn::Step if changes => (0.3, 0.6),
            Turn::Step => (0.0, 0.0),
            Turn::Inside => (1.0, -1.0),
            Turn::Outside => (1.0, 1.0),
        };
        let [hands, weight, chest, late]: [f64; 4] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        Self {
            raise,
            rise_beat: 1.0 + 0.2 * (1.0 - clear) + 0.05 * late,
            hands_m: 0.13 * clear * direction + 0.02 * hands,
            weight_m: 0.05 * clear * direction + 0.01 * weight,
            chest_rad: 0.22 * clear * direction + 0.08 * chest,
        }
    }
}
