//! Frames of recordings that belong to no movement.

use std::fmt;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{Labelling, RecordedPair};

/// Why frames belong to no movement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnusedReason {
    /// The recording has fewer than three instants at which it can be cut.
    NoCuts,
    /// They precede the first instant at which the motion can be cut.
    BeforeFirstCut,
    /// They follow the last instant at which the motion can be cut.
    AfterLastCut,
    /// They are between movements: a person has removed or shortened a label.
    BetweenMovements,
}

impl fmt::Display for UnusedReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoCuts => "fewer than three instants at which it can be cut",
            Self::BeforeFirstCut => "before the first instant at which it can be cut",
            Self::AfterLastCut => "after the last instant at which it can be cut",
            Self::BetweenMovements => "between movements",
        })
    }
}

/// Frames of a recording that belong to no movement of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedFrames {
    /// Index of the recording.
    pub pair: usize,
    /// Index of the person, 0 or 1.
    pub person: usize,
    /// Frames within the recording.
    pub frames: Range<usize>,
    /// Why they are not used.
    pub reason: UnusedReason,
}

impl Labelling {
    /// Returns the frames that belong to no movement, in order of recording, person and time. The last frame of a recording
    /// belongs to the movement that ends there.
    pub fn unused_frames(&self, pairs: &[RecordedPair]) -> Vec<UnusedFrames> {
        let mut unused = Vec::new();
        for (pair, recorded) in pairs.iter().enumerate() {
            for (person, movements) in self.people.iter().enumerate() {
                let last = recorded.frames().saturating_sub(1);
                let mut end = None;
                let mut add = |frames: Range<usize>, reason: UnusedReason| {
                    if !frames.is_empty() {
                        unused.push(UnusedFrames { pair, person, frames, reason });
                    }
                };
                for movement in movements.all.iter().filter(|movement| movement.pair == pair) {
                    let reason = match end {
                        None => UnusedReason::BeforeFirstCut,
                        Some(_) => UnusedReason::BetweenMovements,
                    };
                    add(end.unwrap_or(0)..movement.frames.start, reason);
                    end = Some(movement.frames.end);
                }
                match end {
                    None => add(0..last + 1, UnusedReason::NoCuts),
                    Some(end) if end < last => add(end..last + 1, UnusedReason::AfterLastCut),
                    Some(_) => {}
                }
            }
        }
        unused
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coupled_states::tests::movements;
    use crate::test_bout::bout;

    #[test]
    fn every_frame_is_in_a_movement_or_unused_with_a_reason() {
        let pairs = bout();
        let last = pairs[0].frames() - 1;
        let mut first = movements(&[(40, 0), (90, 1), (last, 0)]);
        first.all.remove(0);
        first.all[0].frames.end = 80;
        let labels = Labelling { people: [first, movements(&[(30, 0)])] };
        let found: Vec<_> =
            labels.unused_frames(&pairs).into_iter().map(|unused| (unused.frames, unused.reason)).collect();
        assert_eq!(
            found,
            [
                (0..40, UnusedReason::BeforeFirstCut),
                (80..90, UnusedReason::BetweenMovements),
                (30..last + 1, UnusedReason::AfterLastCut),
            ]
        );
        let nothing = Labelling { people: [movements(&[]), movements(&[(last, 0)])] };
        let found = nothing.unused_frames(&pairs);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].frames.clone(), found[0].reason), (0..last + 1, UnusedReason::NoCuts));
    }
}
