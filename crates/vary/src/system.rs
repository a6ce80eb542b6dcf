//! Systems of three differential equations that are, or may be, chaotic.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, Expression, Point};

/// Three differential equations: how fast a place in space moves.
///
/// ```
/// use marey_vary::System;
/// // ẋ = 16 y − 16 x, ẏ = 45 x − y − x z, ż = x y − 4 z at (1, 2, 3).
/// assert_eq!(System::Lorenz.velocity([1.0, 2.0, 3.0]), [16.0, 40.0, -10.0]);
/// let same: System = "16*y - 16*x; 45*x - y - x*z; x*y - 4*z".parse()?;
/// assert_eq!(same.velocity([1.0, 2.0, 3.0]), [16.0, 40.0, -10.0]);
/// # Ok::<(), marey_vary::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum System {
    /// Lorenz's model of a heated fluid (1963), with the constants of the paper: 16, 45 and 4. The default.
    #[default]
    Lorenz,
    /// Rössler's simplest chaos (1976): 0.2, 0.2 and 5.7.
    Rossler,
    /// Chua's circuit (1983) with two scrolls: 15.6, 28, −8/7 and −5/7.
    Chua,
    /// Any other: the speeds along x, y and z.
    Custom(Box<[Expression; 3]>),
}

impl System {
    /// How fast a place moves.
    pub fn velocity(&self, [x, y, z]: Point) -> Point {
        match self {
            // Equation 1.
            System::Lorenz => [16.0 * y - 16.0 * x, 45.0 * x - y - x * z, x * y - 4.0 * z],
            System::Rossler => [-y - z, x + 0.2 * y, 0.2 + z * (x - 5.7)],
            System::Chua => {
                let (inner, outer) = (-8.0 / 7.0, -5.0 / 7.0);
                let diode = outer * x + 0.5 * (inner - outer) * ((x + 1.0).abs() - (x - 1.0).abs());
                [15.6 * (y - x - diode), x - y + z, -28.0 * y]
            }
            System::Custom(speeds) => speeds.each_ref().map(|speed| speed.at([x, y, z])),
        }
    }

    /// A place from which trajectories come to the attractor.
    pub fn start(&self) -> Point {
        match self {
            System::Lorenz => [1.0, 1.0, 20.0],
            System::Rossler => [1.0, 1.0, 0.0],
            System::Chua => [0.7, 0.0, 0.0],
            System::Custom(_) => [1.0, 1.0, 1.0],
        }
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            System::Lorenz => f.write_str("lorenz"),
            System::Rossler => f.write_str("rossler"),
            System::Chua => f.write_str("chua"),
            System::Custom(speeds) => {
                let [x, y, z] = &**speeds;
                write!(f, "{x}; {y}; {z}")
            }
        }
    }
}

impl FromStr for System {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text.trim().to_lowercase().as_str() {
            "lorenz" => return Ok(System::Lorenz),
            "rossler" | "rössler" => return Ok(System::Rossler),
            "chua" => return Ok(System::Chua),
            _ => {}
        }
        let parts: Vec<&str> = text.split(';').collect();
        let [x, y, z] = parts.as_slice() else { return Err(Error::System { text: text.to_owned() }) };
        Ok(System::Custom(Box::new([x.parse()?, y.parse()?, z.parse()?])))
    }
}

impl TryFrom<String> for System {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<System> for String {
    fn from(system: System) -> Self {
        system.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_read_as_they_are_written() {
        for text in ["lorenz", "rossler", "chua", "y; -x; 0.1*z"] {
            assert_eq!(text.parse::<System>().unwrap().to_string(), text);
        }
        for bad in ["", "henon", "x; y", "x; y; z; x", "x; y; q"] {
            assert!(bad.parse::<System>().is_err(), "{bad}");
        }
    }
}
