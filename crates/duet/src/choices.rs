//! Which movements can come next, and how likely each is.

use std::ops::RangeInclusive;

use rand::{Rng, RngExt};

use crate::observation::Observation;
use crate::repertoire::{Group, Repertoire};
use crate::{DuetCommand, DuetModel, InteractionKind};

/// Range of time stretch of a defence whose contact frame is only predicted.
const PREDICTED_PACE: RangeInclusive<f64> = 0.55..=1.8;
/// The same range once the attack is fixed and the contact frame is exact.
pub(crate) const EXACT_PACE: RangeInclusive<f64> = 0.4..=3.0;

/// The state of both people at the moment when one of them ends a movement.
pub(crate) struct Situation<'a> {
    pub(crate) model: &'a DuetModel,
    pub(crate) repertoire: &'a Repertoire,
    /// The person who chooses.
    pub(crate) person: usize,
    /// The current group of each person.
    pub(crate) from: [usize; 2],
    /// The partner's distance and facing, as seen by each person.
    pub(crate) observed: [Observation; 2],
    /// The first frame at which each person can start a new movement.
    pub(crate) free_at: [usize; 2],
    /// Whether the partner may be made to attack. False while the partner follows commands.
    pub(crate) partner_can_attack: bool,
    /// Added to the score of each person's groups.
    pub(crate) bias: [Vec<f64>; 2],
}

/// A group and its log-likelihood up to a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    pub(crate) group: usize,
    pub(crate) score: f64,
}

impl Situation<'_> {
    fn group(&self, person: usize, group: usize) -> &Group {
        &self.repertoire.people[person][group]
    }

    /// Returns the groups that can follow: those that the graph leads to, or those that the command
    /// asks for.
    fn reachable_groups(
        &self,
        person: usize,
        command: Option<DuetCommand>,
    ) -> impl Iterator<Item = usize> + '_ {
        let row = &self.model.people[person].transitions[self.from[person]];
        let is_reachable = move |group: &usize| match command {
            Some(DuetCommand { group: Some(named), .. }) => *group == named,
            Some(DuetCommand { kind: Some(kind), .. }) => self.group(person, *group).kind == kind,
            _ => row[*group] > 0.0,
        };
        (0..row.len()).filter(is_reachable)
    }

    /// Returns the possible next groups, scored by equation 21. The partner makes a virtual
    /// transition.
    pub(crate) fn choices(&self, command: Option<DuetCommand>) -> Vec<Choice> {
        let choice = |group: usize| Choice { group, score: self.score(self.person, group, self.from) };
        self.reachable_groups(self.person, command)
            .filter(|group| self.can_start(*group))
            .map(choice)
            .collect()
    }

    /// Returns the score of a transition of one person to a group.
    fn score(&self, person: usize, group: usize, from: [usize; 2]) -> f64 {
        let mut to = from;
        to[person] = group;
        self.model.log_joint(from, to, self.observed, [person != 0, person != 1]) + self.bias[person][group]
    }

    /// The paper's first interaction rule, offensive meets defensive: an attack needs a possible
    /// defence, and a defence needs a possible attack.
    fn can_start(&self, group: usize) -> bool {
        match self.group(self.person, group).kind {
            InteractionKind::Normal => true,
            InteractionKind::Offensive => self.predicted_contact(self.person, group).is_some_and(|contact| {
                let defences = 0..self.repertoire.people[1 - self.person].len();
                defences
                    .into_iter()
                    .any(|defence| self.can_defend_at(1 - self.person, defence, contact, &PREDICTED_PACE))
            }),
            InteractionKind::Defensive => self.partner_can_attack && !self.attacks(group).is_empty(),
        }
    }

    /// Predicts the contact frame of an attack that starts as early as possible.
    fn predicted_contact(&self, person: usize, attack: usize) -> Option<usize> {
        let contact = self.group(person, attack).mean_contact_frame()?;
        self.free_at[person].checked_add(contact.round() as usize)
    }

    /// Returns the attacks of the partner that a defence of the choosing person can meet.
    pub(crate) fn attacks(&self, defence: usize) -> Vec<Choice> {
        let other = 1 - self.person;
        let fits = |attack: &usize| {
            self.group(other, *attack).kind == InteractionKind::Offensive
                && self
                    .predicted_contact(other, *attack)
                    .is_some_and(|contact| self.can_defend_at(self.person, defence, contact, &PREDICTED_PACE))
        };
        let choice = |attack: usize| {
            let mut from = self.from;
            from[other] = attack;
            let score = self.score(other, attack, self.from) + self.score(self.person, defence, from);
            Choice { group: attack, score }
        };
        self.reachable_groups(other, None).filter(fits).map(choice).collect()
    }

    /// Returns the defences against an attack with a given contact frame.
    pub(crate) fn defences(&self, striker: usize, attack: usize, contact: usize) -> Vec<Choice> {
        let other = 1 - striker;
        let mut from = self.from;
        from[striker] = attack;
        let groups = 0..self.repertoire.people[other].len();
        let fits = groups.filter(|group| self.can_defend_at(other, *group, contact, &EXACT_PACE));
        fits.map(|group| Choice { group, score: self.score(other, group, from) }).collect()
    }

    /// Returns whether a group is defensive and can be stretched within `paces` so that its contact
    /// falls on a frame.
    pub(crate) fn can_defend_at(
        &self,
        person: usize,
        group: usize,
        contact: usize,
        paces: &RangeInclusive<f64>,
    ) -> bool {
        let group = self.group(person, group);
        let pace = |own: f64| (contact as f64 - self.free_at[person] as f64) / own.max(1.0);
        group.kind == InteractionKind::Defensive
            && group.mean_contact_frame().is_some_and(|own| paces.contains(&pace(own)))
    }
}

/// Draws a choice with probability proportional to exp(score / temperature). Temperature 0 returns
/// the best one.
pub(crate) fn draw(choices: &[Choice], temperature: f64, rng: &mut impl Rng) -> Option<Choice> {
    let best = choices.iter().copied().reduce(|a, b| if b.score > a.score { b } else { a })?;
    if temperature <= 0.0 {
        return Some(best);
    }
    let weight = |choice: &Choice| ((choice.score - best.score) / temperature).exp();
    let mut remaining = rng.random::<f64>() * choices.iter().map(weight).sum::<f64>();
    for choice in choices {
        remaining -= weight(choice);
        if remaining < 0.0 {
            return Some(*choice);
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use marey_plan::Seed;

    use super::*;

    #[test]
    fn choices_are_drawn_in_proportion_to_their_probability() {
        let choices = [0.5f64, 0.3, 0.2].map(|p| Choice { group: (p * 10.0) as usize, score: p.ln() - 4.0 });
        let mut rng = Seed(1).rng(0);
        let mut counts = [0usize; 10];
        for _ in 0..20_000 {
            counts[draw(&choices, 1.0, &mut rng).unwrap().group] += 1;
        }
        for (group, probability) in [(5, 0.5), (3, 0.3), (2, 0.2)] {
            assert!((counts[group] as f64 / 20_000.0 - probability).abs() < 0.02);
        }
        assert_eq!(draw(&choices, 0.0, &mut rng).unwrap().group, 5);
        assert_eq!(draw(&[], 1.0, &mut rng), None);
    }
}
