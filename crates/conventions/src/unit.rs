//! Units of length in motion files.

use std::fmt;
use std::str::FromStr;

/// A unit of length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unit {
    /// Metres.
    Metre,
    /// Decimetres, used by MakeHuman.
    Decimetre,
    /// Centimetres, used by most exporters.
    Centimetre,
    /// Millimetres, used by capture systems.
    Millimetre,
    /// Inches.
    Inch,
    /// Feet.
    Foot,
    /// The unit of CMU's archive. Its numbers are inches × 0.45, so one unit is 1 / 0.45 inches, 5.6444 cm.
    Cmu,
    /// Any other length, in metres.
    Metres(f64),
}

impl Unit {
    /// All named units.
    pub const NAMED: [Unit; 7] =
        [Unit::Metre, Unit::Decimetre, Unit::Centimetre, Unit::Millimetre, Unit::Inch, Unit::Foot, Unit::Cmu];

    /// The length of one unit in metres.
    pub fn metres(self) -> f64 {
        match self {
            Unit::Metre => 1.0,
            Unit::Decimetre => 0.1,
            Unit::Centimetre => 0.01,
            Unit::Millimetre => 0.001,
            Unit::Inch => 0.0254,
            Unit::Foot => 0.3048,
            Unit::Cmu => 0.0254 / 0.45,
            Unit::Metres(metres) => metres,
        }
    }

    /// Parses a unit as files spell it: `mm`, `Meters`, `\"`.
    pub fn from_file_text(word: &str) -> Option<Self> {
        match word.trim().trim_end_matches('.').to_ascii_lowercase().as_str() {
            "m" | "meter" | "meters" | "metre" | "metres" => Some(Unit::Metre),
            "dm" | "decimeters" | "decimetres" => Some(Unit::Decimetre),
            "cm" | "centimeter" | "centimeters" | "centimetre" | "centimetres" => Some(Unit::Centimetre),
            "mm" | "millimeter" | "millimeters" | "millimetre" | "millimetres" => Some(Unit::Millimetre),
            "in" | "inch" | "inches" | "\"" => Some(Unit::Inch),
            "ft" | "foot" | "feet" | "'" => Some(Unit::Foot),
            _ => None,
        }
    }

    /// The unit in plain words, for example `inches × 0.45`.
    pub fn description(self) -> String {
        match self {
            Unit::Metre => "metres".into(),
            Unit::Decimetre => "decimetres".into(),
            Unit::Centimetre => "centimetres".into(),
            Unit::Millimetre => "millimetres".into(),
            Unit::Inch => "inches".into(),
            Unit::Foot => "feet".into(),
            Unit::Cmu => "inches × 0.45".into(),
            Unit::Metres(metres) => format!("units of {metres:.4} m"),
        }
    }
}

impl fmt::Display for Unit {
    /// The form that [`FromStr`] parses: `cm`, `cmu`, or a number of metres.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Unit::Metre => "m",
            Unit::Decimetre => "dm",
            Unit::Centimetre => "cm",
            Unit::Millimetre => "mm",
            Unit::Inch => "in",
            Unit::Foot => "ft",
            Unit::Cmu => "cmu",
            Unit::Metres(metres) => return f.pad(&metres.to_string()),
        })
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(unit) = Unit::NAMED.into_iter().find(|u| u.to_string() == text) {
            return Ok(unit);
        }
        match text.parse::<f64>() {
            Ok(metres) if metres.is_finite() && (1e-9..1e9).contains(&metres) => Ok(Unit::Metres(metres)),
            _ => Err(format!("{text:?} is not m, dm, cm, mm, in, ft, cmu or a number of metres")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_parses_its_own_display() {
        for unit in Unit::NAMED.into_iter().chain([Unit::Metres(0.25)]) {
            assert_eq!(unit.to_string().parse(), Ok(unit));
        }
        assert!((Unit::Cmu.metres() - 0.056444).abs() < 1e-6);
        for (word, unit) in [("mm", Unit::Millimetre), (" Meters", Unit::Metre), ("in.", Unit::Inch)] {
            assert_eq!(Unit::from_file_text(word), Some(unit), "{word}");
        }
        assert_eq!(Unit::from_file_text("furlongs"), None);
        for bad in ["", "furlong", "0", "-1", "nan"] {
            assert!(bad.parse::<Unit>().is_err(), "{bad}");
        }
    }
}
