//! The model that a bout follows: who acts, what they do, and how the other answers.
//!
//! A bout is a sequence of rounds, in each of which both fighters make one movement. The pair of movements is a Markov
//! chain. One of the two has the initiative: either with the same chance, unless one of them attacked in the round before;
//! then the other has it with a chance that depends on how the attack ended (`initiative`). Who has the initiative chooses a
//! movement by their own last one (`opens`); the other answers that choice (`answers`).
//!
//! P(a′, b′ | a, b) = Σ over who acts: P(who | a, b) · opens(actor's last → actor's next) · answers(actor's next → other's next)

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::{Kind, Movement};

/// A transition from one movement to another, and how likely it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TechniqueTransition {
    /// From which movement.
    pub from: Movement,
    /// To which.
    pub to: Movement,
    /// How likely, from 0 to 1; those of one `from` add up to 1.
    pub probability: f64,
}

/// How likely the one who was attacked acts next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Initiative {
    /// How the attack was answered.
    pub after: Movement,
    /// How likely who answered so acts next, from 0 to 1.
    pub probability: f64,
}

/// The model of a bout.
///
/// ```
/// use marey_examples::taekwondo::{Chain, Movement};
/// let chain = Chain::default();
/// // From any pair of movements, the probabilities of all pairs add up to one.
/// let from = [Movement::Roundhouse, Movement::Dodge];
/// let all = Movement::ALL.map(|a| Movement::ALL.map(|b| chain.joint(from, [a, b])));
/// let sum: f64 = all.iter().flatten().sum();
/// assert!((sum - 1.0).abs() < 1e-12);
/// // Nobody attacks without an answer.
/// assert_eq!(chain.joint(from, [Movement::Punch, Movement::Guard]), 0.0);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// What who has the initiative does, by their own last movement.
    pub opens: Vec<TechniqueTransition>,
    /// What the other does, by what who has the initiative does.
    pub answers: Vec<TechniqueTransition>,
    /// How likely who was attacked has the initiative, by their answer; one half after all else.
    pub initiative: Vec<Initiative>,
}

impl Default for Chain {
    fn default() -> Self {
        use Movement::*;
        let initiative = [
            (LowBlock, 0.7),
            (MiddleBlock, 0.7),
            (HighBlock, 0.65),
            (Dodge, 0.6),
            (Hit, 0.3),
            (HeadHit, 0.15),
        ];
        Self {
            opens: Movement::ALL.into_iter().flat_map(|from| rows(from, opens(from))).collect(),
            answers: Movement::ALL
                .into_iter()
                .filter(|movement| movement.kind() != Kind::Defensive)
                .flat_map(|from| rows(from, answers(from)))
                .collect(),
            initiative: initiative
                .into_iter()
                .map(|(after, probability)| Initiative { after, probability })
                .collect(),
        }
    }
}

fn rows(from: Movement, to: &[(Movement, f64)]) -> impl Iterator<Item = TechniqueTransition> {
    to.iter().map(move |&(to, probability)| TechniqueTransition { from, to, probability })
}

/// What follows a fighter's own movement.
fn opens(from: Movement) -> &'static [(Movement, f64)] {
    use Movement::*;
    match from {
        Guard => &[
            (Guard, 0.14),
            (Approach, 0.22),
            (CircleLeft, 0.10),
            (CircleRight, 0.10),
            (Roundhouse, 0.12),
            (FrontKick, 0.09),
            (SideKick, 0.07),
            (Punch, 0.06),
            (HighKick, 0.10),
        ],
        Approach => &[
            (Guard, 0.10),
            (Roundhouse, 0.22),
            (FrontKick, 0.18),
            (Punch, 0.16),
            (SideKick, 0.12),
            (HighKick, 0.22),
        ],
        Retreat => {
            &[(Guard, 0.30), (CircleLeft, 0.15), (CircleRight, 0.15), (Approach, 0.20), (SideKick, 0.20)]
        }
        CircleLeft => {
            &[(CircleLeft, 0.30), (Guard, 0.20), (Approach, 0.20), (Roundhouse, 0.15), (HighKick, 0.15)]
        }
        CircleRight => &[(CircleRight, 0.30), (Guard, 0.20), (Approach, 0.25), (FrontKick, 0.25)],
        Punch => &[(Roundhouse, 0.45), (Retreat, 0.35), (Guard, 0.20)],
        FrontKick => &[(Punch, 0.40), (Retreat, 0.25), (Guard, 0.35)],
        SideKick => &[(Retreat, 0.50), (Guard, 0.50)],
        Roundhouse => &[(Roundhouse, 0.20), (Punch, 0.20), (Retreat, 0.30), (Guard, 0.30)],
        HighKick => &[(Retreat, 0.60), (Guard, 0.40)],
        LowBlock => &[(Punch, 0.50), (Roundhouse, 0.30), (Retreat, 0.20)],
        MiddleBlock => &[(FrontKick, 0.40), (Punch, 0.35), (CircleLeft, 0.25)],
        HighBlock => &[(SideKick, 0.50), (Retreat, 0.30), (CircleRight, 0.20)],
        Dodge => &[(Roundhouse, 0.35), (Approach, 0.25), (HighKick, 0.25), (CircleRight, 0.15)],
        Hit => &[(Retreat, 0.50), (Guard, 0.25), (CircleLeft, 0.25)],
        HeadHit => &[(Retreat, 0.60), (Guard, 0.40)],
    }
}

