//! Foot contacts of one frame.

use marey_motion::{Contact, Contacts, Role, Side};
use marey_ops::sole::SolePart;

/// The heels and balls of feet that touch the floor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SoleTouch(u8);

impl SoleTouch {
    /// Whether a part of a foot touches the floor.
    pub fn has(self, side: Side, part: SolePart) -> bool {
        self.0 & bit(side, part) != 0
    }

    /// The same, with one more part.
    pub(crate) fn with(self, side: Side, part: SolePart) -> Self {
        Self(self.0 | bit(side, part))
    }

    /// The contacts of each source frame; left and right are swapped if mirrored.
    pub(crate) fn of(contacts: &Contacts, frames: std::ops::Range<usize>, mirrored: bool) -> Vec<Self> {
        let mut touches = vec![Self::default(); frames.len()];
        for side in Side::BOTH {
            for part in SolePart::ALL {
                let role = part.role(side);
                let role = if mirrored { role.mirrored() } else { role };
                for range in contacts.of(role) {
                    let from = range.start.clamp(frames.start, frames.end) - frames.start;
                    let to = range.end.clamp(frames.start, frames.end) - frames.start;
                    for touch in &mut touches[from..to] {
                        *touch = touch.with(side, part);
                    }
                }
            }
        }
        touches
    }

    /// Converts contacts per frame to ranges.
    pub(crate) fn contacts(touches: &[Self]) -> Result<Contacts, marey_motion::MotionError> {
        let mut contacts = Vec::new();
        for side in Side::BOTH {
            for part in SolePart::ALL {
                let role: Role = part.role(side);
                let mut start = None;
                for frame in 0..=touches.len() {
                    let on = touches.get(frame).is_some_and(|touch| touch.has(side, part));
                    match (on, start) {
                        (true, None) => start = Some(frame),
                        (false, Some(from)) => {
                            contacts.push(Contact { role, frames: from..frame });
                            start = None;
                        }
                        _ => {}
                    }
                }
            }
        }
        Contacts::new(contacts, touches.len())
    }
}

/// The share of a blend that must stand for the blend to stand. A foot that swings in the rest of it is
/// pitched and on its way.
const STANDING_SHARE: f32 = 0.9;

/// How much of a blend of motions has each part of the feet on the floor, from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TouchShares([f32; 4]);

impl TouchShares {
    /// The shares of a motion that is not blended.
    pub(crate) fn of(touch: SoleTouch) -> Self {
        Self([0, 1, 2, 3].map(|bit| f32::from(touch.0 >> bit & 1)))
    }

    /// The shares if `share` of the motion comes from another.
    pub(crate) fn blended(self, other: Self, share: f32) -> Self {
        Self([0, 1, 2, 3].map(|bit| self.0[bit] + (other.0[bit] - self.0[bit]) * share))
    }

    /// The parts that touch the floor in nearly all of the blend.
    pub(crate) fn touch(self) -> SoleTouch {
        let bits = self.0.iter().enumerate().filter(|(_, share)| **share >= STANDING_SHARE);
        SoleTouch(bits.fold(0, |bits, (bit, _)| bits | 1 << bit))
    }
}

fn bit(side: Side, part: SolePart) -> u8 {
    1 << (2 * (side as u8) + part as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contacts_come_back_and_mirroring_swaps_sides() {
        let contact = |role, frames| Contact { role, frames };
        let list = vec![
            contact(Role::LeftFoot, 0..4),
            contact(Role::LeftToes, 2..6),
            contact(Role::RightFoot, 5..8),
            contact(Role::LeftFoot, 6..8),
        ];
        let contacts = Contacts::new(list, 8).unwrap();
        assert_eq!(SoleTouch::contacts(&SoleTouch::of(&contacts, 0..8, false)).unwrap(), contacts);
        let some = SoleTouch::of(&contacts, 3..6, true);
        assert!(some[0].has(Side::Right, SolePart::Heel) && !some[1].has(Side::Right, SolePart::Heel));
        assert!(some[2].has(Side::Left, SolePart::Heel));
    }

    #[test]
    fn a_blend_stands_if_nearly_all_of_it_does() {
        let left = SoleTouch::default().with(Side::Left, SolePart::Heel);
        let both = left.with(Side::Right, SolePart::Ball);
        let blended = |share| TouchShares::of(both).blended(TouchShares::of(left), share).touch();
        assert_eq!((blended(0.0), blended(0.05), blended(0.2), blended(1.0)), (both, both, left, left));
    }
}
