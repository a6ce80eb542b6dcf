//! Timing.

use std::hint::black_box;
use std::time::Instant;

/// The time of one run in seconds: the best of several, after one that does not count. The best is what the code can do;
/// the rest is what else the machine was doing.
pub(crate) fn best_secs<T>(rounds: usize, mut run: impl FnMut() -> T) -> f64 {
    black_box(run());
    let mut best = f64::INFINITY;
    for _ in 0..rounds.max(1) {
        let start = Instant::now();
        black_box(run());
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}
