//! Ground truth of generated motion.

use marey_motion::{Contact, Contacts, Marker, Tag, Take};
use serde::{Deserialize, Serialize};

use crate::taekwondo::BoutTruth;
use crate::{ExamplesError, HandHold, Result};

/// Generated motion with its ground truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The motion.
    pub take: Take,
    /// The ground truth, in frames of the motion.
    pub truth: Truth,
}

/// The ground truth of a take, in frames. It is stored beside the motion as JSON, and validated on reading. The file omits `beats`,
/// `holds` and `bout` if there are none.
///
/// ```
/// use marey_examples::Truth;
/// let json = r#"{"frames": 40, "rate_hz": 30.0,
///     "actors": [{"name": "walk", "contacts": [{"role": "LeftFoot", "frames": {"start": 3, "end": 20}}]}],
///     "cuts": [{"frame": 3, "name": "LeftFoot"}],
///     "labels": [{"start": 0, "end": 40, "name": "straight"}]}"#;
/// let truth: Truth = serde_json::from_str(json)?;
/// assert_eq!(truth.cuts()[0].frame, 3);
/// // A contact beyond the last frame is refused.
/// assert!(serde_json::from_str::<Truth>(&json.replace("20", "41")).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "TruthFile", into = "TruthFile")]
pub struct Truth {
    frames: usize,
    rate_hz: f64,
    actors: Vec<ActorTruth>,
    cuts: Vec<Marker>,
    labels: Vec<Tag>,
    beats: Vec<usize>,
    holds: Vec<HandHold>,
    bout: Option<BoutTruth>,
}

/// The ground truth of one actor.
#[derive(Debug, Clone, PartialEq)]
pub struct ActorTruth {
    /// The actor's name in the take.
    pub name: String,
    /// Contacts with the floor: `LeftFoot` is the left heel, `LeftToes` the ball of the left foot.
    pub contacts: Contacts,
}

impl Truth {
    /// The ground truth of a take.
    pub(crate) fn of(take: &Take, actors: Vec<ActorTruth>, cuts: Vec<Marker>, labels: Vec<Tag>) -> Self {
        let (frames, rate_hz) = (take.frames(), take.rate_hz());
        Self { frames, rate_hz, actors, cuts, labels, beats: Vec::new(), holds: Vec::new(), bout: None }
            .sorted()
    }

    /// The same truth with the beats of the music and the hand holds.
    pub(crate) fn with_music(self, beats: Vec<usize>, holds: Vec<HandHold>) -> Self {
        Self { beats, holds, ..self }.sorted()
    }

    /// The same truth with the truth of a bout.
    pub(crate) fn with_bout(self, bout: BoutTruth) -> Self {
        Self { bout: Some(bout), ..self }.sorted()
    }

    fn sorted(mut self) -> Self {
        self.cuts.sort();
        self.labels.sort();
        self.beats.sort_unstable();
        self.holds.sort_by_key(|hold| (hold.frames.start, hold.one, hold.other, hold.frames.end));
        if let Some(bout) = &mut self.bout {
            bout.movements.sort_by_key(|moved| (moved.actor, moved.start));
            bout.touches.sort_by_key(|touch| touch.frame);
        }
        self
    }

    /// The number of frames of the take.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The frame rate of the take, in Hz.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// The truth of each actor, in the order of the take.
    pub fn actors(&self) -> &[ActorTruth] {
        &self.actors
    }

    /// The contacts of the first actor, if there is one.
    pub fn contacts(&self) -> Option<&Contacts> {
        self.actors.first().map(|actor| &actor.contacts)
    }

    /// The boundaries between units of motion, sorted. Each is named after its event.
    pub fn cuts(&self) -> &[Marker] {
        &self.cuts
    }

    /// The labels, sorted by start. They cover every frame exactly once.
    pub fn labels(&self) -> &[Tag] {
        &self.labels
    }

    /// The frames nearest to the beats of the music, sorted; empty if there is no music.
    pub fn beats(&self) -> &[usize] {
        &self.beats
    }

    /// The hand holds, sorted by start.
    pub fn holds(&self) -> &[HandHold] {
        &self.holds
    }

    /// The ground truth of a bout, if the take is one.
    pub fn bout(&self) -> Option<&BoutTruth> {
        self.bout.as_ref()
    }
}

/// The ground truth as the file stores it.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Truth", deny_unknown_fields)]
struct TruthFile {
    frames: usize,
    rate_hz: f64,
    actors: Vec<ActorTruthFile>,
    cuts: Vec<Marker>,
    labels: Vec<Tag>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    beats: Vec<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holds: Vec<HandHold>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bout: Option<BoutTruth>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "ActorTruth", deny_unknown_fields)]
struct ActorTruthFile {
    name: String,
    contacts: Vec<Contact>,
}

impl From<Truth> for TruthFile {
    fn from(truth: Truth) -> Self {
        let actors = truth.actors.into_iter();
        let actors = actors.map(|a| ActorTruthFile { name: a.name, contacts: a.contacts.all().to_vec() });
        let Truth { frames, rate_hz, cuts, labels, beats, holds, bout, .. } = truth;
        Self { frames, rate_hz, actors: actors.collect(), cuts, labels, beats, holds, bout }
    }
}

impl TryFrom<TruthFile> for Truth {
    type Error = ExamplesError;

    fn try_from(file: TruthFile) -> Result<Self> {
        let TruthFile { frames, rate_hz, actors, cuts, labels, beats, holds, bout } = file;
        if !(rate_hz.is_finite() && rate_hz > 0.0) {
            return Err(marey_motion::MotionError::Rate { rate_hz }.into());
        }
        let actors = actors.into_iter().map(|actor| {
            Ok(ActorTruth { name: actor.name, contacts: Contacts::new(actor.contacts, frames)? })
        });
        let actors: Vec<ActorTruth> = actors.collect::<Result<_>>()?;
        for cut in &cuts {
            Marker::new("", cut.frame, frames)?;
        }
        for label in &labels {
            Tag::new("", label.start..label.end, frames)?;
        }
        for &beat in &beats {
            Marker::new("", beat, frames)?;
        }
        for hold in &holds {
            hold.check(actors.len(), frames)?;
        }
        if let Some(bout) = &bout {
            bout.check(actors.len(), frames)?;
        }
        Ok(Self { frames, rate_hz, actors, cuts, labels, beats, holds, bout }.sorted())
    }
}
