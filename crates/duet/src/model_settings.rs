//! How a model is learnt.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// How a model is learnt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSettings {
    /// Whether the two move as one; default `None`: as the recordings have it
    /// ([`LabelSettings::in_unison`](crate::LabelSettings::in_unison)).
    pub in_unison: Option<bool>,
    /// The share of each row of transitions that goes to what postures allow; default 0.05; 0 to 1.
    pub kinematic_share: f64,
    /// A group may follow another by posture where it starts nearer than this to where that one ends, in metres, root mean square over
    /// feet, hands, head and hips; default 0.08; 0 to 10.
    pub kinematic_m: f32,
    /// Cross edges below this probability are none; default 0.02; 0 to 1.
    pub least_cross: f64,
    /// β: how much the distance and the facing count; default 1; 0.001 to 1000.
    pub sharpness: f64,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self { in_unison: None, kinematic_share: 0.05, kinematic_m: 0.08, least_cross: 0.02, sharpness: 1.0 }
    }
}

impl ModelSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("kinematic_share", self.kinematic_share, 0.0..=1.0)?;
        OutOfRange::check("kinematic_m", self.kinematic_m, 0.0..=10.0)?;
        OutOfRange::check("least_cross", self.least_cross, 0.0..=1.0)?;
        OutOfRange::check("sharpness", self.sharpness, 0.001..=1000.0)?;
        Ok(())
    }
}
