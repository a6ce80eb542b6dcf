//! The input of a performance, exactly as the session received it.

use std::sync::Arc;

use marey_motion::{Clip, ClipParts, Skeleton};
use marey_perform::CharacterState;
use serde::{Deserialize, Serialize};

use crate::{LiveError, PerformedFrame, Performer, Result};

/// The rate of the clip of a recording whose frames are not evenly spaced.
const UNEVEN_HZ: f64 = 60.0;

/// Every frame of a performer, bit by bit. It is saved as JSON; performing it again gives the same motion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RecordingFile")]
pub struct PerformerRecording {
    /// Frames per second; absent if the time between frames varies.
    #[serde(skip_serializing_if = "Option::is_none")]
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

/// A recording as it is read, before its parts are compared.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordingFile {
    #[serde(default)]
    rate_hz: Option<f64>,
    clip: Clip,
    closed: Vec<[bool; 2]>,
    secs: Vec<f32>,
}

impl TryFrom<RecordingFile> for PerformerRecording {
    type Error = LiveError;

    fn try_from(RecordingFile { rate_hz, clip, closed, secs }: RecordingFile) -> Result<Self> {
        let (poses, hands, times) = (clip.frames(), closed.len(), secs.len());
        if hands != poses || times != poses {
            return Err(LiveError::Recording { poses, hands, times });
        }
        Ok(Self { rate_hz, clip, closed, secs, next: 0 })
    }
}

impl PerformerRecording {
    /// A recording of these frames of a performer.
    ///
    /// # Errors
    /// If there is no frame, or a pose does not fit the skeleton.
    pub fn new(skeleton: Arc<Skeleton>, rate_hz: Option<f64>, frames: Vec<PerformedFrame>) -> Result<Self> {
        let mut parts = ClipParts::default();
        frames.iter().for_each(|frame| parts.push(frame.pose.view()));
        let clip = Clip::new(skeleton, rate_hz.unwrap_or(UNEVEN_HZ), parts)?;
        let closed = frames.iter().map(|frame| frame.closed).collect();
        let secs = frames.iter().map(|frame| frame.secs).collect();
        Ok(Self { rate_hz, clip, closed, secs, next: 0 })
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

    fn next_frame(&mut self, _: &CharacterState) -> Result<Option<PerformedFrame>> {
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
