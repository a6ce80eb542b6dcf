//! How movements are found in a recorded pair.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// How movements are found in a recorded pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabelSettings {
    /// Whether the two move as one, as a couple that dances does; default `None`: where a hand or a foot of the one is within 0.3 m of the
    /// other for more than 0.6 of the time. Then both are cut once, and movements are alike where both do the same.
    pub in_unison: Option<bool>,
    /// Whether somebody is cut only where both feet stand once one has come down; default true. In the middle of a hop nothing
    /// begins that could be put elsewhere, and there are half as many instants to choose from. False is the paper's rule.
    pub both_feet: bool,
    /// Somebody is cut only in postures that others of these instants share: as many as this share of those that share the commonest
    /// one; default 0.3; 0 to 1. What begins elsewhere could follow little else. 0 is the paper's rule: any.
    pub commonness: f64,
    /// Postures nearer than this are one, in metres, root mean square over feet, hands, head and hips; default `None`: as the recordings
    /// have it, by how near postures are to those that are most like them, but 0.08 at the least; 0 to 10.
    pub posture_m: Option<f32>,
    /// L: how many instants in a row may be passed over, default 3; 0 to 20. So no movement gets too long.
    pub most_skipped: usize,
    /// No movement that passes over an instant is longer, in seconds; default 3; 0.1 to 60.
    pub most_secs: f64,
    /// γ: no movement is further from the middle of its group, root mean square over feet, hands, head and the height of the
    /// hips, in metres; default `None`: as the recordings have it, by how near movements are to those that are most like them, but 0.03 at
    /// the least; 0.001 to 10. The paper has 40 for the whole vector: centimetres over 25 frames, that is 3.3 cm here.
    pub most_radius_m: Option<f32>,
    /// δ: the middles of two groups are no nearer, in metres; default `None`: half of γ, as in the paper; 0 to 10.
    pub least_spacing_m: Option<f32>,
    /// How much it counts how far over the floor a movement goes, beside what it looks like; default 0.15: 20 cm count as 3; 0 to 10. 0
    /// is the paper's rule.
    pub travel_weight: f32,
    /// How far a moment may come early or late when movements are compared, as a share of the longer; default 0.25; 0 to 1.
    pub warp: f64,
    /// How many genes a generation has; default 40, as in the paper; 2 to 10000.
    pub population: usize,
    /// How many generations; default 10000, as in the paper; 1 to 1000000.
    pub iterations: u32,
    /// Stop when the best has not become better for so many generations; default `None`: go on to the end.
    pub plateau: Option<u32>,
}

impl Default for LabelSettings {
    fn default() -> Self {
        Self {
            in_unison: None,
            both_feet: true,
            commonness: 0.3,
            posture_m: None,
            most_skipped: 3,
            most_secs: 3.0,
            most_radius_m: None,
            least_spacing_m: None,
            travel_weight: 0.15,
            warp: 0.25,
            population: 40,
            iterations: 10_000,
            plateau: None,
        }
    }
}

impl LabelSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        let whole = |name, value: usize, low: u32, high: u32| {
            OutOfRange::check(name, u32::try_from(value).unwrap_or(u32::MAX), low..=high)
        };
        OutOfRange::check("commonness", self.commonness, 0.0..=1.0)?;
        OutOfRange::check("posture_m", self.posture_m.unwrap_or(0.0), 0.0..=10.0)?;
        whole("most_skipped", self.most_skipped, 0, 20)?;
        OutOfRange::check("most_secs", self.most_secs, 0.1..=60.0)?;
        OutOfRange::check("most_radius_m", self.most_radius_m.unwrap_or(1.0), 0.001..=10.0)?;
        OutOfRange::check("least_spacing_m", self.least_spacing_m.unwrap_or(1.0), 0.0..=10.0)?;
        OutOfRange::check("travel_weight", self.travel_weight, 0.0..=10.0)?;
        OutOfRange::check("warp", self.warp, 0.0..=1.0)?;
        whole("population", self.population, 2, 10_000)?;
        OutOfRange::check("iterations", self.iterations, 1..=1_000_000)?;
        OutOfRange::check("plateau", self.plateau.unwrap_or(1), 1..=1_000_000)?;
        Ok(())
    }
}
