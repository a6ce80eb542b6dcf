//! The style of a walk.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

use crate::Result;

/// The style of a walk. Factors are relative to an ordinary adult.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GaitStyle {
    /// Preferred speed, in metres per second; default 1.3, as adults choose; 0.5 to 1.7. The speed of a short body is limited: see
    /// [`crate::walk`].
    pub speed_mps: f32,
    /// Step length, relative to the usual one at the same speed; default 1; 0.9 to 1.1. Longer steps are slower.
    pub stride: f32,
    /// Distance between the lines the feet walk on, in metres; default 0.11; 0.06 to 0.25.
    pub step_width_m: f32,
    /// Toe-out angle, in radians; default 0.12 (7°); −0.1 to 0.4.
    pub toe_out_rad: f32,
    /// Arm swing, as a factor; default 1; 0 to 2.
    pub arm_swing: f32,
    /// Vertical motion of the body, as a factor; default 1, which is 4.5 cm at 1.3 m/s; 0 to 1.5.
    pub bounce: f32,
    /// Sideways sway of the body, as a factor; default 1, which is 2.2 cm to each side; 0 to 2.
    pub sway: f32,
    /// Rotation of hips against shoulders, as a factor; default 1; 0 to 2.
    pub twist: f32,
    /// Forward lean of the trunk, in radians; default 0.05; −0.15 to 0.35.
    pub lean_rad: f32,
    /// Roll of the feet from heel to toe, as a factor; default 1; 0.4 to 1.2. Small values shuffle.
    pub roll: f32,
    /// Share of the steps that scuff the floor; default 0; 0 to 1. In these the foot swings close to the floor.
    pub scuff: f32,
    /// Variation from step to step, as a factor; default 1; 0 to 2.
    pub variation: f32,
}

impl Default for GaitStyle {
    fn default() -> Self {
        ORDINARY
    }
}

/// The style of an ordinary adult.
const ORDINARY: GaitStyle = GaitStyle {
    speed_mps: 1.3,
    stride: 1.0,
    step_width_m: 0.11,
    toe_out_rad: 0.12,
    arm_swing: 1.0,
    bounce: 1.0,
    sway: 1.0,
    twist: 1.0,
    lean_rad: 0.05,
    roll: 1.0,
    scuff: 0.0,
    variation: 1.0,
};

impl GaitStyle {
    /// Named styles.
    pub const NAMED: [(&str, GaitStyle); 5] = [
        ("ordinary", ORDINARY),
        ("brisk", GaitStyle { speed_mps: 1.6, arm_swing: 1.4, lean_rad: 0.09, twist: 1.2, ..ORDINARY }),
        (
            "proud",
            GaitStyle {
                speed_mps: 1.15,
                toe_out_rad: 0.22,
                bounce: 1.2,
                lean_rad: -0.05,
                sway: 1.2,
                ..ORDINARY
            },
        ),
        (
            "shuffling",
            GaitStyle {
                speed_mps: 0.7,
                stride: 0.9,
                step_width_m: 0.16,
                arm_swing: 0.5,
                bounce: 0.5,
                lean_rad: 0.2,
                roll: 0.5,
                scuff: 0.3,
                ..ORDINARY
            },
        ),
        (
            "tired",
            GaitStyle {
                speed_mps: 0.9,
                arm_swing: 0.6,
                twist: 0.7,
                lean_rad: 0.16,
                sway: 1.3,
                roll: 0.8,
                scuff: 0.1,
                ..ORDINARY
            },
        ),
    ];

    /// The style with a name, if there is one.
    ///
    /// ```
    /// assert!(marey_examples::GaitStyle::named("tired").is_some_and(|style| style.speed_mps < 1.0));
    /// assert!(marey_examples::GaitStyle::named("flying").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|(known, _)| *known == name).map(|(_, style)| style)
    }

    /// Checks the ranges.
    pub fn validate(&self) -> Result<()> {
        for (name, value, range) in [
            ("speed_mps", self.speed_mps, 0.5..=1.7),
            ("stride", self.stride, 0.9..=1.1),
            ("step_width_m", self.step_width_m, 0.06..=0.25),
            ("toe_out_rad", self.toe_out_rad, -0.1..=0.4),
            ("arm_swing", self.arm_swing, 0.0..=2.0),
            ("bounce", self.bounce, 0.0..=1.5),
            ("sway", self.sway, 0.0..=2.0),
            ("twist", self.twist, 0.0..=2.0),
            ("lean_rad", self.lean_rad, -0.15..=0.35),
            ("roll", self.roll, 0.4..=1.2),
            ("scuff", self.scuff, 0.0..=1.0),
            ("variation", self.variation, 0.0..=2.0),
        ] {
            OutOfRange::check(name, value, range)?;
        }
        Ok(())
    }
}
