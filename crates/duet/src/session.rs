//! Generates movements for two people, one after another: section 5 of the paper.
//!
//! A person who ends a movement makes a transition; the other makes a virtual transition and
//! continues. The next movement is drawn by equation 21, in logarithms, from those that can follow.
//! Two rules of the paper keep interactions intact. An attack starts only if the partner can
//! defend, and the defence is chosen at the same time. If the two contact frames differ by more
//! than three frames, the defender's movement is time-warped. Finally, the striking hand or foot is
//! moved onto its target.
//!
//! Two people who move together ([`DuetModel::in_unison`](crate::DuetModel::in_unison)) make
//! exchanges: one is drawn for both, and each does what was recorded with it, blended with the
//! same weights.
//!
//! Changes to the paper:
//!
//! - Two people who end in the same frame choose one after the other. By equation 21 alone, both would choose
//!   independently, and an attack would meet a defence only by chance.
//! - The paper relies on distance and facing in the probabilities to keep the two together, so blends drift apart slowly.
//!   Here each movement is turned and shifted slightly, within limits, so that at contact or at its end the partner is
//!   where they were in the recordings.
//! - A movement that would end slightly before or after the partner's is stretched so that both end together, as in the
//!   recordings. Otherwise the two get out of step, and neither is ready for an attack.
//! - A movement that would pass through the partner is used only if there is no other.

use std::collections::VecDeque;

use marey_motion::{Ground, Vec3};
use marey_plan::Seed;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::choices::{Choice, draw};
use crate::movement_goal::MovementGoal;
use crate::observation::Observation;
use crate::placed_movement::Start;
use crate::repertoire::Repertoire;
use crate::{Duet, DuetError, DuetPath, DuetRunSettings, InteractionKind, PlacedMovement, Result};

/// A command for one person. If it names neither a group nor a kind, the model chooses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuetCommand {
    /// Requests a movement of this group.
    pub group: Option<usize>,
    /// Requests a movement of this kind.
    pub kind: Option<InteractionKind>,
    /// Position to go to, as x and z in world space, in metres.
    pub place: Option<[f32; 2]>,
}

/// The current and next movement of a person, and the number of movements so far.
#[derive(Debug, Clone)]
pub(crate) struct PersonTimeline {
    pub(crate) current: PlacedMovement,
    /// The movement that is already fixed to follow.
    pub(crate) next: Option<PlacedMovement>,
    pub(crate) count: usize,
}

impl PersonTimeline {
    /// Returns the movement in a frame.
    pub(crate) fn at(&self, frame: usize) -> &PlacedMovement {
        self.next.as_ref().filter(|next| next.placement.start <= frame).unwrap_or(&self.current)
    }

    pub(crate) fn set_next(&mut self, next: PlacedMovement) {
        self.next = Some(next);
        self.count += 1;
    }
}

/// A run that is generated movement by movement.
#[derive(Debug, Clone)]
pub struct DuetSession<'a> {
    pub(crate) duet: &'a Duet,
    pub(crate) settings: DuetRunSettings,
    pub(crate) rng: ChaCha8Rng,
    /// `None` before the first [`DuetSession::advance`].
    pub(crate) people: Option<[PersonTimeline; 2]>,
    pub(crate) commands: [VecDeque<DuetCommand>; 2],
    pub(crate) path: Option<DuetPath>,
    /// How often each exchange was used.
    pub(crate) uses: Vec<f64>,
}

impl<'a> DuetSession<'a> {
    /// Starts a run of a trained pair.
    pub fn new(duet: &'a Duet, settings: &DuetRunSettings, seed: Seed) -> Result<Self> {
        settings.validate()?;
        let commands = Default::default();
        let (settings, rng) = (settings.clone(), seed.rng(2));
        let uses = vec![0.0; duet.model.people[0].states.len()];
        Ok(Self { duet, settings, rng, people: None, commands, path: None, uses })
    }

    /// Makes one person follow a path while they interact (the paper's constrained mode).
    pub fn follow_path(&mut self, path: DuetPath) -> Result<()> {
        path.validate()?;
        self.path = Some(path);
        Ok(())
    }

    /// Appends a command to a person's queue. The model decides when the queue is empty.
    ///
    /// The two people of a couple share one queue: both execute a command for either, and a
    /// position is for the leader.
    pub fn command(&mut self, person: usize, command: DuetCommand) -> Result<()> {
        let queue = self.queue_of(person);
        let states = self.duet.model.people.get(queue).map_or(&[][..], |person| &person.states);
        let is_group = command.group.is_none_or(|group| group < states.len());
        let is_kind = command.kind.is_none_or(|kind| states.iter().any(|state| state.kind == kind));
        let is_place = command.place.is_none_or(|place| place.iter().all(|x| x.abs() <= 1e5));
        if states.is_empty() || !is_group || !is_kind || !is_place {
            return Err(DuetError::InvalidCommand { person, states: states.len() });
        }
        self.commands[queue].push_back(command);
        Ok(())
    }

    /// Returns the number of commands of a person that are not executed yet.
    pub fn pending_commands(&self, person: usize) -> usize {
        self.commands.get(self.queue_of(person)).map_or(0, VecDeque::len)
    }

