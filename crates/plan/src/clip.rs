//! Motion that a plan carries.

use std::ops::Range;

use marey_motion::{Clip, Contact, Contacts, Role};
use serde::{Deserialize, Serialize};

use crate::locate::JsonStep;
use crate::plan::LocatedError;
use crate::{Plan, PlanError, SourceRef};

/// Largest number of clips of a plan.
const MAX_CLIPS: usize = 100_000;
/// Largest number of rotations and positions of all clips of a plan.
const MAX_VALUES: usize = 1_000_000_000;

/// Motion that no corpus holds, such as a bridge that an engine made, or the leader of a request. Placements use it like
/// any other source, by [`PlanClip::source`]. Arrays are stored as base64, so that they are exact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PlanClipJson", into = "PlanClipJson")]
pub struct PlanClip {
    /// The name that placements use. It takes precedence over a take of a corpus with the same name.
    pub source: SourceRef,
    /// The motion.
    pub clip: Clip,
    /// When its heels (`LeftFoot`) and balls of feet (`LeftToes`) touch the ground.
    pub contacts: Contacts,
    /// When its hands hold those of other actors of the same take.
    pub holds: Vec<Hold>,
}

/// A hand of one actor of a take that holds a hand of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hold {
    /// The hand.
    pub role: Role,
    /// Index of the other actor of the take.
    pub with_actor: usize,
    /// Its hand.
    pub with_role: Role,
    /// The frames of the source.
    pub frames: Range<usize>,
    /// The distance that the hands keep, in metres.
    pub gap_m: f32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanClipJson {
    source: SourceRef,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    contacts: Vec<Contact>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    holds: Vec<Hold>,
    clip: Clip,
}

impl TryFrom<PlanClipJson> for PlanClip {
    type Error = marey_motion::MotionError;

    fn try_from(json: PlanClipJson) -> Result<Self, Self::Error> {
        let PlanClipJson { source, contacts, holds, clip } = json;
        Ok(Self { source, contacts: Contacts::new(contacts, clip.frames())?, clip, holds })
    }
}

impl From<PlanClip> for PlanClipJson {
    fn from(clip: PlanClip) -> Self {
        let PlanClip { source, clip, contacts, holds } = clip;
        Self { source, contacts: contacts.all().to_vec(), holds, clip }
    }
}

impl Plan {
    /// Returns the clip that the plan carries for a source.
    pub fn clip(&self, source: &SourceRef) -> Option<&PlanClip> {
        self.clips.iter().find(|clip| clip.source == *source)
    }

    /// Checks the clips that the plan carries.
    pub(crate) fn check_clips(&self) -> Result<(), LocatedError> {
        let list = JsonStep::Key("clips");
        if self.clips.len() > MAX_CLIPS {
            let error =
                PlanError::Value { what: "the number of clips".into(), value: self.clips.len() as f64 };
            return Err(error.at([list]));
        }
        let mut sources = std::collections::HashSet::new();
        let mut values = 0usize;
        for (index, PlanClip { source, clip, contacts, holds }) in self.clips.iter().enumerate() {
            let invalid = |problem: String| {
                let error = PlanError::Clip { take: source.take.clone(), actor: source.actor, problem };
                Err(error.at([list, JsonStep::Item(index)]))
            };
            let frames = clip.frames();
            let is_within = |range: &Range<usize>| range.start < range.end && range.end <= frames;
            if !sources.insert(source) {
                return invalid("another clip has the same source".into());
            }
            values = values.saturating_add(clip.rotations().len() + clip.positions().len());
            if values > MAX_VALUES {
                return invalid(format!("the clips together have more than {MAX_VALUES} values"));
            }
            if let Some(contact) = contacts.all().iter().find(|contact| !is_within(&contact.frames)) {
                return invalid(format!(
                    "the contact at {:?} is outside the clip's {frames} frames",
                    contact.frames
                ));
            }
            let is_hold = |hold: &Hold| is_within(&hold.frames) && hold.gap_m >= 0.0 && hold.gap_m <= 10.0;
            if let Some(hold) = holds.iter().find(|hold| !is_hold(hold)) {
                return invalid(format!(
                    "the hold at {:?} with a gap of {} m must be within {frames} frames and 0 to 10 m",
                    hold.frames, hold.gap_m
                ));
            }
        }
        Ok(())
    }
}
