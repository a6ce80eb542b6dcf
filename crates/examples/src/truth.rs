//! What is known about an example because it was made, not recorded.

use marey_motion::{Contact, Contacts, Marker, Tag, Take};
use serde::{Deserialize, Serialize};

use crate::taekwondo::BoutTruth;
use crate::{Error, Hold, Result};

/// Motion, and what is true of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The motion.
    pub take: Take,
    /// What is true of it, frame by frame.
    pub truth: Truth,
}

/// The truth about a take, in frames of it. It is written beside the motion as JSON and checked when read back. `beats`,
/// `holds` and `bout` are left out of the file where there are none.
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
#[serde(try_from = "Written", into = "Written")]
pub struct Truth {
    frames: usize,
    rate_hz: f64,
    actors: Vec<ActorTruth>,
    cuts: Vec<Marker>,
    labels: Vec<Tag>,
    beats: Vec<usize>,
    holds: Vec<Hold>,
    bout: Option<BoutTruth>,
}

/// The truth about one actor of a take.
#[derive(Debug, Clone, PartialEq)]
pub struct ActorTruth {
    /// The actor's name in the take.
    pub name: String,
    /// What touches the floor when: `LeftFoot` is the left heel, `LeftToes` the ball of the left foot.
    pub contacts: Contacts,
}

impl Truth {
    /// The truth about a take: of each actor in turn, and of the whole.
    pub(crate) fn of(take: &Take, actors: Vec<ActorTruth>, cuts: Vec<Marker>, labels: Vec<Tag>) -> Self {
        let (frames, rate_hz) = (take.frames(), take.rate_hz());
        Self { frames, rate_hz, actors, cuts, labels, beats: Vec::new(), holds: Vec::new(), bout: None }
            .sorted()
    }

    /// The same, with the music's beats and the hands that hold.
    pub(crate) fn with_music(self, beats: Vec<usize>, holds: Vec<Hold>) -> Self {
        Self { beats, holds, ..self }.sorted()
    }

    /// The same, with what is true of a bout.
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

    /// How many frames the take has.
    pub fn frames(&self) -> usize {
        self.frames
    }

    /// The take's rate.
    pub fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    /// The truth about each actor, in the take's order.
    pub fn actors(&self) -> &[ActorTruth] {
        &self.actors
    }

    /// The contacts of the first actor, where there is one.
    pub fn contacts(&self) -> Option<&Contacts> {
        self.actors.first().map(|actor| &actor.contacts)
    }

    /// Where one unit of motion ends and the next begins, sorted; named after what makes the cut.
    pub fn cuts(&self) -> &[Marker] {
        &self.cuts
    }

    /// What happens when, sorted by start. The labels cover every frame exactly once.
    pub fn labels(&self) -> &[Tag] {
        &self.labels
    }

    /// The frames nearest to the beats of the music, sorted; none where there is no music.
    pub fn beats(&self) -> &[usize] {
        &self.beats
    }

    /// Which hand holds whom when, sorted by start.
    pub fn holds(&self) -> &[Hold] {
        &self.holds
    }

    /// What is true of a bout between two fighters, where the take is one.
    pub fn bout(&self) -> Option<&BoutTruth> {
        self.bout.as_ref()
    }
}

/// The truth as a file has it.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Truth", deny_unknown_fields)]
struct Written {
    frames: usize,
    rate_hz: f64,
    actors: Vec<WrittenActor>,
    cuts: Vec<Marker>,
    labels: Vec<Tag>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    beats: Vec<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holds: Vec<Hold>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bout: Option<BoutTruth>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "ActorTruth", deny_unknown_fields)]
struct WrittenActor {
    name: String,
    contacts: Vec<Contact>,
}

impl From<Truth> for Written {
    fn from(truth: Truth) -> Self {
        let actors = truth.actors.into_iter();
        let actors = actors.map(|a| WrittenActor { name: a.name, contacts: a.contacts.all().to_vec() });
        let Truth { frames, rate_hz, cuts, labels, beats, holds, bout, .. } = truth;
        Self { frames, rate_hz, actors: actors.collect(), cuts, labels, beats, holds, bout }
    }
}

impl TryFrom<Written> for Truth {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self> {
        let Written { frames, rate_hz, actors, cuts, labels, beats, holds, bout } = written;
        if !(rate_hz.is_finite() && rate_hz > 0.0) {
            return Err(marey_motion::Error::Rate { rate_hz }.into());
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
