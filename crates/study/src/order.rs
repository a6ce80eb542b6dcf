//! What raters see, and in which order.
//!
//! A balanced Latin square after Williams (1949): for n trials, row r shows r, r + 1, r − 1, r + 2, r − 2 … modulo n. With an even n,
//! every trial follows every other exactly once in n rows; with an odd n, each row is also used backwards.

use marey_plan::Seed;
use rand::seq::SliceRandom;
use serde::Serialize;

use crate::{PresentationOrder, StudyDefinition, StudyDesign};

/// A clip of a study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StudyClip {
    /// The index of its condition.
    pub condition: usize,
    /// Its number in the condition, from 0. Clips of two conditions with the same number are compared in pairs.
    pub sequence: usize,
    /// The name of the clip, in results.
    pub name: String,
}

/// What a rater answers at once: one clip, or two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StudyTrial {
    /// The index of the first clip.
    pub first: usize,
    /// The index of the second clip of a pair.
    pub second: Option<usize>,
}

/// A trial as it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ShownTrial {
    /// The index of the trial.
    pub trial: usize,
    /// Whether the second clip of a pair is shown first.
    pub is_swapped: bool,
}

impl StudyDefinition {
    /// The trials of a study, in a fixed order. Answers name them by their index.
    pub fn trials(&self, clips: &[StudyClip]) -> Vec<StudyTrial> {
        if self.design == StudyDesign::Ratings {
            return (0..clips.len()).map(|first| StudyTrial { first, second: None }).collect();
        }
        let is_recorded = |clip: &StudyClip| {
            self.conditions.get(clip.condition).is_some_and(|condition| condition.recorded)
        };
        let mut trials = Vec::new();
        for (first, a) in clips.iter().enumerate() {
            for (second, b) in clips.iter().enumerate() {
                let is_compared = match self.design {
                    StudyDesign::Recorded => is_recorded(a) && !is_recorded(b),
                    _ => a.condition < b.condition,
                };
                if is_compared && a.sequence == b.sequence {
                    trials.push(StudyTrial { first, second: Some(second) });
                }
            }
        }
        trials
    }

    /// The order in which the n-th rater sees the trials. It depends on the definition and `rater` alone.
    pub fn presentation(&self, trials: usize, rater: usize) -> Vec<ShownTrial> {
        // Rows of the square would always show neighbouring conditions after each other.
        let labels = shuffled(trials, Seed(self.seed), 1);
        let positions: Vec<usize> = match self.order {
            PresentationOrder::Balanced => williams_row(trials, rater),
            PresentationOrder::Random => shuffled(trials, Seed(self.seed), 2 + rater as u64),
        };
        let shown = positions.into_iter().filter_map(|position| {
            let trial = *labels.get(position)?;
            // Sides change from trial to trial, and for each trial from one use of its row to the next.
            let turn = rater.checked_div(trials).unwrap_or(0);
            Some(ShownTrial { trial, is_swapped: (trial + rater + turn) % 2 == 1 })
        });
        shown.collect()
    }
}

/// The numbers below `count` in random order. Each stream of a seed has an order of its own.
pub fn shuffled(count: usize, seed: Seed, stream: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.shuffle(&mut seed.rng(stream));
    order
}

/// A row of the balanced Latin square.
fn williams_row(count: usize, row: usize) -> Vec<usize> {
    if count == 0 {
        return Vec::new();
    }
    let zigzag = (0..count).map(|i| if i % 2 == 1 { i.div_ceil(2) } else { (count - i / 2) % count });
    let mut order: Vec<usize> = zigzag.map(|i| (i + row) % count).collect();
    if count % 2 == 1 && (row / count) % 2 == 1 {
        order.reverse();
    }
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::EXAMPLE_DEFINITION;

    #[test]
    fn over_the_rows_every_trial_is_equally_often_at_each_place_and_after_each_other() {
        for count in [2, 3, 5, 8, 20] {
            let rows = if count % 2 == 1 { 2 * count } else { count };
            let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
            let mut pairs: BTreeMap<(usize, usize), usize> = BTreeMap::new();
            for row in 0..rows {
                let order = williams_row(count, row);
                order
                    .iter()
                    .enumerate()
                    .for_each(|place| *places.entry((place.0, *place.1)).or_default() += 1);
                order.windows(2).for_each(|pair| *pairs.entry((pair[0], pair[1])).or_default() += 1);
            }
            let each = rows / count;
            assert!(places.len() == count * count && places.values().all(|times| *times == each), "{count}");
            assert!(
                pairs.len() == count * (count - 1) && pairs.values().all(|times| *times == each),
                "{count}"
            );
        }
        assert!(williams_row(0, 3).is_empty());
        assert_eq!(williams_row(1, 3), [0]);
    }

    fn clips(conditions: usize, sequences: usize) -> Vec<StudyClip> {
        let clip =
            |condition, sequence| StudyClip { condition, sequence, name: format!("{condition}-{sequence}") };
        (0..conditions)
            .flat_map(|condition| (0..sequences).map(move |sequence| clip(condition, sequence)))
            .collect()
    }

    #[test]
    fn every_rater_sees_every_trial_once_and_sides_are_balanced() {
        let mut study = StudyDefinition::parse(EXAMPLE_DEFINITION).unwrap();
        let ratings = study.trials(&clips(2, 4));
        assert!(ratings.len() == 8 && ratings.iter().all(|trial| trial.second.is_none()));
        study.design = StudyDesign::Pairs;
        let trials = study.trials(&clips(3, 4));
        assert_eq!(trials.len(), 12);
        study.design = StudyDesign::Recorded;
        assert_eq!(study.trials(&clips(3, 4)).len(), 8);
        for order in [PresentationOrder::Balanced, PresentationOrder::Random] {
            study.order = order;
            let mut swapped = vec![0; 12];
            for rater in 0..24 {
                let shown = study.presentation(12, rater);
                assert_eq!(shown, study.presentation(12, rater));
                let mut seen: Vec<usize> = shown.iter().map(|shown| shown.trial).collect();
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..12));
                assert_eq!(shown.iter().filter(|shown| shown.is_swapped).count(), 6);
                shown.iter().filter(|shown| shown.is_swapped).for_each(|shown| swapped[shown.trial] += 1);
            }
            assert!(swapped.iter().all(|times| *times == 12), "{swapped:?}");
            assert_ne!(study.presentation(12, 0), study.presentation(12, 1));
        }
    }
}
