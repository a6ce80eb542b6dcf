//! The settings of a performance session.

use crate::composition::CompositionSettings;
use crate::intention::IntentionSettings;

/// Settings of a [`PerformSession`](crate::PerformSession).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PerformSettings {
    /// Thresholds that recognise what the performer imitates.
    pub intention: IntentionSettings,
    /// Weights that compose the performance with an example.
    pub composition: CompositionSettings,
}

impl PerformSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), marey_ops::OutOfRange> {
        self.intention.validate()?;
        self.composition.validate()
    }
}
