//! Comparing and searching motion: distances of all pairs of segments, nearest neighbour among a million frames.

mod all_pairs;
mod nearest;
mod walks;

use crate::args::Args;
use crate::row::Row;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    // Every method runs on one core.
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(one_core) => one_core.install(|| {
            let parts = [all_pairs::rows(args), nearest::rows(args)];
            parts.into_iter().flatten().flatten().collect()
        }),
        Err(error) => {
            eprintln!("cannot start a thread: {error}");
            Vec::new()
        }
    }
}
