//! The request of a crossing: a terrain, a start, a goal and preferences.

use marey_motion::Terrain;

use crate::{GroundPath, Result, TraverseError, TraversePreferences};

/// A terrain to cross, and how the user wants it crossed.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossingRequest {
    /// The terrain, in profile.
    pub terrain: Terrain,
    /// Start, in metres along the terrain. `None`: the first footing at 0 m or beyond.
    pub start_m: Option<f32>,
    /// Goal, in metres along the terrain. `None`: within one longest hop of the last footing.
    pub goal_m: Option<f32>,
    /// The path over the floor of which the terrain is the profile. Legs reach further on the inside of a bend.
    pub path: GroundPath,
    /// Which hops or strides the user prefers.
    pub preferences: TraversePreferences,
}

impl CrossingRequest {
    /// Crosses the whole terrain along a straight path, without preferences.
    pub fn new(terrain: Terrain) -> Self {
        Self {
            terrain,
            start_m: None,
            goal_m: None,
            path: GroundPath::straight(),
            preferences: TraversePreferences::default(),
        }
    }

    /// Checks the preferences, and that start and goal lie on the terrain.
    pub fn validate(&self) -> Result<()> {
        self.preferences.validate()?;
        for (relation, along_m) in [("for the start at", self.start_m), ("for the goal at", self.goal_m)] {
            let (from_m, to_m) = (self.terrain.start_m(), self.terrain.end_m());
            // `contains` is false for NaN.
            if let Some(along_m) = along_m.filter(|along_m| !(from_m..=to_m).contains(along_m)) {
                return Err(TraverseError::NoFooting { relation, along_m, from_m, to_m });
            }
        }
        Ok(())
    }
}
