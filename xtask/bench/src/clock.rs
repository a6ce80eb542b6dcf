//! Timing.

use std::hint::black_box;
use std::time::Instant;

/// The time of one run of each contender in seconds: the best of several rounds, after one that does not count. The best is
/// what the code can do; the rest is what else the machine was doing. They take turns, so that what it does meets all.
pub(crate) fn race<const N: usize>(
    rounds: usize,
    mut contenders: [&mut dyn FnMut() -> usize; N],
) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for round in 0..=rounds.max(1) {
        for (run, best) in contenders.iter_mut().zip(&mut best) {
            let start = Instant::now();
            black_box(run());
            if round > 0 {
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
    }
    best
}
