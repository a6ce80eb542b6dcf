//! Changes to motion between reading and writing.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::motion::{Actor, Clip, FrameRange, Skeleton, Take};
use crate::ops::retarget::{Retarget, RetargetSettings, TravelScale};
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
        let name = take.name().to_owned();
        let default = if take.actors().len() > 1 { TravelScale::Kept } else { TravelScale::Scaled };
        let settings = RetargetSettings { travel: self.travel.unwrap_or(default), ..Default::default() };
        let edit = |actor: Actor| Ok(Actor { clip: self.edit(actor.clip, skeleton, &settings)?, ..actor });
        let actors = take.into_actors().into_iter().map(edit).collect::<Result<_, Error>>()?;
        Ok(Take::new(name, actors)?)
    }

    fn edit(
        &self,
        mut clip: Clip,
        skeleton: Option<&Arc<Skeleton>>,
        settings: &RetargetSettings,
    ) -> Result<Clip, Error> {
        if let Some(frames) = self.frames {
            clip = clip.slice(frames.within(clip.frames()))?;
        }
        if self.mirror {
            clip = clip.mirrored();
        }
        if let Some(skeleton) = skeleton {
            clip = Retarget::new(clip.skeleton(), skeleton.clone(), settings)?.apply(&clip)?;
        }
        match self.resample_hz {
            Some(rate_hz) => Ok(clip.resampled(rate_hz)?),
            None => Ok(clip),
        }
    }
}
