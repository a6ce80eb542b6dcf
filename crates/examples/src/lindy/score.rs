//! The music and the transitions of a dance.

use super::{Pattern, PatternTransition, Stance, Turn};

/// Duration of standing before the first beat and after the last, in seconds.
const READY_SECS: f64 = 1.0;
const REST_SECS: f64 = 1.4;
/// Beats per transition.
pub(super) const BEATS: usize = 4;

/// The music and the transitions of a dance.
#[derive(Debug, Clone)]
pub(super) struct Score {
    pub(super) transitions: Vec<PatternTransition>,
    pub(super) beat_secs: f64,
}

impl Score {
    pub(super) fn new(patterns: &[Pattern], tempo_bpm: f64) -> Self {
        let transitions = patterns.iter().flat_map(|pattern| [pattern.first, pattern.second]).collect();
        Self { transitions, beat_secs: 60.0 / tempo_bpm }
    }

    pub(super) fn beats(&self) -> usize {
        BEATS * self.transitions.len()
    }

    pub(super) fn secs_at(&self, beat: f64) -> f64 {
        READY_SECS + beat * self.beat_secs
    }

    pub(super) fn beat_at(&self, secs: f64) -> f64 {
        (secs - READY_SECS) / self.beat_secs
    }

    pub(super) fn duration_secs(&self) -> f64 {
        self.secs_at(self.beats() as f64) + REST_SECS
    }

    /// Whether the follower turns in the previous transition.
    pub(super) fn turns_before(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|i| self.transitions.get(i));
        before.is_some_and(|transition| transition.turn != Turn::Step)
    }

    /// The stance at the start of each transition, and at the end.
    pub(super) fn stances(&self) -> impl Iterator<Item = Stance> {
        let first = self.transitions.first().map(|transition| transition.from);
        first.into_iter().chain(self.transitions.iter().map(|transition| transition.to))
    }
}
