//! A performer who is puppeted by keys: what a generated performer does for each activity, gone into and out of smoothly; or a part of the
//! adventure, played by one who looks where the character is.

use std::collections::BTreeMap;
use std::ops::Range;

use marey::examples::playground::{Adventurer, PlaygroundSettings, Seen, stream};
use marey::motion::{LocalPose, Quat};
use marey::perform::{Calibration, Recording};
use marey::studio::Fault;
use serde::Deserialize;

/// How long it takes to go from one activity to another, in frames.
const BLEND: usize = 18;
/// How fast the performer turns, in radians a frame.
const TURN_RAD: f32 = 1.6 / 60.0;
/// What is done where no key says otherwise.
const STAND: &str = "stand";

/// What keys say.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Word {
    /// Do this from now on; "stand" where a key is let go.
    Act(String),
    /// Play this part of the adventure.
    Play(String),
    /// Turn: -1 to the right, 1 to the left, 0 not at all.
    Turn(f32),
}

/// One who acts as told.
#[derive(Debug)]
pub(super) struct Puppeteer {
    recorded: Recording,
    /// Frames of each activity.
    parts: BTreeMap<String, Range<usize>>,
    /// One who plays parts of the adventure.
    player: Adventurer,
    is_playing: bool,
    acts: String,
    at: usize,
    /// The pose that is left, and for how many frames more it counts.
    left: Option<(LocalPose, usize)>,
    turn: f32,
    yaw_rad: f32,
    shown: LocalPose,
    frames: usize,
}

impl Puppeteer {
    /// A performer who stands.
    pub(super) fn new() -> Result<Self, Fault> {
        let settings = PlaygroundSettings::default();
        let example = stream(&settings)?.example;
        let recorded = Recording::of_clip(example.take.first())?;
        let mut parts: BTreeMap<String, Range<usize>> = BTreeMap::new();
        for label in example.truth.labels() {
            let span = label.start..label.end;
            // The longest of its kind says most.
            if parts.get(&label.name).is_none_or(|known| known.len() < span.len()) {
                parts.insert(label.name.clone(), span);
            }
        }
        parts.insert(STAND.into(), 0..Recording::STANDING.min(recorded.poses.len()));
        let shown = recorded
            .poses
            .first()
            .cloned()
            .unwrap_or_else(|| LocalPose::rest(example.take.first().skeleton()));
        Ok(Self {
            recorded,
            parts,
            player: Adventurer::new(&settings)?,
            is_playing: false,
            acts: STAND.into(),
            at: 0,
            left: None,
            turn: 0.0,
            yaw_rad: 0.0,
            shown,
            frames: 0,
        })
    }

    pub(super) fn calibration(&self) -> &Calibration {
        &self.recorded.calibration
    }

    /// What can be acted.
    pub(super) fn activities(&self) -> Vec<&str> {
        self.parts.keys().map(String::as_str).collect()
    }

    /// What is acted now.
    pub(super) fn acts(&self) -> &str {
        if self.is_playing { self.player.part().unwrap_or(STAND) } else { &self.acts }
    }

    pub(super) fn hear(&mut self, word: Word) {
        // Who is not yet measured stands still.
        if self.frames < Recording::STANDING {
            return;
        }
        match word {
            Word::Turn(turn) if turn.is_finite() => self.turn = turn.clamp(-1.0, 1.0),
            Word::Act(name) if self.parts.contains_key(&name) && (self.is_playing || name != self.acts) => {
                self.is_playing = false;
                self.begin(name);
            }
            Word::Play(part) if Adventurer::parts().any(|known| known == part) => {
                self.player.play(&part);
                if !self.is_playing {
                    self.left = Some((self.shown.clone(), BLEND));
                }
                self.is_playing = true;
            }
            Word::Act(_) | Word::Turn(_) | Word::Play(_) => {}
        }
    }

    fn begin(&mut self, name: String) {
        self.at = self.parts.get(&name).map_or(0, |part| part.start);
        self.acts = name;
        self.left = Some((self.shown.clone(), BLEND));
    }

    /// The next frame, by what is seen of the character: a pose, and whether each hand is closed.
    pub(super) fn next(&mut self, seen: &Seen) -> (LocalPose, [bool; 2]) {
        self.frames += 1;
        let (mut pose, closed) = self.own(seen);
        if let Some((from, frames)) = self.left.take().filter(|(_, frames)| *frames > 0) {
            let share = 1.0 - frames as f32 / BLEND as f32;
            let share = share * share * (3.0 - 2.0 * share);
            pose.rotations
                .iter_mut()
                .zip(&from.rotations)
                .for_each(|(to, from)| *to = from.slerp(*to, share));
            pose.positions.iter_mut().zip(&from.positions).for_each(|(to, from)| *to = from.lerp(*to, share));
            self.left = Some((from, frames - 1));
        }
        self.shown = pose.clone();
        self.yaw_rad += TURN_RAD * self.turn;
        let turn = Quat::from_rotation_y(self.yaw_rad);
        // About where the performer stood at first.
        let spot = self
            .recorded
            .poses
            .first()
            .map(|first| first.view().root_position().with_y(0.0))
            .unwrap_or_default();
        if let (Some(root), Some(place)) = (pose.rotations.first_mut(), pose.positions.first_mut()) {
            *root = turn * *root;
            *place = spot + turn * (*place - spot);
        }
        (pose, closed)
    }

    /// What is played or acted, before it is gone into smoothly and turned.
    fn own(&mut self, seen: &Seen) -> (LocalPose, [bool; 2]) {
        if self.is_playing
            && let Some((pose, closed)) = self.player.next(seen)
        {
            return (pose.clone(), closed);
        }
        let part = self.parts.get(&self.acts).cloned().unwrap_or(0..1);
        if self.at >= part.end {
            // What goes round is gone into again as anything else is.
            self.begin(self.acts.clone());
        }
        let pose = self.recorded.poses.get(self.at).unwrap_or(&self.shown).clone();
        let closed = self.recorded.closed.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        (pose, closed)
    }
}
