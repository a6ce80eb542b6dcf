//! What is played without a cut.

use std::ops::Range;

use crate::Settings;

/// Cells that are played one after another, in the order of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// The first.
    pub first: usize,
    /// How many.
    pub cells: usize,
}

impl Chunk {
    /// One past the last.
    pub fn end(&self) -> usize {
        self.first + self.cells
    }

    /// Its cells.
    pub fn range(&self) -> Range<usize> {
        self.first..self.end()
    }
}

/// Parts an itinerary into chunks. `phrases` are the parts of the original within which one cell goes on into the next;
/// they follow each other from cell 0 on.
///
/// A chunk goes on while the itinerary is within the drift of where it would be, and until it has its least length; it ends where
/// its phrase does. A chunk that would be too short because its phrase ends starts sooner. With a drift of 0 and a least length of 1, chunks are
/// what the itinerary has in the original's order.
///
/// ```
/// use marey_vary::{Chunk, Settings, chunks};
/// let itinerary = [4, 5, 6, 6, 8, 1, 2];
/// let plain = Settings { drift_cells: 0, least_chunk_cells: 1, ..Settings::default() };
/// let found: Vec<_> = chunks(&itinerary, &[0..10], &plain).iter().map(Chunk::range).collect();
/// assert_eq!(found, [4..7, 6..7, 8..9, 1..3]);
/// // A cell twice and one left out are let pass.
/// let drifting = Settings { drift_cells: 1, ..plain };
/// let found: Vec<_> = chunks(&itinerary, &[0..10], &drifting).iter().map(Chunk::range).collect();
/// assert_eq!(found, [4..9, 1..3]);
/// ```
pub fn chunks(itinerary: &[usize], phrases: &[Range<usize>], settings: &Settings) -> Vec<Chunk> {
    let elements = phrases.last().map_or(0, |phrase| phrase.end);
    let least = settings.least_chunk_cells.max(1).min(elements);
    let (before, after) = (kept(settings.keep_first, least), kept(settings.keep_last, least));
    let (before, after) = (before.min(itinerary.len()), after.min(itinerary.len().saturating_sub(before)));
    let middle = itinerary.get(before..itinerary.len() - after).unwrap_or_default();
    let mut chunks: Vec<Chunk> = Vec::new();
    if before > 0 {
        add(&mut chunks, Chunk { first: 0, cells: before }, phrases);
    }
    for (index, &cell) in middle.iter().enumerate() {
        let left = middle.len() - index;
        let must_go_on = |chunk: &Chunk| chunk.cells < least || left < least;
        match chunks.last_mut().filter(|chunk| phrase_of(phrases, chunk.first).contains(&chunk.end())) {
            Some(chunk) if must_go_on(chunk) || chunk.end().abs_diff(cell) <= settings.drift_cells => {
                chunk.cells += 1;
            }
            _ => {
                let phrase = phrase_of(phrases, cell);
                let latest = phrase.end.saturating_sub(least.min(left)).max(phrase.start);
                chunks.push(Chunk { first: cell.min(latest), cells: 1 });
            }
        }
    }
    if after > 0 {
        add(&mut chunks, Chunk { first: elements - after, cells: after }, phrases);
    }
    chunks
}

fn kept(is_kept: bool, cells: usize) -> usize {
    if is_kept { cells } else { 0 }
}

/// The phrase that a cell belongs to.
fn phrase_of(phrases: &[Range<usize>], cell: usize) -> Range<usize> {
    let index = phrases.partition_point(|phrase| phrase.end <= cell);
    phrases.get(index).cloned().unwrap_or(cell..cell)
}

/// Adds cells, cut where phrases end, to what goes on into them or as chunks of their own.
fn add(chunks: &mut Vec<Chunk>, mut all: Chunk, phrases: &[Range<usize>]) {
    while all.cells > 0 {
        let phrase = phrase_of(phrases, all.first);
        let cells = all.cells.min(phrase.end.saturating_sub(all.first)).max(1);
        match chunks.last_mut().filter(|chunk| chunk.end() == all.first && all.first > phrase.start) {
            Some(chunk) => chunk.cells += cells,
            None => chunks.push(Chunk { first: all.first, cells }),
        }
        all = Chunk { first: all.first + cells, cells: all.cells - cells };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn chunks_have_the_length_asked_for_and_stay_in_their_phrases(
            lengths in prop::collection::vec(1usize..30, 1..5),
            seeds in prop::collection::vec(any::<u32>(), 1..200),
            drift_cells in 0usize..4,
            least_chunk_cells in 1usize..12,
            keep_first: bool,
            keep_last: bool,
        ) {
            let mut phrases: Vec<Range<usize>> = Vec::new();
            for length in &lengths {
                let start = phrases.last().map_or(0, |phrase| phrase.end);
                phrases.push(start..start + length);
            }
            let elements = phrases.last().unwrap().end;
            let itinerary: Vec<usize> = seeds.iter().map(|seed| *seed as usize % elements).collect();
            let settings = Settings { drift_cells, least_chunk_cells, keep_first, keep_last, ..Settings::default() };
            let found = chunks(&itinerary, &phrases, &settings);
            prop_assert_eq!(found.iter().map(|chunk| chunk.cells).sum::<usize>(), itinerary.len());
            let mut at = 0;
            for chunk in &found {
                let phrase = phrase_of(&phrases, chunk.first);
                prop_assert!(phrase.start <= chunk.first && chunk.end() <= phrase.end, "{:?} in {:?}", chunk, phrase);
                // Shorter than the least only where the phrase is, or at the ends, which are kept or cut.
                let is_end = at < least_chunk_cells || at + chunk.cells + 2 * least_chunk_cells > itinerary.len();
                prop_assert!(chunk.cells >= least_chunk_cells.min(phrase.len()) || is_end, "{:?}", chunk);
                at += chunk.cells;
            }
            if keep_first {
                prop_assert_eq!(found[0].first, 0);
            }
            if keep_last && (!keep_first || itinerary.len() > least_chunk_cells) {
                prop_assert_eq!(found.last().unwrap().end(), elements);
            }
        }

        #[test]
        fn the_paper_s_rule_keeps_the_itinerary(itinerary in prop::collection::vec(0usize..50, 1..100)) {
            let settings = Settings::for_symbols();
            let whole = 0..50;
            let found = chunks(&itinerary, std::slice::from_ref(&whole), &settings);
            let played: Vec<usize> = found.iter().flat_map(Chunk::range).collect();
            prop_assert_eq!(played, itinerary);
        }
    }
}
