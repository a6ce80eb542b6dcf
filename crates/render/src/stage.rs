//! Takes prepared for drawing: together in one world, on the floor under them.

use std::ops::Range;

use marey_motion::{Actor, MotionError, Take};
use marey_ops::floor;

/// A take prepared for drawing.
#[derive(Debug, Clone)]
pub struct Stage {
    /// All actors in one world.
    pub take: Take,
    /// The frames to draw.
    pub frames: Range<usize>,
    /// Height of the floor, in metres.
    pub floor_m: f32,
}

impl Stage {
    /// Puts takes into one world and finds the floor under them. Frames before `first` are neither drawn nor used to find
    /// the floor. The takes must have the same rate and length.
    pub fn new(takes: Vec<Take>, first: usize) -> Result<Self, MotionError> {
        let take = together(takes)?;
        let floor_m = floor_under(&take, first)?;
        Ok(Self { frames: first..take.frames(), take, floor_m })
    }

    /// All frames of a take on a floor of known height.
    pub fn on_floor(take: Take, floor_m: f32) -> Self {
        Self { frames: 0..take.frames(), take, floor_m }
    }
}

/// The lowest floor that an actor rests on; if none rests, the lowest position of any.
fn floor_under(take: &Take, first: usize) -> Result<f32, MotionError> {
    let mut floors = Vec::new();
    for actor in take.actors() {
        floors.push(floor::estimate(&actor.clip.slice(first..take.frames())?));
    }
    let lowest = || floors.iter().map(|floor| floor.height_m).reduce(f32::min);
    Ok(floor::shared_height_m(floors.iter().copied()).or_else(lowest).unwrap_or(0.0))
}

/// One take of all actors. Actors of a take with several get its name as a prefix.
fn together(takes: Vec<Take>) -> Result<Take, MotionError> {
    let name = match takes.as_slice() {
        [first, second] => format!("{} + {}", first.name(), second.name()),
        [first, rest @ ..] if !rest.is_empty() => format!("{} + {} more", first.name(), rest.len()),
        _ => return takes.into_iter().next().ok_or(MotionError::Empty { what: "a picture" }),
    };
    let mut actors = Vec::new();
    for take in takes {
        let prefix = take.name().to_owned();
        let has_several = take.actors().len() > 1;
        actors.extend(take.into_actors().into_iter().map(|actor| {
            let name = if has_several { format!("{prefix} {}", actor.name) } else { actor.name };
            Actor { name, ..actor }
        }));
    }
    Take::new(name, actors)
}
