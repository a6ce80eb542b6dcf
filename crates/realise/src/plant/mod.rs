//! Foot-skate clean-up: feet that stand stay in place.
//!
//! After Kovar, Schreiner and Gleicher (*Footskate Cleanup for Motion Capture Editing*, 2002). The source
//! clips state when feet stand: their contacts are propagated through the plan, frame by frame. The steps, in
//! order:
//!
//! 1. **position** of each heel or ball that stands: the mean over the first moments of its contact, at its
//!    lowest height then; if one part of a foot already stands, the other comes down at the length of the
//!    foot from it;
//! 2. **rotation of the foot** while both parts stand, or while one stands and would press the other into the
//!    floor; and **position of the ankle**;
//! 3. **height of the hips** so that the legs reach;
//! 4. two-bone legs, [`marey_ops::ik`];
//! 5. corrections fade in before a foot stands and fade out after, so that nothing jumps;
//! 6. around joins, feet that do not stand are kept above the floor, and higher if they move fast.
//!
//! Changed: the paper solves a whole motion with known constraints. Here motion is a stream, so every step
//! looks ahead by a fixed number of frames ([`PlantSettings::look_ahead`]). Hips only move down, along a
//! curve that never falls below the required drop. Bones keep their length: the paper lengthens legs; here the
//! ankle approaches a soft limit at the minimum knee fold, over 4 cm if the leg is corrected, because the
//! knee angle changes ever faster with the distance from hip to ankle and would straighten abruptly. A knee
//! that a join has bent backwards is bent forwards. Corrections keep their velocity when they start to fade,
//! so that a foot that leaves while a join moves it does not jerk; rotations keep hardly any, because toes
//! would enter the floor. Between two plants that are close in time, corrections are blended: the one before
//! by (1 − w₁) / (1 − w₀ w₁), the one after by (1 − w₀) / (1 − w₀ w₁), so that each is exact at its own end.
//! A join may lift a heel that stands in its source and point the toes down; held on the floor, the foot is
//! rotated up again, as fast as possible without a jerk.
//!
//! A join may move a foot that stands in its source. If it is pulled farther than `most_pull_m`, now or
//! within `gather_secs`, it is released, so that it leaves before it moves fast. A foot that still slides, or
//! that would be released again within `least_secs`, is not planted. A released foot stays free for a while.
//!
//! Step 6 is an addition: the motions of the paper are not joined badly. The missing height of the feet is
//! smoothed like the height of the hips, so that it never falls below the required lift except next to plants.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | w | weight of the nearest plant before (0) and after (1): eased, 1 at the plant, 0 beyond `ease_secs` | 1 |
//! | tilt | rotation vector that rotates a foot onto its two plants | rad |
//! | shift | translation of an ankle to its corrected position | m |
//!
//! Limits. A plant keeps the height of its source. Toes rotate with their foot: their tips may be a few
//! centimetres in the floor if the heel is high. Just before a heel or ball stands the foot cannot be lifted,
//! and its other part may be as deep.

mod floor;
mod leg;
mod planter;
#[cfg(test)]
mod reference;
mod slot;
mod smoothed_rotation;

use marey_ops::OutOfRange;
pub(crate) use planter::Planter;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Settings of the foot-skate clean-up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlantSettings {
    /// Fade-in and fade-out of a correction, in seconds; default 0.25; 0 to 0.5. A swing takes 0.4. Smaller
    /// values shorten the look-ahead and make corrections more abrupt.
    pub ease_secs: f64,
    /// The first part of a contact that decides its position, and the time before an excessive pull at which
    /// a foot is released, in seconds; default 0.05; 0 to 0.5.
    pub gather_secs: f64,
    /// A foot that would be released sooner than this is not planted, in seconds; default 0.15; 0 to 0.5. It
    /// would stop for a moment and be pulled on.
    pub least_secs: f64,
    /// A foot that moves faster than this is not planted, in metres per second; default 0.3; above 0 up to 5.
    pub slide_mps: f32,
    /// A foot that is pulled farther than this from its position is released, in metres; default 0.06; 0 to
    /// 1.
    pub most_pull_m: f32,
    /// The minimum fold of a knee, in radians; default 0.15, which shortens a straight leg by 2 mm; 0.01 to 1.
    pub min_knee_rad: f32,
    /// Height of the floor, in metres; default 0; `None` for uneven ground. Feet that a join moves below the
    /// floor or drags along it are lifted.
    pub floor_m: Option<f32>,
    /// Clearance of feet that would be dragged, in metres; default 0.03; 0 to 0.3.
    pub clearance_m: f32,
    /// The most that hips move down, in metres; default 0.06; 0 to 1. A foot that would need more than about
    /// half of that is released.
    pub most_drop_m: f32,
}

impl Default for PlantSettings {
    fn default() -> Self {
        Self {
            ease_secs: 0.25,
            gather_secs: 0.05,
            least_secs: 0.15,
            slide_mps: 0.3,
            most_pull_m: 0.06,
            min_knee_rad: 0.15,
            floor_m: Some(0.0),
            clearance_m: 0.03,
            most_drop_m: 0.06,
        }
    }
}

impl PlantSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("ease_secs", self.ease_secs, 0.0..=0.5)?;
        OutOfRange::check("gather_secs", self.gather_secs, 0.0..=0.5)?;
        OutOfRange::check("least_secs", self.least_secs, 0.0..=0.5)?;
        OutOfRange::check("slide_mps", self.slide_mps, f32::MIN_POSITIVE..=5.0)?;
        OutOfRange::check("most_pull_m", self.most_pull_m, 0.0..=1.0)?;
        OutOfRange::check("min_knee_rad", self.min_knee_rad, 0.01..=1.0)?;
        OutOfRange::check("floor_m", self.floor_m.unwrap_or(0.0), -1000.0..=1000.0)?;
        OutOfRange::check("clearance_m", self.clearance_m, 0.0..=0.3)?;
        OutOfRange::check("most_drop_m", self.most_drop_m, 0.0..=1.0)?;
        Ok(())
    }

    /// The number of later frames that must be known to correct a frame: the shortest stand, two fades
    /// (rotation, then position), and a fade for the hips.
    ///
    /// ```
    /// // 0.15 s and three times 0.25 s.
    /// assert_eq!(marey_realise::plant::PlantSettings::default().look_ahead(60.0), 9 + 3 * 15 + 1);
    /// ```
    pub fn look_ahead(&self, rate_hz: f64) -> usize {
        let reach = StepWindows::of(self, rate_hz);
        reach.stand() + 2 * reach.ease + 2 * reach.drop
    }
}

/// The number of frames that each step looks ahead and back.
#[derive(Debug, Clone, Copy)]
struct StepWindows {
    gather: usize,
    least: usize,
    ease: usize,
    /// Hips look twice as far: for the maximum, and for the mean of the maxima.
    drop: usize,
}

impl StepWindows {
    fn of(settings: &PlantSettings, rate_hz: f64) -> Self {
        let ease = (settings.ease_secs * rate_hz).round() as usize;
        let frames = |secs: f64| (secs * rate_hz).round() as usize;
        Self {
            gather: frames(settings.gather_secs),
            least: frames(settings.least_secs),
            ease,
            drop: ease.div_ceil(2),
        }
    }

    /// The number of frames that are examined before a foot is planted.
    fn stand(&self) -> usize {
        self.gather.max(self.least)
    }
}
