//! What touches the floor in one frame.

use marey_motion::{Contact, Contacts, Role, Side};
use marey_ops::sole::Part;

/// Which heels and balls of feet touch the floor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Touch(u8);

impl Touch {
    /// Whether a part of a foot touches.
    pub fn has(self, side: Side, part: Part) -> bool {
        self.0 & bit(side, part) != 0
    }

    /// The same, with one part more.
    pub(crate) fn with(self, side: Side, part: Part) -> Self {
        Self(self.0 | bit(side, part))
    }

    /// What touches in each of some frames of an example; left for right where it is mirrored.
    pub(crate) fn of(contacts: &Contacts, frames: std::ops::Range<usize>, mirrored: bool) -> Vec<Self> {
        let mut touches = vec![Self::default(); frames.len()];
        for side in Side::BOTH {
            for part in Part::ALL {
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

    /// Touches frame by frame, as contacts.
    pub(crate) fn contacts(touches: &[Self]) -> marey_motion::Result<Contacts> {
        let mut contacts = Vec::new();
        for side in Side::BOTH {
            for part in Part::ALL {
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

fn bit(side: Side, part: Part) -> u8 {
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
        assert_eq!(Touch::contacts(&Touch::of(&contacts, 0..8, false)).unwrap(), contacts);
        let some = Touch::of(&contacts, 3..6, true);
        assert!(some[0].has(Side::Right, Part::Heel) && !some[1].has(Side::Right, Part::Heel));
        assert!(some[2].has(Side::Left, Part::Heel));
    }
}
