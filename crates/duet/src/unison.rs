//! A couple that moves as one: what the leader does is drawn, and the follower does what they did with it.

use marey_motion::Vec3;

use crate::choices::{Situation, draw};
use crate::movement::Start;
use crate::prepare::Wanted;
use crate::repertoire::Blended;
use crate::session::{Person, Session, observed};
use crate::{Kind, Played, Result};

impl Session<'_> {
    /// Both of a couple that moves as one: what the leader does is drawn, and the follower does what they did with it.
    pub(crate) fn settle_both(&mut self, at: usize) -> Result<()> {
        let Some(people) = self.people.clone() else { return Ok(()) };
        let grounds = [0, 1].map(|person| people[person].now.ground_at(at));
        let wish = self.commands[0].front().copied();
        let situation = Situation {
            model: &self.duet.model,
            repertoire: &self.duet.repertoire,
            person: 0,
            from: [people[0].now.group; 2],
            observed: observed(grounds),
            free_at: [at; 2],
            other_attacks: false,
            bias: [0, 1].map(|person| self.bias(person, at, grounds[person])),
        };
        let choices = situation.leads(wish);
        let group = draw(&choices, self.settings.temperature, &mut self.rng)
            .map_or_else(|| self.anything(0), |c| c.group);
        self.commands[0].pop_front();
        let (kind, ground, number) = (Kind::Normal, grounds[0], people[0].made);
        let start = Start { person: 0, group, kind, frame: at, ground, number };
        let ahead = grounds[0].point(Vec3::Z);
        let place = wish.and_then(|command| command.place).map(|[x, z]| Vec3::new(x, 0.0, z));
        let leader = self.prepare(
            start,
            &|_| ahead,
            Some(&people[0].now),
            None,
            Wanted { place, ..Wanted::default() },
        )?;
        let follower = self.partner_of(&leader, people[1].made)?;
        let next = |person: &Person, next: Played| Person {
            next: Some(next),
            made: person.made + 1,
            ..person.clone()
        };
        self.people = Some([next(&people[0], leader), next(&people[1], follower)]);
        Ok(())
    }

    /// A line that the follower is to go along, as one for the leader: who are turned and shifted as one.
    pub(crate) fn as_the_leader_goes(
        &self,
        line: &mut [Vec3],
        start: &Start,
        leader: &Blended,
    ) -> Result<()> {
        let group = &self.duet.repertoire.followers[start.group];
        let follower = group.blend(&leader.weights, self.duet.rate_hz())?.clip.ground_track().frames;
        let ground = start.ground * group.beside_first(&leader.weights);
        let leader = leader.clip.ground_track().frames;
        for ((place, leader), follower) in line.iter_mut().zip(&leader).zip(&follower) {
            *place += (start.ground * *leader).translation() - (ground * *follower).translation();
        }
        Ok(())
    }

    /// What the follower did in the movements that the leader's is blended from, where they stood to the leader.
    pub(crate) fn partner_of(&self, leader: &Played, number: usize) -> Result<Played> {
        let group = &self.duet.repertoire.followers[leader.group];
        let blended = group.blend(&leader.weights, self.duet.rate_hz())?;
        let ground = leader.placement.world_from_source * group.beside_first(&leader.weights);
        let frame = leader.placement.start;
        let start = Start { person: 1, group: leader.group, kind: Kind::Normal, frame, ground, number };
        Played::beside(start, blended, leader)
    }
}
