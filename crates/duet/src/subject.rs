//! The subject of a segmentation: one person, or a couple as a unit.
//!
//! The paper treats a dancing couple as a unit: both move at the same times, and what one does has
//! no meaning without the other. The movements of a couple are therefore cut once. Two of them are
//! similar only if both people do the same, at the same relative position.

use std::ops::Range;

use marey_ops::reduction::movement::MovementFeatures;

use crate::{MovementStructure, RecordedPair, Result};

/// The people whose movements are segmented together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// One person.
    One(usize),
    /// A couple that moves in unison. The first person leads.
    Couple,
}

impl Subject {
    /// Returns the person whose feet determine the cut points.
    pub(crate) fn leader(self) -> usize {
        match self {
            Subject::One(person) => person,
            Subject::Couple => 0,
        }
    }

    /// Returns the structure of some frames of a recording. Partner contact is ignored for a
    /// couple, since it is permanent.
    pub(crate) fn structure(self, pair: &RecordedPair, frames: &Range<usize>) -> MovementStructure {
        let structure = MovementStructure::new(pair, self.leader(), frames);
        MovementStructure { touches: structure.touches && self != Subject::Couple, ..structure }
    }

    /// Returns the features of some frames of a recording.
    pub(crate) fn movement(self, pair: &RecordedPair, frames: Range<usize>) -> Result<MovementFeatures> {
        let clips = pair.people.each_ref().map(|person| &person.clip);
        Ok(match self {
            Subject::One(person) => MovementFeatures::of(clips[person], frames)?,
            Subject::Couple => MovementFeatures::of_two(clips, frames)?,
        })
    }
}
