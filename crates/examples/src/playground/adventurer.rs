//! A performer that plays the adventure of `marey perform` and reacts to the character.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{LocalPose, Side, Skeleton, Vec3, WorldPose, smootherstep};

use super::course::{Action, COURSE, CoursePart, Step};
use super::gesture::interpolate;
use super::performer::{Performer, PerformerState};
use super::session::Span;
use super::{PerformerStream, PlaygroundSettings, captured};
use crate::Result;
use crate::figure::Figure;
use crate::random::rng_stream;

/// The state of the character that a player observes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CharacterView {
    /// Its centre of mass, in metres.
    pub centre: Vec3,
    /// Its velocity, in metres per second.
    pub velocity: Vec3,
    /// Its heading: rotation about +Y, in radians.
    pub yaw_rad: f32,
    /// Whether the left hand, right hand, left foot and right foot hold something.
    pub holds: [bool; 4],
    /// Whether it is in water.
    pub swims: bool,
}

/// A performer that plays the adventure from start to finish: walks, moves hand over hand along bars, swings on a rope, climbs down a
/// pole, climbs rocks, jumps, swims, shoots a web and swings on it.
///
/// It observes the character in each frame. A hand lets go only if the other one holds, and each part lasts until the character is at
/// the start of the next one.
///
/// ```
/// use marey_examples::playground::{Adventurer, CharacterView, PlaygroundSettings};
/// let mut player = Adventurer::new(&PlaygroundSettings::default())?;
/// // The character never moves, so the player gives up.
/// while player.next(&CharacterView::default()).is_some() {}
/// let stream = player.into_stream()?;
/// assert!(stream.example.truth.labels().iter().any(|label| label.name == "bars"));
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Adventurer {
    settings: PlaygroundSettings,
    performer: Performer,
    pose: LocalPose,
    world: WorldPose,
    states: Vec<PerformerState>,
    labels: Vec<(&'static str, Range<f64>)>,
    /// The current part of the course, the step within it, and the number of tries.
    part_index: usize,
    step: usize,
    tries: usize,
    /// The start time and pose of the current step, and its completed cycles.
    since_secs: f64,
    from: PerformerState,
    cycles: f64,
    yaw_rad: f64,
    /// Whether a user chooses the parts.
    is_user_driven: bool,
}

/// The duration of the transition to an activity, in seconds.
const READY_SECS: f64 = 0.5;
/// The largest number of tries of a part.
const MAX_TRIES: usize = 6;
/// The distance that the player looks ahead when steering, in metres, and its turning speed, in radians per second.
const AHEAD_M: f32 = 2.0;
const TURN_RAD_PER_SEC: f64 = 0.5;

impl Adventurer {
    /// A player at the start.
    pub fn new(settings: &PlaygroundSettings) -> Result<Self> {
        settings.validate()?;
        let figure = Figure::new(&settings.body)?;
        let skeleton = figure.skeleton.clone();
        let performer = Performer::new(figure, Vec::new(), &mut rng_stream(settings.seed, 1));
        Ok(Self {
            settings: settings.clone(),
            from: performer.relaxed(0.0),
            performer,
            pose: LocalPose::rest(&skeleton),
            world: WorldPose::scratch(&skeleton),
            states: Vec::new(),
            labels: Vec::new(),
            part_index: 0,
            step: 0,
            tries: 0,
            since_secs: 0.0,
            cycles: 0.0,
            yaw_rad: 0.0,
            is_user_driven: false,
        })
    }

    /// The parts of the course, in order.
    pub fn parts() -> impl Iterator<Item = &'static str> {
        COURSE.iter().map(|part| part.name)
    }

    /// The current part of the course. `None` at the end.
    pub fn part(&self) -> Option<&'static str> {
        COURSE.get(self.part_index).map(|part| part.name)
    }

    /// Plays a part of the course, then stands until another part is chosen. `stand` ends a part. An unknown part has no effect.
    ///
    /// ```
    /// use marey_examples::playground::{Adventurer, CharacterView, PlaygroundSettings};
    /// let mut player = Adventurer::new(&PlaygroundSettings::default())?;
    /// player.play("rope");
    /// player.next(&CharacterView::default());
    /// assert_eq!(player.part(), Some("rope"));
    /// player.play("stand");
    /// for _ in 0..600 {
    ///     player.next(&CharacterView::default());
    /// }
    /// assert_eq!(player.part(), Some("stand"));
    /// # Ok::<(), marey_examples::ExamplesError>(())
    /// ```
    pub fn play(&mut self, part: &str) {
        self.is_user_driven = true;
        if let Some(index) = COURSE
            .iter()
            .position(|candidate| candidate.name == part)
            .filter(|index| *index != self.part_index)
        {
            (self.part_index, self.step, self.tries) = (index, 0, 0);
            self.begin_step();
        }
    }

    /// Starts the next step from the current pose.
    fn begin_step(&mut self) {
        self.from = self.states.last().copied().unwrap_or(self.from);
        (self.since_secs, self.cycles) = (self.states.len() as f64 / self.settings.rate_hz, 0.0);
    }

    /// The player's skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.world.skeleton()
    }

    /// The pose of the next frame in response to the character, and whether the left and the right hand are closed. `None` at the end of
    /// the course.
    pub fn next(&mut self, character: &CharacterView) -> Option<(&LocalPose, [bool; 2])> {
        let rate_hz = self.settings.rate_hz;
        let secs = self.states.len() as f64 / rate_hz;
        if self.is_over(character, secs) {
            self.begin_step();
            self.next_step(character);
        }
        let (part, step) = self.current_step()?;
        match self.labels.last_mut() {
            Some((name, range)) if *name == part.name => range.end = secs + 1.0 / rate_hz,
            _ => self.labels.push((part.name, secs..secs + 1.0 / rate_hz)),
        }
        if matches!(step.action, Action::Do(..)) {
            self.steer(character);
        }
        let state = PerformerState { yaw_rad: self.yaw_rad, ..self.state(step, secs) };
        self.advance_cycle(step, &state, character);
        self.performer.pose(&state, &mut self.world, &mut self.pose);
        self.states.push(state);
        Some((&self.pose, state.closed))
    }

    /// The captured session.
    pub fn into_stream(self) -> Result<PerformerStream> {
        captured("adventurer", &self.settings, &self.performer, &self.states, self.labels)
    }

    /// The current part and step. `None` at the end of the course.
    fn current_step(&self) -> Option<(&'static CoursePart, &'static Step)> {
        let part = COURSE.get(self.part_index)?;
        Some((part, part.steps.get(self.step)?))
    }

    fn is_over(&self, character: &CharacterView, secs: f64) -> bool {
        let Some((_, step)) = self.current_step() else { return false };
        let since = secs - self.since_secs;
        let ready = match step.action {
            Action::To(_, within_secs) => since >= within_secs,
            Action::Do(..) | Action::Hands(..) => true,
        };
        since > 0.0 && ready && ((step.until)(character) || since >= step.max_secs)
    }

    /// Advances to the next step. A part that failed is repeated.
    fn next_step(&mut self, character: &CharacterView) {
        let Some((part, step)) = self.current_step() else { return };
        self.step += 1;
        let failed = step.is_required && !(step.until)(character);
        if self.step < part.steps.len() && !failed {
            return;
        }
        self.step = 0;
        if self.is_user_driven {
            // If a user chooses the parts, the player stands after a completed part, and repeats a failed one without limit.
            self.part_index = if (part.reached)(character) { 0 } else { self.part_index };
        } else if (part.reached)(character) {
            (self.part_index, self.tries) = (self.part_index + 1, 0);
        } else {
            self.tries += 1;
            if self.tries >= MAX_TRIES {
                self.part_index = COURSE.len();
            }
        }
    }

    /// Turns towards the middle of the course.
    fn steer(&mut self, character: &CharacterView) {
        let desired = (-character.centre.x).atan2(AHEAD_M);
        let error = f64::from(desired - character.yaw_rad).sin();
        self.yaw_rad += (2.0 * error).clamp(-TURN_RAD_PER_SEC, TURN_RAD_PER_SEC) / self.settings.rate_hz;
    }

    fn state(&self, step: &Step, secs: f64) -> PerformerState {
        let since = secs - self.since_secs;
        let (state, ready) = match step.action {
            Action::To(gesture, within_secs) => (gesture.state(&self.performer, secs), since / within_secs),
            Action::Do(activity, period_secs) => {
                let start = secs - self.cycles * period_secs;
                let span = Span { activity, secs: start..f64::MAX, period_secs };
                let mut state = self.performer.relaxed(secs);
                self.performer.add(&span, secs, 1.0, &mut state);
                state.closed = Side::BOTH.map(|side| activity.hand_path().is_closed(side, self.cycles));
                (state, since / READY_SECS)
            }
            Action::Hands(path, _) => {
                let mut state = self.performer.relaxed(secs);
                state.wrists = Side::BOTH.map(|side| self.performer.hand(path, side, self.cycles));
                state.closed = Side::BOTH.map(|side| path.is_closed(side, self.cycles));
                (state, since / READY_SECS)
            }
        };
        interpolate(&self.from, &state, smootherstep(ready))
    }

    /// Continues a cycle, unless a hand would let go while the other holds nothing.
    fn advance_cycle(&mut self, step: &Step, state: &PerformerState, character: &CharacterView) {
        let (period_secs, path) = match step.action {
            Action::To(..) => return,
            Action::Do(activity, period_secs) => (period_secs, activity.hand_path()),
            Action::Hands(path, period_secs) => (period_secs, path),
        };
        let next = self.cycles + 1.0 / (period_secs * self.settings.rate_hz);
        let would_fall = Side::BOTH.into_iter().any(|side| {
            let opens = state.closed[side as usize] && !path.is_closed(side, next);
            opens && !character.holds[1 - side as usize]
        });
        if !would_fall {
            self.cycles = next;
        }
    }
}
