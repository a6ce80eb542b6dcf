//! Runs of exchanges: both people always make the movements that were recorded together.

use marey_body::BodyCapsules;
use marey_motion::{Ground, Vec3};
use rand::RngExt;

use crate::choices::{Choice, draw};
use crate::exchange_placement::{ExchangeStart, led_travel};
use crate::placed_movement::PlacedMovement;
use crate::session::{DuetSession, PersonTimeline};
use crate::{DuetCommand, Result};

/// How much less likely an exchange becomes each time that it is used, in logarithms.
const FATIGUE: f64 = 1.5;
/// Bodies may be deeper in each other than in the recordings by this much, in metres.
const DEPTH_TOLERANCE_M: f32 = 0.01;
/// People may stay this far from their recorded placement, in metres; the next exchange corrects it.
const LEFT_TOLERANCE_M: f32 = 0.1;
/// How much farther they may stay for each time that the current exchange was used, so that a run leaves a part of the
/// recordings that is unlike the rest.
const LEFT_PER_USE_M: f64 = 0.05;
/// But no farther than this, in metres.
const MAX_LEFT_M: f64 = 0.25;
/// Lower bound of the likelihood of a transition that was not recorded: its cost says how likely it is.
const MIN_LIKELIHOOD: f64 = 0.02;
/// Time between frames in which the overlap is measured, in seconds.
const DEPTH_SAMPLE_SECS: f64 = 0.1;
/// Standard deviation of the distance between the end of an exchange and the path, in metres.
const PATH_DEVIATION_M: f64 = 0.3;
/// Larger deviations count as this many: a path does not lead to exchanges that do not fit.
const MAX_PATH_DEVIATIONS: f64 = 3.0;

