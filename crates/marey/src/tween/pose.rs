//! Selecting a pose from a corpus, a file or memory.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::motion::{Clip, MotionError, Observer, Take};
use crate::sources::{examples, seen};
use crate::{Context, Error, inputs};

/// A frame of a take's first actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PoseSelector {
    /// `TAKE@FRAME` of the corpus, or `FILE@FRAME`; `@FRAME` is optional.
    Text(String),
    /// A frame of a take in memory.
    #[serde(skip)]
    Frame(Take, Option<usize>),
}

impl Default for PoseSelector {
    fn default() -> Self {
        Self::Text(String::new())
    }
}

impl From<&str> for PoseSelector {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A pose that was found.
#[derive(Debug, Clone)]
pub(crate) struct ResolvedPose {
    /// The motion, on its floor.
    pub(crate) clip: Clip,
    pub(crate) frame: usize,
    /// Height of that floor in the take, in metres.
    pub(crate) floor_m: f32,
}

impl PoseSelector {
    /// Finds the pose. Without a frame, uses the first, or the last if `uses_last`.
    pub(crate) fn resolve(&self, uses_last: bool, context: &Context<'_>) -> Result<ResolvedPose, Error> {
        let ((clip, floor_m), frame) = match self {
            Self::Frame(take, frame) => (first_clip(take, context.observer())?, *frame),
            Self::Text(text) => {
                let (name, frame) = match text.rsplit_once('@') {
                    Some((name, number)) if number.parse::<usize>().is_ok() => (name, number.parse().ok()),
                    _ => (text.as_str(), None),
                };
                let path = Path::new(name);
                let clip = if path.is_file() {
                    first_clip(&inputs::take(path)?, context.observer())
                        .map_err(|error| error.in_file(path))?
                } else {
                    let corpus = context.corpus()?;
                    let original = corpus.take(corpus.find(name)?)?;
                    let actors = examples(&corpus, name, context.observer())?;
                    let clip = actors.into_iter().next().ok_or(MotionError::Empty { what: "a take" })?.clip;
                    let floor_m = height_m(original.first()) - height_m(&clip);
                    (clip, floor_m)
                };
                (clip, frame)
            }
        };
        let frame = frame.unwrap_or(if uses_last { clip.frames().saturating_sub(1) } else { 0 });
        if frame >= clip.frames() {
            let (start, end, frames) = (frame, frame.saturating_add(1), clip.frames());
            return Err(MotionError::Range { start, end, frames }.into());
        }
        Ok(ResolvedPose { clip, frame, floor_m })
    }
}

/// The first actor of a take, on its floor, and the height of that floor.
fn first_clip(take: &Take, observer: Observer<'_>) -> Result<(Clip, f32), Error> {
    let first = seen(take, observer)?.into_iter().next();
    let clip = first.ok_or(MotionError::Empty { what: "a take" })?.clip;
    let floor_m = height_m(take.first()) - height_m(&clip);
    Ok((clip, floor_m))
}

/// Height of the root in the first frame.
fn height_m(clip: &Clip) -> f32 {
    clip.pose(0).root_position().y
}
