//! Templates of features: default conditions C and dynamics D.

use serde::{Deserialize, Serialize};

use crate::dynamics::{Dynamics, Surface, WaterDynamics};
use crate::engage::{Engage, EngageBy};

/// The template that provides the defaults of a feature: one of section 8, or scenery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeatureTemplate {
    /// A monkey bar (8.1).
    Bar,
    /// A pole to climb (8.2).
    Pole,
    /// A rope to climb and swing on (8.2).
    Rope,
    /// A floor to walk on (8.3).
    Floor,
    /// A rock of a climbing wall (8.4).
    Rock,
    /// A trampoline (8.5).
    Trampoline,
    /// Water to swim in (8.6).
    Water,
    /// An anchor that a web is shot at (8.2).
    Web,
    /// An obstacle: a wall, a house.
    Scenery,
}

impl FeatureTemplate {
    /// Every template.
    pub const ALL: [FeatureTemplate; 9] = [
        FeatureTemplate::Bar,
        FeatureTemplate::Pole,
        FeatureTemplate::Rope,
        FeatureTemplate::Floor,
        FeatureTemplate::Rock,
        FeatureTemplate::Trampoline,
        FeatureTemplate::Water,
        FeatureTemplate::Web,
        FeatureTemplate::Scenery,
    ];

    /// C: the default conditions of engagement.
    pub fn engage(self) -> Engage {
        let hands = Engage::default();
        let feet = Engage { by: EngageBy::Feet, grip: None, within_m: 0.02, above: false };
        match self {
            FeatureTemplate::Bar | FeatureTemplate::Pole | FeatureTemplate::Rope => {
                Engage { within_m: 0.18, ..hands }
            }
            FeatureTemplate::Floor | FeatureTemplate::Trampoline => feet,
            FeatureTemplate::Rock => Engage { by: EngageBy::Limbs, within_m: 0.08, above: true, ..hands },
            FeatureTemplate::Water => Engage { by: EngageBy::Body, ..hands },
            FeatureTemplate::Web => hands,
            FeatureTemplate::Scenery => Engage { by: EngageBy::Nothing, ..hands },
        }
    }

    /// D: the default dynamics.
    pub fn dynamics(self) -> Dynamics {
        match self {
            FeatureTemplate::Bar | FeatureTemplate::Scenery => Dynamics::BAR,
            FeatureTemplate::Pole | FeatureTemplate::Rock => Dynamics::ROCK,
            FeatureTemplate::Rope => Dynamics::ROPE,
            FeatureTemplate::Floor => Dynamics::FLOOR,
            FeatureTemplate::Trampoline => {
                Dynamics { spin: 2.0, surface: Some(Surface::default()), ..Dynamics::FLOOR }
            }
            FeatureTemplate::Water => Dynamics { water: Some(WaterDynamics::default()), ..Dynamics::BAR },
            FeatureTemplate::Web => Dynamics {
                stiffness: 60.0,
                damping: 4.0,
                pitch_damping: 0.2,
                roll_damping: 0.1,
                web_reach_m: 14.0,
                ..Dynamics::BAR
            },
        }
    }
}
