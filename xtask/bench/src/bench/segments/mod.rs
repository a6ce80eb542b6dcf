//! Comparing and finding motion: distances of all pairs of segments, the nearest of a million frames.

mod all_pairs;
mod nearest;
mod walks;

use crate::args::Args;
use crate::row::Row;

pub(crate) fn rows(args: &Args) -> Vec<Row> {
    // One core for all contenders.
    match rayon::ThreadPoolBuilder::new().num_threads(1).build() {
        Ok(one_core) => one_core.install(|| {
            let parts = [all_pairs::rows(args), nearest::rows(args)];
            parts.into_iter().flatten().flatten().collect()
        }),
        Err(error) => {
            eprintln!("no thread to measure in: {error}");
            Vec::new()
        }
    }
}
