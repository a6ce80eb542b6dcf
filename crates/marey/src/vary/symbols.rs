//! Variation of a row of symbols: lines, words or keyframes.

use super::{CellMap, Chunk, Itinerary, VariationStatistics, VaryDetails, VaryRequest, VarySettings, chunks};
use crate::Error;
use crate::plan::Seed;

/// A row of symbols, wrapped around the attractor of a request. The defaults of the request are [`VarySettings::for_symbols`].
pub(super) struct SymbolJob {
    count: usize,
    settings: VarySettings,
    cell_map: CellMap,
}

impl SymbolJob {
    pub(super) fn new(count: usize, request: &VaryRequest) -> Result<Self, Error> {
        let settings = request.settings(VarySettings::for_symbols(count));
        let cell_map = CellMap::new(count.div_ceil(settings.elements_per_cell.max(1)), &settings)?;
        Ok(Self { count, settings, cell_map })
    }

    /// The symbols of the variation with a seed, by index. The duration of a cell in the details is 0.
    pub(super) fn run(&self, seed: u64) -> Result<(Vec<usize>, VaryDetails), Error> {
        let cells = self.cell_map.points().len();
        let whole = 0..cells;
        let split =
            |itinerary: &Itinerary| chunks(&itinerary.cells, std::slice::from_ref(&whole), &self.settings);
        let (itinerary, chunks) = self.cell_map.variation(&self.settings, Seed(seed), cells, split)?;
        let per_cell = self.settings.elements_per_cell;
        let of_cell = |cell: &usize| cell * per_cell..((cell + 1) * per_cell).min(self.count);
        let played: Vec<usize> = chunks.iter().flat_map(Chunk::range).collect();
        let symbols = played.iter().flat_map(of_cell).collect();
        let original: Vec<usize> = (0..cells).collect();
        let details = VaryDetails {
            seed,
            reference: self.cell_map.points().into(),
            itinerary,
            statistics: VariationStatistics::new(&original, &played),
            chunks,
            cell_secs: 0.0,
        };
        Ok((symbols, details))
    }
}
