//! Every pass, and how to switch it off.

use serde::{Deserialize, Serialize};

use crate::{Result, constrain, join, plant};

/// What is done to placements, pass by pass.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Whether examples are put where the plan says; default true. Otherwise they stay where they were recorded.
    pub place: bool,
    /// Whether examples take the time that the plan says; default true. Otherwise they go at their own pace, and where one
    /// ends early its last frame stays.
    pub stretch: bool,
    /// How pieces are made one.
    pub join: join::Settings,
    /// How feet that stand are kept standing; `None`: not at all.
    pub plant: Option<plant::Settings>,
    /// How meetings and targets of a plan are kept; `None`: not at all. A [`Machine`](crate::Machine) knows nothing of other
    /// actors and leaves them alone.
    pub constrain: Option<constrain::Settings>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            place: true,
            stretch: true,
            join: join::Settings::default(),
            plant: Some(plant::Settings::default()),
            constrain: Some(constrain::Settings::default()),
        }
    }
}

impl Settings {
    /// For motion that is decided while it is played: pieces are joined by what the figure was doing, whatever the example before
    /// goes on to, and feet look ahead less than half as far.
    pub fn live() -> Self {
        let join = join::Settings { method: join::Method::Inertialise, ..join::Settings::default() };
        let plant = plant::Settings { ease_secs: 0.1, least_secs: 0.05, ..plant::Settings::default() };
        Self { join, plant: Some(plant), ..Self::default() }
    }

    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        self.plant.map_or(Ok(()), |plant| plant.validate())?;
        self.constrain.map_or(Ok(()), |constrain| constrain.validate())?;
        self.join.validate()
    }
}
