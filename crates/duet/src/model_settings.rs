//! Settings of [`DuetModel::train`](crate::DuetModel::train).

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuetModelSettings {
    /// Whether the two make exchanges, both at once; default `None`: if the labels of both are at
    /// the same times.
    pub in_unison: Option<bool>,
    /// Fraction of each row of transitions given to kinematic transitions; default 0.05; 0 to 1.
    pub kinematic_share: f64,
    /// A kinematic transition leads to a group that starts within this distance of the end of
    /// another, root mean square over feet, hands, head and hips, in metres; default 0.08; 0 to 10.
    pub kinematic_m: f32,
    /// Cross edges with a lower probability are dropped; default 0.02; 0 to 1.
    pub min_cross: f64,
    /// β: the weight of distance and facing; default 1; 0.001 to 1000.
    pub sharpness: f64,
}

impl Default for DuetModelSettings {
    fn default() -> Self {
        Self { in_unison: None, kinematic_share: 0.05, kinematic_m: 0.08, min_cross: 0.02, sharpness: 1.0 }
    }
}

impl DuetModelSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("kinematic_share", self.kinematic_share, 0.0..=1.0)?;
        OutOfRange::check("kinematic_m", self.kinematic_m, 0.0..=10.0)?;
        OutOfRange::check("min_cross", self.min_cross, 0.0..=1.0)?;
        OutOfRange::check("sharpness", self.sharpness, 0.001..=1000.0)?;
        Ok(())
    }
}
