//! Foot-skate clean-up: feet that stand stay in place.
//!
//! After Kovar, Schreiner and Gleicher (*Footskate Cleanup for Motion Capture Editing*, 2002). The source
//! clips state when feet stand: their contacts are propagated through the plan, frame by frame. The steps, in
//! order:
//!
//! 1. **displacement of the root** against the slide that all standing feet share (`root_shift`);
//! 2. **position** of each heel or ball that stands: the mean over the first part of its contact, at its
//!    lowest height in the source then; if one part already stands, the other comes down at the length of the
//!    foot from it (`footholds`);
//! 3. **rotation of the foot** while both parts stand, or while one stands and would press the other into the
//!    floor; and **position of the ankle**;
//! 4. **height of the hips** so that the legs reach;
//! 5. two-bone legs, [`marey_ops::ik`];
//! 6. corrections fade in before a foot stands and fade out after, so that nothing jumps;
//! 7. around joins, feet that do not stand are kept above the floor, and higher if they move fast;
//! 8. around joins, toes bend up instead of entering the floor (`toes`).
//!
//! Changed: the paper solves a whole motion with known constraints. Here motion is a stream, so every step
//! looks ahead by a fixed number of frames ([`PlantSettings::look_ahead`]). Hips only move down, along a
//! curve that never falls below the required drop. Bones keep their length: the paper lengthens legs; here the
//! ankle approaches a soft limit at the minimum knee fold, over 4 cm if the leg is corrected,
//! because the knee angle changes ever faster with the distance from hip to ankle and would straighten
//! abruptly. A knee that a join has bent backwards is bent forwards. Corrections keep their velocity when they
//! start to fade, so that a foot that leaves while a join moves it does not jerk; rotations keep hardly any,
//! because toes would enter the floor. Between two plants that are close in time, corrections are blended: the
//! one before by (1 − w₁) / (1 − w₀ w₁), the one after by (1 − w₀) / (1 − w₀ w₁), so that each is exact at its
//! own end. A join may lift a heel that stands in its source and point the toes down; held on the floor, the
//! foot is rotated up again, as fast as possible without a jerk.
//!
//! A join moves the body past feet that stand. Steps 1 and 2 are the two halves of one least-squares problem,
//! min Σ |s + r − p|² over the frames and parts that stand, solved one after the other: first the displacement
//! r of the root, which is smooth and averages out over a step, then the positions p, the means over the
//! contacts. What remains for the legs is small. If it is not, heel and ball are released each for itself, so
//! that the foot pivots on the other: when they are pulled farther than `most_pull_m`, out of reach of the leg
//! with the hips `most_drop_m` lower, or when the foot is turned by more than `most_turn_rad`. A part that is
//! released may stand again where it stood, or elsewhere a fade later. [`PlantSummary`] counts what was
//! let go.
//!
//! Steps 7 and 8 are additions: the motions of the paper are not joined badly. The missing height of the feet is
//! smoothed like the height of the hips, so that it never falls below the required lift except next to plants.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | s | position of a part of a sole in the joined motion | m |
//! | r | displacement of the root | m |
//! | p | position of a plant | m |
//! | w | weight of the nearest plant before (0) and after (1): eased, 1 at the plant, 0 beyond `ease_secs` | 1 |
//! | tilt | rotation vector that rotates a foot onto its two plants | rad |
//! | shift | translation of an ankle to its corrected position | m |
//!
//! Limits. A plant keeps the height of its source. Just before a heel or ball stands the foot cannot be lifted,
//! and its other part may be as deep. Feet that swing low over the floor in their source still do.

mod floor;
mod footholds;
mod leg;
mod planter;
#[cfg(test)]
mod reference;
mod root_shift;
mod slot;
mod smoothed_rotation;
mod summary;
mod toes;

use marey_ops::OutOfRange;
pub(crate) use planter::Planter;
use root_shift::RootShift;
use serde::{Deserialize, Serialize};
pub use summary::PlantSummary;

use crate::Result;

