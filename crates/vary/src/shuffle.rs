//! Variation by plain chance, to compare with: the paper's two ways, section 3.2.

use marey_plan::Seed;
use rand::RngExt;
use rand::seq::SliceRandom;

/// The elements of a sequence in any order.
pub fn shuffle_elements(elements: usize, seed: Seed) -> Vec<usize> {
    let mut order: Vec<usize> = (0..elements).collect();
    order.shuffle(&mut seed.rng(1));
    order
}

/// Chunks of any length up to twice a mean, from any place: "index randomly into the sequence, play a chunk of random length,
/// repeat". A chunk ends where the sequence does.
pub fn shuffle_chunks(elements: usize, mean_length: f64, seed: Seed) -> Vec<usize> {
    let mut rng = seed.rng(2);
    // What is not a number, or shorter than one, is one.
    let longest = if mean_length > 1.0 { (2.0 * mean_length - 1.0).min(1e9) as usize } else { 1 };
    let mut order = Vec::with_capacity(elements);
    while order.len() < elements {
        let start = rng.random_range(0..elements);
        let length = rng.random_range(1..=longest).min(elements - start).min(elements - order.len());
        order.extend(start..start + length);
    }
    order
}
