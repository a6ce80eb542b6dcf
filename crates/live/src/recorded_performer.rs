//! A performer that was recorded.

use std::sync::Arc;

use marey_motion::{Report, Skeleton};
use marey_perform::{CharacterState, Recording};

use crate::{PerformedFrame, Performer, Result};

/// A performer that was recorded.
#[derive(Debug, Clone)]
pub struct RecordedPerformer {
    recording: Recording,
    next: usize,
}

impl RecordedPerformer {
    /// Performs a recording from its first frame.
    pub fn new(recording: Recording) -> Self {
        Self { recording, next: 0 }
    }
}

impl Performer for RecordedPerformer {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.recording.calibration.skeleton()
    }

    fn rate_hz(&self) -> Option<f64> {
        Some(self.recording.rate_hz)
    }

    fn next_frame(&mut self, _: &CharacterState) -> Result<Option<PerformedFrame>> {
        let frame = self.recording.poses.get(self.next).zip(self.recording.closed.get(self.next));
        self.next += 1;
        let secs = (1.0 / self.recording.rate_hz) as f32;
        Ok(frame.map(|(pose, closed)| PerformedFrame { pose: pose.clone(), closed: *closed, secs }))
    }

    fn report(&self) -> Report {
        self.recording.report.clone()
    }
}
