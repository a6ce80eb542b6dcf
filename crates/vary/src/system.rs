//! Systems of three differential equations.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Expression, StatePoint, VaryError};

/// Three autonomous differential equations.
///
/// ```
/// use marey_vary::ChaoticSystem;
/// // ẋ = 16 y − 16 x, ẏ = 45 x − y − x z, ż = x y − 4 z at (1, 2, 3).
/// assert_eq!(ChaoticSystem::Lorenz.velocity([1.0, 2.0, 3.0]), [16.0, 40.0, -10.0]);
/// let same: ChaoticSystem = "16*y - 16*x; 45*x - y - x*z; x*y - 4*z".parse()?;
/// assert_eq!(same.velocity([1.0, 2.0, 3.0]), [16.0, 40.0, -10.0]);
/// # Ok::<(), marey_vary::VaryError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ChaoticSystem {
    /// Lorenz's convection model (1963) with the paper's constants 16, 45 and 4. The default.
    #[default]
    Lorenz,
    /// Rössler's system (1976) with constants 0.2, 0.2 and 5.7.
    Rossler,
    /// Chua's double-scroll circuit (1983) with constants 15.6, 28, −8/7 and −5/7.
    Chua,
    /// A user-defined system: the derivatives of x, y and z.
    Custom(Box<[Expression; 3]>),
}

impl ChaoticSystem {
    /// Returns the time derivative at a point.
    pub fn velocity(&self, [x, y, z]: StatePoint) -> StatePoint {
        match self {
            // Equation 1.
            ChaoticSystem::Lorenz => [16.0 * y - 16.0 * x, 45.0 * x - y - x * z, x * y - 4.0 * z],
            ChaoticSystem::Rossler => [-y - z, x + 0.2 * y, 0.2 + z * (x - 5.7)],
            ChaoticSystem::Chua => {
                let (inner, outer) = (-8.0 / 7.0, -5.0 / 7.0);
                let diode = outer * x + 0.5 * (inner - outer) * ((x + 1.0).abs() - (x - 1.0).abs());
                [15.6 * (y - x - diode), x - y + z, -28.0 * y]
            }
            ChaoticSystem::Custom(derivatives) => {
                derivatives.each_ref().map(|derivative| derivative.at([x, y, z]))
            }
        }
    }

    /// Returns a point from which trajectories converge to the attractor.
    pub fn start(&self) -> StatePoint {
        match self {
            ChaoticSystem::Lorenz => [1.0, 1.0, 20.0],
            ChaoticSystem::Rossler => [1.0, 1.0, 0.0],
            ChaoticSystem::Chua => [0.7, 0.0, 0.0],
            ChaoticSystem::Custom(_) => [1.0, 1.0, 1.0],
        }
    }
}

impl fmt::Display for ChaoticSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChaoticSystem::Lorenz => f.write_str("lorenz"),
            ChaoticSystem::Rossler => f.write_str("rossler"),
            ChaoticSystem::Chua => f.write_str("chua"),
            ChaoticSystem::Custom(derivatives) => {
                let [x, y, z] = &**derivatives;
                write!(f, "{x}; {y}; {z}")
            }
        }
    }
}

impl FromStr for ChaoticSystem {
    type Err = VaryError;

    fn from_str(text: &str) -> Result<Self, VaryError> {
        match text.trim().to_lowercase().as_str() {
            "lorenz" => return Ok(ChaoticSystem::Lorenz),
            "rossler" | "rössler" => return Ok(ChaoticSystem::Rossler),
            "chua" => return Ok(ChaoticSystem::Chua),
            _ => {}
        }
        let parts: Vec<&str> = text.split(';').collect();
        let [x, y, z] = parts.as_slice() else {
            return Err(VaryError::UnknownSystem { text: text.to_owned() });
        };
        Ok(ChaoticSystem::Custom(Box::new([x.parse()?, y.parse()?, z.parse()?])))
    }
}

impl TryFrom<String> for ChaoticSystem {
    type Error = VaryError;

    fn try_from(text: String) -> Result<Self, VaryError> {
        text.parse()
    }
}

impl From<ChaoticSystem> for String {
    fn from(system: ChaoticSystem) -> Self {
        system.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_and_parse_round_trip() {
        for text in ["lorenz", "rossler", "chua", "y; -x; 0.1*z"] {
            assert_eq!(text.parse::<ChaoticSystem>().unwrap().to_string(), text);
        }
        for bad in ["", "henon", "x; y", "x; y; z; x", "x; y; q"] {
            assert!(bad.parse::<ChaoticSystem>().is_err(), "{bad}");
        }
    }
}
