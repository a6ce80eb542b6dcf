//! Coupled state sequences of two people: section 4.2 of the paper, equations 12, 19 and 20.
//!
//! Two people do not start their movements at the same time. The coupled state changes whenever one
//! of them starts a movement; the other then makes a virtual transition to the state they are
//! already in.

use crate::{LabelledMovement, Labelling};

/// Returns the coupled states of a recording in order of time (equation 12): the groups of both,
/// while both are in a movement.
pub(crate) fn coupled_states(labels: &Labelling, pair: usize) -> Vec<[usize; 2]> {
    let movements_of = |person: usize| -> Vec<&LabelledMovement> {
        labels.people[person].all.iter().filter(|movement| movement.pair == pair).collect()
    };
    let both = [movements_of(0), movements_of(1)];
    let mut starts: Vec<usize> = both.iter().flatten().map(|movement| movement.frames.start).collect();
    starts.sort_unstable();
    starts.dedup();
    let state = |frame: usize| -> Option<[usize; 2]> {
        let at = |movements: &[&LabelledMovement]| {
            movements.iter().find(|movement| movement.frames.contains(&frame)).map(|movement| movement.group)
        };
        Some([at(&both[0])?, at(&both[1])?])
    };
    starts.into_iter().filter_map(state).collect()
}

/// Equation 20: returns the probability of each state of the partner after each state of this
/// person. Probabilities below `min_probability` become 0.
pub(crate) fn cross_probabilities(
    sequences: &[Vec<[usize; 2]>],
    person: usize,
    own: usize,
    other: usize,
    min_probability: f64,
) -> Vec<Vec<f64>> {
    let mut counts = vec![vec![0.0; other]; own];
    for step in sequences.iter().flat_map(|sequence| sequence.windows(2)) {
        counts[step[0][person]][step[1][1 - person]] += 1.0;
    }
    for row in &mut counts {
        let sum: f64 = row.iter().sum();
        for count in row {
            let probability = if sum > 0.0 { *count / sum } else { 0.0 };
            *count = if probability >= min_probability { probability } else { 0.0 };
        }
    }
    counts
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{MovementStructure, PersonMovements};

    /// Builds the movements of one recording from their end frames and groups. The first starts at
    /// 0.
    pub(crate) fn movements(ends: &[(usize, usize)]) -> PersonMovements {
        let structure = MovementStructure {
            stands_first: [true; 2],
            stands_last: [true; 2],
            steps: [1, 0],
            touches: false,
        };
        let mut start = 0;
        let mut one = |&(end, group): &(usize, usize)| {
            let frames = std::mem::replace(&mut start, end)..end;
            LabelledMovement { pair: 0, frames, group, structure }
        };
        let all: Vec<LabelledMovement> = ends.iter().map(&mut one).collect();
        let groups = all.iter().map(|movement| movement.group + 1).max().unwrap_or(0);
        PersonMovements { fitness: 1.0, cut_points: all.len() + 1, iterations: 0, all, groups }
    }

    #[test]
    fn the_person_in_the_middle_of_a_movement_makes_a_virtual_transition() {
        // The paper's figure 3: during the second movement of the first person, the second person
        // starts two.
        let labels = Labelling {
            people: [
                movements(&[(10, 0), (30, 1), (40, 2)]),
                movements(&[(10, 0), (18, 1), (25, 2), (40, 0)]),
            ],
        };
        assert_eq!(coupled_states(&labels, 0), [[0, 0], [1, 1], [1, 2], [1, 0], [2, 0]]);
    }

    #[test]
    fn cross_edges_count_the_next_state_of_the_partner() {
        // The first person is in state 0 three times; the second is then in 1, 1 and 0.
        let sequence = vec![[0, 0], [0, 1], [1, 1], [0, 0], [1, 0]];
        let of_first = cross_probabilities(std::slice::from_ref(&sequence), 0, 2, 2, 0.0);
        assert!((of_first[0][1] - 2.0 / 3.0).abs() < 1e-12 && (of_first[0][0] - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(of_first[1], [1.0, 0.0]);
        assert_eq!(cross_probabilities(&[sequence], 0, 2, 2, 0.5)[0], [0.0, 2.0 / 3.0]);
    }
}
