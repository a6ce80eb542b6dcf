//! Compares learned transitions with the Markov chain that generated a bout.

use marey_duet::Labelling;
use marey_examples::taekwondo::{BoutTruth, Chain, Movement};

use super::labels::class_of;

const N: usize = Movement::ALL.len();

/// Transition probabilities between movements.
pub(super) struct Transitions {
    rows: Vec<[f64; N]>,
    /// Frequency of each movement.
    frequency: [f64; N],
}

impl Transitions {
    /// Returns the transitions of one fighter: the marginal of the stationary chain of the pair.
    pub(super) fn of_chain(chain: &Chain) -> Self {
        let pairs: Vec<[Movement; 2]> =
            Movement::ALL.iter().flat_map(|&a| Movement::ALL.map(|b| [a, b])).collect();
        let table: Vec<Vec<f64>> =
            pairs.iter().map(|&from| pairs.iter().map(|&to| chain.joint(from, to)).collect()).collect();
        let mut frequencies = vec![1.0 / pairs.len() as f64; pairs.len()];
        for _ in 0..200 {
            let mut next = vec![0.0; pairs.len()];
            for (share, row) in frequencies.iter().zip(&table) {
                next.iter_mut().zip(row).for_each(|(next, p)| *next += share * p);
            }
            frequencies = next;
        }
        let mut counts = vec![[0.0; N]; N];
        for (from, row) in table.iter().enumerate() {
            for (to, probability) in row.iter().enumerate() {
                counts[from / N][to / N] += frequencies[from] * probability;
            }
        }
        Self::of_counts(counts)
    }

    /// Counts transitions in the true movements of bouts, or in labels found in them.
    pub(super) fn counted<'a>(bouts: impl Iterator<Item = (&'a BoutTruth, Option<&'a Labelling>)>) -> Self {
        let mut counts = vec![[0.0; N]; N];
        for (truth, labels) in bouts {
            for person in [0, 1] {
                let sequence: Vec<usize> = match labels {
                    None => {
                        let own = truth.movements.iter().filter(|moved| moved.actor == person);
                        own.map(|moved| moved.movement as usize).collect()
                    }
                    Some(labels) => found_movements(truth, labels, person),
                };
                for pair in sequence.windows(2) {
                    counts[pair[0]][pair[1]] += 1.0;
                }
            }
        }
        Self::of_counts(counts)
    }

    fn of_counts(counts: Vec<[f64; N]>) -> Self {
        let total: f64 = counts.iter().flatten().sum();
        let sums: Vec<f64> = counts.iter().map(|row| row.iter().sum()).collect();
        let frequency = std::array::from_fn(|i| sums[i] / total.max(f64::MIN_POSITIVE));
        let rows =
            counts.iter().zip(&sums).map(|(row, sum)| row.map(|n| if *sum > 0.0 { n / sum } else { 0.0 }));
        Self { rows: rows.collect(), frequency }
    }

    /// Returns the mean total variation distance between rows: 0 for equal, 1 for disjoint ones.
    pub(super) fn distance_from(&self, from: &Transitions) -> f64 {
        let row =
            |i: usize| 0.5 * self.rows[i].iter().zip(&from.rows[i]).map(|(a, b)| (a - b).abs()).sum::<f64>();
        (0..N).map(|i| from.frequency[i] * row(i)).sum()
    }
}

/// Returns the movements found for a person, each as the true movement that is most common in its group.
fn found_movements(truth: &BoutTruth, labels: &Labelling, person: usize) -> Vec<usize> {
    let movements = &labels.people[person];
    let mut votes = vec![[0usize; N]; movements.groups];
    for movement in &movements.all {
        votes[movement.group][class_of(truth, person, &movement.frames) as usize] += 1;
    }
    let name = |group: usize| {
        let best = votes[group].iter().enumerate().max_by_key(|(_, votes)| **votes);
        best.map_or(0, |(class, _)| class)
    };
    let mut sequence: Vec<usize> = Vec::new();
    for movement in &movements.all {
        let class = name(movement.group);
        // Consecutive parts of a true movement count once.
        let is_part = sequence.last() == Some(&class)
            && truth.movements.iter().any(|moved| {
                moved.actor == person
                    && moved.start + 3 < movement.frames.start
                    && movement.frames.end <= moved.end + 3
            });
        if !is_part {
            sequence.push(class);
        }
    }
    sequence
}
