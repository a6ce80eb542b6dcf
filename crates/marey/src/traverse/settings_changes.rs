//! Settings of the engine that a request changes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::TraverseSettings;
use crate::Error;

/// The settings that a request changes, by name. All others keep their defaults for the character, which are known only when the
/// examples are.
///
/// ```
/// use marey::traverse::{TraverseSettings, TraverseSettingsChanges};
/// let changes: TraverseSettingsChanges = serde_json::from_str(r#"{"lookahead": 6}"#)?;
/// let settings = changes.over(&TraverseSettings::for_walkers())?;
/// assert_eq!(settings, TraverseSettings { lookahead: 6, ..TraverseSettings::for_walkers() });
/// // A complete set of settings changes everything.
/// let all = TraverseSettingsChanges::from(TraverseSettings::default());
/// assert_eq!(all.over(&TraverseSettings::for_walkers())?, TraverseSettings::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TraverseSettingsChanges(Map<String, Value>);

impl TraverseSettingsChanges {
    /// The changes applied to some settings.
    ///
    /// # Errors
    ///
    /// If a name is unknown, or a value has another type than the setting.
    pub fn over(&self, defaults: &TraverseSettings) -> Result<TraverseSettings, Error> {
        let Self(mut all) = Self::from(*defaults);
        all.extend(self.0.clone());
        serde_json::from_value(Value::Object(all)).map_err(|error| Error::settings(error.to_string()))
    }
}

impl From<TraverseSettings> for TraverseSettingsChanges {
    fn from(settings: TraverseSettings) -> Self {
        // Settings are a struct of numbers and names, so that they are always an object.
        match serde_json::to_value(settings) {
            Ok(Value::Object(all)) => Self(all),
            _ => Self::default(),
        }
    }
}
