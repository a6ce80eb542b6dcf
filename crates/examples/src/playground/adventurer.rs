//! A performer that plays the adventure of `marey perform` and reacts to the character.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{LocalPose, Side, Skeleton, Vec3, WorldPose};

use super::course::{COURSE, CoursePart, Part, Step};
use super::gesture::between;
use super::performer::{Performer, PerformerState};
use super::session::Span;
use super::{PlaygroundSettings, Stream, captured};
use crate::Result;
use crate::figure::Figure;
use crate::spline::ease;
use crate::wander::stream as chance;

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
    all: Vec<PerformerState>,
    labels: Vec<(&'static str, Range<f64>)>,
    /// The current part of the course, the step within it, and the number of tries.
    leg: usize,
    step: usize,
    tries: usize,
    /// The start time and pose of the current step, and its completed cycles.
    since_secs: f64,
    from: PerformerState,
    cycles: f64,
    yaw_rad: f64,
    /// Whether a user chooses the parts.
    is_told: bool,
}

/// The duration of the transition to an activity, in seconds.
const READY_SECS: f64 = 0.5;
/// The largest number of tries of a part.
const MOST_TRIES: usize = 6;
/// The distance that the player looks ahead when steering, in metres, and its turning speed, in radians per second.
const AHEAD_M: f32 = 2.0;
const TURN_RAD_PER_SEC: f64 = 0.5;

impl Adventurer {
    /// A player at the start.
    pub fn new(settings: &PlaygroundSettings) -> Result<Self> {
        settings.validate()?;
        let figure = Figure::new(&settings.body)?;
        let skeleton = figure.skeleton.clone();
        let performer = Performer::new(figure, Vec::new(), &mut chance(settings.seed, 1));
        Ok(Self {
            settings: settings.clone(),
            from: performer.at_ease(0.0),
            performer,
            pose: LocalPose::rest(&skeleton),
            world: WorldPose::scratch(&skeleton),
            all: Vec::new(),
            labels: Vec::new(),
            leg: 0,
            step: 0,
            tries: 0,
            since_secs: 0.0,
            cycles: 0.0,
            yaw_rad: 0.0,
            is_told: false,
        })
    }

