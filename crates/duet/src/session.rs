//! Two people who go on: section 5 of the paper.
//!
//! Whoever ends a movement makes a transition; the other, in the middle of one, makes a virtual transition and goes on. What comes next is
//! drawn by equation 21 in logarithms, over the movements that may follow. Interaction is kept whole by the paper's two rules:
//! an offensive movement is only begun when the other can answer with a defensive one, which is then settled at the same
//! time; and where the touches of both would be more than three frames apart, the defender's is warped in time. Then the hand
//! or the foot that strikes is brought to its target.
//!
//! A couple ([`Model::in_unison`](crate::Model::in_unison)) moves as one: what the leader does is drawn, and the follower does what they
//! did then, blended with the same weights.
//!
//! Changed: two who end in the same frame choose one after the other. By equation 21 as it stands both would choose without knowing of
//! each other, and an attack and its answer would meet by chance only.
//!
//! Changed: the paper leaves it to distance and facing in the probabilities that the two stay together, and blends drift apart little by
//! little. Here each movement is turned and shifted by a little on its way, so that at its point (the touch, or the end) the other
//! is where they were in the examples. And a movement that would end a little before or after the other's is stretched so that both end
//! together, as they do in the examples: else their rounds drift apart, and nobody is ever ready for an attack. A limit in the settings says by how much. And
//! what would go through the other is not done where something else can be.

use std::collections::VecDeque;

use marey_motion::{Ground, Vec3};
use marey_plan::Seed;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::choices::{Choice, draw};
use crate::movement::Start;
use crate::observation::Observation;
use crate::prepare::Wanted;
use crate::repertoire::Repertoire;
use crate::{Duet, Error, Kind, Played, Result, RunSettings, Way};

/// What the user of an avatar wants next. Where it names neither a group nor what for, the model draws.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Command {
    /// A movement of this group.
    pub group: Option<usize>,
    /// A movement for this.
    pub kind: Option<Kind>,
    /// Where to go, as x and z in the world, in metres.
    pub place: Option<[f32; 2]>,
}

/// One of the two.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) now: Played,
    /// What is settled to come after.
    pub(crate) next: Option<Played>,
    pub(crate) made: usize,
}

impl Person {
    /// What is done in a frame.
    pub(crate) fn at(&self, frame: usize) -> &Played {
        self.next.as_ref().filter(|next| next.placement.start <= frame).unwrap_or(&self.now)
    }

    pub(crate) fn take_on(&mut self, next: Played) {
        self.next = Some(next);
        self.made += 1;
    }
}

/// A run that goes on, one movement after another.
#[derive(Debug, Clone)]
pub struct Session<'a> {
    pub(crate) duet: &'a Duet,
    pub(crate) settings: RunSettings,
    pub(crate) rng: ChaCha8Rng,
    /// Nobody moves before the first [`Session::advance`].
    pub(crate) people: Option<[Person; 2]>,
    pub(crate) commands: [VecDeque<Command>; 2],
    pub(crate) way: Option<Way>,
}

impl<'a> Session<'a> {
    /// A run of a trained pair.
    pub fn new(duet: &'a Duet, settings: &RunSettings, seed: Seed) -> Result<Self> {
        settings.validate()?;
        let commands = Default::default();
        Ok(Self { duet, settings: settings.clone(), rng: seed.rng(2), people: None, commands, way: None })
    }

    /// Lets one of them go along a way while they interact (the paper's constrained mode).
    pub fn follow(&mut self, way: Way) -> Result<()> {
        way.validate()?;
        self.way = Some(way);
        Ok(())
    }

    /// Puts a command for one of the two at the end of their queue. When the queue is empty, the model decides. A couple that moves as one
    /// has one queue: what either is told, both do, and where to go is where the first goes.
    pub fn command(&mut self, person: usize, command: Command) -> Result<()> {
        let queue = self.queue_of(person);
        let states = self.duet.model.people.get(queue).map_or(&[][..], |person| &person.states);
        let is_group = command.group.is_none_or(|group| group < states.len());
        let is_kind = command.kind.is_none_or(|kind| states.iter().any(|state| state.kind == kind));
        let is_place = command.place.is_none_or(|place| place.iter().all(|x| x.abs() <= 1e5));
        if states.is_empty() || !is_group || !is_kind || !is_place {
            return Err(Error::Command { person, states: states.len() });
        }
        self.commands[queue].push_back(command);
        Ok(())
    }

    /// How many commands of somebody are not obeyed yet.
    pub fn waiting(&self, person: usize) -> usize {
        self.commands.get(self.queue_of(person)).map_or(0, VecDeque::len)
    }

    fn queue_of(&self, person: usize) -> usize {
        if self.duet.model.in_unison && person == 1 { 0 } else { person }
    }

