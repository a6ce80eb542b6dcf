//! Selecting a pose from a corpus, a file or memory.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::motion::{Clip, MotionError, Take};
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

impl PoseSelector {
    /// Returns the clip, on its floor, and the frame. Without a frame, uses the first, or the last if `uses_last`.
    pub(crate) fn resolve(&self, uses_last: bool, context: &Context<'_>) -> Result<(Clip, usize), Error> {
        let (clip, frame) = match self {
            Self::Frame(take, frame) => (first_clip(take)?, *frame),
            Self::Text(text) => {
                let (name, frame) = match text.rsplit_once('@') {
                    Some((name, number)) if number.parse::<usize>().is_ok() => (name, number.parse().ok()),
                    _ => (text.as_str(), None),
                };
                let path = Path::new(name);
                let clip = if path.is_file() {
                    first_clip(&inputs::take(path)?).map_err(|error| error.in_file(path))?
                } else {
                    let actors = examples(&*context.corpus()?, name)?;
                    actors.into_iter().next().ok_or(MotionError::Empty { what: "a take" })?.clip
                };
                (clip, frame)
            }
        };
        let frame = frame.unwrap_or(if uses_last { clip.frames().saturating_sub(1) } else { 0 });
        Ok((clip, frame))
    }
}

fn first_clip(take: &Take) -> Result<Clip, Error> {
    Ok(seen(take)?.into_iter().next().ok_or(MotionError::Empty { what: "a take" })?.clip)
}
