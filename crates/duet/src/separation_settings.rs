//! Settings of [`BodySeparator`](crate::BodySeparator).

use serde::{Deserialize, Serialize};

/// How bodies are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SeparationSettings {
    /// How deep a limb may be in the partner, in metres; default 0.015, because flesh is soft.
    pub overlap_m: f32,
    /// How fast a correction may change, in metres per second; default `None`: at once, so that a
    /// strike stops at the surface.
    pub correction_mps: Option<f32>,
}

impl Default for SeparationSettings {
    fn default() -> Self {
        Self { overlap_m: 0.015, correction_mps: None }
    }
}