    /// How many frames are settled for both.
    pub fn planned(&self) -> usize {
        self.people.as_ref().map_or(0, |people| people[0].now.end().min(people[1].now.end()))
    }

    /// The next movements to begin, in time: one or two, of whoever ends first.
    pub fn advance(&mut self) -> Result<Vec<Played>> {
        let Some(people) = &self.people else { return self.begin() };
        let at = self.planned();
        let moving = [0, 1].map(|person| people[person].now.end() == at);
        let free = [0, 1].map(|person| moving[person] && people[person].next.is_none());
        if self.duet.model.in_unison {
            self.settle_both(at)?;
        } else {
            // Who end together choose one after the other, by lot.
            let first = usize::from(free == [true, true] && self.rng.random_bool(0.5));
            for person in [first, 1 - first].into_iter().filter(|person| free[*person]) {
                self.settle(person, at)?;
            }
        }
        let mut begun = Vec::new();
        for person in [0, 1].into_iter().filter(|person| moving[*person]) {
            let Some(people) = &mut self.people else { continue };
            if let Some(next) = people[person].next.take() {
                people[person].now = next.clone();
                begun.push(next);
            }
        }
        Ok(begun)
    }

    /// Both begin with first movements (equation 18), as they stood at some time in the recordings.
    fn begin(&mut self) -> Result<Vec<Played>> {
        let model = &self.duet.model;
        let stands = &self.duet.stands;
        let [one, other] = stands[self.rng.random_range(0..stands.len())];
        let mut grounds = [Ground::IDENTITY, one.inverse() * other];
        if let Some(way) = &self.way {
            let from = way.at(0.0) - grounds[way.person].translation();
            grounds = grounds.map(|ground| Ground::new(ground.x + from.x, ground.z + from.z, ground.yaw_rad));
        }
        let observed = observed(grounds);
        let mut begun = Vec::new();
        for person in [0, 1] {
            let states = model.people[person].states.iter().enumerate();
            let choices: Vec<Choice> = states
                .filter(|(_, state)| state.kind == Kind::Normal)
                .map(|(group, state)| Choice {
                    group,
                    score: model.people[person].initial[group].max(1e-4).ln()
                        + state.observed.log_density(&observed[person], model.settings.sharpness),
                })
                .collect();
            let group =
                draw(&choices, self.settings.temperature, &mut self.rng).map_or(0, |choice| choice.group);
            if person == 1 && model.in_unison {
                break;
            }
            let (kind, ground) = (Kind::Normal, grounds[person]);
            let start = Start { person, group, kind, frame: 0, ground, number: 0 };
            let other = grounds[1 - person].translation();
            begun.push(self.prepare(start, &|_| other, None, None, Wanted::default())?);
        }
        if model.in_unison {
            begun.push(self.partner_of(&begun[0], 0)?);
        }
        let person = |now: &Played| Person { now: now.clone(), next: None, made: 1 };
        self.people = begun.first().zip(begun.get(1)).map(|(one, other)| [person(one), person(other)]);
        Ok(begun)
    }

    /// Somebody's next movement, as both are.
    pub(crate) fn next(
        &mut self,
        people: &[Person; 2],
        person: usize,
        group: usize,
        kind: Kind,
        wanted: Wanted,
    ) -> Result<Played> {
        let (own, other) = (&people[person], &people[1 - person]);
        let frame = own.now.end();
        let start = Start { person, group, kind, frame, ground: own.now.ground_at(frame), number: own.made };
        let look = |frame: usize| other.at(frame).ground_at(frame).translation();
        let end = other.next.as_ref().unwrap_or(&other.now).end();
        let mut next = self.prepare(start, &look, Some(&own.now), Some(end), wanted)?;
        if kind == Kind::Normal && !self.is_bound(person) {
            next.step_on(-self.crowds(&next, other))?;
        }
        Ok(next)
    }

    /// How far the other would have to be further away for a movement that strikes nobody not to go through them.
    pub(crate) fn crowds(&self, movement: &Played, other: &Person) -> Vec3 {
        let Repertoire { shapes, crowded_m, .. } = &self.duet.repertoire;
        movement.crowds_on_its_way(&|frame| other.at(frame), shapes, *crowded_m)
    }

    /// Any movement that touches nobody, where nothing follows; the first.
    pub(crate) fn anything(&self, person: usize) -> usize {
        self.duet.repertoire.people[person].iter().position(|group| group.kind == Kind::Normal).unwrap_or(0)
    }
}

/// How each sees the other.
pub(crate) fn observed(grounds: [Ground; 2]) -> [Observation; 2] {
    [Observation::of(grounds[0], grounds[1]), Observation::of(grounds[1], grounds[0])]
}
