//! The two ways to fill one gap.

use std::sync::Arc;

use super::{
    EndPlace, GapDetails, GapSettings, LearnedGaps, LearnedStyle, StylePath, TweenMode, TweenRequest,
    TweenSettings, tween_observed,
};
use crate::motion::{Clip, Contacts, Ground, Report, Skeleton};
use crate::{Context, Error};

/// What was learned for a mode.
pub(super) enum GapFiller {
    Near(Arc<LearnedGaps>),
    Style(Arc<LearnedStyle>, TweenSettings),
}

/// A gap that was filled.
pub(super) struct FilledGap {
    /// From the pose before the gap to the pose after it.
    pub(super) clip: Clip,
    pub(super) contacts: Contacts,
    /// Its frames count from its own start.
    pub(super) details: GapDetails,
    pub(super) path: Option<StylePath>,
}

impl GapFiller {
    /// Learns what the request needs.
    pub(super) fn learn(
        request: &TweenRequest,
        body: &Arc<Skeleton>,
        context: &Context<'_>,
    ) -> Result<Self, Error> {
        let (training, only) = (&request.training, &request.only);
        Ok(match request.mode {
            TweenMode::Near => {
                Self::Near(LearnedGaps::new(training, only, &request.near, Some(body), context)?)
            }
            TweenMode::Style => {
                let style = LearnedStyle::new(training, only, &request.style, body, context)?;
                Self::Style(style, TweenSettings { search: request.search, ..TweenSettings::default() })
            }
        })
    }

    /// Fills a gap. Both clips stand on the floor.
    pub(super) fn fill(
        &self,
        from: (&Clip, usize),
        to: (&Clip, usize),
        settings: &GapSettings,
        context: &Context<'_>,
    ) -> Result<FilledGap, Error> {
        match self {
            Self::Near(learned) => {
                let motion = context.install(|| learned.model.fill(from, to, settings))??;
                let details = GapDetails::near(0, &motion, learned);
                Ok(FilledGap { clip: motion.clip, contacts: motion.contacts, details, path: None })
            }
            Self::Style(learned, tween_settings) => {
                let placed = placed(to, settings.end)?;
                let tween_settings = TweenSettings {
                    rate_hz: settings.rate_hz,
                    frames: settings.frames,
                    keeps_end_position: settings.end != EndPlace::Free,
                    ..*tween_settings
                };
                let to = placed.as_ref().map_or(to, |clip| (clip, 0));
                let search = || tween_observed(&learned.style, from, to, &tween_settings, context.observer());
                let found = context.install(search)?;
                let found = found.map_err(|error| learned.explain(error))?;
                let end = found.clip.frames() - 1;
                let details = GapDetails { start: 0, end, distance: None, corpus_share: None, nearest: None };
                let path = Some(StylePath::new(&learned.style, &found.path));
                Ok(FilledGap { clip: found.clip, contacts: found.contacts, details, path })
            }
        }
    }

    pub(super) fn takes(&self) -> Vec<String> {
        match self {
            Self::Near(learned) => learned.takes(),
            Self::Style(learned, _) => learned.takes(),
        }
    }

    pub(super) fn report(&self) -> &Report {
        match self {
            Self::Near(learned) => &learned.report,
            Self::Style(learned, _) => &learned.report,
        }
    }
}

/// The pose alone at a place; `None` if it stays where it is.
fn placed((clip, frame): (&Clip, usize), place: EndPlace) -> Result<Option<Clip>, Error> {
    let EndPlace::At(place) = place else { return Ok(None) };
    let pose = clip.slice(frame..frame + 1)?;
    let here = pose.ground_track().frames.first().copied().unwrap_or(Ground::IDENTITY);
    Ok(Some(pose.moved(place * here.inverse())))
}
