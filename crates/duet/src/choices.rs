//! What may come next, and how likely it is.

use std::ops::RangeInclusive;

use rand::{Rng, RngExt};

use crate::observation::Observation;
use crate::repertoire::{Group, Repertoire};
use crate::{Command, Kind, Model};

/// How much slower or faster a defender may be for the sake of a touch.
const PACE: RangeInclusive<f64> = 0.55..=1.8;
/// The same, once the attack is settled and its touch is known to the frame.
const WIDER_PACE: RangeInclusive<f64> = 0.4..=3.0;

/// How things are when somebody ends a movement.
pub(crate) struct Situation<'a> {
    pub(crate) model: &'a Model,
    pub(crate) repertoire: &'a Repertoire,
    /// Who chooses.
    pub(crate) person: usize,
    /// The frame.
    pub(crate) at: usize,
    /// The groups both are in.
    pub(crate) from: [usize; 2],
    /// How each sees the other.
    pub(crate) observed: [Observation; 2],
    /// When the other can begin something that is not settled.
    pub(crate) other_free_at: usize,
    /// What is added to the score of each group.
    pub(crate) bias: Vec<f64>,
}

/// A group, and the logarithm of how likely it is, but for a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Choice {
    pub(crate) group: usize,
    pub(crate) score: f64,
}

impl Situation<'_> {
    fn kind(&self, person: usize, group: usize) -> Kind {
        self.repertoire.people[person][group].kind
    }

    /// The groups that may follow: those the graph leads to, or those that a command names.
    fn followers(&self, wish: Option<Command>) -> impl Iterator<Item = usize> + '_ {
        let row = &self.model.people[self.person].transitions[self.from[self.person]];
        let wished = move |group: &usize| match wish {
            Some(Command { group: Some(named), .. }) => *group == named,
            Some(Command { kind: Some(kind), .. }) => self.kind(self.person, *group) == kind,
            _ => row[*group] > 0.0,
        };
        (0..row.len()).filter(wished)
    }

    /// What may come next, scored by equation 21; the other makes a virtual transition.
    pub(crate) fn choices(&self, wish: Option<Command>) -> Vec<Choice> {
        let choice = |group: usize| {
            let score = self.score(self.person, group, self.from) + self.bias[group];
            Choice { group, score }
        };
        self.followers(wish).filter(|group| self.may(*group)).map(choice).collect()
    }

    /// How likely somebody goes to a group from where both are.
    fn score(&self, person: usize, group: usize, from: [usize; 2]) -> f64 {
        let mut to = from;
        to[person] = group;
        self.model.log_joint(from, to, self.observed, [person != 0, person != 1])
    }

    /// What the first of a couple that moves as one may do next: the second comes along, whatever it is.
    pub(crate) fn leads(&self, wish: Option<Command>) -> Vec<Choice> {
        let leader = &self.model.people[self.person];
        let score = |group: usize| {
            let observed = &leader.states[group].observed;
            let seen = observed.log_density(&self.observed[self.person], self.model.settings.sharpness);
            leader.transitions[self.from[self.person]][group].max(1e-6).ln() + seen + self.bias[group]
        };
        self.followers(wish).map(|group| Choice { group, score: score(group) }).collect()
    }

    /// The paper's first rule of interaction, offensive meets defensive: nobody strikes where the other cannot answer, or defends
    /// where nobody strikes.
    fn may(&self, group: usize) -> bool {
        match self.kind(self.person, group) {
            Kind::Normal => true,
            Kind::Offensive => {
                let touch = self.repertoire.people[self.person][group].earliest_touch();
                touch.is_some_and(|touch| {
                    self.in_time(self.at + touch.round() as usize, &PACE).next().is_some()
                })
            }
            Kind::Defensive => false,
        }
    }

    /// How the other may answer an attack that touches at a frame.
    pub(crate) fn answers(&self, attack: usize, touch: usize) -> Vec<Choice> {
        let mut from = self.from;
        from[self.person] = attack;
        let choice = |group: usize| Choice { group, score: self.score(1 - self.person, group, from) };
        self.in_time(touch, &WIDER_PACE).map(choice).collect()
    }

    /// The defensive groups of the other that can touch at a frame, at a pace that can be seen.
    fn in_time<'b>(
        &'b self,
        touch: usize,
        paces: &'b RangeInclusive<f64>,
    ) -> impl Iterator<Item = usize> + 'b {
        let groups = self.repertoire.people[1 - self.person].iter().enumerate();
        let fits = move |(_, group): &(usize, &Group)| {
            let pace = |own: f64| (touch as f64 - self.other_free_at as f64) / own.max(1.0);
            group.kind == Kind::Defensive && group.touch_frame().is_some_and(|own| paces.contains(&pace(own)))
        };
        groups.filter(fits).map(|(number, _)| number)
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
