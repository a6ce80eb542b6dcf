//! The request of `traverse`.

use serde::{Deserialize, Serialize};

use super::{CrossingRequest, GroundPath, TraversePreferences, TraverseSettings, TraverseSettingsChanges};
use crate::Error;
use crate::motion::{Skeleton, Terrain};

/// Which terrain to cross, with which examples, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TraverseRequest {
    /// Takes of the corpus to use, by name or `#` and number; default: all.
    pub takes: Vec<String>,
    /// The terrain, in profile; default: 5 m of level ground.
    pub terrain: Terrain,
    /// The path over the floor of which the terrain is the profile; default: straight along +Z.
    pub path: GroundPath,
    /// Preferred hops or strides; default: none.
    pub preferences: TraversePreferences,
    /// Number of hops to look ahead; overrides the settings.
    pub lookahead: Option<usize>,
    /// Start, in metres along the terrain; default: the first footing at 0 m or beyond.
    pub start_m: Option<f32>,
    /// Goal, in metres along the terrain; default: as far as possible.
    pub goal_m: Option<f32>,
    /// Random seed, which picks among candidates of about equal cost; default 0.
    pub seed: u64,
    /// Settings of the engine that differ from those for the character of the examples; default: none.
    pub settings: TraverseSettingsChanges,
}

impl TraverseRequest {
    /// Checks everything that can be checked without the corpus.
    pub fn validate(&self) -> Result<(), Error> {
        let settings = self.settings.over(&TraverseSettings::default())?;
        self.with_lookahead(settings).validate().map_err(Error::settings)?;
        Ok(self.crossing().validate()?)
    }

    /// The settings for a character.
    pub(super) fn settings_for(&self, skeleton: &Skeleton) -> Result<TraverseSettings, Error> {
        Ok(self.with_lookahead(self.settings.over(&TraverseSettings::for_character(skeleton))?))
    }

    fn with_lookahead(&self, settings: TraverseSettings) -> TraverseSettings {
        TraverseSettings { lookahead: self.lookahead.unwrap_or(settings.lookahead), ..settings }
    }

    /// The part of the request that the planner answers.
    pub(super) fn crossing(&self) -> CrossingRequest {
        CrossingRequest {
            terrain: self.terrain.clone(),
            start_m: self.start_m,
            goal_m: self.goal_m,
            path: self.path.clone(),
            preferences: self.preferences.clone(),
        }
    }
}
