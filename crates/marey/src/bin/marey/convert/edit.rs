//! What is done to a motion between reading and writing.

use clap::Args;
use marey::motion::{Actor, Clip, Result, Take};

use crate::flags::{FrameRange, hertz};

/// In this order: frames are cut out, the motion is mirrored, then resampled.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is done to the motion")]
pub(super) struct EditFlags {
    /// Only these frames: the first, and one past the last; either may be left out
    #[arg(long, value_name = "A..B")]
    frames: Option<FrameRange>,

    /// Exchange left and right
    #[arg(long)]
    mirror: bool,

    /// Change the number of frames a second; the motion keeps its speed
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    resample: Option<f64>,
}

impl EditFlags {
    /// Does it to every actor.
    pub(super) fn apply(&self, take: Take) -> Result<Take> {
        let name = take.name().to_owned();
        let edit = |actor: Actor| Ok(Actor { clip: self.apply_to_clip(actor.clip)?, ..actor });
        Take::new(name, take.into_actors().into_iter().map(edit).collect::<Result<_>>()?)
    }

    fn apply_to_clip(&self, mut clip: Clip) -> Result<Clip> {
        if let Some(frames) = self.frames {
            clip = clip.slice(frames.within(clip.frames()))?;
        }
        if self.mirror {
            clip = clip.mirrored();
        }
        match self.resample {
            Some(rate_hz) => clip.resampled(rate_hz),
            None => Ok(clip),
        }
    }
}
