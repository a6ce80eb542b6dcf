//! Text, varied line by line or word by word.

use std::path::Path;

use marey::inputs;
use marey::plan::Seed;
use marey::vary::{Chunk, Settings, Variation, Wrapped, chunks};

use crate::failure::Failure;

/// A text, parted into what is varied.
pub(super) struct Text {
    parts: Vec<String>,
    /// What is put between parts.
    between: &'static str,
}

impl Text {
    /// The lines of a file that are not blank, or its words.
    pub(super) fn read(path: &Path, by_words: bool) -> Result<Self, Failure> {
        let text = inputs::text(path)?;
        let own = |part: &str| part.to_owned();
        Ok(if by_words {
            Self { parts: text.split_whitespace().map(own).collect(), between: " " }
        } else {
            Self {
                parts: text.lines().filter(|line| !line.trim().is_empty()).map(own).collect(),
                between: "\n",
            }
        })
    }

    /// Around its attractor.
    pub(super) fn wrapped(&self, settings: &Settings) -> Result<Wrapped, Failure> {
        Ok(Wrapped::new(self.parts.len().div_ceil(settings.elements_per_cell.max(1)), settings)?)
    }

    /// The variation of a seed: its text, how it came about, and what is left of the original.
    pub(super) fn vary(
        &self,
        wrapped: &Wrapped,
        settings: &Settings,
        seed: Seed,
    ) -> Result<(String, Variation, Vec<Chunk>), Failure> {
        let cells = wrapped.points().len();
        let variation = wrapped.vary(seed, cells)?;
        let chunks = chunks(&variation.cells, std::slice::from_ref(&(0..cells)), settings);
        let of_cell = |cell: usize| {
            let each = settings.elements_per_cell;
            self.parts.iter().skip(cell * each).take(each).map(String::as_str)
        };
        let played: Vec<&str> = chunks.iter().flat_map(Chunk::range).flat_map(of_cell).collect();
        Ok((played.join(self.between) + "\n", variation, chunks))
    }
}
