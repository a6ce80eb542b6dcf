//! Random baselines: the two shuffles of section 3.2 of the paper.

use marey_plan::Seed;
use rand::RngExt;
use rand::seq::SliceRandom;

/// Returns the elements of a sequence in random order.
pub fn shuffle_elements(elements: usize, seed: Seed) -> Vec<usize> {
    let mut order: Vec<usize> = (0..elements).collect();
    order.shuffle(&mut seed.rng(1));
    order
}

/// Returns chunks of random length from random positions: "index randomly into the sequence, play a chunk of
/// random length, repeat". Lengths are uniform up to twice the mean; a chunk ends at the end of the sequence.
pub fn shuffle_chunks(elements: usize, mean_length: f64, seed: Seed) -> Vec<usize> {
    let mut rng = seed.rng(2);
    // NaN and lengths below 1 count as 1.
    let max_length = if mean_length > 1.0 { (2.0 * mean_length - 1.0).min(1e9) as usize } else { 1 };
    let mut order = Vec::with_capacity(elements);
    while order.len() < elements {
        let start = rng.random_range(0..elements);
        let length = rng.random_range(1..=max_length).min(elements - start).min(elements - order.len());
        order.extend(start..start + length);
    }
    order
}
