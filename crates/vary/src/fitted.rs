//! Cuts where the dance allows them.
//!
//! The trajectory says when a chunk ends and which part of the original comes next. The cut itself is made nearby, at most the shortest
//! chunk earlier or later, between two moments that are alike, so that a step that begins in one chunk ends in the next. A chunk also ends
//! where something follows that was played already.

use std::ops::Range;

use crate::chunk::{Chunk, append, phrase_of};
use crate::{CellMap, DanceMoments, Itinerary, VarySettings};

/// A cut costs 1 at the distance that a moment of the dance usually has from the nearest other one, at least at this, in metres.
const ALIKE_M: f32 = 0.1;
/// Cost of a chunk that starts as far from the trajectory as the attractor is large.
const FAR: f32 = 0.5;
/// Cost of a turn for each time that it was played before.
const AGAIN: f32 = 10.0;
/// The part of a beat, off the count, at which a cut costs 1.
const OFF_COUNT: f64 = 0.06;
/// Number of cells that are compared at a cut: those nearest to the trajectory.
const MAX_CANDIDATES: usize = 4096;

/// What cuts fit.
#[derive(Debug, Clone, Copy)]
pub struct CutFit<'a> {
    /// The dance at the borders of its cells.
    pub moments: &'a DanceMoments,
    /// The count that the variation keeps.
    pub count: Option<&'a DanceCount>,
}

/// The count of a dance.
#[derive(Debug, Clone, PartialEq)]
pub struct DanceCount {
    /// The beat at the start of each cell. It may start anew with each phrase.
    pub beats: Vec<f64>,
    /// Beats per cell.
    pub tempo: f64,
}

/// Splits a trajectory into chunks that fit together. `phrases` are the cells of each continuous part of the original.
pub(crate) fn fitted_chunks(
    cell_map: &CellMap,
    itinerary: &Itinerary,
    phrases: &[Range<usize>],
    settings: &VarySettings,
    fit: CutFit<'_>,
) -> Vec<Chunk> {
    let elements = phrases.last().map_or(0, |phrase| phrase.end);
    let shortest = settings.min_chunk_cells.clamp(1, elements.max(1));
    let total = itinerary.cells.len();
    let tail = if settings.keep_last { shortest.min(total) } else { 0 };
    let mut search = Search {
        cell_map,
        itinerary,
        phrases,
        fit,
        shortest,
        turn: settings.cells_per_turn.round() as usize,
        drift: settings.drift_cells,
        end: total - tail,
        alike: fit.moments.usual_squared_distance(shortest).max(ALIKE_M * ALIKE_M),
        played: vec![0; elements],
        clock: None,
    };
    let mut chunks = Vec::new();
    let first = if settings.keep_first { 0 } else { search.nearest_start(0) };
    search.clock = fit.count.and_then(|count| count.beats.get(first)).copied();
    let mut next = Start { at: 0, first, followed: 0 };
    while next.at < search.end {
        let (chunk, start) = search.chunk(&next);
        search.played.iter_mut().skip(chunk.first).take(chunk.cells).for_each(|times| *times += 1);
        chunks.push(chunk);
        next = start;
    }
    append(&mut chunks, Chunk { first: elements - tail, cells: tail }, phrases);
    chunks
}

/// Where a chunk starts.
struct Start {
    /// The sample of the trajectory.
    at: usize,
    /// The first cell.
    first: usize,
    /// The sample from which the trajectory is followed.
    followed: usize,
}

struct Search<'a> {
    cell_map: &'a CellMap,
    itinerary: &'a Itinerary,
    phrases: &'a [Range<usize>],
    fit: CutFit<'a>,
    /// Least number of cells of a chunk.
    shortest: usize,
    /// Cells per revolution.
    turn: usize,
    drift: usize,
    /// Number of samples.
    end: usize,
    /// The squared distance of moments at which a cut costs 1.
    alike: f32,
    /// How often each cell has been played.
    played: Vec<usize>,
    /// The beat at the start of the variation.
    clock: Option<f64>,
}

