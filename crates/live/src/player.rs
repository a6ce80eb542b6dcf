//! A generated performer that plays the adventure and reacts to the character.

use std::sync::Arc;

use marey_examples::playground::{Adventurer, CharacterView, PerformerStream, PlaygroundSettings};
use marey_motion::Skeleton;
use marey_perform::CharacterState;

use crate::{PerformedFrame, Performer, Result};

/// Plays the adventure from start to finish.
#[derive(Debug)]
pub struct Player {
    adventurer: Adventurer,
    rate_hz: f64,
}

impl Player {
    /// A player at the start of the course.
    pub fn new(settings: &PlaygroundSettings) -> Result<Self> {
        Ok(Self { adventurer: Adventurer::new(settings)?, rate_hz: settings.rate_hz })
    }

    /// The captured motion of the player so far.
    pub fn into_stream(self) -> Result<PerformerStream> {
        Ok(self.adventurer.into_stream()?)
    }
}

impl Performer for Player {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.adventurer.skeleton()
    }

    fn rate_hz(&self) -> Option<f64> {
        Some(self.rate_hz)
    }

    fn next_frame(&mut self, state: &CharacterState) -> Result<Option<PerformedFrame>> {
        let secs = (1.0 / self.rate_hz) as f32;
        let frame = self.adventurer.next(&view(state));
        Ok(frame.map(|(pose, closed)| PerformedFrame { pose: pose.clone(), closed: closed.map(Some), secs }))
    }

    fn activity(&self) -> Option<&str> {
        self.adventurer.part()
    }
}

/// The character as a player sees it.
pub(crate) fn view(state: &CharacterState) -> CharacterView {
    CharacterView {
        centre: state.centre,
        velocity: state.velocity,
        yaw_rad: state.yaw_rad,
        holds: state.holds.map(|held| held.is_some()),
        swims: state.water.is_some(),
    }
}
