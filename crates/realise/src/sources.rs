//! The source clips that plans name.

use std::collections::BTreeMap;

use marey_motion::{Clip, Contacts};
use marey_plan::{Plan, PlanClip, SourceRef};

use crate::constrain::Hold;
use crate::{RealiseError, Result};

/// The motion of one actor of a take, with its contacts and holds.
#[derive(Debug, Clone)]
pub struct SourceClip {
    /// The whole motion.
    pub clip: Clip,
    /// When its heels (`LeftFoot`) and balls of feet (`LeftToes`) touch the ground.
    pub contacts: Contacts,
    /// When its hands hold those of other actors of the take.
    pub holds: Vec<Hold>,
}

/// Provides source clips by name. Clips share their arrays, so a clone is cheap.
pub trait Sources: Sync {
    /// Returns the motion of an actor of a take, or [`RealiseError::UnknownSource`].
    fn source_clip(&self, source: &SourceRef) -> Result<SourceClip>;
}

/// The clips that a plan carries, then other sources.
pub struct PlanSources<'a> {
    clips: BTreeMap<&'a SourceRef, &'a PlanClip>,
    others: &'a dyn Sources,
}

impl<'a> PlanSources<'a> {
    /// Provides the clips of a plan, and all others from `others`.
    pub fn new(plan: &'a Plan, others: &'a dyn Sources) -> Self {
        Self { clips: plan.clips.iter().map(|clip| (&clip.source, clip)).collect(), others }
    }
}

impl Sources for PlanSources<'_> {
    fn source_clip(&self, source: &SourceRef) -> Result<SourceClip> {
        match self.clips.get(source) {
            Some(PlanClip { clip, contacts, holds, .. }) => {
                Ok(SourceClip { clip: clip.clone(), contacts: contacts.clone(), holds: holds.clone() })
            }
            None => self.others.source_clip(source),
        }
    }
}

impl Sources for BTreeMap<SourceRef, SourceClip> {
    fn source_clip(&self, source: &SourceRef) -> Result<SourceClip> {
        self.get(source).cloned().ok_or_else(|| RealiseError::UnknownSource { source_ref: source.clone() })
    }
}
