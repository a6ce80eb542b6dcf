//! D: the forces that a feature applies on contact.
//!
//! Gains are per kilogram of the character, so that characters of different mass move alike: k_s = `stiffness` × mass, and so on.

use marey_ops::OutOfRange;
use serde::{Deserialize, Serialize};

/// D: the forces that a feature applies on contact.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dynamics {
    /// k_s of the linear spring between contact and centre of mass (the strength of arms or legs), in N/m per kg; 0 to 5000.
    pub stiffness: f32,
    /// k_d of that spring, in N s/m per kg; 0 to 200.
    pub damping: f32,
    /// k_s^α: how strongly the angle about the pitch axis (forward and back) follows the performer's, in 1/s²; 0 to 5000. 0 is a
    /// passive joint.
    pub pitch_stiffness: f32,
    /// k_d^α: how strongly the rate of that angle follows, in 1/s; 0 to 100.
    pub pitch_damping: f32,
    /// k_s^β: as `pitch_stiffness`, about the roll axis (sideways).
    pub roll_stiffness: f32,
    /// k_d^β: as `pitch_damping`, about the roll axis.
    pub roll_damping: f32,
    /// Whether a contact can pull. A gripping hand can; a standing foot only pushes.
    pub pulls: bool,
    /// Factor on the performer's own angular momentum that the character takes off with; 0 to 10. 0 keeps it upright.
    pub spin: f32,
    /// The damped spring of a soft surface, such as a trampoline.
    pub surface: Option<Surface>,
    /// Water, which applies forces without contacts.
    pub water: Option<WaterDynamics>,
    /// Mass of a rope per metre, in kg; 0.1 to 20.
    pub rope_kg_per_m: f32,
    /// The largest length of a web that a hand shoots at the feature, in metres; 0 to 100. At 0, webs do not attach to it.
    pub web_reach_m: f32,
}

/// A soft surface: a damped spring.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Surface {
    /// Moving mass, in kg; default 8; 1 to 200.
    pub mass_kg: f32,
    /// Stiffness, in N/m; default 5000; 100 to 100000.
    pub stiffness: f32,
    /// Damping, in N s/m; default 60; 0 to 5000.
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
pub struct WaterDynamics {
    /// Buoyancy as a fraction of the weight; default 1; 0 to 2.
    pub buoyancy: f32,
    /// Rate at which the water slows the body, in 1/s; default 1.2; 0 to 20.
    pub drag: f32,
    /// Drag of a hand that pushes backwards, in N s²/m² per kg; default 0.25; 0 to 10. The recovery stroke has a third of it.
    pub hand_drag: f32,
    /// Lift of a hand that sweeps sideways, in N s²/m² per kg; default 0.08; 0 to 10.
    pub hand_lift: f32,
}

impl Default for WaterDynamics {
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
    /// Hands on a bar: strong arms; pitch follows the performer's rate; roll is passive (8.1).
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
    /// Feet on a floor: follows the performer closely (8.3).
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
    /// A rope, which bears no torque: the hands act weakly about the pitch axis.
    pub const ROPE: Self = Self { pitch_damping: 0.8, roll_damping: 0.1, ..Self::BAR };
    /// Hands on a rock: as on a bar, but the body follows the performer's position (8.4).
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
