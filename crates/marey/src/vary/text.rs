//! Variation of text, line by line or word by word.

use super::symbols::SymbolJob;
use super::{VaryDetails, VaryRequest};
use crate::Error;

/// A text that is wrapped around the attractor of a request. Uses the attractor and chunk settings of the request; its
/// defaults are [`VarySettings::for_symbols`](super::VarySettings::for_symbols).
pub struct TextJob {
    parts: Vec<String>,
    separator: &'static str,
    symbols: SymbolJob,
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
        let symbols = SymbolJob::new(parts.len(), request)?;
        Ok(Self { parts, separator, symbols })
    }

    /// Makes the variation with a seed. The duration of a cell in the details is 0.
    pub fn run(&self, seed: u64) -> Result<(String, VaryDetails), Error> {
        let (order, details) = self.symbols.run(seed)?;
        let parts: Vec<&str> =
            order.into_iter().filter_map(|part| self.parts.get(part)).map(String::as_str).collect();
        Ok((parts.join(self.separator) + "\n", details))
    }
}
