//! What is done to a motion between reading and writing.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use marey::formats::ReadOptions;
use marey::formats::file::read_file;
use marey::motion::{Actor, Clip, Skeleton, Take};
use marey::ops::retarget::{Retarget, RetargetSettings, TravelScale};

use crate::flags::{FrameRange, hertz};
use marey::Error;

/// In this order: frames are cut out, the motion is mirrored, moved to another body, then resampled.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is done to the motion")]
pub(super) struct EditFlags {
    /// Only these frames: the first, and one past the last; either may be left out
    #[arg(long, value_name = "A..B")]
    frames: Option<FrameRange>,

    /// Exchange left and right
    #[arg(long)]
    mirror: bool,

    /// Move the motion to the body in another motion file (the first figure there), joints paired by their roles, feet
    /// kept on the floor
    #[arg(long, value_name = "FILE")]
    skeleton: Option<PathBuf>,

    /// How far another body travels: in proportion to its legs (scaled), or as far as before (kept); without it, kept
    /// where there are several figures
    #[arg(long, value_name = "HOW", value_parser = travel(), requires = "skeleton")]
    travel: Option<TravelScale>,

    /// Change the number of frames a second; the motion keeps its speed
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    resample: Option<f64>,
}

fn travel() -> impl TypedValueParser<Value = TravelScale> {
    PossibleValuesParser::new(["scaled", "kept"]).map(|word| match word.as_str() {
        "kept" => TravelScale::Kept,
        _ => TravelScale::Scaled,
    })
}

/// What is done, ready to be done to any number of takes.
#[derive(Debug)]
pub(super) struct Edit<'a> {
    flags: &'a EditFlags,
    body: Option<Arc<Skeleton>>,
}

impl EditFlags {
    /// Reads the body that motion goes to, where there is one.
    pub(super) fn ready(&self) -> Result<Edit<'_>, Error> {
        let body = self.skeleton.as_deref().map(|path| {
            let import = read_file(path, &ReadOptions::default()).and_then(|import| import.into_first());
            let first = import.map_err(|error| Error::from(error).in_file(path))?;
            Ok::<_, Error>(first.take.first().skeleton().clone())
        });
        Ok(Edit { flags: self, body: body.transpose()? })
    }
}

impl Edit<'_> {
    /// Does it to every actor.
    pub(super) fn apply(&self, take: Take) -> Result<Take, Error> {
        let name = take.name().to_owned();
        let several = take.actors().len() > 1;
        let edit = |actor: Actor| Ok(Actor { clip: self.apply_to_clip(actor.clip, several)?, ..actor });
        let actors = take.into_actors().into_iter().map(edit).collect::<Result<_, Error>>()?;
        Ok(Take::new(name, actors)?)
    }

    fn apply_to_clip(&self, mut clip: Clip, several: bool) -> Result<Clip, Error> {
        if let Some(frames) = self.flags.frames {
            clip = clip.slice(frames.within(clip.frames()))?;
        }
        if self.flags.mirror {
            clip = clip.mirrored();
        }
        if let Some(body) = &self.body {
            let usual = if several { TravelScale::Kept } else { TravelScale::Scaled };
            let settings = RetargetSettings {
                travel: self.flags.travel.unwrap_or(usual),
                ..RetargetSettings::default()
            };
            clip = Retarget::new(clip.skeleton(), body.clone(), &settings)?.apply(&clip)?;
        }
        match self.flags.resample {
            Some(rate_hz) => Ok(clip.resampled(rate_hz)?),
            None => Ok(clip),
        }
    }
}
