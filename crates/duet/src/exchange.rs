//! Exchanges: movements of both people that were recorded together and stay together.
//!
//! People who were captured once repeat little, so nothing can be learnt from them about how one answers the other. What they
//! did together is kept instead: an exchange is a movement of one person with the partner's simultaneous movement, their
//! relative placement, and the contacts between them.

use marey_motion::Ground;
use serde::{Deserialize, Serialize};

use crate::{BodyPart, LabelledMovement, RecordedPair};

/// Movements of both people that were recorded together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// Index of the group.
    pub group: usize,
    /// Position of the second person relative to the first at the start: x and z in metres, heading in radians.
    pub second_from_first: [f32; 3],
    /// Contacts between the two.
    pub contacts: Vec<ExchangeContact>,
}

/// A contact during an exchange.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExchangeContact {
    /// Frame of the smallest distance, counted from the start of the exchange.
    pub frame: usize,
    /// The part that moves faster.
    pub striker: BodyPart,
    /// The part that it meets.
    pub struck: BodyPart,
    /// Smallest distance, in metres; negative if the parts overlap.
    pub gap_m: f32,
}

/// Returns the exchange of each movement of the first person.
pub(crate) fn exchanges(
    pairs: &[RecordedPair],
    tracks: &[[Vec<Ground>; 2]],
    movements: &[LabelledMovement],
) -> Vec<Exchange> {
    let exchange = |movement: &LabelledMovement| {
        let frames = &movement.frames;
        let [first, second] = &tracks[movement.pair];
        let Ground { x, z, yaw_rad } = first[frames.start].inverse() * second[frames.start];
        let contacts = pairs[movement.pair].partner_contacts.iter();
        let contacts = contacts.filter(|contact| frames.contains(&contact.frame) && !contact.is_miss());
        let contacts = contacts.map(|contact| ExchangeContact {
            frame: contact.frame - frames.start,
            striker: contact.striker,
            struck: contact.struck,
            gap_m: contact.gap_m,
        });
        Exchange { group: movement.group, second_from_first: [x, z, yaw_rad], contacts: contacts.collect() }
    };
    movements.iter().map(exchange).collect()
}
