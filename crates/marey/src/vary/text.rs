//! Variation of text, line by line or word by word.

use super::{CellMap, Chunk, Itinerary, VariationStatistics, VaryDetails, VaryRequest, VarySettings, chunks};
use crate::Error;
use crate::plan::Seed;

/// A text that is wrapped around the attractor of a request. Uses the attractor and chunk settings of the request; its
/// defaults are [`VarySettings::for_symbols`].
pub struct TextJob {
    parts: Vec<String>,
    separator: &'static str,
    settings: VarySettings,
    cell_map: CellMap,
}

/// What a text is split into.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TextUnit {
    /// Lines that are not blank. The default.
    #[default]
    Lines,
    /// Words, separated by white space.
    Words,
}

impl TextJob {
    /// Splits a text and wraps it around the attractor.
    ///
    /// ```
    /// use marey::vary::VaryRequest;
    /// use marey::vary::text::{TextJob, TextUnit};
    /// let job = TextJob::new("to be or not to be that is", TextUnit::Words, &VaryRequest::default())?;
    /// let (text, details) = job.run(1)?;
    /// assert_eq!(text.split_whitespace().count(), 8);
    /// assert_eq!(details.seed, 1);
    /// # Ok::<(), marey::Error>(())
    /// ```
    pub fn new(text: &str, unit: TextUnit, request: &VaryRequest) -> Result<Self, Error> {
        let (parts, separator): (Vec<String>, _) = match unit {
            TextUnit::Words => (text.split_whitespace().map(str::to_owned).collect(), " "),
            TextUnit::Lines => {
                (text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect(), "\n")
            }
        };
        let settings = request.settings(VarySettings::for_symbols(parts.len()));
        let cell_map = CellMap::new(parts.len().div_ceil(settings.elements_per_cell.max(1)), &settings)?;
        Ok(Self { parts, separator, settings, cell_map })
    }

    /// Makes the variation with a seed. The duration of a cell in the details is 0.
    pub fn run(&self, seed: u64) -> Result<(String, VaryDetails), Error> {
        let cells = self.cell_map.points().len();
        let whole = 0..cells;
        let split =
            |itinerary: &Itinerary| chunks(&itinerary.cells, std::slice::from_ref(&whole), &self.settings);
        let (itinerary, chunks) = self.cell_map.variation(&self.settings, Seed(seed), cells, split)?;
        let parts_of_cell = |cell: usize| {
            let count = self.settings.elements_per_cell;
            self.parts.iter().skip(cell * count).take(count).map(String::as_str)
        };
        let played: Vec<usize> = chunks.iter().flat_map(Chunk::range).collect();
        let parts: Vec<&str> = played.iter().copied().flat_map(parts_of_cell).collect();
        let original: Vec<usize> = (0..cells).collect();
        let details = VaryDetails {
            seed,
            reference: self.cell_map.points().into(),
            itinerary,
            statistics: VariationStatistics::new(&original, &played),
            chunks,
            cell_secs: 0.0,
        };
        Ok((parts.join(self.separator) + "\n", details))
    }
}
