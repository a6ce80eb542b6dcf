//! Poses of an attacked fighter. `scale` is the size of the movement, 1 on average.

use super::Movement;
use super::key::Key;

/// Leans away from the attack.
pub(super) fn away(scale: f64) -> Key {
    Key {
        rise: -0.05,
        ahead: -0.06,
        hips: [-0.60, 0.0, -0.05],
        chest: [-0.55, 0.0, -0.16 * scale],
        lead: [0.12, 0.10, 0.26],
        rear: [-0.10, 0.09, 0.20],
        head: [0.0, 0.0],
        ..Key::GUARD
    }
}

/// The guard opens before a hit, so that the attack reaches the body.
pub(super) fn opened() -> Key {
    Key { lead: [0.22, 0.06, 0.32], rear: [-0.24, 0.10, 0.14], ..Key::GUARD }
}

/// Folds after a hit at the trunk.
pub(super) fn folded(scale: f64) -> Key {
    Key {
        rise: -0.06,
        ahead: -0.07,
        hips: [-0.70, 0.0, 0.20],
        chest: [-0.80, 0.05, 0.42 * scale],
        lead: [0.14, -0.02, 0.30],
        rear: [-0.10, -0.10, 0.26],
        head: [0.0, 0.25],
        ..Key::GUARD
    }
}

/// After a hit at the head, the head moves away from the foot, and the body follows.
pub(super) fn thrown(scale: f64) -> Key {
    Key {
        rise: -0.04,
        ahead: -0.04,
        sideways: 0.04,
        hips: [-0.75, -0.08, 0.02],
        chest: [-0.95, -0.22 * scale, -0.02],
        lead: [0.22, 0.0, 0.26],
        rear: [-0.20, 0.04, 0.20],
        head: [-0.45 * scale, -0.10],
    }
}

/// The rear forearm moves towards the attack.
pub(super) fn blocked(block: Movement, scale: f64) -> Key {
    let guard = Key::GUARD;
    match block {
        Movement::LowBlock => Key {
            rise: -0.07,
            chest: [-0.15, 0.0, 0.24],
            rear: [-0.07, -0.24 * scale, 0.30],
            lead: [0.14, 0.10, 0.30],
            ..guard
        },
        Movement::HighBlock => Key {
            rise: -0.05,
            chest: [-0.30, 0.0, 0.05],
            rear: [-0.19, 0.26, 0.26],
            lead: [0.13, 0.06, 0.30],
            head: [0.0, 0.12],
            ..guard
        },
        _ => Key {
            chest: [-0.20, 0.0, 0.14],
            rear: [-0.09, 0.05 * scale, 0.34],
            lead: [0.15, 0.08, 0.28],
            ..guard
        },
    }
}
