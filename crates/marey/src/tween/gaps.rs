//! Learning how people of a corpus move through gaps.

use std::sync::Arc;

use super::training::{TrainingClip, take_names, trained_parts, training_clips};
use super::{GapCalibration, GapExample, GapModel, NearSettings, NearestExample};
use crate::motion::{Report, Skeleton, Take};
use crate::{Context, Error};

/// A model of gaps, and the clips that it was learned from.
#[derive(Debug)]
pub(crate) struct LearnedGaps {
    pub(crate) model: GapModel,
    pub(crate) clips: Vec<TrainingClip>,
    /// Takes that were left out or retargeted.
    pub(crate) report: Report,
}

impl LearnedGaps {
    /// Learns from [`training_clips`] to fill gaps. What takes long is stored in the corpus, until its content changes.
    pub(crate) fn new(
        training: &[Take],
        only: &[String],
        settings: &NearSettings,
        body: Option<&Arc<Skeleton>>,
        context: &Context<'_>,
    ) -> Result<Arc<Self>, Error> {
        let mut report = Report::default();
        if !training.is_empty() {
            let clips = training_clips(training, only, body, context, &mut report)?;
            return Ok(Arc::new(Self::learn(clips, report, settings, None, context)?));
        }
        context.cached(("gaps", only, settings, body), || {
            let clips = training_clips(training, only, body, context, &mut report)?;
            let parts = trained_parts(&clips, context)?;
            let skeleton = clips.first().map(|clip| clip.clip.skeleton().clone());
            let description = format!("gaps 2 {settings:?} {parts:?} {skeleton:?}");
            let stored = context.corpus()?.learned(&description)?;
            let known = stored.as_deref().and_then(GapCalibration::from_numbers);
            let is_known = known.is_some();
            let learned = Self::learn(clips, report, settings, known, context)?;
            if !is_known {
                context.corpus()?.keep_learned(&description, &learned.model.calibration().to_numbers());
            }
            Ok(learned)
        })
    }

    /// The same, only to walk through the examples: nothing is calibrated.
    pub(crate) fn to_walk(
        training: &[Take],
        only: &[String],
        body: Option<&Arc<Skeleton>>,
        context: &Context<'_>,
    ) -> Result<Arc<Self>, Error> {
        let learn = || {
            let mut report = Report::default();
            let clips = training_clips(training, only, body, context, &mut report)?;
            let known = Some(GapCalibration::default());
            Self::learn(clips, report, &NearSettings::default(), known, context)
        };
        match training {
            [] => context.cached(("walk", only, body), learn),
            _ => Ok(Arc::new(learn()?)),
        }
    }

    fn learn(
        clips: Vec<TrainingClip>,
        report: Report,
        settings: &NearSettings,
        known: Option<GapCalibration>,
        context: &Context<'_>,
    ) -> Result<Self, Error> {
        let mut takes: Vec<&str> = Vec::new();
        let mut examples = Vec::with_capacity(clips.len());
        for TrainingClip { source, clip, .. } in &clips {
            let take = takes.iter().position(|other| *other == source.take).unwrap_or(takes.len());
            if take == takes.len() {
                takes.push(&source.take);
            }
            examples.push(GapExample { clip: clip.clone(), take });
        }
        let learn = || GapModel::learn(&examples, settings, known, context.observer());
        let model = context.install(learn)??;
        Ok(Self { model, clips, report })
    }

    /// Names of the takes, without repetitions.
    pub(crate) fn takes(&self) -> Vec<String> {
        take_names(self.clips.iter().map(|clip| &clip.source))
    }

    /// An example in the form in which it can be requested.
    pub(crate) fn selector(&self, example: &NearestExample) -> Option<String> {
        Some(self.clips.get(example.clip)?.selector(example.start_secs))
    }
}
