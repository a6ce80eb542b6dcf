//! What is to be crossed, and how the user would like it.

use marey_motion::Terrain;
use marey_plan::Brief;

use crate::{Error, Result, Taste};

/// What is to be crossed.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// The ground.
    pub terrain: Terrain,
    /// Where the figure begins, in metres along the way; `None`: at the first footing, or at 0 where that is further.
    pub start_m: Option<f32>,
    /// Where it is to come to; `None`: to within the longest hop of the last footing.
    pub goal_m: Option<f32>,
    /// What the user would rather see.
    pub taste: Taste,
    /// The rate of the examples, in frames a second.
    pub rate_hz: f64,
}

impl Crossing {
    /// The whole of a terrain, without wishes.
    pub fn of(terrain: Terrain, rate_hz: f64) -> Self {
        Self { terrain, start_m: None, goal_m: None, taste: Taste::default(), rate_hz }
    }
}

impl Brief for Crossing {
    type Error = Error;

    fn validate(&self) -> Result<()> {
        self.taste.validate()?;
        for (what, along_m) in [("at the start of", self.start_m), ("at the goal of", self.goal_m)] {
            // Written so that it is refused where it is not a number.
            let within = |along_m: f32| along_m >= self.terrain.start_m() && along_m <= self.terrain.end_m();
            if let Some(along_m) = along_m.filter(|along_m| !within(*along_m)) {
                let (from_m, to_m) = (self.terrain.start_m(), self.terrain.end_m());
                return Err(Error::NoFooting { what, along_m, from_m, to_m });
            }
        }
        Ok(())
    }

    fn rate_hz(&self) -> f64 {
        self.rate_hz
    }

    fn frames(&self) -> Option<usize> {
        None
    }
}
