//! Learning the style of a corpus.

use std::sync::Arc;

use super::training::{TrainingClip, take_names, trained_parts, training_clips};
use super::{MotionStyle, StyleCodes, StyleSettings, TweenError};
use crate::motion::{Clip, Report, Skeleton, Take};
use crate::plan::SourceRef;
use crate::{Context, Error};

/// Where a clip is from.
#[derive(Debug, Clone)]
struct ClipOrigin {
    source: SourceRef,
    /// The frame of the source at which the clip starts.
    start: usize,
    rate_hz: f64,
}

/// A style, and the clips that it was learned from.
#[derive(Debug)]
pub(crate) struct LearnedStyle {
    pub(crate) style: MotionStyle,
    /// Takes that were left out or retargeted.
    pub(crate) report: Report,
    /// Where each clip is from.
    clips: Vec<ClipOrigin>,
}

impl LearnedStyle {
    /// Learns from [`training_clips`].
    pub(crate) fn new(
        training: &[Take],
        only: &[String],
        settings: &StyleSettings,
        body: &Arc<Skeleton>,
        context: &Context<'_>,
    ) -> Result<Arc<Self>, Error> {
        let mut report = Report::default();
        if !training.is_empty() {
            let clips = training_clips(training, only, Some(body), context, &mut report)?;
            return Ok(Arc::new(Self::learn(clips, report, settings, None, context)?));
        }
        context.cached(("style", only, settings, body), || {
            let clips = training_clips(training, only, Some(body), context, &mut report)?;
            let parts = trained_parts(&clips, context)?;
            let description = format!("style 2 {settings:?} {parts:?} {body:?}");
            let stored = context.corpus()?.learned(&description)?;
            let known = stored.as_deref().and_then(StyleCodes::from_numbers);
            let is_known = known.is_some();
            let learned = Self::learn(clips, report, settings, known, context)?;
            if !is_known {
                context.corpus()?.keep_learned(&description, &learned.style.codes().to_numbers());
            }
            Ok(learned)
        })
    }

    fn learn(
        clips: Vec<TrainingClip>,
        report: Report,
        settings: &StyleSettings,
        known: Option<StyleCodes>,
        context: &Context<'_>,
    ) -> Result<Self, Error> {
        let origin = |TrainingClip { source, start, clip }: &TrainingClip| ClipOrigin {
            source: source.clone(),
            start: *start,
            rate_hz: clip.rate_hz(),
        };
        let sources = clips.iter().map(origin).collect();
        let clips: Vec<Clip> = clips.into_iter().map(|clip| clip.clip).collect();
        let style =
            context.install(|| MotionStyle::learn_with(&clips, settings, known, context.observer()))??;
        Ok(Self { style, report, clips: sources })
    }

    /// Names of the takes, without repetitions.
    pub(crate) fn takes(&self) -> Vec<String> {
        take_names(self.clips.iter().map(|origin| &origin.source))
    }

    /// Adds to an error the nearest reachable pose, in the form in which it can be requested.
    pub(crate) fn explain(&self, error: TweenError) -> Error {
        let nearest = match &error {
            TweenError::NotConnected { nearest: Some((clip, frame)), .. } => {
                self.clips.get(*clip).map(|ClipOrigin { source, start, rate_hz }| {
                    let frame = *frame as f64 * rate_hz / self.style.settings().rate_hz + *start as f64;
                    format!("; the nearest posture that can be reached is {}@{}", source.take, frame.round())
                })
            }
            _ => None,
        };
        let message = format!("{error}{}", nearest.unwrap_or_default());
        Error { message, ..error.into() }
    }
}