impl DuetSession<'_> {
    /// Chooses the next exchange and adds the movements of both people.
    pub(crate) fn choose_next_exchange(&mut self, at: usize) -> Result<()> {
        let Some(people) = self.people.clone() else { return Ok(()) };
        let grounds = [0, 1].map(|person| people[person].current.ground_at(at));
        let from = people[0].current.group;
        let command = self.commands[0].front().copied();
        let commanded = command.and_then(|command| self.next_towards(from, command));
        // A command that names no exchange is executed by any.
        let is_executed =
            command.is_some_and(|command| commanded.is_none_or(|group| self.executes(group, command)));
        let place = command.filter(|_| is_executed).and_then(|command| command.place);
        if is_executed {
            self.commands[0].pop_front();
        }
        let choices = match commanded {
            Some(group) => vec![Choice { group, score: 0.0 }],
            None => self.exchange_choices(from, at, grounds),
        };
        let Some((group, [first, second])) = self.feasible_exchange(choices, &people, at, place)? else {
            return Ok(());
        };
        self.uses[group] += 1.0;
        let next = |person: &PersonTimeline, next: PlacedMovement| PersonTimeline {
            next: Some(next),
            count: person.count + 1,
            ..person.clone()
        };
        self.people = Some([next(&people[0], first), next(&people[1], second)]);
        Ok(())
    }

    /// Starts both people with an exchange.
    pub(crate) fn start_exchange(&mut self, group: usize) -> Result<Vec<PlacedMovement>> {
        let weights = self.exchange_weights(group, None)?;
        let repertoire = &self.duet.repertoire;
        let second = repertoire.followers[group].second_from_first_mean(&weights);
        let mut grounds = [Ground::IDENTITY, second];
        if let Some(path) = &self.path {
            let from = path.at(0.0) - grounds[path.person].translation();
            grounds = grounds.map(|ground| Ground::new(ground.x + from.x, ground.z + from.z, ground.yaw_rad));
        }
        self.uses[group] += 1.0;
        let start = ExchangeStart { group, frame: 0, grounds, number: 0 };
        Ok(self.place_exchange(start, &weights, None)?.0.into())
    }

    /// Returns whether a group is what a command asks for.
    fn executes(&self, group: usize, command: DuetCommand) -> bool {
        let kind = self.duet.repertoire.people[0][group].kind;
        command.group.is_none_or(|named| named == group) && command.kind.is_none_or(|wanted| wanted == kind)
    }

    /// Returns the next exchange on the way to what a command asks for; `None` if it asks for no exchange.
    fn next_towards(&self, from: usize, command: DuetCommand) -> Option<usize> {
        command.group.or(command.kind.map(|_| 0))?;
        self.duet.repertoire.exchange_graph.next_towards(from, |group| self.executes(group, command))
    }

    /// Draws from the choices until the two come to their recorded placement, and go no deeper into each other than in the
    /// recordings. Returns the group and both parts; if none does, those of the one that is nearest to it.
    fn feasible_exchange(
        &mut self,
        mut choices: Vec<Choice>,
        people: &[PersonTimeline; 2],
        at: usize,
        place: Option<[f32; 2]>,
    ) -> Result<Option<(usize, [PlacedMovement; 2])>> {
        let grounds = [0, 1].map(|person| people[person].current.ground_at(at));
        let from = people[0].current.group;
        let movements = self.duet.model.people[0].states[from].movements.max(1) as f64;
        let tolerance_m =
            LEFT_TOLERANCE_M + (LEFT_PER_USE_M * self.uses[from] / movements).min(MAX_LEFT_M) as f32;
        let mut least: Option<(f32, usize, [PlacedMovement; 2])> = None;
        while let Some(Choice { group, .. }) = draw(&choices, self.settings.temperature, &mut self.rng) {
            let weights = self.exchange_weights(group, Some(&people[0].current))?;
            let goal = match (place, &self.path) {
                (Some([x, z]), _) => Some((0, Vec3::new(x, 0.0, z))),
                (None, Some(path)) => {
                    let frames = self.duet.repertoire.people[0][group].travel().1;
                    Some((path.person, path.at((at as f64 + frames) / self.duet.rate_hz())))
                }
                (None, None) => None,
            };
            let start = ExchangeStart { group, frame: at, grounds, number: people[0].count };
            let (both, left_m) = self.place_exchange(start, &weights, goal)?;
            let too_deep_m = self.depth_m(&both) - self.duet.repertoire.held_overlap_m;
            let off_m = (left_m - tolerance_m).max(0.0) + (too_deep_m - DEPTH_TOLERANCE_M).max(0.0);
            if least.as_ref().is_none_or(|least| off_m < least.0) {
                least = Some((off_m, group, both));
            }
            if off_m == 0.0 {
                break;
            }
            choices.retain(|choice| choice.group != group);
        }
        Ok(least.map(|(_, group, both)| (group, both)))
    }

    /// Returns the maximum overlap of the bodies during an exchange, in metres.
    fn depth_m(&self, both: &[PlacedMovement; 2]) -> f32 {
        let shapes = self.duet.repertoire.shapes.each_ref();
        let step = ((DEPTH_SAMPLE_SECS * self.duet.rate_hz()).round() as usize).max(1);
        let depth_m = |frame: usize| {
            let bodies = both.each_ref().map(|part| part.world_pose_at(frame));
            BodyCapsules::overlap_m(shapes, bodies.each_ref())
        };
        (both[0].placement.start..both[0].end()).step_by(step).map(depth_m).fold(0.0, f32::max)
    }

    /// Returns the exchanges that can follow, scored: likely after the current one, not used often, and
    /// along the path.
    fn exchange_choices(&self, from: usize, at: usize, grounds: [Ground; 2]) -> Vec<Choice> {
        let duet = self.duet;
        let graph = &duet.repertoire.exchange_graph;
        let (row, states) = (&duet.model.people[0].transitions[from], &duet.model.people[0].states);
        let choices = graph.successors(from).iter().map(|&group| {
            let likelihood = row[group].max(MIN_LIKELIHOOD).ln() - graph.cost_with_later(from, group);
            let fatigue = FATIGUE * self.uses[group] / states[group].movements.max(1) as f64;
            Choice { group, score: likelihood - fatigue + self.along_path(group, at, grounds) }
        });
        choices.collect()
    }

    /// Returns the logarithm of how well an exchange leads along the path; 0 without a path.
    fn along_path(&self, group: usize, at: usize, grounds: [Ground; 2]) -> f64 {
        let Some(path) = &self.path else { return 0.0 };
        let repertoire = &self.duet.repertoire;
        let groups = if path.person == 0 { &repertoire.people[0] } else { &repertoire.followers };
        let (travel, frames) = groups[group].travel();
        let secs = frames / self.duet.rate_hz();
        let wanted = path.at(at as f64 / self.duet.rate_hz() + secs);
        let end = led_travel(grounds[path.person], travel, secs as f32, wanted);
        let off_m = f64::from(end.distance(wanted));
        -0.5 * (off_m / PATH_DEVIATION_M).min(MAX_PATH_DEVIATIONS).powi(2)
    }

    /// Returns the weights of the recorded exchanges of a group, with a random height and turn.
    fn exchange_weights(
        &mut self,
        group: usize,
        before: Option<&PlacedMovement>,
    ) -> Result<Vec<(usize, f32)>> {
        let groups = &self.duet.repertoire.people[0];
        let own = &groups[group];
        let height = own.parameter(0, self.rng.random::<f64>());
        let turn = own.parameter(2, self.rng.random::<f64>());
        let speed_mps = before.map_or(0.0, PlacedMovement::end_speed_mps);
        let parameters = [height, own.nearest_parameter(1, speed_mps), turn];
        own.weights(parameters, before.map(|before| groups[before.group].last_posture(&before.weights)))
    }
}
