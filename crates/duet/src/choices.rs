//! What may come next, and how likely it is.

use std::ops::RangeInclusive;

use rand::{Rng, RngExt};

use crate::observation::Observation;
use crate::repertoire::{Group, Repertoire};
use crate::{Command, Kind, Model};

/// How much slower or faster a defender may be for the sake of a touch.
const PACE: RangeInclusive<f64> = 0.55..=1.8;
/// The same, once the attack is settled and its touch is known to the frame.
pub(crate) const WIDER_PACE: RangeInclusive<f64> = 0.4..=3.0;

/// How things are when somebody ends a movement.
pub(crate) struct Situation<'a> {
    pub(crate) model: &'a Model,
    pub(crate) repertoire: &'a Repertoire,
    /// Who chooses.
    pub(crate) person: usize,
    /// The groups both are in.
    pub(crate) from: [usize; 2],
    /// How each sees the other.
    pub(crate) observed: [Observation; 2],
    /// When each can begin something that is not settled.
    pub(crate) free_at: [usize; 2],
    /// Whether the other may be made to attack: not who obeys commands.
    pub(crate) other_attacks: bool,
    /// What is added to the score of each group of each.
    pub(crate) bias: [Vec<f64>; 2],
}

/// A group, and the logarithm of how likely it is, but for a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    pub(crate) group: usize,
    pub(crate) score: f64,
}

impl Situation<'_> {
    fn group(&self, person: usize, group: usize) -> &Group {
        &self.repertoire.people[person][group]
    }

    /// The groups that may follow: those the graph leads to, or those that a command names.
    fn followers(&self, person: usize, wish: Option<Command>) -> impl Iterator<Item = usize> + '_ {
        let row = &self.model.people[person].transitions[self.from[person]];
        let wished = move |group: &usize| match wish {
            Some(Command { group: Some(named), .. }) => *group == named,
            Some(Command { kind: Some(kind), .. }) => self.group(person, *group).kind == kind,
            _ => row[*group] > 0.0,
        };
        (0..row.len()).filter(wished)
    }

    /// What may come next, scored by equation 21; the other makes a virtual transition.
    pub(crate) fn choices(&self, wish: Option<Command>) -> Vec<Choice> {
        let choice = |group: usize| Choice { group, score: self.score(self.person, group, self.from) };
        self.followers(self.person, wish).filter(|group| self.may(*group)).map(choice).collect()
    }

    /// How likely somebody goes to a group from where both are.
    fn score(&self, person: usize, group: usize, from: [usize; 2]) -> f64 {
        let mut to = from;
        to[person] = group;
        self.model.log_joint(from, to, self.observed, [person != 0, person != 1]) + self.bias[person][group]
    }

    /// What the first of a couple that moves as one may do next: the second comes along, whatever it is.
    pub(crate) fn leads(&self, wish: Option<Command>) -> Vec<Choice> {
        let leader = &self.model.people[self.person];
        let score = |group: usize| {
            let observed = &leader.states[group].observed;
            let seen = observed.log_density(&self.observed[self.person], self.model.settings.sharpness);
            // One of them may go along a way, whoever it is.
            let bias = self.bias.iter().filter_map(|of| of.get(group)).sum::<f64>();
            leader.transitions[self.from[self.person]][group].max(1e-6).ln() + seen + bias
        };
        self.followers(self.person, wish).map(|group| Choice { group, score: score(group) }).collect()
    }

    /// The paper's first rule of interaction, offensive meets defensive: nobody strikes where the other cannot answer, or defends
    /// where the other cannot strike.
    fn may(&self, group: usize) -> bool {
        match self.group(self.person, group).kind {
            Kind::Normal => true,
            Kind::Offensive => self.predicted(self.person, group).is_some_and(|touch| {
                let answers = 0..self.repertoire.people[1 - self.person].len();
                answers.into_iter().any(|answer| self.in_time(1 - self.person, answer, touch, &PACE))
            }),
            Kind::Defensive => self.other_attacks && !self.attacks(group).is_empty(),
        }
    }

    /// When an attack that is begun as soon as can be will touch, about.
    fn predicted(&self, person: usize, attack: usize) -> Option<usize> {
        let touch = self.group(person, attack).touch_frame()?;
        self.free_at[person].checked_add(touch.round() as usize)
    }

    /// The attacks of the other that somebody who chooses can answer by a group.
    pub(crate) fn attacks(&self, answer: usize) -> Vec<Choice> {
        let other = 1 - self.person;
        let fits = |attack: &usize| {
            self.group(other, *attack).kind == Kind::Offensive
                && self
                    .predicted(other, *attack)
                    .is_some_and(|touch| self.in_time(self.person, answer, touch, &PACE))
        };
        let choice = |attack: usize| {
            let mut from = self.from;
            from[other] = attack;
            let score = self.score(other, attack, self.from) + self.score(self.person, answer, from);
            Choice { group: attack, score }
        };
        self.followers(other, None).filter(fits).map(choice).collect()
    }

    /// How the other of who strikes may answer an attack that touches at a frame.
    pub(crate) fn answers(&self, striker: usize, attack: usize, touch: usize) -> Vec<Choice> {
        let other = 1 - striker;
        let mut from = self.from;
        from[striker] = attack;
        let groups = 0..self.repertoire.people[other].len();
        let fits = groups.filter(|group| self.in_time(other, *group, touch, &WIDER_PACE));
        fits.map(|group| Choice { group, score: self.score(other, group, from) }).collect()
    }

    /// Whether a group of somebody is defensive, and can touch at a frame at a pace that can be seen.
    pub(crate) fn in_time(
        &self,
        person: usize,
        group: usize,
        touch: usize,
        paces: &RangeInclusive<f64>,
    ) -> bool {
        let group = self.group(person, group);
        let pace = |own: f64| (touch as f64 - self.free_at[person] as f64) / own.max(1.0);
        group.kind == Kind::Defensive && group.touch_frame().is_some_and(|own| paces.contains(&pace(own)))
    }
}

/// One of some choices: each as likely as its score says, or at a temperature of 0 the likeliest.
pub(crate) fn draw(choices: &[Choice], temperature: f64, rng: &mut impl Rng) -> Option<Choice> {
    let best = choices.iter().copied().reduce(|a, b| if b.score > a.score { b } else { a })?;
    if temperature <= 0.0 {
        return Some(best);
    }
    let weight = |choice: &Choice| ((choice.score - best.score) / temperature).exp();
    let mut left = rng.random::<f64>() * choices.iter().map(weight).sum::<f64>();
    for choice in choices {
        left -= weight(choice);
        if left < 0.0 {
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
    fn choices_are_drawn_as_likely_as_they_are() {
        let choices = [0.5f64, 0.3, 0.2].map(|p| Choice { group: (p * 10.0) as usize, score: p.ln() - 4.0 });
        let mut rng = Seed(1).rng(0);
        let mut counts = [0usize; 10];
        for _ in 0..20_000 {
            counts[draw(&choices, 1.0, &mut rng).unwrap().group] += 1;
        }
        for (number, share) in [(5, 0.5), (3, 0.3), (2, 0.2)] {
            assert!((counts[number] as f64 / 20_000.0 - share).abs() < 0.02);
        }
        assert_eq!(draw(&choices, 0.0, &mut rng).unwrap().group, 5);
        assert_eq!(draw(&[], 1.0, &mut rng), None);
    }
}
