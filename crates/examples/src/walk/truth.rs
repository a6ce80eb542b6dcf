//! The truth about a walk, read off its footsteps.

use std::ops::Range;

use marey_motion::{Contact, Contacts, Marker, Role, Tag, Take};

use crate::gait::Footsteps;
use crate::{ActorTruth, Result, Truth};

/// What is true of a take that follows footsteps.
pub(super) fn of(take: &Take, footsteps: &Footsteps) -> Result<Truth> {
    let clock = Clock { rate_hz: take.rate_hz(), frames: take.frames() };
    let actor = ActorTruth { name: take.name().into(), contacts: contacts(footsteps, &clock)? };
    Ok(Truth::of(take, vec![actor], cuts(footsteps, &clock)?, labels(footsteps, &clock)?))
}

/// From seconds to frames.
struct Clock {
    rate_hz: f64,
    frames: usize,
}

impl Clock {
    /// The first frame at a time or after it. A hair before counts as at.
    fn frame_at(&self, secs: f64) -> usize {
        ((secs * self.rate_hz - 1e-6).ceil().max(0.0) as usize).min(self.frames)
    }

    /// The frames from one time until another.
    fn range(&self, from_secs: f64, until_secs: f64) -> Range<usize> {
        self.frame_at(from_secs)..self.frame_at(until_secs)
    }
}

fn contacts(footsteps: &Footsteps, clock: &Clock) -> Result<Contacts> {
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

/// One cut at each foot that is put down, named after the foot.
fn cuts(footsteps: &Footsteps, clock: &Clock) -> Result<Vec<Marker>> {
    let landings = footsteps.holds.iter().filter(|hold| hold.land_secs > 0.0);
    let frames = landings.map(|hold| (Role::LeftFoot.on(hold.side), clock.frame_at(hold.land_secs)));
    let inside = frames.filter(|&(_, frame)| frame < clock.frames);
    inside.map(|(role, frame)| Ok(Marker::new(role.name(), frame, clock.frames)?)).collect()
}

fn labels(footsteps: &Footsteps, clock: &Clock) -> Result<Vec<Tag>> {
    let parts = footsteps.parts();
    let ends = parts.iter().skip(1).map(|part| part.0).chain([f64::INFINITY]);
    let spans = parts.iter().zip(ends).map(|(&(start, name), end)| (name, clock.range(start, end)));
    let spans = spans.filter(|(_, frames)| !frames.is_empty());
    spans.map(|(name, frames)| Ok(Tag::new(name, frames, clock.frames)?)).collect()
}
