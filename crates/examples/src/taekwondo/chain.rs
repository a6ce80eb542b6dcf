//! The random model of a bout.
//!
//! A bout is a sequence of rounds, in each of which both fighters make one movement. The pair of movements is a Markov chain. One
//! fighter has the initiative: each with probability one half, unless one of them attacked in the previous round. Then the attacked
//! fighter has it with a probability that depends on the response (`initiative`). The fighter with the initiative, the actor, chooses a
//! movement by the actor's previous one (`opens`). The opponent responds to that choice (`answers`).
//!
//! P(a′, b′ | a, b) = Σ over actors: P(actor | a, b) · opens(actor's previous → actor's next) · answers(actor's next → opponent's next)

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::{Movement, MovementKind};

/// A transition from one movement to another, with its probability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TechniqueTransition {
    /// The first movement.
    pub from: Movement,
    /// The second movement.
    pub to: Movement,
    /// The probability, from 0 to 1. Those with the same `from` add up to 1.
    pub probability: f64,
}

/// The probability that the attacked fighter acts next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Initiative {
    /// The response to the attack.
    pub after: Movement,
    /// The probability that the fighter with this response acts next, from 0 to 1.
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
/// // Every attack has a response.
/// assert_eq!(chain.joint(from, [Movement::Punch, Movement::Guard]), 0.0);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// The next movement of the fighter with the initiative, by the fighter's previous movement.
    pub opens: Vec<TechniqueTransition>,
    /// The movement of the opponent, by the movement of the fighter with the initiative.
    pub answers: Vec<TechniqueTransition>,
    /// The probability that the attacked fighter has the initiative, by the response. It is one half after all other movements.
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
                .filter(|movement| movement.kind() != MovementKind::Defensive)
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

/// The movements that follow a fighter's own movement.
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

/// The responses to a movement.
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
        // These are responses only.
        LowBlock | MiddleBlock | HighBlock | Dodge | Hit | HeadHit => &[],
    }
}

impl Chain {
    /// The probability that the first fighter acts next, given the previous movements of both.
    pub fn first_acts(&self, last: [Movement; 2]) -> f64 {
        let probability = |response: Movement| {
            self.initiative.iter().find(|initiative| initiative.after == response).map(|i| i.probability)
        };
        match last.map(Movement::kind) {
            [MovementKind::Offensive, MovementKind::Defensive] => {
                probability(last[1]).map_or(0.5, |probability| 1.0 - probability)
            }
            [MovementKind::Defensive, MovementKind::Offensive] => probability(last[0]).unwrap_or(0.5),
            _ => 0.5,
        }
    }

    /// The probability of a pair of movements after another pair.
    pub fn joint(&self, from: [Movement; 2], to: [Movement; 2]) -> f64 {
        let first = self.first_acts(from);
        let if_acts = |actor: usize| {
            of(&self.opens, from[actor], to[actor]) * of(&self.answers, to[actor], to[1 - actor])
        };
        first * if_acts(0) + (1.0 - first) * if_acts(1)
    }

    /// Samples the next actor and the movements of both.
    pub(super) fn next(&self, last: [Movement; 2], rng: &mut impl Rng) -> (usize, [Movement; 2]) {
        let actor = usize::from(rng.random::<f64>() >= self.first_acts(last));
        let opening = sample(&self.opens, last[actor], rng);
        let response = sample(&self.answers, opening, rng);
        (actor, if actor == 0 { [opening, response] } else { [response, opening] })
    }
}

fn of(rows: &[TechniqueTransition], from: Movement, to: Movement) -> f64 {
    rows.iter().filter(|row| row.from == from && row.to == to).map(|row| row.probability).sum()
}

fn sample(rows: &[TechniqueTransition], from: Movement, rng: &mut impl Rng) -> Movement {
    let mut remaining: f64 = rng.random();
    let mut last = Movement::Guard;
    for row in rows.iter().filter(|row| row.from == from) {
        last = row.to;
        remaining -= row.probability;
        if remaining < 0.0 {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::rng_stream;

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
    fn samples_have_the_stated_probabilities() {
        let chain = Chain::default();
        let last = [Movement::Dodge, Movement::Roundhouse];
        let mut rng = rng_stream(5, 0);
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
    fn every_attack_has_a_response_and_every_response_an_attack() {
        for row in &Chain::default().answers {
            let (from, to) = (row.from.kind(), row.to.kind());
            assert_eq!(from == MovementKind::Offensive, to == MovementKind::Defensive, "{row:?}");
        }
    }
}
