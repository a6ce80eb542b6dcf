//! Learning the style of a corpus.

use std::sync::Arc;

use super::{MotionStyle, StyleSettings, TweenError, codes};
use crate::corpus::{self, TakeInfo};
use crate::motion::{self, Clip, Place, Report, Skeleton, Take};
use crate::plan::SourceRef;
use crate::sources::{examples, seen};
use crate::{Context, Error};

/// A style, and the clips that it was learned from.
#[derive(Debug)]
pub(crate) struct LearnedStyle {
    pub(crate) style: MotionStyle,
    /// Frame rate of the first clip.
    pub(crate) rate_hz: f64,
    /// The first clip.
    pub(crate) first: Clip,
    /// Takes that were left out.
    pub(crate) report: Report,
    /// Source and frame rate of each clip.
    clips: Vec<(SourceRef, f64)>,
}

impl LearnedStyle {
    /// Learns from `training`, or if it is empty from takes of the corpus, by name or `#` and number; from all if none is named. Uses the clips with the
    /// joints of `skeleton`, or of the skeleton that most of the motion has, and reports the takes that it leaves out.
    pub(crate) fn new(
        training: &[Take],
        only: &[String],
        settings: &StyleSettings,
        skeleton: Option<&Arc<Skeleton>>,
        context: &Context<'_>,
    ) -> Result<Arc<Self>, Error> {
        if !training.is_empty() {
            return Ok(Arc::new(Self::learn(clips_of(training)?, settings, skeleton, context)?));
        }
        let joints = skeleton.map(|skeleton| joints_of(skeleton));
        context.cached(("style", only, settings, joints), || {
            Self::learn(read_clips(only, context)?, settings, skeleton, context)
        })
    }

    fn learn(
        clips: Vec<(SourceRef, Clip)>,
        settings: &StyleSettings,
        skeleton: Option<&Arc<Skeleton>>,
        context: &Context<'_>,
    ) -> Result<Self, Error> {
        let skeleton = match skeleton {
            Some(skeleton) => skeleton.clone(),
            None => commonest_skeleton(&clips).ok_or(motion::MotionError::Empty { what: "the corpus" })?,
        };
        let (used, unused): (Vec<_>, Vec<_>) =
            clips.into_iter().partition(|(_, clip)| has_same_joints(clip.skeleton(), &skeleton));
        let Some((_, first)) = used.first() else {
            let problem = "no take to learn from has its joints".into();
            return Err(TweenError::Skeleton { subject: "the first pose".into(), problem }.into());
        };
        let mut report = Report::default();
        if let Some((source, _)) = unused.first() {
            let message = format!("{:?} has other joints than the first pose", source.take);
            report.warn_many(&codes::OTHER_BODY, Place::default(), unused.len(), message);
        }
        let (rate_hz, first) = (first.rate_hz(), first.clone());
        let sources = used.iter().map(|(source, clip)| (source.clone(), clip.rate_hz())).collect();
        let clips: Vec<Clip> = used.into_iter().map(|(_, clip)| clip).collect();
        let style = context.install(|| MotionStyle::learn(&clips, settings))??;
        Ok(Self { style, rate_hz, first, report, clips: sources })
    }

    /// Names of the takes, without repetitions.
    pub(crate) fn takes(&self) -> Vec<String> {
        let mut names: Vec<String> = self.clips.iter().map(|(source, _)| source.take.clone()).collect();
        names.dedup();
        names
    }

    /// Adds to an error the nearest reachable pose, in the form in which it can be requested.
    pub(crate) fn explain(&self, error: TweenError) -> Error {
        let nearest = match &error {
            TweenError::NotConnected { nearest: Some((clip, frame)), .. } => {
                self.clips.get(*clip).map(|(source, rate_hz)| {
                    let frame = *frame as f64 * rate_hz / self.style.settings().rate_hz;
                    format!("; the nearest posture that can be reached is {}@{}", source.take, frame.round())
                })
            }
            _ => None,
        };
        let message = format!("{error}{}", nearest.unwrap_or_default());
        Error { message, ..error.into() }
    }
}

/// Returns all actors of takes.
fn clips_of(takes: &[Take]) -> Result<Vec<(SourceRef, Clip)>, Error> {
    let mut clips = Vec::new();
    for take in takes {
        for (actor, example) in seen(take)?.into_iter().enumerate() {
            clips.push((SourceRef { take: take.name().to_owned(), actor }, example.clip));
        }
    }
    Ok(clips)
}

/// Reads all actors of the chosen takes of the corpus.
fn read_clips(only: &[String], context: &Context<'_>) -> Result<Vec<(SourceRef, Clip)>, Error> {
    let corpus = context.corpus()?;
    let chosen: Vec<TakeInfo> = match only {
        [] => corpus.takes()?,
        names => names
            .iter()
            .map(|name| corpus.info(corpus.find(name)?))
            .collect::<Result<_, corpus::CorpusError>>()?,
    };
    let mut clips = Vec::new();
    for info in &chosen {
        for (actor, example) in examples(&corpus, &info.name)?.into_iter().enumerate() {
            clips.push((SourceRef { take: info.name.clone(), actor }, example.clip));
        }
    }
    Ok(clips)
}

/// Returns the skeleton of which the clips have the most seconds; the first of equals.
fn commonest_skeleton(clips: &[(SourceRef, Clip)]) -> Option<Arc<Skeleton>> {
    let mut found: Vec<(Arc<Skeleton>, f64)> = Vec::new();
    for (_, clip) in clips {
        let secs = clip.frames() as f64 / clip.rate_hz();
        match found.iter_mut().find(|(skeleton, _)| has_same_joints(skeleton, clip.skeleton())) {
            Some((_, total)) => *total += secs,
            None => found.push((clip.skeleton().clone(), secs)),
        }
    }
    found.into_iter().reduce(|a, b| if b.1 > a.1 { b } else { a }).map(|(skeleton, _)| skeleton)
}

fn joints_of(skeleton: &Skeleton) -> Vec<(&str, Option<usize>)> {
    skeleton.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect()
}

fn has_same_joints(a: &Skeleton, b: &Skeleton) -> bool {
    joints_of(a) == joints_of(b)
}
