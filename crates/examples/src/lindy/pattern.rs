//! The dance as a state machine: stances, transitions, patterns.

use crate::{ExamplesError, Result, Truth};

/// A stance of the couple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stance {
    /// Apart, with the leader's left hand in the follower's right.
    Open,
    /// In embrace.
    Closed,
    /// Apart, right hand in right hand.
    OpenCrosshand,
    /// Close, right hand in right hand.
    ClosedCrosshand,
}

impl Stance {
    /// The name in ground truths.
    pub const fn name(self) -> &'static str {
        match self {
            Stance::Open => "open",
            Stance::Closed => "closed",
            Stance::OpenCrosshand => "open crosshand",
            Stance::ClosedCrosshand => "closed crosshand",
        }
    }

    /// Whether both right hands are joined.
    pub const fn is_crosshand(self) -> bool {
        matches!(self, Stance::OpenCrosshand | Stance::ClosedCrosshand)
    }

    /// Whether the dancers are close to each other.
    pub const fn is_closed(self) -> bool {
        matches!(self, Stance::Closed | Stance::ClosedCrosshand)
    }
}

/// The follower's part in a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// No turn: steps.
    Step,
    /// A spin towards the leader, to the left, under the joined hands.
    Inside,
    /// A spin away from the leader, to the right, under the joined hands.
    Outside,
}

impl Turn {
    /// The name in ground truths.
    pub const fn name(self) -> &'static str {
        match self {
            Turn::Step => "step",
            Turn::Inside => "inside",
            Turn::Outside => "outside",
        }
    }
}

/// Four beats from one stance to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PatternTransition {
    /// The first stance.
    pub from: Stance,
    /// The follower's part.
    pub turn: Turn,
    /// The last stance. Hands change at the end.
    pub to: Stance,
}

impl PatternTransition {
    /// The label of one half, two beats, of the transition: `open step closed 1/2`.
    pub fn label(&self, half: usize) -> String {
        format!("{} {} {} {}/2", self.from.name(), self.turn.name(), self.to.name(), half + 1)
    }
}

/// Eight beats: two transitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pattern {
    /// Counts one to four.
    pub first: PatternTransition,
    /// Counts five to eight.
    pub second: PatternTransition,
}

impl Pattern {
    const fn new(from: Stance, turn: Turn, through: Stance, then: Turn, to: Stance) -> Self {
        Self {
            first: PatternTransition { from, turn, to: through },
            second: PatternTransition { from: through, turn: then, to },
        }
    }
}

use Stance::{Closed, ClosedCrosshand, Open, OpenCrosshand};
use Turn::{Inside, Outside, Step};

/// The seven patterns of the database (Hsu et al. 2004, table 1, left).
pub const DATABASE: [Pattern; 7] = [
    Pattern::new(Open, Step, Open, Step, Open),
    Pattern::new(Open, Step, ClosedCrosshand, Inside, OpenCrosshand),
    Pattern::new(Open, Step, Closed, Step, Closed),
    Pattern::new(Open, Step, Closed, Outside, Open),
    Pattern::new(Open, Step, Closed, Inside, Open),
    Pattern::new(Closed, Step, Closed, Step, Open),
    Pattern::new(OpenCrosshand, Outside, Closed, Step, Open),
];

/// Fourteen patterns outside the database (Hsu et al. 2004, table 1, right). The print leaves open in which stance the 13th
/// starts. The dancers improvised with the transitions of the database (section 6.2), whose only turn into an embrace starts in the
/// open crosshand stance.
pub const NOVEL: [Pattern; 14] = [
    Pattern::new(Open, Step, Closed, Outside, OpenCrosshand),
    Pattern::new(Closed, Step, Closed, Inside, Open),
    Pattern::new(Closed, Step, Closed, Step, Closed),
    Pattern::new(Closed, Step, Closed, Outside, Open),
    Pattern::new(Closed, Step, Closed, Outside, OpenCrosshand),
    Pattern::new(Closed, Step, Closed, Step, OpenCrosshand),
    Pattern::new(Closed, Step, ClosedCrosshand, Inside, OpenCrosshand),
    Pattern::new(OpenCrosshand, Outside, Closed, Step, Closed),
    Pattern::new(OpenCrosshand, Outside, Closed, Outside, Open),
    Pattern::new(OpenCrosshand, Outside, Closed, Step, OpenCrosshand),
    Pattern::new(Open, Step, Closed, Inside, OpenCrosshand),
    Pattern::new(OpenCrosshand, Outside, Closed, Inside, OpenCrosshand),
    Pattern::new(OpenCrosshand, Outside, Closed, Inside, Open),
    Pattern::new(Open, Step, Closed, Step, OpenCrosshand),
];

/// Checks that each pattern starts in the stance in which the previous one ends.
pub(super) fn check(patterns: &[Pattern]) -> Result<()> {
    for (i, pair) in patterns.windows(2).enumerate() {
        let (ends, starts) = (pair[0].second.to, pair[1].first.from);
        if ends != starts {
            return Err(ExamplesError::Stance { index: i + 1, starts: starts.name(), ends: ends.name() });
        }
    }
    match patterns.iter().position(|p| p.first.to != p.second.from) {
        Some(index) => {
            let pattern = &patterns[index];
            let (starts, ends) = (pattern.second.from.name(), pattern.first.to.name());
            Err(ExamplesError::Stance { index, starts, ends })
        }
        None => Ok(()),
    }
}

/// The patterns of a dance, from the labels of its truth. Each has four.
pub fn patterns(truth: &Truth) -> Vec<Pattern> {
    let transitions: Vec<PatternTransition> =
        truth.labels().iter().filter_map(|label| label.name.strip_suffix(" 1/2")).filter_map(parse).collect();
    transitions.chunks_exact(2).map(|pair| Pattern { first: pair[0], second: pair[1] }).collect()
}

fn parse(name: &str) -> Option<PatternTransition> {
    let stances = [Open, Closed, OpenCrosshand, ClosedCrosshand];
    let all = stances.into_iter().flat_map(|from| {
        let ends = stances.into_iter().flat_map(|to| [Step, Inside, Outside].map(|turn| (turn, to)));
        ends.map(move |(turn, to)| PatternTransition { from, turn, to })
    });
    all.into_iter().find(|transition| {
        let words = [transition.from.name(), transition.turn.name(), transition.to.name()];
        name == words.join(" ")
    })
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn there_are_twenty_one_patterns() {
        let mut all: Vec<Pattern> = DATABASE.into_iter().chain(NOVEL).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 21);
        assert!(all.iter().all(|&pattern| check(&[pattern]).is_ok()));
    }

    #[test]
    fn patterns_must_be_consecutive() {
        assert!(check(&[DATABASE[1], DATABASE[6], DATABASE[2], DATABASE[5]]).is_ok());
        assert_eq!(check(&[DATABASE[1], DATABASE[0]]).unwrap_err().code().id, "examples/stance");
        let broken = Pattern { first: DATABASE[0].first, second: DATABASE[1].second };
        assert!(check(&[broken]).is_err());
    }

    #[test]
    fn labels_are_read_back() {
        for pattern in DATABASE.into_iter().chain(NOVEL) {
            for transition in [pattern.first, pattern.second] {
                let label = transition.label(0);
                assert_eq!(parse(label.strip_suffix(" 1/2").unwrap()), Some(transition));
            }
        }
    }
}
