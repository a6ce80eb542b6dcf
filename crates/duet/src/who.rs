//! Whose movements are looked at: each by themselves, or a couple as one.
//!
//! The paper treats a dancing couple in unity: its two move at the same times, and what one does means nothing without the other. So the
//! movements of a couple are cut once, and are alike only where both do the same and are to each other as they were.

use std::ops::Range;

use marey_ops::reduction::movement::Movement;

use crate::{Pair, Result, Structure};

/// Whose movements are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// One of the two.
    One(usize),
    /// Both, who move as one; the first leads.
    Both,
}

impl Who {
    /// Whose feet say when movements begin and end.
    pub(crate) fn leader(self) -> usize {
        match self {
            Who::One(person) => person,
            Who::Both => 0,
        }
    }

    /// What is done with feet and with the other in some frames of a recording. A couple is in touch all the time, or might be.
    pub(crate) fn structure(self, pair: &Pair, frames: &Range<usize>) -> Structure {
        let structure = Structure::of(pair, self.leader(), frames);
        Structure { touches: structure.touches && self != Who::Both, ..structure }
    }

    /// What is done in some frames of a recording.
    pub(crate) fn movement(self, pair: &Pair, frames: Range<usize>) -> Result<Movement> {
        let clips = pair.people.each_ref().map(|person| &person.clip);
        Ok(match self {
            Who::One(person) => Movement::of(clips[person], frames)?,
            Who::Both => Movement::of_two(clips, frames)?,
        })
    }
}
