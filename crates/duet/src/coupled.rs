//! Two sequences of states as one, and what the one does after the other: section 4.2 of the paper, and equations 19 and 20.
//!
//! Two people do not begin their movements together. Whenever one of them begins one, the coupled state changes; the other then makes a
//! virtual transition, to the state it is in.

use crate::{Labelled, Labelling};

/// The coupled states of a recording in time (equation 12), as long as both are in a movement: the groups of both.
pub(crate) fn coupled_states(labels: &Labelling, pair: usize) -> Vec<[usize; 2]> {
    let of = |person: usize| -> Vec<&Labelled> {
        labels.people[person].all.iter().filter(|movement| movement.pair == pair).collect()
    };
    let both = [of(0), of(1)];
    let mut starts: Vec<usize> = both.iter().flatten().map(|movement| movement.frames.start).collect();
    starts.sort_unstable();
    starts.dedup();
    let state = |frame: usize| -> Option<[usize; 2]> {
        let at = |movements: &[&Labelled]| {
            movements.iter().find(|movement| movement.frames.contains(&frame)).map(|movement| movement.group)
        };
        Some([at(&both[0])?, at(&both[1])?])
    };
    starts.into_iter().filter_map(state).collect()
}

/// Equation 20: how often the other is in each state after this person was in each.
pub(crate) fn cross(
    sequences: &[Vec<[usize; 2]>],
    person: usize,
    own: usize,
    other: usize,
    least: f64,
) -> Vec<Vec<f64>> {
    let mut counts = vec![vec![0.0; other]; own];
    for step in sequences.iter().flat_map(|sequence| sequence.windows(2)) {
        counts[step[0][person]][step[1][1 - person]] += 1.0;
    }
    for row in &mut counts {
        let sum: f64 = row.iter().sum();
        for count in row {
            let probability = if sum > 0.0 { *count / sum } else { 0.0 };
            *count = if probability >= least { probability } else { 0.0 };
        }
    }
    counts
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Movements, Structure};

    /// Movements of one recording: where each ends, and its group. The first starts at 0.
    pub(crate) fn movements(ends: &[(usize, usize)]) -> Movements {
        let structure =
            Structure { stands_first: [true; 2], stands_last: [true; 2], steps: [1, 0], touches: false };
        let mut start = 0;
        let mut one = |&(end, group): &(usize, usize)| {
            let frames = std::mem::replace(&mut start, end)..end;
            Labelled { pair: 0, frames, group, structure }
        };
        let all: Vec<Labelled> = ends.iter().map(&mut one).collect();
        let groups = all.iter().map(|movement| movement.group + 1).max().unwrap_or(0);
        Movements { fitness: 1.0, instants: all.len() + 1, iterations: 0, all, groups }
    }

    #[test]
    fn the_one_who_goes_on_makes_a_virtual_transition() {
        // As in the paper's figure 3: the first's second movement lasts while the other begins two.
        let labels = Labelling {
            people: [
                movements(&[(10, 0), (30, 1), (40, 2)]),
                movements(&[(10, 0), (18, 1), (25, 2), (40, 0)]),
            ],
        };
        assert_eq!(coupled_states(&labels, 0), [[0, 0], [1, 1], [1, 2], [1, 0], [2, 0]]);
    }

    #[test]
    fn cross_edges_count_what_the_other_did_next() {
        // The first is in 0 three times, and the other in 1, 1 and 0 after it.
        let sequence = vec![[0, 0], [0, 1], [1, 1], [0, 0], [1, 0]];
        let of_first = cross(std::slice::from_ref(&sequence), 0, 2, 2, 0.0);
        assert!((of_first[0][1] - 2.0 / 3.0).abs() < 1e-12 && (of_first[0][0] - 1.0 / 3.0).abs() < 1e-12);
        assert_eq!(of_first[1], [1.0, 0.0]);
        assert_eq!(cross(&[sequence], 0, 2, 2, 0.5)[0], [0.0, 2.0 / 3.0]);
    }
}
