//! Random sequences of patterns.

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::{DATABASE, NOVEL, Pattern, Stance};

/// The seven database patterns in a random valid order, from open to open, and optionally one more.
pub(super) fn shuffled(extra: bool, rng: &mut impl Rng) -> Vec<Pattern> {
    let [one, two, three, four, five, six, seven] = DATABASE;
    // A pattern that leaves the open stance is followed by one that returns to it.
    let mut parts = vec![vec![one], vec![two, seven], vec![three, six], vec![four], vec![five]];
    if extra {
        let again = [one, four, five][rng.random_range(0..3)];
        parts.push(vec![again]);
    }
    parts.shuffle(rng);
    parts.concat()
}

/// Dances with these numbers of patterns. The next pattern starts in the current stance and was not danced before. If there is none,
/// patterns that were danced less often are more likely.
pub(super) fn improvised(counts: &[usize], rng: &mut impl Rng) -> Vec<Vec<Pattern>> {
    let all: Vec<Pattern> = DATABASE.into_iter().chain(NOVEL).collect();
    let mut uses = vec![0usize; all.len()];
    let dances = counts.iter().map(|&count| {
        let mut stance = Stance::Open;
        let dance = (0..count).map(|_| {
            let fits = |i: usize| all[i].first.from == stance;
            let has_unused = (0..all.len()).any(|i| fits(i) && uses[i] == 0);
            let weight = |i: usize| match uses[i] {
                _ if !fits(i) => 0.0,
                0 => 1.0,
                _ if has_unused => 0.0,
                used => 1.0 / used as f64,
            };
            let weights: Vec<f64> = (0..all.len()).map(weight).collect();
            let chosen = sample(&weights, rng);
            uses[chosen] += 1;
            stance = all[chosen].second.to;
            all[chosen]
        });
        dance.collect()
    });
    dances.collect()
}

/// Samples an index with a probability proportional to its weight.
fn sample(weights: &[f64], rng: &mut impl Rng) -> usize {
    let mut remaining = rng.random_range(0.0..1.0) * weights.iter().sum::<f64>();
    for (i, weight) in weights.iter().enumerate() {
        remaining -= weight;
        if remaining < 0.0 {
            return i;
        }
    }
    weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lindy::pattern::check;
    use crate::random::rng_stream;

    #[test]
    fn sequences_are_valid_and_complete() {
        for seed in 0..200 {
            let mut rng = rng_stream(seed, 0);
            let dance = shuffled(seed % 2 == 0, &mut rng);
            assert_eq!(dance.len(), 7 + usize::from(seed % 2 == 0));
            assert!(check(&dance).is_ok() && DATABASE.iter().all(|pattern| dance.contains(pattern)));
            let dances = improvised(&[24, 30, 37], &mut rng);
            assert!(dances.iter().all(|dance| check(dance).is_ok()));
            let mut used = dances.concat();
            assert_eq!(used.len(), 91);
            used.sort();
            used.dedup();
            assert_eq!(used.len(), 21, "seed {seed}");
        }
    }
}
