//! What is drawn: all clips in one world, from which frame on, on which floor.

use std::ops::Range;

use crate::formats::FileTake;
use crate::motion::{Actor, MotionError, Take};
use crate::ops::floor;

/// A take made ready to be drawn.
#[derive(Debug)]
pub struct Stage {
    /// Everybody, in one world.
    pub take: Take,
    /// Which of its frames are drawn.
    pub frames: Range<usize>,
    /// How high the floor is.
    pub floor_m: f32,
}

impl Stage {
    /// Puts everything that was read into one world. All frames are drawn but a calibration pose, where one is still there.
    pub fn of(readings: Vec<FileTake>, trimmed: bool) -> Result<Self, MotionError> {
        let starts_in_rest = readings.iter().flat_map(|i| &i.detected).any(|found| found.rest_frame.value);
        Self::of_take(together(readings)?, usize::from(starts_in_rest && !trimmed))
    }

    /// A take from its `first` frame on.
    pub fn of_take(take: Take, first: usize) -> Result<Self, MotionError> {
        let floor_m = floor_under(&take, first)?;
        let frames = first..take.frames();
        Ok(Self { take, frames, floor_m })
    }
}

/// The lowest floor that an actor rests on; where none rests, the lowest place one came to. Frames before `first` are
/// not looked at.
fn floor_under(take: &Take, first: usize) -> Result<f32, MotionError> {
    let mut floors = Vec::new();
    for actor in take.actors() {
        floors.push(floor::estimate(&actor.clip.slice(first..take.frames())?));
    }
    let lowest = || floors.iter().map(|floor| floor.height_m).reduce(f32::min);
    Ok(floor::shared_height_m(floors.iter().copied()).or_else(lowest).unwrap_or(0.0))
}

/// One take of all actors. Those of a file with several are named after the file too.
fn together(readings: Vec<FileTake>) -> Result<Take, MotionError> {
    let takes: Vec<Take> = readings.into_iter().map(|reading| reading.take).collect();
    let name = match takes.as_slice() {
        [first, second] => format!("{} + {}", first.name(), second.name()),
        [first, rest @ ..] if !rest.is_empty() => format!("{} + {} more", first.name(), rest.len()),
        _ => return takes.into_iter().next().ok_or(crate::motion::MotionError::Empty { what: "a picture" }),
    };
    let mut actors = Vec::new();
    for take in takes {
        let file = take.name().to_owned();
        let several = take.actors().len() > 1;
        actors.extend(take.into_actors().into_iter().map(|actor| {
            let name = if several { format!("{file} {}", actor.name) } else { actor.name };
            Actor { name, ..actor }
        }));
    }
    Take::new(name, actors)
}
