//! Where examples come from.

use std::collections::BTreeMap;

use marey_motion::{Clip, Contacts};
use marey_plan::SourceRef;

use crate::constrain::Hold;
use crate::{Error, Result};

/// One actor's motion in a take, and what is known of it.
#[derive(Debug, Clone)]
pub struct Example {
    /// The motion, whole.
    pub clip: Clip,
    /// When its heels (`LeftFoot`) and balls of feet (`LeftToes`) stand.
    pub contacts: Contacts,
    /// When its hands hold those of other actors of the take.
    pub holds: Vec<Hold>,
}

/// Gives the examples that plans name. Clips share their arrays, so giving one is cheap.
pub trait Sources: Sync {
    /// The motion of an actor of a take, or [`Error::UnknownSource`].
    fn example(&self, source: &SourceRef) -> Result<Example>;
}

impl Sources for BTreeMap<SourceRef, Example> {
    fn example(&self, source: &SourceRef) -> Result<Example> {
        self.get(source).cloned().ok_or_else(|| Error::UnknownSource { source_ref: source.clone() })
    }
}
