//! Changes to motion between reading and writing.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::motion::{Clip, FrameRange, Skeleton, Take};
use crate::ops::retarget::{RetargetSettings, TravelScale, retarget_clips};
use crate::{Budget, Error, inputs};

/// Changes to motion, in this order: frames are cut out, the motion is mirrored, retargeted, then resampled.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MotionEdit {
    /// Keep only these frames.
    pub frames: Option<FrameRange>,
    /// Exchange left and right.
    pub mirror: bool,
    /// Retarget to the skeleton of the first figure of this motion file.
    pub skeleton: Option<PathBuf>,
    /// How far the other body travels; default in proportion to its legs, and as far as before for several actors.
    pub travel: Option<TravelScale>,
    /// Frame rate in Hz; the motion keeps its speed.
    pub resample_hz: Option<f64>,
}

impl MotionEdit {
    /// Reads the skeleton to retarget to, if there is one.
    pub(super) fn read_skeleton(&self) -> Result<Option<Arc<Skeleton>>, Error> {
        let skeleton = self.skeleton.as_deref().map(inputs::take).transpose()?;
        Ok(skeleton.map(|take| take.first().skeleton().clone()))
    }

    /// Edits every actor. `skeleton` is what [`MotionEdit::read_skeleton`] returned.
    pub(super) fn apply(
        &self,
        take: Take,
        skeleton: Option<&Arc<Skeleton>>,
        budget: &Budget,
    ) -> Result<Take, Error> {
        if let Some(rate_hz) = self.resample_hz {
            budget
                .check_frames(take.frames() as f64 / take.rate_hz() * rate_hz * take.actors().len() as f64)?;
        }
        let clips = take.actors().iter().map(|actor| self.cut_and_mirrored(&actor.clip));
        let mut clips = clips.collect::<Result<Vec<Clip>, Error>>()?;
        if let Some(skeleton) = skeleton {
            let travel = self.travel.unwrap_or(TravelScale::for_actors(clips.len()));
            let settings = RetargetSettings { travel, ..RetargetSettings::default() };
            let targets = vec![skeleton.clone(); clips.len()];
            clips = retarget_clips(&clips.iter().collect::<Vec<_>>(), &targets, &settings)?;
        }
        if let Some(rate_hz) = self.resample_hz {
            clips = clips.iter().map(|clip| clip.resampled(rate_hz)).collect::<Result<_, _>>()?;
        }
        Ok(take.with_clips(clips)?)
    }

    fn cut_and_mirrored(&self, clip: &Clip) -> Result<Clip, Error> {
        let clip = match self.frames {
            Some(frames) => clip.slice(frames.within(clip.frames()))?,
            None => clip.clone(),
        };
        Ok(if self.mirror { clip.mirrored() } else { clip })
    }
}
