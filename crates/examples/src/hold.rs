//! Hand holds: hands that hold each other, or rest on a partner's back or shoulder.

use std::ops::Range;

use marey_motion::{Role, Tag};
use serde::{Deserialize, Serialize};

use crate::{ExamplesError, Result};

/// A joint of an actor in a take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TakeJoint {
    /// The actor's number in the take.
    pub actor: usize,
    /// The joint: a hand, or the part that a hand rests on.
    pub role: Role,
}

/// Frames in which a hand holds, so that two joints of two actors keep a constant distance.
///
/// ```
/// let json = r#"{"one": {"actor": 0, "role": "LeftHand"}, "other": {"actor": 1, "role": "RightHand"},
///     "frames": {"start": 0, "end": 48}, "gap_m": 0.09}"#;
/// let hold: marey_examples::HandHold = serde_json::from_str(json)?;
/// assert_eq!((hold.one.actor, hold.frames.len()), (0, 48));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandHold {
    /// The hand that holds.
    pub one: TakeJoint,
    /// The hand or part of the body that is held.
    pub other: TakeJoint,
    /// The frames.
    pub frames: Range<usize>,
    /// The distance between the two joints, in metres.
    pub gap_m: f32,
}

impl HandHold {
    /// Checks the hold against the number of actors and frames of its take.
    pub(crate) fn check(&self, actors: usize, frames: usize) -> Result<()> {
        Tag::new("", self.frames.clone(), frames)?;
        for hand in [self.one, self.other] {
            ExamplesError::check_actor(hand.actor, actors)?;
        }
        if !(self.gap_m.is_finite() && self.gap_m >= 0.0) {
            return Err(ExamplesError::Hold(format!("the distance is {} m", self.gap_m)));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn invalid_holds_are_refused() {
        let hand = |actor| TakeJoint { actor, role: Role::LeftHand };
        let hold = HandHold { one: hand(0), other: hand(1), frames: 0..9, gap_m: 0.1 };
        assert!(hold.check(2, 9).is_ok());
        for wrong in [
            HandHold { frames: 0..10, ..hold.clone() },
            HandHold { other: hand(2), ..hold.clone() },
            HandHold { gap_m: f32::NAN, ..hold.clone() },
            HandHold { gap_m: -0.1, ..hold },
        ] {
            assert_eq!(wrong.check(2, 9).unwrap_err().code().id, "examples/truth");
        }
    }
}