    fn queue_of(&self, person: usize) -> usize {
        if self.duet.model.in_unison && person == 1 { 0 } else { person }
    }

    /// Returns the number of frames that are fixed for both people.
    pub fn planned_frames(&self) -> usize {
        self.people.as_ref().map_or(0, |people| people[0].current.end().min(people[1].current.end()))
    }

    /// Returns the next movements to start, in order of time: one or two, of the person who ends
    /// first.
    pub fn advance(&mut self) -> Result<Vec<PlacedMovement>> {
        let Some(people) = &self.people else { return self.start() };
        let at = self.planned_frames();
        let ending = [0, 1].map(|person| people[person].current.end() == at);
        let free = [0, 1].map(|person| ending[person] && people[person].next.is_none());
        if self.duet.model.in_unison {
            self.choose_next_exchange(at)?;
        } else {
            // If both end together, they choose one after the other, in random order.
            let first = usize::from(free == [true, true] && self.rng.random_bool(0.5));
            for person in [first, 1 - first].into_iter().filter(|person| free[*person]) {
                self.choose_next(person, at)?;
            }
        }
        let mut started = Vec::new();
        for person in [0, 1].into_iter().filter(|person| ending[*person]) {
            let Some(people) = &mut self.people else { continue };
            if let Some(next) = people[person].next.take() {
                people[person].current = next.clone();
                started.push(next);
            }
        }
        Ok(started)
    }

    /// Starts both people with initial movements (equation 18), at relative positions drawn from
    /// the recordings.
    fn start(&mut self) -> Result<Vec<PlacedMovement>> {
        let model = &self.duet.model;
        let positions = &self.duet.start_positions;
        let [one, other] = positions[self.rng.random_range(0..positions.len())];
        let mut grounds = [Ground::IDENTITY, one.inverse() * other];
        if let Some(path) = &self.path {
            let from = path.at(0.0) - grounds[path.person].translation();
            grounds = grounds.map(|ground| Ground::new(ground.x + from.x, ground.z + from.z, ground.yaw_rad));
        }
        let observed = observed(grounds);
        let mut started = Vec::new();
        for person in [0, 1] {
            let states = model.people[person].states.iter().enumerate();
            let choices: Vec<Choice> = states
                .filter(|(_, state)| state.kind == InteractionKind::Normal)
                .map(|(group, state)| Choice {
                    group,
                    score: model.people[person].initial[group].max(1e-4).ln()
                        + state.observed.log_density(&observed[person], model.settings.sharpness),
                })
                .collect();
            let group =
                draw(&choices, self.settings.temperature, &mut self.rng).map_or(0, |choice| choice.group);
            if model.in_unison {
                started = self.start_exchange(group)?;
                break;
            }
            let (kind, ground) = (InteractionKind::Normal, grounds[person]);
            let start = Start { person, group, kind, frame: 0, ground, number: 0 };
            let other = grounds[1 - person].translation();
            started.push(self.prepare(start, &|_| other, None, None, MovementGoal::default())?);
        }
        let person =
            |current: &PlacedMovement| PersonTimeline { current: current.clone(), next: None, count: 1 };
        self.people = started.first().zip(started.get(1)).map(|(one, other)| [person(one), person(other)]);
        Ok(started)
    }

    /// Creates a person's next movement, given what both are doing.
    pub(crate) fn next(
        &mut self,
        people: &[PersonTimeline; 2],
        person: usize,
        group: usize,
        kind: InteractionKind,
        goal: MovementGoal,
    ) -> Result<PlacedMovement> {
        let (own, other) = (&people[person], &people[1 - person]);
        let frame = own.current.end();
        let start =
            Start { person, group, kind, frame, ground: own.current.ground_at(frame), number: own.count };
        let partner_at = |frame: usize| other.at(frame).ground_at(frame).translation();
        let end = other.next.as_ref().unwrap_or(&other.current).end();
        let mut next = self.prepare(start, &partner_at, Some(&own.current), Some(end), goal)?;
        if kind == InteractionKind::Normal && !self.follows_path(person) {
            next.shift_until_contact(-self.clearance_shift(&next, other))?;
        }
        Ok(next)
    }

    /// Returns the shift by which the partner would have to move to be clear of a movement without
    /// contact.
    pub(crate) fn clearance_shift(&self, movement: &PlacedMovement, other: &PersonTimeline) -> Vec3 {
        let Repertoire { shapes, recorded_overlap_m, .. } = &self.duet.repertoire;
        movement.path_clearance_shift(&|frame| other.at(frame), shapes, *recorded_overlap_m)
    }

    /// Returns the first group without contact, used if nothing else can follow.
    pub(crate) fn fallback_group(&self, person: usize) -> usize {
        self.duet.repertoire.people[person]
            .iter()
            .position(|group| group.kind == InteractionKind::Normal)
            .unwrap_or(0)
    }
}

/// Returns each person's observation of the other.
pub(crate) fn observed(grounds: [Ground; 2]) -> [Observation; 2] {
    [Observation::between(grounds[0], grounds[1]), Observation::between(grounds[1], grounds[0])]
}
