//! Settings of the traverse engine.

use marey_motion::{Skeleton, smoothstep};
use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;
use crate::walker::Walker;

/// How the distance between two states is measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StateMetric {
    /// By the positions of the body's point masses (figure 5). It does not depend on how the skeleton is parameterised.
    #[default]
    Mass,
    /// By the raw state vector: root height and one quaternion per joint. Kept for comparison.
    RawState,
}

/// How an adaptation is blended in and out over time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdaptationEasing {
    /// α = t / T. In flight this amounts to another velocity at take-off.
    #[default]
    Linear,
    /// α = 3 (t/T)² − 2 (t/T)³.
    Smoothstep,
}

impl AdaptationEasing {
    /// α at a fraction of the time, both 0 to 1.
    pub(crate) fn alpha(self, fraction: f32) -> f32 {
        let t = fraction.clamp(0.0, 1.0);
        match self {
            AdaptationEasing::Linear => t,
            AdaptationEasing::Smoothstep => smoothstep(t),
        }
    }

    /// Weight of a lift at a fraction of the flight: 0 at both ends, 1 in the middle. With linear easing it is a
    /// parabola, the trajectory of a higher jump.
    pub(crate) fn bump(self, fraction: f32) -> f32 {
        let t = fraction.clamp(0.0, 1.0);
        let parabola = 4.0 * t * (1.0 - t);
        match self {
            AdaptationEasing::Linear => parabola,
            AdaptationEasing::Smoothstep => parabola * parabola,
        }
    }
}

/// How the engine chooses and adapts examples.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TraverseSettings {
    /// k₁, the weight of the terrain term relative to the state term (both in m²); default 1; 0 to 10⁶.
    pub k_env: f64,
    /// k₂, the weight of the user's preferences; default 0.5; 0 to 10⁶.
    pub k_user: f64,
    /// How states are compared; default `mass`.
    pub metric: StateMetric,
    /// Time by which a velocity is multiplied to compare it with positions, in seconds; default 0.05; 0 (ignore
    /// velocities, as in the paper) to 1.
    pub velocity_secs: f32,
    /// How adaptations are blended in; default `linear`.
    pub easing: AdaptationEasing,
    /// Number of hops that the search looks ahead; default 4; 0 (greedy, as in the paper) to 12.
    pub lookahead: usize,
    /// Number of candidates that the lookahead expands per hop; default 8, 16 for walkers; 1 to 1000.
    pub candidates: usize,
    /// Maximum number of nodes expanded per decision; default 4,000; 1 to 10⁷. Beyond it, unexpanded nodes count
    /// with their lower bound.
    pub max_expansions: usize,
    /// Size of a grid cell, in metres; default 0.05; 0.001 to 1.
    pub cell_m: f32,
    /// Maximum distance by which a landing is moved, in metres; default 0.1, 0.25 for walkers; 0 to 2.
    pub max_shift_m: f32,
    /// Maximum height by which a hop's arc, or a foot in its swing, is lifted over the terrain above its height in the example, in
    /// metres; default 0.08, 0.12 for walkers; 0 to 2.
    pub max_lift_m: f32,
    /// How much longer than the longest example a stride may be, in metres; default 0.1; 0 to 2. Walkers only, as the next four.
    pub length_margin_m: f32,
    /// How much further up or down than in any example a stride may lead, in metres; default 0.2, a stair; 0 to 2.
    pub height_margin_m: f32,
    /// How much lower than in any stride the hips may be above the lower foot, in metres; default 0.15; 0 to 1.
    pub crouch_margin_m: f32,
    /// How much further than in any stride a knee may fold, in radians; default 0.6, a stair; 0 to 2.
    pub knee_margin_rad: f32,
    /// How fast a joint may be, as a multiple of its largest speed in the strides; default 1.3; 1 to 10.
    pub max_speed_ratio: f32,
    /// Maximum tilt of a sole that stands, in radians; default 0.4; 0 to 1.5.
    pub max_tilt_rad: f32,
    /// Candidates that cost more than the best one by at most this fraction count as equally good, and the seed picks one of
    /// them; default 0.05; 0 (always the best) to 10.
    pub variety: f64,
    /// Upper and lower body are matched separately if their correlation is below this value, see
    /// [`crate::PrimitiveDatabase::body_correlation`]; default 0.3; 0 (never) to 1.
    pub splice_max_correlation: f64,
    /// Examples closer than this to one in the database are left out, in metres; default 0 (keep all); 0 to 10.
    pub redundancy_radius_m: f32,
}

