//! The input of a performance, exactly as the session received it.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{PerformState, PerformedFrame, Performer};
use crate::motion::{Clip, ClipParts, Skeleton};
use crate::{Error, codes, inputs};

/// The rate of the clip of a recording whose frames are not evenly spaced.
const UNEVEN_HZ: f64 = 60.0;

/// Every frame of a performer, bit by bit. It is saved as JSON; performing it again gives the same motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PerformerRecording {
    /// Frames per second; absent if the time between frames varies.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    rate_hz: Option<f64>,
    /// The performer's poses.
    clip: Clip,
    /// Whether the left and the right hand are closed, frame by frame.
    closed: Vec<[bool; 2]>,
    /// The time between frames, in seconds.
    secs: Vec<f32>,
    #[serde(skip)]
    next: usize,
}

impl PerformerRecording {
    pub(super) fn new(
        skeleton: Arc<Skeleton>,
        rate_hz: Option<f64>,
        frames: Vec<PerformedFrame>,
    ) -> Result<Self, Error> {
        let mut parts = ClipParts::default();
        frames.iter().for_each(|frame| parts.push(frame.pose.view()));
        let clip = Clip::new(skeleton, rate_hz.unwrap_or(UNEVEN_HZ), parts)?;
        let closed = frames.iter().map(|frame| frame.closed).collect();
        let secs = frames.iter().map(|frame| frame.secs).collect();
        Ok(Self { rate_hz, clip, closed, secs, next: 0 })
    }

    /// Reads a recording.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let recording: Self = inputs::json(path, &codes::NOT_A_FRAME)?;
        let frames = recording.clip.frames();
        if recording.closed.len() != frames || recording.secs.len() != frames {
            let message = format!(
                "{frames} poses, {} states of the hands and {} times",
                recording.closed.len(),
                recording.secs.len()
            );
            return Err(Error::new(&codes::NOT_A_FRAME, message).in_file(path));
        }
        Ok(recording)
    }

    /// The performer's motion.
    pub fn clip(&self) -> &Clip {
        &self.clip
    }
}

impl Performer for PerformerRecording {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.clip.skeleton()
    }

    fn rate_hz(&self) -> Option<f64> {
        self.rate_hz
    }

    fn next_frame(&mut self, _: &PerformState) -> Result<Option<PerformedFrame>, Error> {
        if self.next >= self.clip.frames() {
            return Ok(None);
        }
        let frame = PerformedFrame {
            pose: self.clip.pose(self.next).to_owned(),
            closed: self.closed.get(self.next).copied().unwrap_or_default(),
            secs: self.secs.get(self.next).copied().unwrap_or_default(),
        };
        self.next += 1;
        Ok(Some(frame))
    }
}
