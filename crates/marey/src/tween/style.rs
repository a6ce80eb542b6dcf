//! Learning the style of a corpus.

use std::sync::Arc;

use super::{MotionStyle, StyleSettings, TweenError};
use crate::example_selection::{longest_group, readable, report_left_out};
use crate::motion::{self, Clip, Report, Skeleton, Take};
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
    /// Learns from `training`, or if it is empty from takes of the corpus, by name or `#` and number; from all if none is named.
    ///
    /// Uses the clips with the joints of `skeleton`, or of the skeleton that most of the motion has, and reports the takes that
    /// it leaves out.
    pub(crate) fn new(
        training: &[Take],
        only: &[String],
        settings: &StyleSettings,
        skeleton: Option<&Arc<Skeleton>>,
        context: &Context<'_>,
    ) -> Result<Arc<Self>, Error> {
        if !training.is_empty() {
            let clips = clips_of(training)?;
            return Ok(Arc::new(Self::learn(clips, Report::default(), settings, skeleton, context)?));
        }
        let joints = skeleton.map(|skeleton| joints_of(skeleton));
        context.cached(("style", only, settings, joints), || {
            let mut report = Report::default();
            let clips = read_clips(only, context, &mut report)?;
            Self::learn(clips, report, settings, skeleton, context)
        })
    }

    fn learn(
        clips: Vec<(SourceRef, Clip)>,
        mut report: Report,
        settings: &StyleSettings,
        skeleton: Option<&Arc<Skeleton>>,
        context: &Context<'_>,
    ) -> Result<Self, Error> {
        if clips.is_empty() {
            return Err(motion::MotionError::Empty { what: "the corpus" }.into());
        }
        let (used, unused): (Vec<_>, Vec<_>) = match skeleton {
            Some(skeleton) => {
                clips.into_iter().partition(|(_, clip)| has_same_joints(clip.skeleton(), skeleton))
            }
            None => longest_group(
                clips,
                |(_, clip)| clip.duration_secs(),
                |(_, one), (_, other)| has_same_joints(one.skeleton(), other.skeleton()),
            ),
        };
        let Some((_, first)) = used.first() else {
            let problem = "no take to learn from has its joints".into();
            return Err(TweenError::Skeleton { subject: "the first pose".into(), problem }.into());
        };
        report_left_out(unused.iter().map(|(source, _)| source.take.as_str()), used.len(), &mut report);
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
fn read_clips(
    only: &[String],
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Vec<(SourceRef, Clip)>, Error> {
    let corpus = context.corpus()?;
    let clips_of = |name: &str| -> Result<Vec<(SourceRef, Clip)>, Error> {
        let actors = examples(&corpus, name)?.into_iter().enumerate();
        let source = |actor| SourceRef { take: name.to_owned(), actor };
        Ok(actors.map(|(actor, example)| (source(actor), example.clip)).collect())
    };
    let chosen = corpus.select(only)?.into_iter();
    let clips = chosen.map(|info| (info.name.clone(), clips_of(&info.name)));
    Ok(readable(clips, report)?.into_iter().flatten().collect())
}

fn joints_of(skeleton: &Skeleton) -> Vec<(&str, Option<usize>)> {
    skeleton.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect()
}

fn has_same_joints(a: &Skeleton, b: &Skeleton) -> bool {
    joints_of(a) == joints_of(b)
}