impl Default for TraverseSettings {
    fn default() -> Self {
        Self {
            k_env: 1.0,
            k_user: 0.5,
            metric: StateMetric::Mass,
            velocity_secs: 0.05,
            easing: AdaptationEasing::Linear,
            lookahead: 4,
            candidates: 8,
            max_expansions: 4_000,
            cell_m: 0.05,
            max_shift_m: 0.1,
            max_lift_m: 0.08,
            length_margin_m: 0.1,
            height_margin_m: 0.2,
            crouch_margin_m: 0.15,
            knee_margin_rad: 0.6,
            max_speed_ratio: 1.3,
            max_tilt_rad: 0.4,
            variety: 0.05,
            splice_max_correlation: 0.3,
            redundancy_radius_m: 0.0,
        }
    }
}

impl TraverseSettings {
    /// Defaults for characters with legs. A leg adapts to larger changes of the ground than a hopper's base.
    pub fn for_walkers() -> Self {
        Self { max_shift_m: 0.25, max_lift_m: 0.12, candidates: 16, ..Self::default() }
    }

    /// Defaults for a character: those for walkers if it has two legs.
    pub fn for_character(skeleton: &Skeleton) -> Self {
        if Walker::of(skeleton).is_ok() { Self::for_walkers() } else { Self::default() }
    }

    /// Checks that every setting is within its range.
    pub fn validate(&self) -> Result<()> {
        OutOfRange::check("k_env", self.k_env, 0.0..=1e6)?;
        OutOfRange::check("k_user", self.k_user, 0.0..=1e6)?;
        OutOfRange::check("velocity_secs", self.velocity_secs, 0.0..=1.0)?;
        OutOfRange::check("lookahead", self.lookahead as f64, 0.0..=12.0)?;
        OutOfRange::check("candidates", self.candidates as f64, 1.0..=1000.0)?;
        OutOfRange::check("max_expansions", self.max_expansions as f64, 1.0..=1e7)?;
        OutOfRange::check("cell_m", self.cell_m, 0.001..=1.0)?;
        OutOfRange::check("max_shift_m", self.max_shift_m, 0.0..=2.0)?;
        OutOfRange::check("max_lift_m", self.max_lift_m, 0.0..=2.0)?;
        OutOfRange::check("length_margin_m", self.length_margin_m, 0.0..=2.0)?;
        OutOfRange::check("height_margin_m", self.height_margin_m, 0.0..=2.0)?;
        OutOfRange::check("crouch_margin_m", self.crouch_margin_m, 0.0..=1.0)?;
        OutOfRange::check("knee_margin_rad", self.knee_margin_rad, 0.0..=2.0)?;
        OutOfRange::check("max_speed_ratio", self.max_speed_ratio, 1.0..=10.0)?;
        OutOfRange::check("max_tilt_rad", self.max_tilt_rad, 0.0..=1.5)?;
        OutOfRange::check("variety", self.variety, 0.0..=10.0)?;
        OutOfRange::check("splice_max_correlation", self.splice_max_correlation, 0.0..=1.0)?;
        OutOfRange::check("redundancy_radius_m", self.redundancy_radius_m, 0.0..=10.0)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_out_of_range_and_nan_are_rejected() {
        let valid = TraverseSettings::default();
        assert!(valid.validate().is_ok());
        for invalid in [
            TraverseSettings { k_env: f64::NAN, ..valid },
            TraverseSettings { k_user: -1.0, ..valid },
            TraverseSettings { velocity_secs: 2.0, ..valid },
            TraverseSettings { lookahead: 13, ..valid },
            TraverseSettings { candidates: 0, ..valid },
            TraverseSettings { max_expansions: 0, ..valid },
            TraverseSettings { cell_m: 0.0, ..valid },
            TraverseSettings { max_shift_m: f32::INFINITY, ..valid },
            TraverseSettings { max_lift_m: -0.1, ..valid },
            TraverseSettings { length_margin_m: -0.1, ..valid },
            TraverseSettings { height_margin_m: f32::NAN, ..valid },
            TraverseSettings { crouch_margin_m: 1.5, ..valid },
            TraverseSettings { knee_margin_rad: 3.0, ..valid },
            TraverseSettings { max_speed_ratio: 0.5, ..valid },
            TraverseSettings { max_tilt_rad: 2.0, ..valid },
            TraverseSettings { variety: -0.1, ..valid },
            TraverseSettings { splice_max_correlation: 1.5, ..valid },
            TraverseSettings { redundancy_radius_m: f32::NAN, ..valid },
        ] {
            assert!(invalid.validate().is_err(), "{invalid:?}");
        }
    }

    #[test]
    fn easings_start_at_zero_and_end_at_one() {
        for easing in [AdaptationEasing::Linear, AdaptationEasing::Smoothstep] {
            assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(|t| easing.alpha(t)), [0.0, 0.0, 0.5, 1.0, 1.0]);
            assert_eq!([-1.0, 0.0, 0.5, 1.0, 2.0].map(|t| easing.bump(t)), [0.0, 0.0, 1.0, 0.0, 0.0]);
        }
    }
}
