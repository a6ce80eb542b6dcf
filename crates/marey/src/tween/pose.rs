//! Selecting a pose from a corpus, a file or memory.

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::bodies::on_body;
use crate::motion::{Clip, Ground, MotionError, Observer, Skeleton, Take};
use crate::sources::{examples, seen};
use crate::{Context, Error, inputs};

/// A frame of a take's first actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum PoseSelector {
    /// `TAKE@FRAME` of the corpus, or `FILE@FRAME`; `@FRAME` is optional. `@*` stands for every frame, in order.
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

/// Motion that poses are frames of: the motion, on its floor, and the height of that floor.
type FlooredClip = (Clip, f32);

/// Finds poses. Poses of one take, one after the other, are found in motion that is read once.
pub(crate) struct PoseReader<'a> {
    context: &'a Context<'a>,
    last: Option<(String, FlooredClip)>,
}

impl<'a> PoseReader<'a> {
    pub(crate) fn new(context: &'a Context<'a>) -> Self {
        Self { context, last: None }
    }

    /// Finds a pose. Without a frame, uses the first, or the last if `uses_last`.
    pub(crate) fn read(&mut self, selector: &PoseSelector, uses_last: bool) -> Result<ResolvedPose, Error> {
        let ((clip, floor_m), frame) = match selector {
            PoseSelector::Frame(take, frame) => (first_clip(take, self.context.observer())?, *frame),
            PoseSelector::Text(text) => {
                let (name, frame) = split_frame(text);
                (self.motion(name)?, frame)
            }
        };
        let frame = frame.unwrap_or(if uses_last { clip.frames().saturating_sub(1) } else { 0 });
        if frame >= clip.frames() {
            let (start, end, frames) = (frame, frame.saturating_add(1), clip.frames());
            return Err(MotionError::Range { start, end, frames }.into());
        }
        Ok(ResolvedPose { clip, frame, floor_m })
    }

    /// The motion of a file, or of a take of the corpus.
    fn motion(&mut self, name: &str) -> Result<FlooredClip, Error> {
        if let Some((_, motion)) = self.last.as_ref().filter(|(last, _)| last == name) {
            return Ok(motion.clone());
        }
        let observer = self.context.observer();
        let path = Path::new(name);
        let motion = if path.is_file() {
            first_clip(&inputs::take(path)?, observer).map_err(|error| error.in_file(path))?
        } else {
            let corpus = self.context.corpus()?;
            let original = corpus.take(corpus.find(name)?)?;
            let actors = examples(&corpus, name, observer)?;
            let clip = actors.into_iter().next().ok_or(MotionError::Empty { what: "a take" })?.clip;
            let floor_m = height_m(original.first()) - height_m(&clip);
            (clip, floor_m)
        };
        self.last = Some((name.to_owned(), motion.clone()));
        Ok(motion)
    }
}

impl ResolvedPose {
    /// The pose without the motion around it.
    pub(crate) fn alone(self) -> Result<Self, Error> {
        Ok(Self { clip: self.clip.slice(self.frame..self.frame + 1)?, frame: 0, ..self })
    }

    /// The same motion with the pose at a place.
    pub(crate) fn at(self, place: Ground) -> Result<Self, Error> {
        let pose = self.clip.slice(self.frame..self.frame + 1)?;
        let here = pose.ground_track().frames.first().copied().unwrap_or_default();
        Ok(Self { clip: self.clip.moved(place * here.inverse()), ..self })
    }

    /// The same pose on a body and at a rate.
    pub(crate) fn on(
        self,
        body: &Arc<Skeleton>,
        rate_hz: f64,
        observer: Observer<'_>,
    ) -> Result<Self, Error> {
        let clip = on_body(&self.clip, body, observer)?;
        if clip.rate_hz() == rate_hz {
            return Ok(Self { clip, ..self });
        }
        let frame = (self.frame as f64 * rate_hz / clip.rate_hz()).round() as usize;
        let clip = clip.resampled(rate_hz)?;
        let frame = frame.min(clip.frames() - 1);
        Ok(Self { clip, frame, ..self })
    }
}

/// The name and the frame in `NAME@FRAME`.
pub(crate) fn split_frame(text: &str) -> (&str, Option<usize>) {
    let frame = |(name, number): (_, &str)| Some((name, Some(number.parse().ok()?)));
    text.rsplit_once('@').and_then(frame).unwrap_or((text, None))
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
