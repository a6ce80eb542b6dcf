//! The five control actions: target angles of the joints from crouch to landing.
//!
//! An action is a short pose graph after van de Panne, Kim and Fiume (*Virtual Wind-up Toys for Animation*, 1994): fold, stretch, fold
//! again in the air. The numbers were found by random search: of 1,500 random scripts, those that hopped twice without falling on level
//! ground, up and down a slope of 6°, and over a step of 3 cm up and 5 cm down were sorted by length and height, and five different
//! ones were kept.
//!
//! | action | length on level ground | height of the sole |
//! |---|---|---|
//! | nudge | 0.05 m | 0.07 m |
//! | short hop | 0.17 m | 0.12 m |
//! | middle hop | 0.26 m | 0.18 m |
//! | long hop | 0.43 m | 0.22 m |
//! | high hop | 0.34 m | 0.31 m |

use super::lamp::JointAngles;
use super::world::JointGains;

/// A control action. The resulting hop depends on the lamp's pose and on the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Action {
    Nudge,
    Short,
    Middle,
    Long,
    High,
}

/// The target angles of an action.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Script {
    /// Duration of the crouch before the push, in seconds.
    pub(super) crouch_secs: f32,
    /// Target angles of the crouch.
    pub(super) crouch: JointAngles,
    /// Longest duration of the push, in seconds.
    pub(super) push_secs: f32,
    /// Target angles of the push.
    pub(super) push: JointAngles,
    /// Gains of the push.
    pub(super) push_gains: JointGains,
    /// Angle of the elbow in the air before landing. The ankle keeps the base parallel to the ground.
    pub(super) flight_elbow: f32,
}

/// Gains for slow movements and landings.
pub(super) const SOFT_GAINS: JointGains = JointGains { stiffness: 12.0, damping: 0.9 };

impl Action {
    /// Every action, in the order of the table.
    pub(super) const ALL: [Action; 5] =
        [Action::Nudge, Action::Short, Action::Middle, Action::Long, Action::High];

    /// The name in ground truths.
    pub(super) fn name(self) -> &'static str {
        match self {
            Action::Nudge => "nudge",
            Action::Short => "short hop",
            Action::Middle => "middle hop",
            Action::Long => "long hop",
            Action::High => "high hop",
        }
    }

    pub(super) fn script(self) -> Script {
        let numbers = match self {
            Action::Nudge => [0.28, 0.99, -1.52, 0.07, 0.63, -1.06, 37.6, -1.68],
            Action::Short => [0.38, 0.91, -1.96, 0.18, 0.36, -0.55, 13.6, -1.86],
            Action::Middle => [0.36, 1.01, -2.14, 0.20, 0.45, -0.16, 13.3, -1.10],
            Action::Long => [0.40, 0.95, -2.59, 0.14, 0.42, -0.45, 13.5, -1.71],
            Action::High => [0.28, 1.25, -2.15, 0.06, 0.67, -0.49, 33.1, -1.85],
        };
        Script::of(numbers)
    }
}

impl Script {
    /// Crouch: time, ankle, elbow; push: time, ankle, elbow, stiffness; the elbow in the air.
    fn of(numbers: [f32; 8]) -> Self {
        let [crouch_secs, ankle, elbow, push_secs, push_ankle, push_elbow, stiffness, flight_elbow] = numbers;
        Script {
            crouch_secs,
            crouch: JointAngles { ankle, elbow },
            push_secs,
            push: JointAngles { ankle: push_ankle, elbow: push_elbow },
            push_gains: JointGains { stiffness, damping: 0.5 },
            flight_elbow,
        }
    }
}
