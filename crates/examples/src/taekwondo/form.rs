//! The form of each attack: the pose of the body, and the striking limb.

use marey_motion::{Side, Vec3};

use super::Movement;
use super::key::Key;

/// The striking limb.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Weapon {
    /// The knuckles of the rear hand.
    Fist,
    /// A foot.
    Foot(KickForm),
}

/// The form of a kick, for a fighter in a left-foot-forward stance who faces +Z. Lengths are for a body of 1.72 m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct KickForm {
    /// Whether the lead leg kicks.
    pub(super) with_lead: bool,
    /// Position of the ankle in the chamber, relative to the hip.
    pub(super) chamber: Vec3,
    /// Direction of the knee in the chamber and at contact.
    pub(super) poles: [Vec3; 2],
    /// Stretch of the foot in the chamber and at contact, in radians.
    pub(super) stretch_rad: [f64; 2],
    /// The part of the foot that strikes.
    pub(super) part: FootPart,
    /// Pivot of the standing foot to the left, in radians.
    pub(super) pivot_rad: f64,
}

/// A part of a foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FootPart {
    Ball,
    Heel,
    Instep,
}

/// An attack: the pose of the body in preparation and at contact, and the striking limb.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Form {
    pub(super) prepared: Key,
    pub(super) arrived: Key,
    pub(super) weapon: Weapon,
}

impl Form {
    /// The form of an attack. `None` for other movements.
    pub(super) fn of(movement: Movement) -> Option<Self> {
        match movement {
            Movement::Punch => Some(PUNCH),
            Movement::FrontKick => Some(FRONT_KICK),
            Movement::SideKick => Some(SIDE_KICK),
            Movement::Roundhouse => Some(ROUNDHOUSE),
            Movement::HighKick => Some(HIGH_KICK),
            _ => None,
        }
    }

    /// The side that strikes.
    pub(super) fn side(&self, lead: Side) -> Side {
        match self.weapon {
            Weapon::Foot(KickForm { with_lead: true, .. }) => lead,
            _ => lead.other(),
        }
    }
}

const PUNCH: Form = Form {
    prepared: Key {
        ahead: 0.03,
        hips: [-0.65, 0.0, 0.08],
        chest: [-0.68, 0.0, 0.14],
        rear: [-0.15, -0.02, 0.16],
        ..Key::GUARD
    },
    arrived: Key {
        rise: -0.06,
        ahead: 0.13,
        sideways: 0.02,
        hips: [0.15, 0.0, 0.10],
        chest: [0.50, 0.0, 0.22],
        lead: [0.15, -0.02, 0.20],
        rear: [-0.10, 0.08, 0.45],
        head: [0.0, 0.02],
    },
    weapon: Weapon::Fist,
};

const FRONT_KICK: Form = Form {
    prepared: Key {
        rise: -0.02,
        ahead: 0.14,
        sideways: 0.05,
        hips: [-0.05, -0.02, 0.0],
        chest: [-0.20, 0.0, 0.06],
        ..Key::GUARD
    },
    arrived: Key {
        rise: 0.0,
        ahead: 0.20,
        sideways: 0.05,
        hips: [0.30, -0.08, -0.24],
        chest: [0.05, -0.03, -0.14],
        lead: [0.14, 0.06, 0.30],
        rear: [-0.20, -0.06, 0.18],
        head: [0.0, 0.10],
    },
    weapon: Weapon::Foot(KickForm {
        with_lead: false,
        chamber: Vec3::new(-0.02, -0.30, 0.10),
        poles: [Vec3::new(-0.1, 0.4, 1.0), Vec3::new(-0.1, 1.0, 0.2)],
        stretch_rad: [0.3, 0.35],
        part: FootPart::Ball,
        pivot_rad: 0.6,
    }),
};

const ROUNDHOUSE: Form = Form {
    prepared: Key {
        rise: -0.02,
        ahead: 0.13,
        sideways: 0.05,
        hips: [0.25, -0.10, 0.0],
        chest: [-0.05, -0.08, 0.08],
        rear: [-0.18, 0.0, 0.18],
        ..Key::GUARD
    },
    arrived: Key {
        rise: 0.0,
        ahead: 0.17,
        sideways: 0.06,
        hips: [1.05, -0.34, -0.06],
        chest: [0.55, -0.30, -0.08],
        lead: [0.13, 0.07, 0.28],
        rear: [-0.32, -0.22, 0.06],
        head: [0.0, 0.08],
    },
    weapon: Weapon::Foot(KickForm {
        with_lead: false,
        chamber: Vec3::new(-0.36, -0.10, -0.02),
        poles: [Vec3::new(0.1, 0.45, 1.0), Vec3::new(0.8, 0.55, 0.1)],
        stretch_rad: [0.5, 1.0],
        part: FootPart::Instep,
        pivot_rad: 1.7,
    }),
};

const HIGH_KICK: Form = Form {
    prepared: Key { hips: [0.35, -0.22, -0.04], chest: [0.0, -0.20, 0.02], ..ROUNDHOUSE.prepared },
    arrived: Key {
        rise: 0.01,
        ahead: 0.14,
        hips: [1.05, -0.62, -0.12],
        chest: [0.65, -0.52, -0.22],
        rear: [-0.30, -0.26, 0.02],
        ..ROUNDHOUSE.arrived
    },
    weapon: Weapon::Foot(KickForm {
        with_lead: false,
        chamber: Vec3::new(-0.34, 0.02, 0.05),
        poles: [Vec3::new(0.1, 0.7, 0.8), Vec3::new(0.9, 0.3, 0.0)],
        stretch_rad: [0.5, 1.0],
        part: FootPart::Instep,
        pivot_rad: 2.0,
    }),
};

const SIDE_KICK: Form = Form {
    prepared: Key {
        rise: -0.03,
        ahead: 0.04,
        sideways: -0.04,
        hips: [-1.05, 0.10, 0.02],
        chest: [-0.85, 0.10, 0.06],
        ..Key::GUARD
    },
    arrived: Key {
        rise: 0.0,
        ahead: 0.06,
        sideways: -0.05,
        hips: [-1.50, 0.48, 0.0],
        chest: [-1.15, 0.46, 0.02],
        lead: [0.24, -0.06, 0.20],
        rear: [-0.08, 0.04, 0.24],
        head: [0.0, 0.04],
    },
    weapon: Weapon::Foot(KickForm {
        with_lead: true,
        chamber: Vec3::new(-0.12, -0.12, 0.20),
        poles: [Vec3::new(-0.5, 0.8, 0.4), Vec3::new(-0.8, 0.6, 0.0)],
        stretch_rad: [-0.1, -0.1],
        part: FootPart::Heel,
        pivot_rad: -1.3,
    }),
};