/// What answers a movement of the one who acts.
fn answers(to: Movement) -> &'static [(Movement, f64)] {
    use Movement::*;
    match to {
        Guard => &[(Guard, 0.60), (CircleLeft, 0.20), (CircleRight, 0.20)],
        Approach => &[(Retreat, 0.55), (Guard, 0.45)],
        Retreat => &[(Approach, 0.50), (Guard, 0.50)],
        CircleLeft => &[(CircleLeft, 0.50), (Guard, 0.50)],
        CircleRight => &[(CircleRight, 0.50), (Guard, 0.50)],
        Punch => &[(MiddleBlock, 0.45), (Hit, 0.35), (Dodge, 0.20)],
        FrontKick => &[(LowBlock, 0.40), (Hit, 0.30), (Dodge, 0.30)],
        SideKick => &[(LowBlock, 0.30), (Hit, 0.40), (Dodge, 0.30)],
        Roundhouse => &[(MiddleBlock, 0.40), (Hit, 0.35), (Dodge, 0.25)],
        HighKick => &[(HighBlock, 0.38), (HeadHit, 0.37), (Dodge, 0.25)],
        // Nobody chooses these: they are answers.
        LowBlock | MiddleBlock | HighBlock | Dodge | Hit | HeadHit => &[],
    }
}

impl Chain {
    /// How likely the first of two fighters acts next, by what both did last.
    pub fn first_acts(&self, last: [Movement; 2]) -> f64 {
        let share = |answer: Movement| {
            self.initiative.iter().find(|initiative| initiative.after == answer).map(|i| i.probability)
        };
        match last.map(Movement::kind) {
            [Kind::Offensive, Kind::Defensive] => share(last[1]).map_or(0.5, |answered| 1.0 - answered),
            [Kind::Defensive, Kind::Offensive] => share(last[0]).unwrap_or(0.5),
            _ => 0.5,
        }
    }

    /// How likely two fighters make a pair of movements after another pair.
    pub fn joint(&self, from: [Movement; 2], to: [Movement; 2]) -> f64 {
        let first = self.first_acts(from);
        let acts = |me: usize| of(&self.opens, from[me], to[me]) * of(&self.answers, to[me], to[1 - me]);
        first * acts(0) + (1.0 - first) * acts(1)
    }

    /// Draws who acts next, and what both do.
    pub(super) fn next(&self, last: [Movement; 2], rng: &mut impl Rng) -> (usize, [Movement; 2]) {
        let acts = usize::from(rng.random::<f64>() >= self.first_acts(last));
        let opening = drawn(&self.opens, last[acts], rng);
        let answer = drawn(&self.answers, opening, rng);
        (acts, if acts == 0 { [opening, answer] } else { [answer, opening] })
    }
}

fn of(rows: &[TechniqueTransition], from: Movement, to: Movement) -> f64 {
    rows.iter().filter(|row| row.from == from && row.to == to).map(|row| row.probability).sum()
}

fn drawn(rows: &[TechniqueTransition], from: Movement, rng: &mut impl Rng) -> Movement {
    let mut left: f64 = rng.random();
    let mut last = Movement::Guard;
    for row in rows.iter().filter(|row| row.from == from) {
        last = row.to;
        left -= row.probability;
        if left < 0.0 {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wander::stream;

    #[test]
    fn probabilities_of_each_row_add_up_to_one() {
        let chain = Chain::default();
        for rows in [&chain.opens, &chain.answers] {
            for from in Movement::ALL {
                let row: Vec<f64> = rows.iter().filter(|r| r.from == from).map(|r| r.probability).collect();
                assert!(row.is_empty() || (row.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{from:?}");
            }
        }
        for a in Movement::ALL {
            for b in Movement::ALL {
                let all = Movement::ALL.map(|c| Movement::ALL.map(|d| chain.joint([a, b], [c, d])));
                assert!((all.iter().flatten().sum::<f64>() - 1.0).abs() < 1e-9, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn what_is_drawn_is_as_likely_as_it_says() {
        let chain = Chain::default();
        let last = [Movement::Dodge, Movement::Roundhouse];
        let mut rng = stream(5, 0);
        let n = 40_000;
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..n {
            *counts.entry(chain.next(last, &mut rng).1).or_insert(0usize) += 1;
        }
        for (pair, count) in counts {
            let share = count as f64 / f64::from(n);
            assert!((share - chain.joint(last, pair)).abs() < 0.01, "{pair:?}: {share}");
        }
    }

    #[test]
    fn every_attack_is_answered_and_every_answer_has_its_attack() {
        for row in &Chain::default().answers {
            let (from, to) = (row.from.kind(), row.to.kind());
            assert_eq!(from == Kind::Offensive, to == Kind::Defensive, "{row:?}");
        }
    }
}
