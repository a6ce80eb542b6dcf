//! The contacts of heels and balls with the floor, from footsteps.

use marey_motion::{Contact, Contacts, Role};

use super::Footsteps;
use crate::Result;
use crate::clock::Clock;

/// The contacts of a figure that follows footsteps.
pub(crate) fn contacts(footsteps: &Footsteps, clock: &Clock) -> Result<Contacts> {
    let spans = footsteps.holds.iter().flat_map(|hold| {
        [
            (Role::LeftFoot.on(hold.side), clock.range(hold.land_secs, hold.heel_off_secs)),
            (Role::LeftToes.on(hold.side), clock.range(hold.flat_secs, hold.lift_secs)),
        ]
    });
    let contacts =
        spans.filter(|(_, frames)| !frames.is_empty()).map(|(role, frames)| Contact { role, frames });
    Ok(Contacts::new(contacts.collect(), clock.frames)?)
}
