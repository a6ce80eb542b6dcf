//! D: what a feature does to who touches it.
//!
//! Gains are for each kilogram of the character, so that a child and a heavy man feel the same bar: k_s = `stiffness` × mass, and
//! so on.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

/// D: what a feature does to who touches it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dynamics {
    /// k_s of the linear spring between contact and centre of mass, in N/m for each kg; 0 to 5000. How strong arms or legs are.
    pub stiffness: f32,
    /// k_d of that spring, in N s/m for each kg; 0 to 200.
    pub damping: f32,
    /// k_s^α: how strongly the angle about the pitch axis (ahead and back) is that of the performer, in 1/s²; 0 to 5000. At 0 it is
    /// passive.
    pub pitch_stiffness: f32,
    /// k_d^α: how strongly its rate is, in 1/s; 0 to 100.
    pub pitch_damping: f32,
    /// k_s^β: the same about the roll axis (sideways).
    pub roll_stiffness: f32,
    /// k_d^β.
    pub roll_damping: f32,
    /// Whether a contact can pull, as a hand that holds does; a foot that stands only pushes.
    pub pulls: bool,
    /// How much of the performer's own spin the character takes along when it leaves, 0 to 10; 0 leaves it upright.
    pub spin: f32,
    /// A surface that gives way, as a trampoline's: a damped spring.
    pub surface: Option<Surface>,
    /// Water instead of contacts.
    pub water: Option<Water>,
    /// Mass of each metre of a rope, in kg; 0.1 to 20.
    pub rope_kg_per_m: f32,
    /// How far a web reaches from the hand, in metres; 0 to 100. At 0 the feature is no anchor of webs.
    pub web_reach_m: f32,
}

/// A surface that gives way.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Surface {
    /// What moves with it, in kg; default 8; 1 to 200.
    pub mass_kg: f32,
    /// Newtons a metre; default 5000; 100 to 100000.
    pub stiffness: f32,
    /// Newton seconds a metre; default 60; 0 to 5000.
    pub damping: f32,
}

impl Default for Surface {
    fn default() -> Self {
        Self { mass_kg: 8.0, stiffness: 5000.0, damping: 60.0 }
    }
}

/// Water.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Water {
    /// How much of the weight it bears; default 1; 0 to 2.
    pub buoyancy: f32,
    /// How fast a body in it comes to rest, in 1/s; default 1.2; 0 to 20.
    pub drag: f32,
    /// Drag of a hand that presses backwards, in N s²/m² for each kg; default 0.25; 0 to 10. What comes ahead again has a third of it.
    pub hand_drag: f32,
    /// Lift of a hand that moves across, likewise; default 0.08; 0 to 10.
    pub hand_lift: f32,
}

impl Default for Water {
    fn default() -> Self {
        Self { buoyancy: 1.0, drag: 1.2, hand_drag: 0.25, hand_lift: 0.08 }
    }
}

impl Default for Dynamics {
    fn default() -> Self {
        Self::BAR
    }
}

impl Dynamics {
    /// Of hands on a bar: strong arms, the swing ahead and back by the performer's rate, sideways passive (8.1).
    pub const BAR: Self = Self {
        stiffness: 400.0,
        damping: 14.0,
        pitch_stiffness: 0.0,
        pitch_damping: 1.2,
        roll_stiffness: 0.0,
        roll_damping: 0.15,
        pulls: true,
        spin: 0.0,
        surface: None,
        water: None,
        rope_kg_per_m: 1.2,
        web_reach_m: 0.0,
    };
    /// Of feet on a floor: followed closely (8.3).
    pub const FLOOR: Self = Self {
        stiffness: 900.0,
        damping: 45.0,
        pitch_stiffness: 700.0,
        pitch_damping: 40.0,
        roll_stiffness: 700.0,
        roll_damping: 40.0,
        pulls: false,
        ..Self::BAR
    };
    /// Of a rope, which bears no torque: what the hands do about the pitch axis still counts, a little.
    pub const ROPE: Self = Self { pitch_damping: 0.8, roll_damping: 0.1, ..Self::BAR };
    /// Of hands on a rock: as on a bar, but the body is held to where the performer is (8.4).
    pub const ROCK: Self = Self {
        pitch_stiffness: 60.0,
        pitch_damping: 12.0,
        roll_stiffness: 60.0,
        roll_damping: 12.0,
        ..Self::BAR
    };

    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        OutOfRange::check("stiffness", self.stiffness, 0.0..=5000.0)?;
        OutOfRange::check("damping", self.damping, 0.0..=200.0)?;
        for (name, value) in
            [("pitch_stiffness", self.pitch_stiffness), ("roll_stiffness", self.roll_stiffness)]
        {
            OutOfRange::check(name, value, 0.0..=5000.0)?;
        }
        for (name, value) in [("pitch_damping", self.pitch_damping), ("roll_damping", self.roll_damping)] {
            OutOfRange::check(name, value, 0.0..=100.0)?;
        }
        OutOfRange::check("spin", self.spin, 0.0..=10.0)?;
        OutOfRange::check("rope_kg_per_m", self.rope_kg_per_m, 0.1..=20.0)?;
        OutOfRange::check("web_reach_m", self.web_reach_m, 0.0..=100.0)?;
        if let Some(surface) = &self.surface {
            OutOfRange::check("mass_kg", surface.mass_kg, 1.0..=200.0)?;
            OutOfRange::check("surface.stiffness", surface.stiffness, 100.0..=100_000.0)?;
            OutOfRange::check("surface.damping", surface.damping, 0.0..=5000.0)?;
        }
        if let Some(water) = &self.water {
            OutOfRange::check("buoyancy", water.buoyancy, 0.0..=2.0)?;
            OutOfRange::check("drag", water.drag, 0.0..=20.0)?;
            OutOfRange::check("hand_drag", water.hand_drag, 0.0..=10.0)?;
            OutOfRange::check("hand_lift", water.hand_lift, 0.0..=10.0)?;
        }
        Ok(())
    }
}
