//! Settings of [`label`](crate::label()).

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of the search for movements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DuetLabelSettings {
    /// Whether both people are cut together into exchanges, like a dancing couple; default `None`:
    /// true if a hand or foot is within 0.3 m of the partner for more than 0.6 of the time, or if
    /// steps leave more than half of the actor-time outside movements. Exchanges are similar only
    /// if both people do the same.
    pub in_unison: Option<bool>,
    /// Whether both feet must be planted at a cut; default true. A movement that starts in the middle
    /// of a hop cannot follow anything else, and there are half as many cut points to search. False
    /// is the paper's rule.
    pub both_feet: bool,
    /// Minimum frequency of the posture at a cut, relative to the most common one; default 0.3; 0 to 1.
    /// A movement that starts in a rare posture can follow little else. 0 is the paper's rule.
    pub commonness: f64,
    /// Postures closer than this count as the same, root mean square over feet, hands, head and hips,
    /// in metres; 0 to 10. Default `None`: from the distances between nearest postures, at least 0.08.
    pub posture_m: Option<f32>,
    /// L: maximum number of consecutive cut points that a movement skips; default 3; 0 to 20. Limits
    /// the length of movements.
    pub max_skipped: usize,
    /// Maximum duration of a movement that skips a cut point, in seconds; default 3; 0.1 to 60.
    pub max_secs: f64,
    /// γ: maximum distance of a movement from the mean of its group, root mean square over feet,
    /// hands, head and hip height, in metres; 0.001 to 10. Default `None`: the median distance between
    /// nearest movements, at least 0.03. The paper's value is 40 for the whole vector, in centimetres
    /// over 25 frames, which is 3.3 cm here.
    pub max_radius_m: Option<f32>,
    /// δ: minimum distance between the means of two groups, in metres; 0 to 10. Default `None`: half
    /// of γ, as in the paper.
    pub min_spacing_m: Option<f32>,
    /// Weight of the travel over the floor relative to posture; default 0.15, so that 20 cm count as 3;
    /// 0 to 10. 0 is the paper's rule.
    pub travel_weight: f32,
    /// Maximum time shift when movements are compared, as a fraction of the longer one; default 0.25;
    /// 0 to 1.
    pub warp: f64,
    /// Number of genes in a generation; default 40, as in the paper; 2 to 10000.
    pub population: usize,
    /// Number of generations; default 10000, as in the paper; 1 to 1000000.
    pub iterations: u32,
    /// Stops if the best gene has not improved for this many generations; default `None`: never.
    pub plateau: Option<u32>,
}

impl Default for DuetLabelSettings {
    fn default() -> Self {
        Self {
            in_unison: None,
            both_feet: true,
            commonness: 0.3,
            posture_m: None,
            max_skipped: 3,
            max_secs: 3.0,
            max_radius_m: None,
            min_spacing_m: None,
            travel_weight: 0.15,
            warp: 0.25,
            population: 40,
            iterations: 10_000,
            plateau: None,
        }
    }
}

impl DuetLabelSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        let check_count = |name, value: usize, low: u32, high: u32| {
            OutOfRange::check(name, u32::try_from(value).unwrap_or(u32::MAX), low..=high)
        };
        OutOfRange::check("commonness", self.commonness, 0.0..=1.0)?;
        OutOfRange::check("posture_m", self.posture_m.unwrap_or(0.0), 0.0..=10.0)?;
        check_count("max_skipped", self.max_skipped, 0, 20)?;
        OutOfRange::check("max_secs", self.max_secs, 0.1..=60.0)?;
        OutOfRange::check("max_radius_m", self.max_radius_m.unwrap_or(1.0), 0.001..=10.0)?;
        OutOfRange::check("min_spacing_m", self.min_spacing_m.unwrap_or(1.0), 0.0..=10.0)?;
        OutOfRange::check("travel_weight", self.travel_weight, 0.0..=10.0)?;
        OutOfRange::check("warp", self.warp, 0.0..=1.0)?;
        check_count("population", self.population, 2, 10_000)?;
        OutOfRange::check("iterations", self.iterations, 1..=1_000_000)?;
        OutOfRange::check("plateau", self.plateau.unwrap_or(1), 1..=1_000_000)?;
        Ok(())
    }
}
