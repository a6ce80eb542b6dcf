//! The ground truth of a walk, from its footsteps.

use marey_motion::{Marker, Role, Tag, Take};

use crate::clock::Clock;
use crate::gait::{Footsteps, contacts};
use crate::{ActorTruth, Result, Truth};

/// The ground truth of a take that follows footsteps.
pub(super) fn of(take: &Take, footsteps: &Footsteps) -> Result<Truth> {
    let clock = Clock::of(take);
    let actor = ActorTruth { name: take.name().into(), contacts: contacts(footsteps, &clock)? };
    Ok(Truth::of(take, vec![actor], cuts(footsteps, &clock)?, labels(footsteps, &clock)?))
}

/// One cut at each foot plant, named after the foot.
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
