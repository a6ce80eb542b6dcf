//! Feet that stand where they stand.
//!
//! Foot-skate clean-up after Kovar, Schreiner and Gleicher (*Footskate Cleanup for Motion Capture Editing*, 2002). When feet
//! stand comes from the examples: their contacts are propagated through the plan, frame by frame. Then, in their order:
//!
//! 1. **where** a heel or ball stands: the mean of where it is in the first moments of its contact, as low as it gets then; once
//!    heel or ball of a foot stand, the other one comes down at the foot's own length from it;
//! 2. **how the foot is turned** while both stand, or while one does and would press the other into the floor; and **where the ankle** is;
//! 3. **how low the hips** must be for the legs to reach;
//! 4. two-bone legs, [`marey_ops::ik`];
//! 5. corrections are faded in before a foot stands and out after, so that nothing jumps;
//! 6. around joins, feet that stand nowhere are kept out of the floor, and off it when they go fast.
//!
//! Changed: they solve a whole motion with constraints known; here it is a stream, so every step looks ahead by a number of
//! frames that is told ([`Settings::look_ahead`]). Hips go down only, by a curve that is nowhere less than is needed. Bones
//! keep their length: where they would lengthen a leg, it gives way softly to the least fold of its knee, over 4 cm where it is
//! corrected: a knee's fold goes ever faster with the distance from hip to ankle, and would be straightened in a jerk. A knee that a
//! join has bent backwards is bent forwards. Corrections that are faded go on as fast as they were: a foot that leaves while a join carries it
//! off does not start with a jerk; but turns hardly do, as toes would go into the floor. Between two plants that are near in time they are mixed: the one before by
//! (1 − w₁) / (1 − w₀ w₁), the one after by (1 − w₀) / (1 − w₀ w₁), so that each has its own end to itself. A heel that its example has on the floor
//! may be lifted by a join, and toes with it turned down; held on the floor, the foot is turned up again, as fast as it can be without a jerk.
//!
//! A foot whose example says that it stands may be carried off by a join. One that is, or within `gather_secs` will be, pulled farther than
//! `most_pull_m` is let go, so that it goes before it is carried off at speed; one that still slides, or would be let go again within `least_secs`, does not come to stand; one that was
//! let go is free for a while.
//!
//! Step 6 is ours: their motions are not joined badly. What feet lack in height is smoothed as what hips are too high is, so that
//! it is nowhere less than is needed but beside plants.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | w | weight of the nearest plant before (0) and after (1): eased, 1 at the plant, 0 beyond `ease_secs` | 1 |
//! | tilt | rotation vector that turns a foot onto its two plants | rad |
//! | shift | what carries an ankle to where it must be | m |
//!
//! Limits. A plant is as high as the example has it. Toes are turned with their foot: their tips may be a few centimetres in the
//! floor where a heel is high. Just before a heel or ball comes to stand, where the foot may not be lifted, its other part may be as deep.

mod floor;
mod leg;
mod planter;
mod settling;
mod slot;
#[cfg(test)]
mod twin;

use marey_ops::OutOfRange;
pub(crate) use planter::Planter;
use serde::{Deserialize, Serialize};

use crate::Result;

/// How feet are kept standing.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How long a correction takes to be faded in or out, in seconds; default 0.25; 0 to 0.5. A swing takes 0.4. Less shortens the look-ahead,
    /// and corrections are more sudden.
    pub ease_secs: f64,
    /// From how long a first part of a contact its place is taken, and how long before it would be pulled too far a foot is let go,
    /// in seconds; default 0.05; 0 to 0.5.
    pub gather_secs: f64,
    /// A foot that would be let go sooner than this does not come to stand, in seconds; default 0.15; 0 to 0.5. It would stop for a moment
    /// and be pulled on.
    pub least_secs: f64,
    /// A foot that is faster than this does not come to stand, in metres a second; default 0.3; above 0 up to 5.
    pub slide_mps: f32,
    /// A foot that is pulled farther than this from where it stands is let go, in metres; default 0.06; 0 to 1.
    pub most_pull_m: f32,
    /// The least fold of a knee, in radians; default 0.15, where a leg is 2 mm short of straight; 0.01 to 1.
    pub min_knee_rad: f32,
    /// How high the floor is, in metres; default 0; `None`: it is not asked, as where ground is uneven. A foot that a join carries
    /// below it is lifted, and one that a join drags along it.
    pub floor_m: Option<f32>,
    /// How far feet are lifted that would be dragged, in metres; default 0.03; 0 to 0.3.
    pub clearance_m: f32,
    /// The most that hips go down, in metres; default 0.06; 0 to 1. A foot that would need more than about half of that is let go.
    pub most_drop_m: f32,
}

impl Default for Settings {
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

impl Settings {
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

    /// How many frames after a frame must be known before its feet can be told: those in which a foot must stand that comes
    /// to stand, two fades (turn, then place), and a fade for the hips.
    ///
    /// ```
    /// // 0.15 s and three times 0.25 s.
    /// assert_eq!(marey_realise::plant::Settings::default().look_ahead(60.0), 9 + 3 * 15 + 1);
    /// ```
    pub fn look_ahead(&self, rate_hz: f64) -> usize {
        let reach = Reach::of(self, rate_hz);
        reach.stand() + 2 * reach.ease + 2 * reach.drop
    }
}

/// How many frames each step looks ahead, and back.
#[derive(Debug, Clone, Copy)]
struct Reach {
    gather: usize,
    least: usize,
    ease: usize,
    /// Hips look as far twice: for the most that is needed, and for the mean of that.
    drop: usize,
}

impl Reach {
    fn of(settings: &Settings, rate_hz: f64) -> Self {
        let ease = (settings.ease_secs * rate_hz).round() as usize;
        let frames = |secs: f64| (secs * rate_hz).round() as usize;
        Self {
            gather: frames(settings.gather_secs),
            least: frames(settings.least_secs),
            ease,
            drop: ease.div_ceil(2),
        }
    }

    /// How many frames are looked at before a foot comes to stand.
    fn stand(&self) -> usize {
        self.gather.max(self.least)
    }
}
