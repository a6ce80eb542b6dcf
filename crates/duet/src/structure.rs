//! The structure of a movement: table 1 of the paper.

use std::ops::Range;

use marey_motion::Side;
use serde::{Deserialize, Serialize};

use crate::RecordedPair;

/// The structure F(M) of a movement (table 1). Only movements with the same structure are compared.
///
/// | symbol | field |
/// |---|---|
/// | f1, f2 | `stands_first`: whether the left and the right foot are planted in the first frame |
/// | f3, f4 | `stands_last`: whether they are planted at the end |
/// | f5, f6 | `steps`: footfalls of the left and the right foot |
/// | f7 | `touches`: whether the two people are in contact |
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MovementStructure {
    /// Whether the left and the right foot are planted at the start.
    pub stands_first: [bool; 2],
    /// Whether they are planted at the end.
    pub stands_last: [bool; 2],
    /// Number of footfalls of the left and the right foot after the start, including the end.
    pub steps: [usize; 2],
    /// Whether the two people are in contact.
    pub touches: bool,
}

impl MovementStructure {
    /// Returns the structure of a person's motion in some frames.
    pub fn new(pair: &RecordedPair, person: usize, frames: &Range<usize>) -> Self {
        let recorded = &pair.people[person];
        let planted = |frame: usize| Side::BOTH.map(|foot| recorded.is_planted(foot, frame));
        let footfalls = |foot: Side| {
            let own = recorded.steps.iter().filter(|step| step.foot == foot);
            own.filter(|step| step.frame > frames.start && step.frame <= frames.end).count()
        };
        Self {
            stands_first: planted(frames.start),
            stands_last: planted(frames.end.min(pair.frames() - 1)),
            steps: Side::BOTH.map(footfalls),
            touches: pair.partner_contacts.iter().any(|contact| frames.contains(&contact.frame)),
        }
    }
}
