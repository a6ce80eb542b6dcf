//! How ground is crossed.

use marey_motion::Skeleton;
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::walker::Walker;

/// How two states are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// By where the body's mass is (figure 5): it does not depend on how the figure is described.
    #[default]
    Mass,
    /// By the numbers that happen to describe the figure: height, and one rotation a joint. Kept to be compared with.
    RawState,
}

/// How an adaptation is phased in and out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// α = t / T. In flight that is another velocity at take-off, as a body has it that jumps otherwise.
    #[default]
    Linear,
    /// α eased in and out.
    Ease,
}

impl Phase {
    /// How much of the way at a share of the time, both 0 to 1.
    pub(crate) fn alpha(self, share: f32) -> f32 {
        let t = share.clamp(0.0, 1.0);
        match self {
            Phase::Linear => t,
            Phase::Ease => t * t * (3.0 - 2.0 * t),
        }
    }

    /// How much of a lift at a share of the flight: 0 at both ends, 1 in the middle. Linear, it is a parabola, as of a body that jumps higher.
    pub(crate) fn lifted(self, share: f32) -> f32 {
        let t = share.clamp(0.0, 1.0);
        let parabola = 4.0 * t * (1.0 - t);
        match self {
            Phase::Linear => parabola,
            Phase::Ease => parabola * parabola,
        }
    }
}

/// How examples are chosen and bent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// How much the ground weighs against the state: k₁; default 1; 0 to 10⁶. Both are squares of distances in metres.
    pub k_env: f64,
    /// How much the user's taste weighs: k₂; default 0.5; 0 to 10⁶.
    pub k_user: f64,
    /// How states are compared; default by mass.
    pub metric: Metric,
    /// How long a velocity goes on that is compared with places, in seconds; default 0.05; 0 (velocities do not count, as in
    /// the paper) to 1.
    pub velocity_secs: f32,
    /// How adaptations are phased; default linear.
    pub phase: Phase,
    /// How many hops are looked ahead; default 4; 0 (the best next one is taken, as in the paper) to 12.
    pub lookahead: usize,
    /// How many candidates are gone on from at each hop, where it is looked ahead; default 8; 1 to 1000.
    pub candidates: usize,
    /// How many places are gone on from for one decision; default 4,000; 1 to 10⁷. What lies behind others counts as
    /// little as it may cost.
    pub most_expanded: usize,
    /// Size of a cell of the grid, in metres; default 0.05; 0.001 to 1.
    pub cell_m: f32,
    /// How far a landing may be moved, in metres; default 0.1; 0 to 2.
    pub most_shift_m: f32,
    /// How far an arc may be lifted over the ground, in metres; default 0.08; 0 to 2.
    pub most_lift_m: f32,
    /// How steep a sole may stand, in radians; default 0.4; 0 to 1.5.
    pub most_tilt_rad: f32,
    /// How much dearer than the best a candidate may be that is as good, as a share; default 0.05; 0 (never) to 10. Among these
    /// the seed chooses.
    pub variety: f64,
    /// Upper and lower body of figures with legs are matched apart where they go together less than this, see [`crate::Database::together`];
    /// default 0.3; 0 (never) to 1.
    pub splice_below: f64,
    /// Examples nearer than this to one that is there are left out, in metres; default 0 (none is); 0 to 10.
    pub redundant_m: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            k_env: 1.0,
            k_user: 0.5,
            metric: Metric::Mass,
            velocity_secs: 0.05,
            phase: Phase::Linear,
            lookahead: 4,
            candidates: 8,
            most_expanded: 4_000,
            cell_m: 0.05,
            most_shift_m: 0.1,
            most_lift_m: 0.08,
            most_tilt_rad: 0.4,
            variety: 0.05,
            splice_below: 0.3,
            redundant_m: 0.0,
        }
    }
}

impl Settings {
    /// For figures with legs: a foot is put farther up or down than a lamp's base.
    pub fn for_walkers() -> Self {
        Self { most_shift_m: 0.25, candidates: 16, ..Self::default() }
    }

    /// For a figure, by whether it has legs.
    pub fn for_figure(skeleton: &Skeleton) -> Self {
        if Walker::of(skeleton).is_ok() { Self::for_walkers() } else { Self::default() }
    }

    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("k_env", self.k_env, 0.0..=1e6)?;
        OutOfRange::check("k_user", self.k_user, 0.0..=1e6)?;
        OutOfRange::check("velocity_secs", self.velocity_secs, 0.0..=1.0)?;
        OutOfRange::check("lookahead", self.lookahead as f64, 0.0..=12.0)?;
        OutOfRange::check("candidates", self.candidates as f64, 1.0..=1000.0)?;
        OutOfRange::check("most_expanded", self.most_expanded as f64, 1.0..=1e7)?;
        OutOfRange::check("cell_m", self.cell_m, 0.001..=1.0)?;
        OutOfRange::check("most_shift_m", self.most_shift_m, 0.0..=2.0)?;
        OutOfRange::check("most_lift_m", self.most_lift_m, 0.0..=2.0)?;
        OutOfRange::check("most_tilt_rad", self.most_tilt_rad, 0.0..=1.5)?;
        OutOfRange::check("variety", self.variety, 0.0..=10.0)?;
        OutOfRange::check("splice_below", self.splice_below, 0.0..=1.0)?;
        OutOfRange::check("redundant_m", self.redundant_m, 0.0..=10.0)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_or_not_a_number_is_refused() {
        let good = Settings::default();
        assert!(good.validate().is_ok());
        for bad in [
            Settings { k_env: f64::NAN, ..good },
            Settings { k_user: -1.0, ..good },
            Settings { velocity_secs: 2.0, ..good },
            Settings { lookahead: 13, ..good },
            Settings { candidates: 0, ..good },
            Settings { most_expanded: 0, ..good },
            Settings { cell_m: 0.0, ..good },
            Settings { most_shift_m: f32::INFINITY, ..good },
            Settings { most_lift_m: -0.1, ..good },
            Settings { most_tilt_rad: 2.0, ..good },
            Settings { variety: -0.1, ..good },
            Settings { splice_below: 1.5, ..good },
            Settings { redundant_m: f32::NAN, ..good },
        ] {
            assert!(bad.validate().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn phases_begin_at_nothing_and_end_at_all() {
        for phase in [Phase::Linear, Phase::Ease] {
            assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(|t| phase.alpha(t)), [0.0, 0.0, 0.5, 1.0, 1.0]);
            assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(|t| phase.lifted(t)), [0.0, 0.0, 1.0, 0.0, 0.0]);
        }
    }
}
