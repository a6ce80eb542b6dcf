//! Two who go on, live.

use serde::Serialize;

use super::{Error, passes};
use crate::duet::{self, Apart, Command, Duet, Kind, Played, RunSettings, Session};
use crate::motion::{LocalPose, LocalPoseRef, Side};
use crate::ops::sole::Part;
use crate::plan::Seed;
use crate::realise::{Example, Machine, Settings, Step, Touch};

/// Two who go on, frame by frame, while somebody gives commands.
///
/// ```
/// use std::ops::ControlFlow;
/// use marey::duet::{Command, Duet, Kind, LabelSettings, Model, ModelSettings, Pair, RunSettings, label};
/// use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
/// use marey::pairs::Stage;
/// use marey::plan::Seed;
/// let bout = TaekwondoSettings { duration_secs: 40.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
/// let pairs = [Pair::of_take(&taekwondo(&bout)?.take)?];
/// let settings = LabelSettings { iterations: 20, ..LabelSettings::default() };
/// let labels = label(&pairs, &settings, Seed(1), &|_| ControlFlow::Continue(()))?;
/// let duet = Duet::new(&pairs, Model::train(&pairs, &labels, &ModelSettings::default())?)?;
/// let mut stage = Stage::new(&duet, &RunSettings::default(), Seed(1))?;
/// stage.command(0, Command { kind: Some(Kind::Normal), ..Command::default() })?;
/// for _ in 0..90 {
///     let [red, blue] = stage.advance()?;
///     assert!(red.root_position().distance(blue.root_position()) < 3.0);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Stage<'a> {
    session: Session<'a>,
    machines: [Machine; 2],
    poses: [LocalPose; 2],
    touches: [Touch; 2],
    /// A couple that holds each other is not kept apart.
    apart: Option<Apart>,
    doing: [Doing; 2],
}

/// What somebody is about to do, or does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Doing {
    /// A movement of this group.
    pub group: usize,
    /// What it is for.
    pub kind: Kind,
    /// The frame in which it begins.
    pub start: usize,
    /// The frame in which the two touch.
    pub touch: Option<usize>,
}

impl Doing {
    fn of(played: &Played) -> Self {
        let Played { group, kind, touch, placement, .. } = played;
        Self { group: *group, kind: *kind, start: placement.start, touch: *touch }
    }
}

impl<'a> Stage<'a> {
    /// A stage for a trained pair.
    pub fn new(duet: &'a Duet, settings: &RunSettings, seed: Seed) -> Result<Self, Error> {
        let mut session = Session::new(duet, settings, seed)?;
        let first = session.advance()?;
        let [Some(one), Some(other)] =
            [0, 1].map(|person| first.iter().find(|played| played.person == person))
        else {
            return Err(duet::Error::People { found: first.len() }.into());
        };
        let live = Settings { join: passes().join, ..Settings::live() };
        let machine = |played: &Played| Machine::new(played.clip.skeleton().clone(), duet.rate_hz(), live);
        let poses = [one, other].map(|played| LocalPose::rest(played.clip.skeleton()));
        let doing = [one, other].map(Doing::of);
        let apart = Apart::new([one.clip.skeleton(), other.clip.skeleton()], duet.rate_hz());
        let mut stage = Self {
            session,
            machines: [machine(one)?, machine(other)?],
            poses,
            touches: Default::default(),
            apart: (!duet.model().in_unison).then_some(apart),
            doing,
        };
        stage.push(&first)?;
        Ok(stage)
    }

    /// Puts a command at the end of somebody's queue ([`Session::command`]).
    pub fn command(&mut self, person: usize, command: Command) -> Result<(), Error> {
        Ok(self.session.command(person, command)?)
    }

    /// How many commands of somebody are not obeyed yet.
    pub fn waiting(&self, person: usize) -> usize {
        self.session.waiting(person)
    }

    /// The last movement that was settled for each.
    pub fn doing(&self) -> [Doing; 2] {
        self.doing
    }

    fn push(&mut self, begun: &[Played]) -> Result<(), Error> {
        for played in begun {
            self.doing[played.person] = Doing::of(played);
            let (clip, contacts) = (played.clip.clone(), played.contacts.clone());
            self.machines[played.person]
                .push(&played.placement, &Example { clip, contacts, holds: Vec::new() })?;
        }
        Ok(())
    }

    /// The next frame of both.
    pub fn advance(&mut self) -> Result<[LocalPoseRef<'_>; 2], Error> {
        for person in [0, 1] {
            loop {
                match self.machines[person].advance() {
                    Step::Moment(moment) => {
                        self.poses[person] = moment.pose.to_owned();
                        self.touches[person] = moment.touch;
                        break;
                    }
                    Step::Wait => {
                        let begun = self.session.advance()?;
                        self.push(&begun)?;
                    }
                    Step::Done => break,
                }
            }
        }
        if let Some(apart) = &mut self.apart {
            let stands =
                |person: usize, side: Side| Part::ALL.iter().any(|&p| self.touches[person].has(side, p));
            apart.part(&mut self.poses, stands);
        }
        Ok([self.poses[0].view(), self.poses[1].view()])
    }
}
