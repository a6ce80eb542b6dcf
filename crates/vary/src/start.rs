//! Choosing where the trajectory of a variation starts.

use std::ops::Range;

use marey_plan::Seed;

use crate::{CellMap, Chunk, Itinerary, Result, VaryError, VarySettings};

/// The distances that are tried, from near to far, relative to the attractor's size. Further away, trajectories take long to come back.
const SHIFTS: [f64; 9] = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.0, 1.5];
/// Directions that are tried at each distance, before farther ones.
const DIRECTIONS: u64 = 3;
/// How often all distances are tried, each time in other directions: short sequences have few starts that move enough.
const ROUNDS: u64 = 8;
/// The part of the places that must hold another cell than in the original, within the first turn and in all.
const LEAST_MOVED: f64 = 0.5;

impl CellMap {
    /// A variation of `cells` cells. If the settings leave the start open, it is the nearest one to the original's that moves half of the
    /// cells or more, both within the first turn and in all.
    ///
    /// # Errors
    /// If no start does, because the sequence is too short; with a given start, if nothing is moved.
    pub fn variation(
        &self,
        settings: &VarySettings,
        seed: Seed,
        cells: usize,
        chunks: impl Fn(&Itinerary) -> Vec<Chunk>,
    ) -> Result<(Itinerary, Vec<Chunk>)> {
        let kept = |keeps: bool| if keeps { settings.min_chunk_cells } else { 0 };
        let end = cells.min(self.points().len()).saturating_sub(kept(settings.keep_last));
        let start = kept(settings.keep_first).min(end);
        let first_turn = start..(start + settings.cells_per_turn.ceil() as usize).min(end);
        let shifts = settings.shift.as_ref().map_or(SHIFTS.as_slice(), std::slice::from_ref);
        let (rounds, directions) = if settings.shift.is_some() { (1, 1) } else { (ROUNDS, DIRECTIONS) };
        let in_round = |round: u64| {
            let directions = round * directions..(round + 1) * directions;
            shifts.iter().flat_map(move |shift| directions.clone().map(move |direction| (*shift, direction)))
        };
        for (shift, direction) in (0..rounds).flat_map(in_round) {
            let itinerary = match self.vary_towards(seed, direction, shift, cells) {
                // So far away, the system does not come back to the attractor.
                Err(VaryError::Diverges { .. }) if shift > SHIFTS[0] && settings.shift.is_none() => continue,
                itinerary => itinerary?,
            };
            let chunks = chunks(&itinerary);
            let played: Vec<usize> = chunks.iter().flat_map(Chunk::range).collect();
            let [at_first, in_all] = [first_turn.clone(), start..end].map(|places| moved(&played, places));
            let is_varied = match settings.shift {
                Some(_) => in_all > 0.0,
                None => at_first.min(in_all) >= LEAST_MOVED,
            };
            if is_varied {
                return Ok((itinerary, chunks));
            }
        }
        Err(VaryError::Unchanged { cells: self.points().len(), shortest: settings.min_chunk_cells })
    }
}

/// The part of some places that hold another cell than in the original.
fn moved(played: &[usize], places: Range<usize>) -> f64 {
    let count = places.len().max(1) as f64;
    let moved = places.filter(|place| played.get(*place) != Some(place)).count();
    moved as f64 / count
}