/// Settings of the foot-skate clean-up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlantSettings {
    /// Fade-in and fade-out of a correction, in seconds; default 0.25; 0 to 0.5. A swing takes 0.4. Smaller
    /// values shorten the look-ahead and make corrections more abrupt.
    pub ease_secs: f64,
    /// The first part of a contact whose mean decides its position, in seconds; default 0.5; 0 to 1. Longer
    /// than most contacts: a foot that a join moves then stands in the middle, and is pulled half as far.
    pub settle_secs: f64,
    /// A shorter contact is not planted, in seconds; default 0.1; 0 to 0.5. The foot would stop for a moment
    /// and be pulled on.
    pub least_secs: f64,
    /// The time before and after a frame over which displacements of the body average out, in seconds;
    /// default 0.5, about a step; 0 (no displacement) to 3. Longer times release slightly fewer feet, but need
    /// more look-ahead, and an edit of a plan changes more of the motion around it.
    pub root_secs: f64,
    /// The most that the body moves to keep feet from sliding and from rising, in metres; default 0.05; 0 to 1.
    pub most_root_m: f32,
    /// A faster foot that is not planted is kept above the floor, in metres per second; default 0.2; above 0
    /// up to 5.
    pub slide_mps: f32,
    /// A foot that is pulled farther than this from its position is released, in metres; default 0.09; 0 to
    /// 1.
    pub most_pull_m: f32,
    /// A foot that a join turns or pitches farther than this from its source is released, and the heel of one that
    /// is turned farther from its plants, in radians; default 0.7; 0 to 3.
    pub most_turn_rad: f32,
    /// The minimum fold of a knee, in radians; default 0.15, which shortens a straight leg by 2 mm; 0.01 to 1.
    pub min_knee_rad: f32,
    /// Height of the floor, in metres; default 0; `None` for uneven ground. Feet that a join moves below the
    /// floor or drags along it are lifted.
    pub floor_m: Option<f32>,
    /// Clearance of feet that a join would drag, in metres; default 0.05; 0 to 0.3. Feet are lifted no higher
    /// than in their source.
    pub clearance_m: f32,
    /// The most that hips move down, in metres; default 0.08; 0 to 1. A foot that would need more is released.
    pub most_drop_m: f32,
}

impl Default for PlantSettings {
    fn default() -> Self {
        Self {
            ease_secs: 0.25,
            settle_secs: 0.5,
            least_secs: 0.1,
            root_secs: 0.5,
            most_root_m: 0.05,
            slide_mps: 0.2,
            most_pull_m: 0.09,
            most_turn_rad: 0.7,
            min_knee_rad: 0.15,
            floor_m: Some(0.0),
            clearance_m: 0.05,
            most_drop_m: 0.08,
        }
    }
}

impl PlantSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("ease_secs", self.ease_secs, 0.0..=0.5)?;
        OutOfRange::check("settle_secs", self.settle_secs, 0.0..=1.0)?;
        OutOfRange::check("least_secs", self.least_secs, 0.0..=0.5)?;
        OutOfRange::check("root_secs", self.root_secs, 0.0..=3.0)?;
        OutOfRange::check("most_root_m", self.most_root_m, 0.0..=1.0)?;
        OutOfRange::check("slide_mps", self.slide_mps, f32::MIN_POSITIVE..=5.0)?;
        OutOfRange::check("most_pull_m", self.most_pull_m, 0.0..=1.0)?;
        OutOfRange::check("most_turn_rad", self.most_turn_rad, 0.0..=3.0)?;
        OutOfRange::check("min_knee_rad", self.min_knee_rad, 0.01..=1.0)?;
        OutOfRange::check("floor_m", self.floor_m.unwrap_or(0.0), -1000.0..=1000.0)?;
        OutOfRange::check("clearance_m", self.clearance_m, 0.0..=0.3)?;
        OutOfRange::check("most_drop_m", self.most_drop_m, 0.0..=1.0)?;
        Ok(())
    }

    /// The number of later frames that must be known to correct a frame: the displacement of the root, the
    /// first part of a contact, two fades (rotation, then position), and a fade for the hips.
    ///
    /// ```
    /// // 0.5 s, 0.5 s and three times 0.25 s.
    /// assert_eq!(marey_realise::plant::PlantSettings::default().look_ahead(60.0), 30 + 30 + 3 * 15 + 1);
    /// ```
    pub fn look_ahead(&self, rate_hz: f64) -> usize {
        let reach = StepWindows::of(self, rate_hz);
        reach.root + reach.stand() + 2 * reach.ease + 2 * reach.drop
    }
}

/// The number of frames that each step looks ahead and back.
#[derive(Debug, Clone, Copy)]
struct StepWindows {
    root: usize,
    settle: usize,
    least: usize,
    ease: usize,
    /// Hips look twice as far: for the maximum, and for the mean of the maxima.
    drop: usize,
}

impl StepWindows {
    fn of(settings: &PlantSettings, rate_hz: f64) -> Self {
        let frames = |secs: f64| (secs * rate_hz).round() as usize;
        let ease = frames(settings.ease_secs);
        Self {
            root: RootShift::reach(settings, rate_hz),
            settle: frames(settings.settle_secs),
            least: frames(settings.least_secs),
            ease,
            drop: ease.div_ceil(2),
        }
    }

    /// The number of frames that are examined before a foot is planted.
    fn stand(&self) -> usize {
        self.settle.max(self.least)
    }
}
