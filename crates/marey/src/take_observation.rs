//! What is detected in a take: its floor, when feet stand and when hands hold.
//!
//! Detection takes longer than reading a take, so the corpus keeps what was found. It depends on the frames of the take and on
//! the settings alone; annotations that take precedence are read each time.

use serde::{Deserialize, Serialize};

use crate::corpus::{Corpus, CorpusError, TakeInfo};
use crate::motion::{Actor, Contact, Contacts, Observer, Take};
use crate::ops::OpsError;
use crate::ops::contacts::{self, DetectedContacts};
use crate::ops::floor;
use crate::realise::constrain::{self, Hold};
use crate::sources::SourceSettings;

/// Changes whenever detection finds something else, so that what was stored before is not used.
const METHOD: u32 = 1;

/// What was detected in a take.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakeObservation {
    /// Height of the floor, in metres; 0 if the take stays where it is.
    pub(crate) floor_m: f32,
    pub(crate) actors: Vec<ObservedActor>,
}

/// What was detected in the motion of one actor.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObservedActor {
    /// When heels and balls of the feet stand.
    contacts: Vec<Contact>,
    /// When hands hold those of later actors.
    pub(crate) holds: Vec<Hold>,
}

impl ObservedActor {
    /// The contacts, in a clip of `frames` frames.
    pub(crate) fn contacts(&self, frames: usize) -> Result<Contacts, OpsError> {
        Ok(Contacts::new(self.contacts.clone(), frames)?)
    }
}

impl TakeObservation {
    /// Detects everything.
    pub(crate) fn of(
        take: &Take,
        settings: &SourceSettings,
        observer: Observer<'_>,
    ) -> Result<Self, OpsError> {
        let detect = |actor: &Actor| contacts::detect_observed(&actor.clip, &settings.contacts, observer);
        let found = take.actors().iter().map(detect);
        let found = found.collect::<Result<Vec<DetectedContacts>, OpsError>>()?;
        let floor_m = floor::shared_height_m(found.iter().map(|found| found.floor));
        let actors = found.into_iter().enumerate().map(|(actor, found)| ObservedActor {
            contacts: found.contacts.all().to_vec(),
            holds: constrain::detect_holds(take, actor),
        });
        let actors = actors.collect();
        Ok(Self { floor_m: floor_m.filter(|_| settings.move_to_floor).unwrap_or(0.0), actors })
    }

    /// What the corpus has kept, or else what is detected in the take that `read` returns.
    pub(crate) fn kept(
        corpus: &Corpus,
        info: &TakeInfo,
        settings: &SourceSettings,
        observer: Observer<'_>,
        read: impl Fn() -> Result<Take, CorpusError>,
    ) -> Result<Self, CorpusError> {
        let detect = || Ok::<_, CorpusError>(Self::of(&read()?, settings, observer)?);
        let encode = || Ok::<_, CorpusError>(serde_json::to_vec(&detect()?).unwrap_or_default());
        let bytes = corpus.kept(&format!("observed {}", Self::version(settings)), info.id, encode)?;
        // Text is read back even if it was made now, so that results do not depend on what was stored.
        match serde_json::from_slice::<Self>(&bytes) {
            Ok(kept) if kept.actors.len() == info.actors.len() => Ok(kept),
            _ => detect(),
        }
    }

    /// The version of the method, and its settings.
    pub(crate) fn version(settings: &SourceSettings) -> String {
        format!("{METHOD} {settings:?}")
    }
}
