//! Performers: sources of frames that drive a character.

use std::sync::Arc;

use marey_motion::{LocalPose, Report, Skeleton};
use marey_perform::CharacterState;
use serde::Deserialize;

use crate::Result;

/// A command to a performer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PerformerCommand {
    /// Perform this activity from now on; `stand` ends it.
    Act(String),
    /// Play this part of the adventure.
    Play(String),
    /// Turn: -1 to the right, 1 to the left, 0 stops.
    Turn(f32),
}

/// One frame of a performer.
#[derive(Debug, Clone, PartialEq)]
pub struct PerformedFrame {
    /// The performer's pose.
    pub pose: LocalPose,
    /// Whether the left and the right hand are closed; `None` if the input does not show it.
    pub closed: [Option<bool>; 2],
    /// Seconds since the previous frame.
    pub secs: f32,
}

/// A source of frames that drives a character. The first [`Recording::OPENING`](marey_perform::Recording::OPENING) frames calibrate it.
pub trait Performer {
    /// The skeleton of the poses.
    fn skeleton(&self) -> &Arc<Skeleton>;

    /// Frames per second; `None` if the time between frames varies.
    fn rate_hz(&self) -> Option<f64>;

    /// The next frame; `None` at the end. `state` is the state of the character, which the performer may react to.
    fn next_frame(&mut self, state: &CharacterState) -> Result<Option<PerformedFrame>>;

    /// Warnings about the input so far.
    fn report(&self) -> Report {
        Report::default()
    }

    /// Executes a command of the user. Most performers ignore commands.
    fn command(&mut self, _: &PerformerCommand) {}

    /// The current activity, if it is known.
    fn activity(&self) -> Option<&str> {
        None
    }

    /// The activities that can be commanded.
    fn activities(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The parts of the adventure that can be commanded.
    fn parts(&self) -> Vec<&'static str> {
        Vec::new()
    }
}

impl<P: Performer + ?Sized> Performer for &mut P {
    fn skeleton(&self) -> &Arc<Skeleton> {
        (**self).skeleton()
    }

    fn rate_hz(&self) -> Option<f64> {
        (**self).rate_hz()
    }

    fn next_frame(&mut self, state: &CharacterState) -> Result<Option<PerformedFrame>> {
        (**self).next_frame(state)
    }

    fn report(&self) -> Report {
        (**self).report()
    }

    fn command(&mut self, command: &PerformerCommand) {
        (**self).command(command);
    }

    fn activity(&self) -> Option<&str> {
        (**self).activity()
    }

    fn activities(&self) -> Vec<&str> {
        (**self).activities()
    }

    fn parts(&self) -> Vec<&'static str> {
        (**self).parts()
    }
}
