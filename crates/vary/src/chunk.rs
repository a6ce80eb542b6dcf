//! Splitting an itinerary into chunks that play without a cut.

use std::ops::Range;

use crate::VarySettings;

/// Consecutive cells, played in the order of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chunk {
    /// Index of the first cell.
    pub first: usize,
    /// Number of cells.
    pub cells: usize,
}

impl Chunk {
    /// Index one past the last cell.
    pub fn end(&self) -> usize {
        self.first + self.cells
    }

    /// Indices of the cells.
    pub fn range(&self) -> Range<usize> {
        self.first..self.end()
    }
}

/// Splits an itinerary into chunks. `phrases` are the cells of each continuous part of the original; they
/// cover all cells from 0 on, without gaps.
///
/// A chunk continues until it has the minimum length, then for as long as the itinerary stays within the
/// drift of the chunk's next cell. It always ends with its phrase. A chunk that would be too short because
/// its phrase ends starts earlier. With a drift of 0 and a minimum length of 1, chunks are the runs of the
/// itinerary in the original's order.
///
/// ```
/// use marey_vary::{Chunk, VarySettings, chunks};
/// let itinerary = [4, 5, 6, 6, 8, 1, 2];
/// let plain = VarySettings { drift_cells: 0, min_chunk_cells: 1, ..VarySettings::default() };
/// let found: Vec<_> = chunks(&itinerary, &[0..10], &plain).iter().map(Chunk::range).collect();
/// assert_eq!(found, [4..7, 6..7, 8..9, 1..3]);
/// // A drift of 1 tolerates a repeated and a skipped cell.
/// let drifting = VarySettings { drift_cells: 1, ..plain };
/// let found: Vec<_> = chunks(&itinerary, &[0..10], &drifting).iter().map(Chunk::range).collect();
/// assert_eq!(found, [4..9, 1..3]);
/// ```
pub fn chunks(itinerary: &[usize], phrases: &[Range<usize>], settings: &VarySettings) -> Vec<Chunk> {
    let elements = phrases.last().map_or(0, |phrase| phrase.end);
    let min_cells = settings.min_chunk_cells.max(1).min(elements);
    let head = if settings.keep_first { min_cells.min(itinerary.len()) } else { 0 };
    let tail = if settings.keep_last { min_cells.min(itinerary.len() - head) } else { 0 };
    let middle = itinerary.get(head..itinerary.len() - tail).unwrap_or_default();
    let mut chunks: Vec<Chunk> = Vec::new();
    if head > 0 {
        append(&mut chunks, Chunk { first: 0, cells: head }, phrases);
    }
    for (index, &cell) in middle.iter().enumerate() {
        let remaining = middle.len() - index;
        let must_continue = |chunk: &Chunk| chunk.cells < min_cells || remaining < min_cells;
        match chunks.last_mut().filter(|chunk| phrase_of(phrases, chunk.first).contains(&chunk.end())) {
            Some(chunk) if must_continue(chunk) || chunk.end().abs_diff(cell) <= settings.drift_cells => {
                chunk.cells += 1;
            }
            _ => {
                let phrase = phrase_of(phrases, cell);
                let latest_start = phrase.end.saturating_sub(min_cells.min(remaining)).max(phrase.start);
                chunks.push(Chunk { first: cell.min(latest_start), cells: 1 });
            }
        }
    }
    if tail > 0 {
        append(&mut chunks, Chunk { first: elements - tail, cells: tail }, phrases);
    }
    chunks
}

/// Returns the phrase that contains a cell.
pub(crate) fn phrase_of(phrases: &[Range<usize>], cell: usize) -> Range<usize> {
    let index = phrases.partition_point(|phrase| phrase.end <= cell);
    phrases.get(index).cloned().unwrap_or(cell..cell)
}

/// Appends cells, split at the ends of phrases. Extends the last chunk if the cells continue it.
pub(crate) fn append(chunks: &mut Vec<Chunk>, mut rest: Chunk, phrases: &[Range<usize>]) {
    while rest.cells > 0 {
        let phrase = phrase_of(phrases, rest.first);
        let cells = rest.cells.min(phrase.end.saturating_sub(rest.first)).max(1);
        match chunks.last_mut().filter(|chunk| chunk.end() == rest.first && rest.first > phrase.start) {
            Some(chunk) => chunk.cells += cells,
            None => chunks.push(Chunk { first: rest.first, cells }),
        }
        rest = Chunk { first: rest.first + cells, cells: rest.cells - cells };
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn chunks_reach_the_minimum_length_and_stay_in_their_phrase(
            lengths in prop::collection::vec(1usize..30, 1..5),
            seeds in prop::collection::vec(any::<u32>(), 1..200),
            drift_cells in 0usize..4,
            min_chunk_cells in 1usize..12,
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
            let settings = VarySettings { drift_cells, min_chunk_cells, keep_first, keep_last, ..VarySettings::default() };
            let found = chunks(&itinerary, &phrases, &settings);
            prop_assert_eq!(found.iter().map(|chunk| chunk.cells).sum::<usize>(), itinerary.len());
            let mut at = 0;
            for chunk in &found {
                let phrase = phrase_of(&phrases, chunk.first);
                prop_assert!(phrase.start <= chunk.first && chunk.end() <= phrase.end, "{:?} in {:?}", chunk, phrase);
                // Only short phrases and the two ends may have shorter chunks.
                let is_end = at < min_chunk_cells || at + chunk.cells + 2 * min_chunk_cells > itinerary.len();
                prop_assert!(chunk.cells >= min_chunk_cells.min(phrase.len()) || is_end, "{:?}", chunk);
                at += chunk.cells;
            }
            if keep_first {
                prop_assert_eq!(found[0].first, 0);
            }
            if keep_last && (!keep_first || itinerary.len() > min_chunk_cells) {
                prop_assert_eq!(found.last().unwrap().end(), elements);
            }
        }

        #[test]
        fn the_rule_of_the_paper_plays_the_itinerary_unchanged(itinerary in prop::collection::vec(0usize..50, 1..100)) {
            let settings = VarySettings::for_symbols(50);
            let whole = 0..50;
            let found = chunks(&itinerary, std::slice::from_ref(&whole), &settings);
            let played: Vec<usize> = found.iter().flat_map(Chunk::range).collect();
            prop_assert_eq!(played, itinerary);
        }
    }
}
