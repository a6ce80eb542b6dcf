//! Performers: sources of frames that drive a character.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Deserialize;

use super::{MarkerFrame, Markers, PerformState, Puppet, Recording};
use crate::Error;
use crate::body::BodyProportions;
use crate::motion::{LocalPose, Report, Skeleton};

/// A command to a performer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PerformerCommand {
    /// Act this activity from now on; `stand` ends it.
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
    /// Whether the left and the right hand are closed.
    pub closed: [bool; 2],
    /// Seconds since the previous frame.
    pub secs: f32,
}

/// A source of frames that drives a character. It stands still in the first [`Recording::STANDING`] frames, which calibrate it.
pub trait Performer {
    /// The skeleton of the poses.
    fn skeleton(&self) -> &Arc<Skeleton>;

    /// Frames per second; `None` if the time between frames varies.
    fn rate_hz(&self) -> Option<f64>;

    /// The next frame; `None` at the end. `state` is the character as the performer sees it.
    fn next_frame(&mut self, state: &PerformState) -> Result<Option<PerformedFrame>, Error>;

    /// Warnings about the input so far.
    fn report(&self) -> Report {
        Report::default()
    }

    /// Takes a command of a user who controls the performer. Most performers ignore commands.
    fn command(&mut self, _: &PerformerCommand) {}

    /// The activity that the performer acts, if it is known.
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

    fn next_frame(&mut self, state: &PerformState) -> Result<Option<PerformedFrame>, Error> {
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

/// A performer that was recorded.
#[derive(Debug, Clone)]
pub struct RecordedPerformer {
    recording: Recording,
    next: usize,
}

impl RecordedPerformer {
    /// Performs a recording from its first frame.
    pub fn new(recording: Recording) -> Self {
        Self { recording, next: 0 }
    }
}

impl Performer for RecordedPerformer {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.recording.calibration.skeleton()
    }

    fn rate_hz(&self) -> Option<f64> {
        Some(self.recording.rate_hz)
    }

    fn next_frame(&mut self, _: &PerformState) -> Result<Option<PerformedFrame>, Error> {
        let frame = self.recording.poses.get(self.next).zip(self.recording.closed.get(self.next));
        self.next += 1;
        let secs = (1.0 / self.recording.rate_hz) as f32;
        Ok(frame.map(|(pose, closed)| PerformedFrame { pose: pose.clone(), closed: *closed, secs }))
    }

    fn report(&self) -> Report {
        self.recording.report.clone()
    }
}

/// A performer of default proportions, posed by markers of hands, feet and waist.
pub struct MarkerPerformer<'a> {
    puppet: Puppet,
    standing: VecDeque<MarkerFrame>,
    source: Box<dyn FnMut() -> Result<Option<MarkerFrame>, Error> + 'a>,
    rate_hz: Option<f64>,
}

impl<'a> MarkerPerformer<'a> {
    /// Takes the first frames of `source` to measure the performer, who must stand.
    ///
    /// # Errors
    /// If the source fails, or its first frames do not show the performer's size.
    pub fn new(mut source: impl FnMut() -> Result<Option<MarkerFrame>, Error> + 'a) -> Result<Self, Error> {
        let mut standing = Vec::new();
        while standing.len() < Recording::STANDING
            && let Some(frame) = source()?
        {
            standing.push(frame);
        }
        Self::measured(standing, source, None)
    }

    /// A performer measured by `standing`, who performs those frames first and then those of `source`.
    pub(super) fn measured(
        standing: Vec<MarkerFrame>,
        source: impl FnMut() -> Result<Option<MarkerFrame>, Error> + 'a,
        rate_hz: Option<f64>,
    ) -> Result<Self, Error> {
        let markers: Vec<Markers> = standing.iter().map(MarkerFrame::markers).collect();
        let puppet = Puppet::calibrate(&*BodyProportions::default().skeleton()?, &markers)?;
        Ok(Self { puppet, standing: standing.into(), source: Box::new(source), rate_hz })
    }
}

impl Performer for MarkerPerformer<'_> {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.puppet.skeleton()
    }

    fn rate_hz(&self) -> Option<f64> {
        self.rate_hz
    }

    fn next_frame(&mut self, _: &PerformState) -> Result<Option<PerformedFrame>, Error> {
        let frame = match self.standing.pop_front() {
            Some(frame) => Some(frame),
            None => (self.source)()?,
        };
        Ok(frame.map(|frame| {
            let pose = self.puppet.pose(&frame.markers()).clone();
            PerformedFrame { pose, closed: frame.closed, secs: frame.secs }
        }))
    }

    fn report(&self) -> Report {
        self.puppet.report().clone()
    }
}