    /// The parts of the course, in order.
    pub fn parts() -> impl Iterator<Item = &'static str> {
        COURSE.iter().map(|leg| leg.name)
    }

    /// The current part of the course. `None` at the end.
    pub fn part(&self) -> Option<&'static str> {
        COURSE.get(self.leg).map(|leg| leg.name)
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
        self.is_told = true;
        if let Some(leg) = COURSE.iter().position(|leg| leg.name == part).filter(|leg| *leg != self.leg) {
            (self.leg, self.step, self.tries) = (leg, 0, 0);
            self.begin();
        }
    }

    /// Starts the next step from the current pose.
    fn begin(&mut self) {
        self.from = self.all.last().copied().unwrap_or(self.from);
        (self.since_secs, self.cycles) = (self.all.len() as f64 / self.settings.rate_hz, 0.0);
    }

    /// The player's skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        self.world.skeleton()
    }

    /// The pose of the next frame in response to the character, and whether the left and the right hand are closed. `None` at the end of
    /// the course.
    pub fn next(&mut self, seen: &CharacterView) -> Option<(&LocalPose, [bool; 2])> {
        let rate_hz = self.settings.rate_hz;
        let secs = self.all.len() as f64 / rate_hz;
        if self.is_over(seen, secs) {
            self.begin();
            self.next_step(seen);
        }
        let (leg, step) = self.doing_now()?;
        match self.labels.last_mut() {
            Some((name, range)) if *name == leg.name => range.end = secs + 1.0 / rate_hz,
            _ => self.labels.push((leg.name, secs..secs + 1.0 / rate_hz)),
        }
        if matches!(step.part, Part::Do(..)) {
            self.steer(seen);
        }
        let state = PerformerState { yaw_rad: self.yaw_rad, ..self.state(step, secs) };
        self.go_on(step, &state, seen);
        self.performer.pose(&state, &mut self.world, &mut self.pose);
        self.all.push(state);
        Some((&self.pose, state.closed))
    }

    /// The captured session.
    pub fn into_stream(self) -> Result<Stream> {
        captured("adventurer", &self.settings, &self.performer, &self.all, self.labels)
    }

    /// The current part and step. `None` at the end of the course.
    fn doing_now(&self) -> Option<(&'static CoursePart, &'static Step)> {
        let leg = COURSE.get(self.leg)?;
        Some((leg, leg.steps.get(self.step)?))
    }

    fn is_over(&self, seen: &CharacterView, secs: f64) -> bool {
        let Some((_, step)) = self.doing_now() else { return false };
        let since = secs - self.since_secs;
        let ready = match step.part {
            Part::To(_, within_secs) => since >= within_secs,
            Part::Do(..) | Part::Hands(..) => true,
        };
        since > 0.0 && ready && ((step.until)(seen) || since >= step.most_secs)
    }

    /// Advances to the next step. A part that failed is repeated.
    fn next_step(&mut self, seen: &CharacterView) {
        let Some((leg, step)) = self.doing_now() else { return };
        self.step += 1;
        let failed = step.must && !(step.until)(seen);
        if self.step < leg.steps.len() && !failed {
            return;
        }
        self.step = 0;
        if self.is_told {
            // If a user chooses the parts, the player stands after a completed part, and repeats a failed one without limit.
            self.leg = if (leg.reached)(seen) { 0 } else { self.leg };
        } else if (leg.reached)(seen) {
            (self.leg, self.tries) = (self.leg + 1, 0);
        } else {
            self.tries += 1;
            if self.tries >= MOST_TRIES {
                self.leg = COURSE.len();
            }
        }
    }

    /// Turns towards the middle of the course.
    fn steer(&mut self, seen: &CharacterView) {
        let wanted = (-seen.centre.x).atan2(AHEAD_M);
        let error = f64::from(wanted - seen.yaw_rad).sin();
        self.yaw_rad += (2.0 * error).clamp(-TURN_RAD_PER_SEC, TURN_RAD_PER_SEC) / self.settings.rate_hz;
    }

    fn state(&self, step: &Step, secs: f64) -> PerformerState {
        let since = secs - self.since_secs;
        let (state, ready) = match step.part {
            Part::To(gesture, within_secs) => (gesture.state(&self.performer, secs), since / within_secs),
            Part::Do(activity, period_secs) => {
                let start = secs - self.cycles * period_secs;
                let span = Span { activity, secs: start..f64::MAX, period_secs };
                let mut state = self.performer.at_ease(secs);
                self.performer.add(&span, secs, 1.0, &mut state);
                state.closed = Side::BOTH.map(|side| activity.reach().is_closed(side, self.cycles));
                (state, since / READY_SECS)
            }
            Part::Hands(reach, _) => {
                let mut state = self.performer.at_ease(secs);
                state.wrists = Side::BOTH.map(|side| self.performer.hand(reach, side, self.cycles));
                state.closed = Side::BOTH.map(|side| reach.is_closed(side, self.cycles));
                (state, since / READY_SECS)
            }
        };
        between(&self.from, &state, ease(ready))
    }

    /// Continues a cycle, unless a hand would let go while the other holds nothing.
    fn go_on(&mut self, step: &Step, state: &PerformerState, seen: &CharacterView) {
        let (period_secs, reach) = match step.part {
            Part::To(..) => return,
            Part::Do(activity, period_secs) => (period_secs, activity.reach()),
            Part::Hands(reach, period_secs) => (period_secs, reach),
        };
        let next = self.cycles + 1.0 / (period_secs * self.settings.rate_hz);
        let alone = Side::BOTH.into_iter().any(|side| {
            let opens = state.closed[side as usize] && !reach.is_closed(side, next);
            opens && !seen.holds[1 - side as usize]
        });
        if !alone {
            self.cycles = next;
        }
    }
}
