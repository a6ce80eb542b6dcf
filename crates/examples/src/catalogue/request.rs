//! A request for an example.

use serde::{Deserialize, Serialize};

use super::ExampleName;
use crate::GaitStyle;

/// A request for an example. A setting that is `None` has the default of the example.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExampleRequest {
    /// The example; default `walk`.
    pub name: ExampleName,
    /// Random seed; default 0.
    pub seed: u64,
    /// Duration in seconds, for walk, waltz and taekwondo; default 30, taekwondo 180.
    pub duration_secs: Option<f64>,
    /// Frame rate in Hz; default 60.
    pub rate_hz: f64,
    /// Body height in metres; a follower is 0.12 m shorter.
    pub height_m: Option<f32>,
    /// Style of a walk.
    pub style: Option<GaitStyle>,
    /// Preferred speed of a walk, in metres per second.
    pub speed_mps: Option<f32>,
    /// Standard deviation of the capture noise, in millimetres; default 0, for markers 1.
    pub noise_mm: Option<f32>,
    /// Whether to generate a short selection only, in seconds instead of minutes; default false.
    pub is_preview: bool,
}

impl Default for ExampleRequest {
    fn default() -> Self {
        Self::new(ExampleName::Walk)
    }
}

impl ExampleRequest {
    /// An example with its defaults.
    pub fn new(name: ExampleName) -> Self {
        Self {
            name,
            seed: 0,
            duration_secs: None,
            rate_hz: 60.0,
            height_m: None,
            style: None,
            speed_mps: None,
            noise_mm: None,
            is_preview: false,
        }
    }

    /// The name of a setting that is given but has no meaning for this example.
    pub fn unused_setting(&self) -> Option<&'static str> {
        let is_walk = self.name == ExampleName::Walk;
        let settings = [
            ("duration", self.duration_secs.is_some(), self.name.has_duration()),
            ("speed", self.speed_mps.is_some(), is_walk),
            ("style", self.style.is_some(), is_walk),
            ("height", self.height_m.is_some(), self.name.has_height()),
            ("noise", self.noise_mm.is_some(), self.name.has_noise()),
        ];
        settings.into_iter().find_map(|(name, is_given, is_used)| (is_given && !is_used).then_some(name))
    }
}