impl Search<'_> {
    /// A chunk, and where the next one starts.
    fn chunk(&self, start: &Start) -> (Chunk, Start) {
        let &Start { at, first, .. } = start;
        let room = phrase_of(self.phrases, first).end.saturating_sub(first).max(1);
        let latest = (at + room).min(self.end);
        let leave = self.leave(start, latest);
        let until = |cut: usize| Chunk { first, cells: cut - at };
        if latest == self.end && self.end - leave < self.shortest {
            return (until(latest), Start { at: latest, first, followed: latest });
        }
        // The last chunk should not be too short either.
        let late = (leave + self.shortest).min(latest).min(self.end.saturating_sub(self.shortest));
        let early = leave.saturating_sub(self.shortest).max(at + self.shortest);
        let cuts = if early <= late { early..late + 1 } else { leave..leave + 1 };
        match self.cut(start, leave, cuts) {
            Some((cut, enter)) => (until(cut), Start { at: cut, first: enter, followed: leave.max(cut) }),
            None => {
                (until(latest), Start { at: latest, first: self.nearest_start(latest), followed: latest })
            }
        }
    }

    /// The sample at which the trajectory leaves the cells that the chunk would play, or at which they were played before; at most `latest`.
    fn leave(&self, start: &Start, latest: usize) -> usize {
        let cells = &self.itinerary.cells;
        let from = (start.at + self.shortest).min(latest);
        let followed = start.followed.min(from);
        let Some(entered) = cells.get(followed) else { return latest };
        let is_elsewhere = |at: &usize| {
            let cell = cells.get(*at).copied().unwrap_or_default();
            let plays_again = self.played.get(start.first + at - start.at).is_some_and(|times| *times > 0);
            plays_again || cell.abs_diff(entered + at - followed) > self.drift
        };
        (from..latest).find(is_elsewhere).unwrap_or(latest)
    }

    /// The best cut among samples: where it is, and the cell that comes next.
    fn cut(&self, start: &Start, leave: usize, cuts: Range<usize>) -> Option<(usize, usize)> {
        let needed = |cut: usize| self.shortest.min(self.end.saturating_sub(cut));
        let candidates = self.candidates(leave, needed(leave));
        let own = self.phrase(start.first);
        let mut best: Option<(f32, usize, usize)> = None;
        for cut in cuts {
            let end = start.first + (cut - start.at);
            for &(enter, cost) in &candidates {
                let phrase = self.phrase(enter);
                let continues = phrase == own && enter.abs_diff(end) <= self.shortest / 2;
                let is_worse = |cost: f32| best.is_some_and(|(least, ..)| cost >= least);
                if continues || is_worse(cost) {
                    continue;
                }
                let distance = self.fit.moments.squared_distance(end + own, enter + phrase);
                let cost = cost + distance / self.alike + self.off_count(cut, enter);
                if !is_worse(cost) {
                    best = Some((cost, cut, enter));
                }
            }
        }
        best.map(|(_, cut, enter)| (cut, enter))
    }

    /// Cells at which a chunk of `needed` cells can start, and what that costs at a sample of the trajectory.
    fn candidates(&self, leave: usize, needed: usize) -> Vec<(usize, f32)> {
        let Some(here) = self.itinerary.points.get(leave) else { return Vec::new() };
        let mut played_before = Vec::with_capacity(self.played.len() + 1);
        played_before.push(0usize);
        let mut sum = 0;
        for played in &self.played {
            sum += *played;
            played_before.push(sum);
        }
        let played = |range: Range<usize>| {
            let until = |cell: usize| played_before.get(cell).copied().unwrap_or(sum);
            (until(range.end) - until(range.start)) as f32 / range.len().max(1) as f32
        };
        let far = |cell: usize| {
            let point = self.cell_map.points().get(cell).copied().unwrap_or_default();
            let squared: f64 = point.iter().zip(here).map(|(a, b)| (a - b).powi(2)).sum();
            (squared / self.cell_map.size().powi(2)) as f32
        };
        let starts = |phrase: &Range<usize>| phrase.start..(phrase.end + 1).saturating_sub(needed.max(1));
        let mut near: Vec<(usize, f32)> =
            self.phrases.iter().flat_map(starts).map(|cell| (cell, far(cell))).collect();
        if near.len() > MAX_CANDIDATES {
            near.select_nth_unstable_by(MAX_CANDIDATES, |a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            near.truncate(MAX_CANDIDATES);
            near.sort_unstable_by_key(|(cell, _)| *cell);
        }
        let cost = |(cell, far): (usize, f32)| (cell, FAR * far + AGAIN * played(cell..cell + self.turn));
        near.into_iter().map(cost).collect()
    }

    /// What it costs that a chunk starts off the count.
    fn off_count(&self, cut: usize, enter: usize) -> f32 {
        let (Some(clock), Some(count)) = (self.clock, self.fit.count) else { return 0.0 };
        let beat = count.beats.get(enter).copied().unwrap_or_default();
        let off = clock + count.tempo * cut as f64 - beat;
        ((off - off.round()) / OFF_COUNT).powi(2) as f32
    }

    /// The cell that the trajectory visits, or an earlier one of its phrase from which a chunk can start.
    fn nearest_start(&self, at: usize) -> usize {
        let cell = self.itinerary.cells.get(at).copied().unwrap_or_default();
        let phrase = phrase_of(self.phrases, cell);
        let needed = self.shortest.min(self.end.saturating_sub(at));
        cell.min(phrase.end.saturating_sub(needed)).max(phrase.start)
    }

    /// The number of the phrase of a cell. Each phrase has one border more than cells.
    fn phrase(&self, cell: usize) -> usize {
        self.phrases.partition_point(|phrase| phrase.end <= cell)
    }
}

#[cfg(test)]
mod tests {
    use marey_plan::Seed;
    use proptest::prelude::*;

    use super::*;
    use crate::VariationStatistics;

    /// A step of a dance that repeats, in cells.
    const STEP: usize = 12;

