//! Movements of a couple that moves in unison: the leader's movement is drawn, and the follower
//! repeats what was recorded with it.

use marey_motion::Vec3;

use crate::choices::{Situation, draw};
use crate::movement_goal::MovementGoal;
use crate::placed_movement::Start;
use crate::repertoire::BlendedMovement;
use crate::session::{DuetSession, PersonTimeline, observed};
use crate::{InteractionKind, PlacedMovement, Result};

impl DuetSession<'_> {
    /// Draws the leader's next movement and adds the follower's.
    pub(crate) fn choose_next_of_couple(&mut self, at: usize) -> Result<()> {
        let Some(people) = self.people.clone() else { return Ok(()) };
        let grounds = [0, 1].map(|person| people[person].current.ground_at(at));
        let command = self.commands[0].front().copied();
        let situation = Situation {
            model: &self.duet.model,
            repertoire: &self.duet.repertoire,
            person: 0,
            from: [people[0].current.group; 2],
            observed: observed(grounds),
            free_at: [at; 2],
            partner_can_attack: false,
            bias: [0, 1].map(|person| self.path_bias(person, at, grounds[person])),
        };
        let choices = situation.couple_choices(command);
        let group = draw(&choices, self.settings.temperature, &mut self.rng)
            .map_or_else(|| self.fallback_group(0), |c| c.group);
        self.commands[0].pop_front();
        let (kind, ground, number) = (InteractionKind::Normal, grounds[0], people[0].count);
        let start = Start { person: 0, group, kind, frame: at, ground, number };
        let ahead = grounds[0].point(Vec3::Z);
        let place = command.and_then(|command| command.place).map(|[x, z]| Vec3::new(x, 0.0, z));
        let leader = self.prepare(
            start,
            &|_| ahead,
            Some(&people[0].current),
            None,
            MovementGoal { place, ..MovementGoal::default() },
        )?;
        let follower = self.follower_of(&leader, people[1].count)?;
        let next = |person: &PersonTimeline, next: PlacedMovement| PersonTimeline {
            next: Some(next),
            count: person.count + 1,
            ..person.clone()
        };
        self.people = Some([next(&people[0], leader), next(&people[1], follower)]);
        Ok(())
    }

    /// Converts a path of the follower into one for the leader, since both are turned and shifted
    /// together.
    pub(crate) fn leader_path_for_follower(
        &self,
        path_positions: &mut [Vec3],
        start: &Start,
        leader: &BlendedMovement,
    ) -> Result<()> {
        let group = &self.duet.repertoire.followers[start.group];
        let follower = group.blend(&leader.weights, self.duet.rate_hz())?.clip.ground_track().frames;
        let ground = start.ground * group.second_from_first_mean(&leader.weights);
        let leader = leader.clip.ground_track().frames;
        for ((place, leader), follower) in path_positions.iter_mut().zip(&leader).zip(&follower) {
            *place += (start.ground * *leader).translation() - (ground * *follower).translation();
        }
        Ok(())
    }

    /// Returns the follower's part in the movements that the leader's is blended from, at the
    /// recorded position relative to the leader.
    pub(crate) fn follower_of(&self, leader: &PlacedMovement, number: usize) -> Result<PlacedMovement> {
        let group = &self.duet.repertoire.followers[leader.group];
        let blended = group.blend(&leader.weights, self.duet.rate_hz())?;
        let ground = leader.placement.world_from_source * group.second_from_first_mean(&leader.weights);
        let frame = leader.placement.start;
        let start =
            Start { person: 1, group: leader.group, kind: InteractionKind::Normal, frame, ground, number };
        PlacedMovement::following(start, blended, leader)
    }
}
