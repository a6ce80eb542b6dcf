//! A performer that is controlled by keys.
//!
//! It repeats what a generated performer does in each activity, with smooth transitions. It can also play a part of the
//! adventure, in which it reacts to the character.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use marey_examples::playground::{Adventurer, PlaygroundSettings, stream};
use marey_motion::{LocalPose, Quat, Skeleton, smoothstep};
use marey_perform::{CharacterState, Recording};

use crate::player::view;
use crate::{PerformedFrame, Performer, PerformerCommand, Result};

/// Duration of the transition between two activities, in frames.
const TRANSITION_FRAMES: usize = 18;
/// Turning speed, in radians per frame.
const TURN_RAD: f32 = 1.6 / 60.0;
/// The activity while no key is pressed.
const STAND: &str = "stand";

/// A performer that is controlled by [`PerformerCommand`]s.
#[derive(Debug)]
pub struct KeyboardPerformer {
    recording: Recording,
    /// The frames of each activity in the recording.
    activities: BTreeMap<String, Range<usize>>,
    player: Adventurer,
    is_playing: bool,
    activity: String,
    next: usize,
    /// The pose that the current transition starts from, and its remaining frames.
    transition: Option<(LocalPose, usize)>,
    turn: f32,
    yaw_rad: f32,
    last: LocalPose,
    frames: usize,
}

impl KeyboardPerformer {
    /// A performer that stands.
    pub fn new() -> Result<Self> {
        let settings = PlaygroundSettings::default();
        let example = stream(&settings)?.example;
        let recording = Recording::of_clip(example.take.first())?;
        let mut activities: BTreeMap<String, Range<usize>> = BTreeMap::new();
        for label in example.truth.labels() {
            let frames = label.start..label.end;
            // The longest stretch of each activity repeats least often.
            if activities.get(&label.name).is_none_or(|known| known.len() < frames.len()) {
                activities.insert(label.name.clone(), frames);
            }
        }
        activities.insert(STAND.into(), 0..Recording::OPENING.min(recording.poses.len()));
        let rest = || LocalPose::rest(example.take.first().skeleton());
        let last = recording.poses.first().cloned().unwrap_or_else(rest);
        Ok(Self {
            recording,
            activities,
            player: Adventurer::new(&settings)?,
            is_playing: false,
            activity: STAND.into(),
            next: 0,
            transition: None,
            turn: 0.0,
            yaw_rad: 0.0,
            last,
            frames: 0,
        })
    }

    fn begin(&mut self, activity: String) {
        self.next = self.activities.get(&activity).map_or(0, |frames| frames.start);
        self.activity = activity;
        self.transition = Some((self.last.clone(), TRANSITION_FRAMES));
    }

    /// The next pose of the activity or the part, before the transition and the turn.
    fn next_pose(&mut self, state: &CharacterState) -> (LocalPose, [Option<bool>; 2]) {
        if self.is_playing
            && let Some((pose, closed)) = self.player.next(&view(state))
        {
            return (pose.clone(), closed.map(Some));
        }
        let frames = self.activities.get(&self.activity).cloned().unwrap_or(0..1);
        if self.next >= frames.end {
            self.begin(self.activity.clone());
        }
        let pose = self.recording.poses.get(self.next).unwrap_or(&self.last).clone();
        let closed = self.recording.closed.get(self.next).copied().unwrap_or_default();
        self.next += 1;
        (pose, closed)
    }

    /// Blends the start of a transition into a pose.
    fn blend(&mut self, pose: &mut LocalPose) {
        let Some((from, frames)) = self.transition.take().filter(|(_, frames)| *frames > 0) else { return };
        let weight = smoothstep(1.0 - frames as f32 / TRANSITION_FRAMES as f32);
        for (to, from) in pose.rotations.iter_mut().zip(&from.rotations) {
            *to = from.slerp(*to, weight);
        }
        for (to, from) in pose.positions.iter_mut().zip(&from.positions) {
            *to = from.lerp(*to, weight);
        }
        self.transition = Some((from, frames - 1));
    }

    /// Turns a pose about the position where the performer stood at first.
    fn rotate(&mut self, pose: &mut LocalPose) {
        self.yaw_rad += TURN_RAD * self.turn;
        let turn = Quat::from_rotation_y(self.yaw_rad);
        let first = self.recording.poses.first();
        let centre = first.map(|first| first.view().root_position().with_y(0.0)).unwrap_or_default();
        if let (Some(root), Some(position)) = (pose.rotations.first_mut(), pose.positions.first_mut()) {
            *root = turn * *root;
            *position = centre + turn * (*position - centre);
        }
    }
}

impl Performer for KeyboardPerformer {
    fn skeleton(&self) -> &Arc<Skeleton> {
        self.recording.calibration.skeleton()
    }

    fn rate_hz(&self) -> Option<f64> {
        Some(self.recording.rate_hz)
    }

    fn next_frame(&mut self, state: &CharacterState) -> Result<Option<PerformedFrame>> {
        self.frames += 1;
        let (mut pose, closed) = self.next_pose(state);
        self.blend(&mut pose);
        self.last = pose.clone();
        self.rotate(&mut pose);
        let secs = (1.0 / self.recording.rate_hz) as f32;
        Ok(Some(PerformedFrame { pose, closed, secs }))
    }

    fn command(&mut self, command: &PerformerCommand) {
        // The performer stands still until it is calibrated.
        if self.frames < Recording::OPENING {
            return;
        }
        match command {
            PerformerCommand::Turn(turn) if turn.is_finite() => self.turn = turn.clamp(-1.0, 1.0),
            PerformerCommand::Act(name)
                if self.activities.contains_key(name) && (self.is_playing || *name != self.activity) =>
            {
                self.is_playing = false;
                self.begin(name.clone());
            }
            PerformerCommand::Play(part) if Adventurer::parts().any(|known| known == part) => {
                self.player.play(part);
                if !self.is_playing {
                    self.transition = Some((self.last.clone(), TRANSITION_FRAMES));
                }
                self.is_playing = true;
            }
            PerformerCommand::Act(_) | PerformerCommand::Turn(_) | PerformerCommand::Play(_) => {}
        }
    }

    fn activity(&self) -> Option<&str> {
        Some(if self.is_playing { self.player.part().unwrap_or(STAND) } else { &self.activity })
    }

    fn activities(&self) -> Vec<&str> {
        self.activities.keys().map(String::as_str).collect()
    }

    fn parts(&self) -> Vec<&'static str> {
        Adventurer::parts().collect()
    }
}