    /// Phrases of a dance that repeats its step, with a row for each border.
    fn steps(lengths: &[usize]) -> (Vec<Range<usize>>, DanceMoments) {
        let mut phrases: Vec<Range<usize>> = Vec::new();
        let mut rows = Vec::new();
        for length in lengths {
            let start = phrases.last().map_or(0, |phrase| phrase.end);
            phrases.push(start..start + length);
            for border in 0..=*length {
                let (sin, cos) = (border as f32 / STEP as f32 * std::f32::consts::TAU).sin_cos();
                rows.extend([sin, cos, 0.0, 0.0, 0.0, 0.0]);
            }
        }
        (phrases, DanceMoments::from_rows(1, rows))
    }

    fn vary(lengths: &[usize], settings: &VarySettings, seed: u64, count: Option<&DanceCount>) -> Vec<Chunk> {
        let (phrases, moments) = steps(lengths);
        let cells = lengths.iter().sum();
        let cell_map = CellMap::new(cells, settings).unwrap();
        let itinerary = cell_map.vary(Seed(seed), 0.3, cells).unwrap();
        fitted_chunks(&cell_map, &itinerary, &phrases, settings, CutFit { moments: &moments, count })
    }

    #[test]
    fn a_step_that_begins_before_a_cut_ends_after_it() {
        for (lengths, seed) in [([600].as_slice(), 1), (&[600], 2), (&[240, 130, 300], 3)] {
            let settings = VarySettings::for_motion(30.0, 600);
            let chunks = vary(lengths, &settings, seed, None);
            assert!(chunks.len() > 5, "{chunks:?}");
            let starts = |phrase: usize| lengths[..phrase].iter().sum::<usize>();
            let (phrases, _) = steps(lengths);
            let step = |cell: usize, phrase: usize| (cell - starts(phrase)) % STEP;
            let phrase = |cell: usize| phrases.iter().position(|phrase| phrase.contains(&cell)).unwrap();
            for pair in chunks.windows(2) {
                let own = phrase(pair[0].first);
                let (end, enter) = (step(pair[0].end(), own), step(pair[1].first, phrase(pair[1].first)));
                let off = end.abs_diff(enter);
                assert!(off.min(STEP - off) <= 1, "seed {seed}: {pair:?}");
            }
        }
    }

    #[test]
    fn what_was_played_is_avoided() {
        let settings = VarySettings::for_motion(30.0, 600);
        let original: Vec<usize> = (0..600).collect();
        let used = |chunks: &[Chunk]| {
            let played: Vec<usize> = chunks.iter().flat_map(Chunk::range).collect();
            VariationStatistics::new(&original, &played).used
        };
        let seeds = 0..8;
        let fitted: f64 = seeds.clone().map(|seed| used(&vary(&[600], &settings, seed, None))).sum();
        let cell_map = CellMap::new(600, &settings).unwrap();
        let free = |seed| {
            let itinerary = cell_map.vary(Seed(seed), 0.3, 600).unwrap();
            used(&crate::chunks(&itinerary.cells, std::slice::from_ref(&(0..600)), &settings))
        };
        let free: f64 = seeds.map(free).sum();
        assert!(fitted / 8.0 > 0.7 && fitted > 1.2 * free, "{fitted} and {free} of 8");
    }

    #[test]
    fn the_count_is_kept() {
        // Beats of 10.5 cells, which have nothing to do with the steps.
        let tempo = 1.0 / 10.5;
        let count = DanceCount { beats: (0..600).map(|cell| cell as f64 * tempo).collect(), tempo };
        let settings = VarySettings::for_motion(30.0, 600);
        for seed in 0..5 {
            let chunks = vary(&[600], &settings, seed, Some(&count));
            let mut at = 0;
            for chunk in &chunks {
                let off = (chunk.first as f64 - chunks[0].first as f64 - at as f64) * tempo;
                assert!((off - off.round()).abs() < 0.1, "seed {seed}, cell {at}: {chunk:?}");
                at += chunk.cells;
            }
        }
    }

    proptest! {
        #[test]
        fn chunks_fill_the_variation_and_stay_in_their_phrases(
            lengths in prop::collection::vec(1usize..80, 1..5),
            seed in 0u64..1000,
            min_chunk_cells in 1usize..20,
            keep_first: bool,
            keep_last: bool,
        ) {
            let cells: usize = lengths.iter().sum();
            prop_assume!(cells >= 4);
            let settings = VarySettings { min_chunk_cells, keep_first, keep_last, ..VarySettings::for_motion(30.0, cells) };
            let chunks = vary(&lengths, &settings, seed, None);
            prop_assert_eq!(chunks.iter().map(|chunk| chunk.cells).sum::<usize>(), cells);
            let (phrases, _) = steps(&lengths);
            for chunk in &chunks {
                let phrase = phrase_of(&phrases, chunk.first);
                prop_assert!(chunk.end() <= phrase.end, "{:?} in {:?}", chunk, phrase);
            }
            if keep_first {
                prop_assert_eq!(chunks[0].first, 0);
            }
            if keep_last {
                prop_assert_eq!(chunks.last().unwrap().end(), cells);
            }
        }
    }
}
