//! Templates of features, with default conditions C and dynamics D.

use serde::{Deserialize, Serialize};

use crate::dynamics::{Dynamics, Surface, WaterDynamics};
use crate::engage::{Engage, EngageBy};

/// The defaults of a feature: those of section 8, and scenery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Template {
    /// A monkey bar (8.1).
    Bar,
    /// A pole to climb (8.2).
    Pole,
    /// A rope to climb and swing on (8.2).
    Rope,
    /// A floor to walk on (8.3).
    Floor,
    /// A rock to climb by (8.4).
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

impl Template {
    /// Every template.
    pub const ALL: [Template; 9] = [
        Template::Bar,
        Template::Pole,
        Template::Rope,
        Template::Floor,
        Template::Rock,
        Template::Trampoline,
        Template::Water,
        Template::Web,
        Template::Scenery,
    ];

    /// C: the condition of engagement.
    pub fn engage(self) -> Engage {
        let hands = Engage::default();
        let feet = Engage { by: EngageBy::Feet, closed: false, within_m: 0.02, above: false };
        match self {
            Template::Bar | Template::Pole | Template::Rope => Engage { within_m: 0.18, ..hands },
            Template::Floor | Template::Trampoline => feet,
            Template::Rock => Engage { by: EngageBy::Limbs, within_m: 0.08, above: true, ..hands },
            Template::Water => Engage { by: EngageBy::Body, closed: false, ..hands },
            Template::Web => hands,
            Template::Scenery => Engage { by: EngageBy::Nothing, ..hands },
        }
    }

    /// D: the dynamics.
    pub fn dynamics(self) -> Dynamics {
        match self {
            Template::Bar | Template::Scenery => Dynamics::BAR,
            Template::Pole | Template::Rock => Dynamics::ROCK,
            Template::Rope => Dynamics::ROPE,
            Template::Floor => Dynamics::FLOOR,
            Template::Trampoline => {
                Dynamics { spin: 2.0, surface: Some(Surface::default()), ..Dynamics::FLOOR }
            }
            Template::Water => Dynamics { water: Some(WaterDynamics::default()), ..Dynamics::BAR },
            Template::Web => Dynamics {
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
