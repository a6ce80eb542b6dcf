//! Explanations of plans.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::SourceRef;

/// The candidates of every choice and their costs. A trace explains a result and never changes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Trace {
    /// The choices, in the order in which they were made.
    pub choices: Vec<Choice>,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Index of the actor in the plan.
    pub actor: usize,
    /// Index of the placement that resulted.
    pub placement: usize,
    /// Index of the chosen candidate.
    pub taken: usize,
    /// The candidates.
    pub candidates: Vec<Candidate>,
}

/// A candidate of a choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The source clip.
    pub source: SourceRef,
    /// Its first source frame.
    pub from_frame: usize,
    /// What the engine calls it, if it has a name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Its cost by channel.
    pub cost: BTreeMap<String, f64>,
}

impl Candidate {
    /// Returns the sum over all channels.
    pub fn total_cost(&self) -> f64 {
        self.cost.values().sum()
    }
}

impl Trace {
    /// Returns the choice that led to a placement.
    ///
    /// ```
    /// use marey_plan::{Candidate, Choice, SourceRef, Trace};
    /// let candidate = |take: &str, cost: [(&str, f64); 2]| Candidate {
    ///     source: SourceRef { take: take.into(), actor: 0 },
    ///     from_frame: 0,
    ///     label: String::new(),
    ///     cost: cost.map(|(channel, cost)| (channel.to_string(), cost)).into(),
    /// };
    /// let candidates = vec![
    ///     candidate("walk", [("pose", 0.5), ("path", 2.0)]),
    ///     candidate("turn", [("pose", 0.75), ("path", 0.25)]),
    /// ];
    /// let trace = Trace { choices: vec![Choice { actor: 0, placement: 3, taken: 1, candidates }] };
    /// let choice = trace.choice_for(0, 3).unwrap();
    /// assert_eq!(choice.candidates[choice.taken].total_cost(), 1.0);
    /// assert!(trace.choice_for(0, 4).is_none());
    /// ```
    pub fn choice_for(&self, actor: usize, placement: usize) -> Option<&Choice> {
        self.choices.iter().find(|choice| choice.actor == actor && choice.placement == placement)
    }
}
