//! Live generation of a duet.

use serde::Serialize;

use super::realisation::passes;
use super::{
    BodySeparator, Duet, DuetCommand, DuetError, DuetRunSettings, DuetSession, InteractionKind,
    PlacedMovement,
};
use crate::Error;
use crate::motion::{CheckedAccess, LocalPose, LocalPoseRef, Side};
use crate::ops::sole::SolePart;
use crate::plan::Seed;
use crate::realise::{Machine, MachineStep, RealiseSettings, SoleTouch, SourceClip};

/// Generates two people frame by frame, controlled by commands.
///
/// ```
/// use marey::duet::{
///     Duet, DuetCommand, DuetLabelSettings, DuetModel, DuetModelSettings, DuetRunSettings, InteractionKind, LiveDuet,
///     RecordedPair,
/// };
/// use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
/// use marey::motion::Observer;
/// use marey::plan::Seed;
/// let bout = TaekwondoSettings { duration_secs: 40.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
/// let pairs = [RecordedPair::from_take(&taekwondo(&bout)?.take)?];
/// let settings = DuetLabelSettings { iterations: 20, ..DuetLabelSettings::default() };
/// let labels = marey::duet::label(&pairs, &settings, Seed(1), Observer::ignore())?;
/// let duet = Duet::new(&pairs, DuetModel::train(&pairs, &labels, &DuetModelSettings::default())?)?;
/// let mut live = LiveDuet::new(&duet, &DuetRunSettings::default(), Seed(1))?;
/// live.command(0, DuetCommand { kind: Some(InteractionKind::Normal), ..DuetCommand::default() })?;
/// for _ in 0..90 {
///     let [red, blue] = live.advance()?;
///     assert!(red.root_position().distance(blue.root_position()) < 3.0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LiveDuet<'a> {
    session: DuetSession<'a>,
    machines: [Machine; 2],
    poses: [LocalPose; 2],
    foot_contacts: [SoleTouch; 2],
    separator: BodySeparator,
    current: [CurrentMovement; 2],
}

/// The movement that a person makes or is about to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CurrentMovement {
    /// Index of its group.
    pub group: usize,
    /// Its role in the interaction.
    pub kind: InteractionKind,
    /// Frame of its start.
    pub start: usize,
    /// Frame of the contact.
    pub touch: Option<usize>,
}

impl CurrentMovement {
    fn new(movement: &PlacedMovement) -> Self {
        let PlacedMovement { group, kind, contact_frame, placement, .. } = movement;
        Self { group: *group, kind: *kind, start: placement.start, touch: *contact_frame }
    }
}

impl<'a> LiveDuet<'a> {
    /// Starts a run of a trained pair.
    pub fn new(duet: &'a Duet, run_settings: &DuetRunSettings, seed: Seed) -> Result<Self, Error> {
        let mut session = DuetSession::new(duet, run_settings, seed)?;
        let first = session.advance()?;
        let [Some(one), Some(other)] =
            [0, 1].map(|person| first.iter().find(|movement| movement.person == person))
        else {
            return Err(DuetError::People { found: first.len() }.into());
        };
        let settings =
            RealiseSettings { join: passes(duet.model().in_unison).join, ..RealiseSettings::live() };
        let machine = |movement: &PlacedMovement| {
            Machine::new(movement.clip.skeleton().clone(), duet.rate_hz(), settings)
        };
        let poses = [one, other].map(|movement| LocalPose::rest(movement.clip.skeleton()));
        let current = [one, other].map(CurrentMovement::new);
        let separator = BodySeparator::new(
            [one.clip.skeleton(), other.clip.skeleton()],
            duet.rate_hz(),
            &duet.separation(),
        );
        let mut live = Self {
            session,
            machines: [machine(one)?, machine(other)?],
            poses,
            foot_contacts: Default::default(),
            separator,
            current,
        };
        live.push(&first)?;
        Ok(live)
    }

    /// Appends a command to a person's queue ([`DuetSession::command`]).
    pub fn command(&mut self, person: usize, command: DuetCommand) -> Result<(), Error> {
        Ok(self.session.command(person, command)?)
    }

    /// Returns the number of commands of a person that are not executed yet.
    pub fn pending_commands(&self, person: usize) -> usize {
        self.session.pending_commands(person)
    }

    /// Returns the latest movement that is fixed for each person.
    pub fn current(&self) -> [CurrentMovement; 2] {
        self.current
    }

    fn push(&mut self, started: &[PlacedMovement]) -> Result<(), Error> {
        for movement in started {
            *self.current.at_mut(movement.person)? = CurrentMovement::new(movement);
            let (clip, contacts) = (movement.clip.clone(), movement.contacts.clone());
            self.machines
                .at_mut(movement.person)?
                .push(&movement.placement, &SourceClip { clip, contacts, holds: Vec::new() })?;
        }
        Ok(())
    }

    /// Returns the next pose of both people.
    pub fn advance(&mut self) -> Result<[LocalPoseRef<'_>; 2], Error> {
        for person in [0, 1] {
            loop {
                match self.machines.at_mut(person)?.advance() {
                    MachineStep::Frame(frame) => {
                        *self.poses.at_mut(person)? = frame.pose.to_owned();
                        *self.foot_contacts.at_mut(person)? = frame.touch;
                        break;
                    }
                    MachineStep::Wait => {
                        let started = self.session.advance()?;
                        self.push(&started)?;
                    }
                    MachineStep::Done => break,
                }
            }
        }
        let is_planted = |person: usize, side: Side| {
            let touch = self.foot_contacts.get(person);
            touch.is_some_and(|touch| SolePart::ALL.iter().any(|&part| touch.has(side, part)))
        };
        self.separator.separate(&mut self.poses, is_planted);
        Ok([self.poses[0].view(), self.poses[1].view()])
    }
}
