//! How many plants were kept.

use serde::Serialize;

/// The contacts of one actor, and those that were not held to their end. Heel and ball of a foot have contacts
/// of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PlantSummary {
    /// The number of contacts.
    pub contacts: usize,
    /// Contacts that ended early because the foot was pulled too far, or out of reach of its leg.
    pub too_far: usize,
    /// Contacts that were not planted because the foot moves too fast.
    pub too_fast: usize,
    /// Contacts that ended early because the foot turned too far.
    pub turned: usize,
    /// The first frame in which one of these happened.
    pub first_released: Option<usize>,
}

/// Why a foot does not stand although its source does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReleaseReason {
    TooFar,
    TooFast,
    Turned,
}

impl PlantSummary {
    /// The number of contacts that were not held to their end.
    pub fn released(&self) -> usize {
        self.too_far + self.too_fast + self.turned
    }

    pub(super) fn count(&mut self, reason: ReleaseReason, frame: usize) {
        *match reason {
            ReleaseReason::TooFar => &mut self.too_far,
            ReleaseReason::TooFast => &mut self.too_fast,
            ReleaseReason::Turned => &mut self.turned,
        } += 1;
        self.first_released = Some(self.first_released.map_or(frame, |first| first.min(frame)));
    }
}
