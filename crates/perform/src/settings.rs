//! Settings of a session.

use crate::composition::CompositionSettings;
use crate::intention::IntentionSettings;

/// Settings of a session.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PerformSettings {
    /// Recognition of imitation.
    pub intention: IntentionSettings,
    /// Composition of performance and example.
    pub composition: CompositionSettings,
}

impl PerformSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), marey_ops::OutOfRange> {
        self.intention.validate()?;
        self.composition.validate()
    }
}
