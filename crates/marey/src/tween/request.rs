//! The request of `tween`.

use serde::{Deserialize, Serialize};

use super::{NearSettings, PathSearchSettings, PoseSelector, StyleSettings, TweenSettings};
use crate::motion::{Ground, Take};
use crate::{Error, codes};

/// How motion between poses is made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TweenMode {
    /// As near as possible to what people of the corpus do: a regression on similar gaps. Always answers. The default.
    #[default]
    Near,
    /// The likeliest path of joint orientations, after Stuart, Bradley, Capps and Luftig. Fails if the corpus has no path.
    Style,
}

/// A request for motion through poses, or for motion that fills gaps of a clip.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TweenRequest {
    /// Takes to learn from; if empty, takes of the corpus.
    #[serde(skip)]
    pub training: Vec<Take>,
    /// Takes of the corpus to learn from, by name or `#` and number; all if empty. Takes of other bodies are retargeted onto that of the
    /// first pose, or the one that the context asks for.
    pub only: Vec<String>,
    /// How the motion is made.
    pub mode: TweenMode,
    /// Two or more poses in their order, or one clip whose `gaps` are filled. Without a frame, the first pose is the last of its take,
    /// the others are the first. Instead of poses: a table of keyframes, a file ending in `.csv` or `.json`, which may also give
    /// `at_secs`, `start` and `places`.
    pub poses: Vec<PoseSelector>,
    /// Time of each pose in seconds, increasing, the first 0; empty for `frames`.
    pub at_secs: Vec<f64>,
    /// Number of frames from each pose to the next, including both; `None` for as many as people of the corpus take.
    pub frames: Option<usize>,
    /// Where the first pose is: the ground under the hips and the heading. `None`: where it is in its take.
    pub start: Option<Ground>,
    /// Where the second and further poses are, in the same coordinates. `None` or missing: where the steps lead.
    pub places: Vec<Option<Ground>>,
    /// Frames of the only clip that are replaced: first and one past the last.
    pub gaps: Vec<(usize, usize)>,
    /// Whether the motion returns to the first pose, so that it can be repeated; default false.
    pub closes: bool,
    /// Whether only the motion between the poses is returned, without the takes before the first and after the last; default false.
    pub gap_only: bool,
    /// How gaps are filled near to the corpus.
    pub near: NearSettings,
    /// How the style is learned.
    pub style: StyleSettings,
    /// How the path is searched in the style.
    pub search: PathSearchSettings,
    /// Name of the resulting take; `tween` if empty.
    pub name: String,
}

impl TweenRequest {
    /// A request for motion from one pose to another.
    pub fn between(from: impl Into<PoseSelector>, to: impl Into<PoseSelector>) -> Self {
        Self { poses: vec![from.into(), to.into()], ..Self::default() }
    }

    /// Checks everything that does not depend on the motion.
    pub fn validate(&self) -> Result<(), Error> {
        self.near.validate()?;
        self.style.validate()?;
        TweenSettings { frames: self.frames, search: self.search, ..TweenSettings::default() }.validate()?;
        let invalid = |message: &str| Err(Error::usage(&codes::TWEEN_REQUEST, message));
        match (self.poses.len(), self.gaps.is_empty()) {
            (1, false) | (2.., true) => {}
            (_, true) => return invalid("tween needs two poses, or one clip and its gaps"),
            (_, false) => return invalid("gaps are filled in one clip"),
        }
        let takes_options = self.closes
            || self.gap_only
            || self.frames.is_some()
            || self.start.is_some()
            || !self.at_secs.is_empty();
        if self.poses.len() == 1 && takes_options {
            return invalid("the gaps of a clip have their length and place; they take no other options");
        }
        let is_increasing = self.at_secs.is_sorted_by(|one, next| one < next);
        let is_finite = self.at_secs.iter().all(|secs| secs.is_finite());
        match self.at_secs.first() {
            None => {}
            Some(_) if self.frames.is_some() => return invalid("give times or a number of frames, not both"),
            Some(_) if self.poses.len() + usize::from(self.closes) != self.at_secs.len() => {
                return invalid("give one time for each pose, and one more to close a loop");
            }
            Some(first) if *first == 0.0 && is_increasing && is_finite => {}
            Some(_) => return invalid("times start with 0 and increase"),
        }
        if self.places.len() + 1 > self.poses.len().max(1) {
            return invalid("more places than poses after the first");
        }
        match self.places.iter().chain([&self.start]).flatten().all(|place| place.is_finite()) {
            true => Ok(()),
            false => invalid("a place is not a finite number"),
        }
    }
}
