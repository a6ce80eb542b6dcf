//! Timing.

use std::hint::black_box;
use std::time::Instant;

/// The time of one run of each contender, in seconds: the best of several rounds after a warm-up round.
///
/// The best round is the one that other load on the machine disturbed least. The contenders take turns, so that such load affects
/// all of them.
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
