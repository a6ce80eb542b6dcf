//! How a session goes.

use crate::composition::CompositionSettings;
use crate::intention::IntentionSettings;

/// How a session goes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Settings {
    /// When a performer is taken to imitate an example.
    pub intention: IntentionSettings,
    /// How performance and example are mixed.
    pub composition: CompositionSettings,
}

impl Settings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), marey_ops::OutOfRange> {
        self.intention.validate()?;
        self.composition.validate()
    }
}
