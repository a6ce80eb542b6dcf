//! Generates each example from a request.

use marey_body::BodyProportions;

use super::{ExampleName, ExampleRequest, GeneratedExample};
use crate::ballet::{BalletSettings, ballet};
use crate::lindy::{self, LindySettings};
#[cfg(feature = "luxo")]
use crate::luxo::{self, LuxoSettings};
use crate::playground::{self, Cycle, PlaygroundSettings};
use crate::taekwondo::{TaekwondoSettings, taekwondo};
use crate::walk::{WalkSettings, drawn_path, walk};
use crate::waltz::{WaltzSettings, waltz};
use crate::{GaitStyle, Result};

/// How much shorter a follower is than a leader of a given height, in metres.
const FOLLOWER_SHORTER_M: f32 = 0.12;
/// Share of a walk's episodes that go backwards or sideways.
const BACKWARD_OR_SIDEWAYS: f32 = 0.15;
/// Default duration of walks and waltzes, in seconds.
const DURATION_SECS: f64 = 30.0;
/// Duration of a preview, in seconds.
const PREVIEW_SECS: f64 = 14.0;
/// A preview contains one in this many ballet phrases.
const PREVIEW_PHRASES: usize = 10;

impl ExampleRequest {
    /// Generates the example: one motion, or several.
    pub fn generate(&self) -> Result<Vec<GeneratedExample>> {
        match self.name {
            ExampleName::Ballet => self.ballet(),
            ExampleName::Lindy => self.lindy(),
            #[cfg(feature = "luxo")]
            ExampleName::Luxo => self.luxo(),
            ExampleName::Playground => self.playground(),
            ExampleName::Taekwondo => self.taekwondo(),
            ExampleName::Walk => self.walk(),
            ExampleName::Waltz => self.waltz(),
        }
    }

    fn walk(&self) -> Result<Vec<GeneratedExample>> {
        let defaults = WalkSettings::default();
        let style = self.style.unwrap_or(defaults.style);
        let settings = WalkSettings {
            seed: self.seed,
            duration_secs: self.duration_secs(DURATION_SECS),
            rate_hz: self.rate_hz,
            noise_mm: self.noise_mm.unwrap_or(0.0),
            backward_or_sideways: BACKWARD_OR_SIDEWAYS,
            body: self.body(defaults.body, 0.0),
            style: GaitStyle { speed_mps: self.speed_mps.unwrap_or(style.speed_mps), ..style },
            ..defaults
        };
        let example = walk(&settings)?;
        let path = Some(drawn_path(&example.take));
        Ok(vec![GeneratedExample { path, ..example.into() }])
    }

    fn waltz(&self) -> Result<Vec<GeneratedExample>> {
        let defaults = WaltzSettings::default();
        let settings = WaltzSettings {
            seed: self.seed,
            duration_secs: self.duration_secs(DURATION_SECS),
            rate_hz: self.rate_hz,
            noise_mm: self.noise_mm.unwrap_or(0.0),
            leader: self.body(defaults.leader, 0.0),
            follower: self.body(defaults.follower, FOLLOWER_SHORTER_M),
            ..defaults
        };
        Ok(vec![waltz(&settings)?.into()])
    }

    fn taekwondo(&self) -> Result<Vec<GeneratedExample>> {
        let defaults = TaekwondoSettings::default();
        let settings = TaekwondoSettings {
            seed: self.seed,
            duration_secs: self.duration_secs(defaults.duration_secs),
            rate_hz: self.rate_hz,
            noise_mm: self.noise_mm.unwrap_or(0.0),
            red: self.body(defaults.red, 0.0),
            blue: self.body(defaults.blue, 0.0),
        };
        Ok(vec![taekwondo(&settings)?.into()])
    }

    fn ballet(&self) -> Result<Vec<GeneratedExample>> {
        let defaults = BalletSettings::default();
        let settings = BalletSettings {
            seed: self.seed,
            rate_hz: self.rate_hz,
            noise_mm: self.noise_mm.unwrap_or(0.0),
            body: self.body(defaults.body, 0.0),
            ..defaults
        };
        let step = if self.is_preview { PREVIEW_PHRASES } else { 1 };
        Ok(ballet(&settings)?.into_iter().step_by(step).map(GeneratedExample::from).collect())
    }

    fn lindy(&self) -> Result<Vec<GeneratedExample>> {
        let defaults = LindySettings::default();
        let settings = LindySettings {
            seed: self.seed,
            rate_hz: self.rate_hz,
            noise_mm: self.noise_mm.unwrap_or(0.0),
            leader: self.body(defaults.leader, 0.0),
            follower: self.body(defaults.follower, FOLLOWER_SHORTER_M),
        };
        let mut dances = lindy::database(&settings)?;
        if self.is_preview {
            dances.truncate(1);
        } else {
            dances.extend(lindy::tests(&settings)?);
        }
        Ok(dances.into_iter().map(GeneratedExample::from).collect())
    }

    #[cfg(feature = "luxo")]
    fn luxo(&self) -> Result<Vec<GeneratedExample>> {
        let settings = LuxoSettings { seed: self.seed, rate_hz: self.rate_hz, ..LuxoSettings::default() };
        let generated = luxo::datasets(&settings)?
            .map(|crossing| GeneratedExample { terrain: Some(crossing.terrain), ..crossing.example.into() });
        Ok(generated.into())
    }

    fn playground(&self) -> Result<Vec<GeneratedExample>> {
        let settings = self.playground_settings();
        let mut generated: Vec<GeneratedExample> =
            playground::streams(&settings)?.into_iter().map(GeneratedExample::from).collect();
        if self.is_preview {
            generated.drain(..generated.len().saturating_sub(1));
        }
        for cycle in Cycle::ALL {
            generated.push(playground::cycle(cycle, &settings.body, self.rate_hz)?.into());
        }
        Ok(generated)
    }

    /// The settings of the performers of `playground`.
    pub fn playground_settings(&self) -> PlaygroundSettings {
        let defaults = PlaygroundSettings::default();
        PlaygroundSettings {
            seed: self.seed,
            rate_hz: self.rate_hz,
            noise_mm: self.noise_mm.unwrap_or(defaults.noise_mm),
            marker_noise_mm: self.noise_mm.unwrap_or(defaults.marker_noise_mm),
            ..defaults
        }
    }

    fn duration_secs(&self, default: f64) -> f64 {
        self.duration_secs.unwrap_or(if self.is_preview { PREVIEW_SECS } else { default })
    }

    fn body(&self, body: BodyProportions, shorter_m: f32) -> BodyProportions {
        BodyProportions {
            height_m: self.height_m.map_or(body.height_m, |height_m| height_m - shorter_m),
            ..body
        }
    }
}
