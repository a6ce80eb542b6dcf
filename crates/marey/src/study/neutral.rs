//! Makes clips alike in everything that a study does not ask about: rate, length, body, place and heading.

use std::sync::Arc;

use super::StudyDefinition;
use crate::bodies::take_on_bodies;
use crate::character::{Cast, CharacterRequest};
use crate::motion::{Clip, Observer, Skeleton, Take};
use crate::{ActorBodies, Error};

/// What clips have in common.
pub(super) struct NeutralForm {
    rate_hz: f64,
    secs: f64,
    character: Cast,
    /// The body of every clip: that of the first, if bodies are to be alike.
    body: Option<Arc<Skeleton>>,
    one_body: bool,
}

impl NeutralForm {
    pub(super) fn new(definition: &StudyDefinition, folder: &std::path::Path) -> Result<Self, Error> {
        let character = match &definition.character {
            Some(file) => {
                let request = CharacterRequest { file: folder.join(file), ..CharacterRequest::default() };
                Cast::load(&[request])?.0
            }
            None => Cast::default(),
        };
        let StudyDefinition { rate_hz, secs, one_body, .. } = *definition;
        Ok(Self { rate_hz, secs, character, body: None, one_body })
    }

    /// The middle of a take on the common body, at the common rate. It starts at the origin and faces along Z.
    pub(super) fn apply(&mut self, take: &Take, name: &str, observer: Observer<'_>) -> Result<Take, Error> {
        let frames = ((self.secs * take.rate_hz()).round() as usize).clamp(1, take.frames());
        let start = (take.frames() - frames) / 2;
        let middle = each(take, |clip| Ok(clip.slice(start..start + frames)?))?;
        let take = if !self.character.is_empty() {
            self.character.fit_observed(middle, None, observer)?
        } else if self.one_body {
            let body = self.body.get_or_insert_with(|| middle.first().skeleton().clone()).clone();
            take_on_bodies(middle, &ActorBodies::for_every(body), observer)?
        } else {
            middle
        };
        let origin = take.first().ground_track().frames.first().map(|ground| ground.inverse());
        let take = each(&take, |clip| {
            let clip = clip.resampled(self.rate_hz)?;
            Ok(origin.map_or(clip.clone(), |origin| clip.moved(origin)))
        })?;
        Ok(Take::new(name, take.into_actors())?)
    }
}

/// The take with every clip changed.
fn each(take: &Take, change: impl Fn(&Clip) -> Result<Clip, Error>) -> Result<Take, Error> {
    let clips = take.actors().iter().map(|actor| change(&actor.clip));
    Ok(take.clone().with_clips(clips.collect::<Result<_, Error>>()?)?)
}
