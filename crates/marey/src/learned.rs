//! The style of a corpus, and motion in it: what `marey tween` and `marey wander` do.

use std::path::Path;

use serde::Deserialize;

use crate::corpus::{Corpus, TakeInfo};
use crate::failure::Failure;
use crate::inputs;
use crate::motion::{Clip, Error, Take};
use crate::plan::{Seed, SourceRef};
use crate::realise::Sources;
use crate::sources::{CorpusSources, seen};
use crate::tween::{
    self, SearchSettings, Style, StyleSettings, Tween, TweenSettings, WanderSettings, improvise, tween,
};

/// A style, and the takes it was learned from.
#[derive(Debug)]
pub struct Learned {
    style: Style,
    /// The rate of the takes.
    rate_hz: f64,
    sources: CorpusSources,
    /// The take and actor of each clip, and its rate.
    clips: Vec<(SourceRef, f64)>,
}

/// A pose: a clip, and a frame of it.
pub type Pose = (Clip, usize);

/// A way between two poses, as a person asks for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WayWish {
    /// How many frames, both poses among them; as many as the likeliest way has where nothing is told.
    pub frames: Option<usize>,
    /// How it is searched.
    pub search: SearchSettings,
}

/// A walk by chance, as a person asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WanderWish {
    /// How long it lasts, in seconds; default 10.
    pub secs: f64,
    /// Where chance starts; default 1.
    pub seed: u64,
    /// How free it is.
    pub settings: WanderSettings,
}

impl Default for WanderWish {
    fn default() -> Self {
        Self { secs: 10.0, seed: 1, settings: WanderSettings::default() }
    }
}

impl Learned {
    /// Learns from takes of a corpus, by name or # and number; from all where none is named.
    pub fn of(corpus: Corpus, takes: &[String], settings: &StyleSettings) -> Result<Self, Failure> {
        let chosen: Vec<TakeInfo> = match takes {
            [] => corpus.takes()?,
            names => {
                let infos = names.iter().map(|name| corpus.info(corpus.find(name)?));
                infos.collect::<crate::corpus::Result<_>>()?
            }
        };
        let sources = CorpusSources::new(corpus);
        let (mut clips, mut names): (Vec<Clip>, Vec<(SourceRef, f64)>) = (Vec::new(), Vec::new());
        for info in &chosen {
            for actor in 0..info.actors.len() {
                let source = SourceRef { take: info.name.clone(), actor };
                clips.push(sources.example(&source)?.clip);
                names.push((source, info.rate_hz));
            }
        }
        let style = Style::learn(&clips, settings)?;
        let rate_hz = names.first().map_or(60.0, |(_, rate_hz)| *rate_hz);
        Ok(Self { style, rate_hz, sources, clips: names })
    }

    /// The pose that is meant by `TAKE@FRAME` or `FILE@FRAME`. Where no frame is told, the first or the last.
    pub fn pose(&self, text: &str, is_last: bool) -> Result<Pose, Failure> {
        let (name, frame) = match text.rsplit_once('@') {
            Some((name, number)) if number.parse::<usize>().is_ok() => (name, number.parse().ok()),
            _ => (text, None),
        };
        let path = Path::new(name);
        let clip = if path.is_file() {
            pose_clip(&inputs::take(path)?).map_err(|failure| failure.in_file(path))?
        } else {
            self.sources.example(&SourceRef { take: name.into(), actor: 0 })?.clip
        };
        let frame = frame.unwrap_or(if is_last { clip.frames() - 1 } else { 0 });
        Ok((clip, frame))
    }

    /// The first frame that was learned from.
    pub fn first_pose(&self) -> Result<Pose, Failure> {
        match self.clips.first() {
            Some((source, _)) => Ok((self.sources.example(source)?.clip, 0)),
            None => Err(Error::Empty { what: "a corpus" }.into()),
        }
    }

    /// The likeliest way from one pose to another.
    pub fn way(&self, from: &Pose, to: &Pose, wish: &WayWish) -> Result<Tween, Failure> {
        let WayWish { frames, search } = *wish;
        let settings = TweenSettings { rate_hz: self.rate_hz, frames, search, ..TweenSettings::default() };
        tween(&self.style, (&from.0, from.1), (&to.0, to.1), &settings).map_err(|error| self.failure(error))
    }

    /// A walk by chance from a pose.
    pub fn wander(&self, from: &Pose, wish: &WanderWish) -> Result<Tween, Failure> {
        let frames = (wish.secs * self.rate_hz).round().max(0.0) as usize;
        let (from, seed) = ((&from.0, from.1), Seed(wish.seed));
        improvise(&self.style, from, frames, self.rate_hz, &wish.settings, seed)
            .map_err(|error| self.failure(error))
    }

    /// What went wrong, naming the nearest posture that would do as it can be asked for.
    fn failure(&self, error: tween::Error) -> Failure {
        let near = match &error {
            tween::Error::NotConnected { nearest: Some((clip, frame)), .. } => {
                self.clips.get(*clip).map(|(source, rate_hz)| {
                    let frame = *frame as f64 * rate_hz / self.style.settings().rate_hz;
                    format!("; the nearest posture that can be reached is {}@{}", source.take, frame.round())
                })
            }
            _ => None,
        };
        let message = format!("{error}{}", near.unwrap_or_default());
        Failure { message, ..error.into() }
    }
}

/// The first figure of a take as one that poses are taken of: on the floor that the take was seen to rest on.
pub fn pose_clip(take: &Take) -> Result<Clip, Failure> {
    let first = seen(take)?.into_iter().next();
    Ok(first.ok_or(Error::Empty { what: "a take" })?.clip)
}
