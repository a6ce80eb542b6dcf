//! What a movement does with its feet and with the other: table 1 of the paper.

use std::ops::Range;

use marey_motion::Side;
use serde::{Deserialize, Serialize};

use crate::Pair;

/// The structure F(M) of a movement (table 1). Only movements of the same structure are compared.
///
/// | symbol | field |
/// |---|---|
/// | f1, f2 | `stands_first`: whether the left and the right foot stand in the first frame |
/// | f3, f4 | `stands_last`: the same at its end |
/// | f5, f6 | `steps`: how often the left and the right foot come down |
/// | f7 | `touches`: whether the two touch each other |
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Structure {
    /// Whether the left and the right foot stand at the start.
    pub stands_first: [bool; 2],
    /// Whether they stand at the end.
    pub stands_last: [bool; 2],
    /// How often the left and the right foot come down after the start, the end included.
    pub steps: [usize; 2],
    /// Whether the two people touch each other.
    pub touches: bool,
}

impl Structure {
    /// The structure of what a person does from one frame until another.
    pub fn of(pair: &Pair, person: usize, frames: &Range<usize>) -> Self {
        let of = &pair.people[person];
        let stands = |frame: usize| Side::BOTH.map(|foot| of.stands(foot, frame));
        let landed = |foot: Side| {
            let own = of.steps.iter().filter(|step| step.foot == foot);
            own.filter(|step| step.frame > frames.start && step.frame <= frames.end).count()
        };
        Self {
            stands_first: stands(frames.start),
            stands_last: stands(frames.end.min(pair.frames() - 1)),
            steps: Side::BOTH.map(landed),
            touches: pair.touches.iter().any(|touch| frames.contains(&touch.frame)),
        }
    }
}
