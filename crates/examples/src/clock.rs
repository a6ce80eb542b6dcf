//! Converts between seconds, the time of planned motion, and frames, the time of its ground truth.

use std::ops::Range;

use marey_motion::Take;

/// Converts seconds to frames.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock {
    pub(crate) rate_hz: f64,
    pub(crate) frames: usize,
}

impl Clock {
    pub(crate) fn of(take: &Take) -> Self {
        Self { rate_hz: take.rate_hz(), frames: take.frames() }
    }

    /// The first frame at or after a time, with a small tolerance.
    pub(crate) fn frame_at(&self, secs: f64) -> usize {
        ((secs * self.rate_hz - 1e-6).ceil().max(0.0) as usize).min(self.frames)
    }

    /// The frames between two times.
    pub(crate) fn range(&self, from_secs: f64, until_secs: f64) -> Range<usize> {
        self.frame_at(from_secs)..self.frame_at(until_secs)
    }

    /// The frame nearest to a time. `None` beyond the end of the take.
    pub(crate) fn nearest(&self, secs: f64) -> Option<usize> {
        let frame = (secs * self.rate_hz).round();
        (frame >= 0.0 && frame < self.frames as f64).then_some(frame as usize)
    }
}
