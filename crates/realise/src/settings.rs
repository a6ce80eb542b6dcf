//! The settings of every pass.

use serde::{Deserialize, Serialize};

use crate::{Result, constrain, join, plant};

/// Settings of realising a plan, pass by pass.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RealiseSettings {
    /// Whether pieces are placed on the floor as the plan states; default true. Otherwise they stay where
    /// they were recorded.
    pub place: bool,
    /// Whether pieces are stretched in time as the plan states; default true. Otherwise they keep their own
    /// speed, and a piece that ends early holds its last frame.
    pub stretch: bool,
    /// Joins.
    pub join: join::JoinSettings,
    /// Foot-skate clean-up; `None` to switch it off.
    pub plant: Option<plant::PlantSettings>,
    /// Meetings and targets; `None` to switch them off. A [`Machine`](crate::Machine) has only one actor and
    /// ignores them.
    pub constrain: Option<constrain::ConstrainSettings>,
}

impl Default for RealiseSettings {
    fn default() -> Self {
        Self {
            place: true,
            stretch: true,
            join: join::JoinSettings::default(),
            plant: Some(plant::PlantSettings::default()),
            constrain: Some(constrain::ConstrainSettings::default()),
        }
    }
}

impl RealiseSettings {
    /// Settings for live motion: joins continue the velocity of the character, since the future of the
    /// previous source is not known, and feet look ahead a fifth as far, without moving the body.
    pub fn live() -> Self {
        let join =
            join::JoinSettings { method: join::JoinMethod::Inertialise, ..join::JoinSettings::default() };
        let plant = plant::PlantSettings {
            ease_secs: 0.1,
            settle_secs: 0.05,
            least_secs: 0.05,
            root_secs: 0.0,
            ..plant::PlantSettings::default()
        };
        Self { join, plant: Some(plant), ..Self::default() }
    }

    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        self.plant.map_or(Ok(()), |plant| plant.validate())?;
        self.constrain.map_or(Ok(()), |constrain| constrain.validate())?;
        self.join.validate()
    }
}
