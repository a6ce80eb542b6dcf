//! The fields of a keyframe, as they are written.

use marey_motion::Place;

use super::codes;
use crate::FormatsError;
use crate::unique_labels::short;

/// Largest plausible coordinate in metres, and time in seconds.
const MAX_VALUE: f64 = 1e7;

/// A column or key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Pose,
    Number(NumberField),
}

/// A column or key of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NumberField {
    Secs,
    Millisecs,
    X,
    Z,
    Degrees,
}

impl Field {
    /// Parses the name of a column or key, ignoring case and a unit in brackets.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        let word = name.split(['(', '[', ' ']).next().unwrap_or_default();
        let number = match word.to_ascii_lowercase().as_str() {
            "pose" => return Some(Self::Pose),
            "t" | "time" | "s" | "sec" | "secs" | "seconds" => NumberField::Secs,
            "ms" | "millis" | "milliseconds" => NumberField::Millisecs,
            "x" => NumberField::X,
            "z" => NumberField::Z,
            "degrees" | "heading" | "yaw" => NumberField::Degrees,
            _ => return None,
        };
        Some(Self::Number(number))
    }
}

/// A keyframe as it is written.
#[derive(Debug, Default)]
pub(super) struct KeyframeFields {
    /// Where the keyframe is in the file.
    pub(super) place: Place,
    pub(super) pose: String,
    pub(super) secs: Option<f64>,
    pub(super) x: Option<f32>,
    pub(super) z: Option<f32>,
    pub(super) degrees: Option<f32>,
}

impl KeyframeFields {
    pub(super) fn at(place: Place) -> Self {
        Self { place, ..Self::default() }
    }

    /// Sets a number. `written` is how it is written.
    pub(super) fn set(
        &mut self,
        field: NumberField,
        value: Option<f64>,
        written: &str,
    ) -> Result<(), FormatsError> {
        let Some(value) = value.filter(|value| value.abs() <= MAX_VALUE) else {
            let message = format!("{:?} is not a number of a plausible size", short(written));
            return Err(FormatsError::refused(&codes::BAD_NUMBER, self.place.clone(), message));
        };
        match field {
            NumberField::Secs => self.secs = Some(value),
            NumberField::Millisecs => self.secs = Some(value / 1000.0),
            NumberField::X => self.x = Some(value as f32),
            NumberField::Z => self.z = Some(value as f32),
            NumberField::Degrees => self.degrees = Some(value as f32),
        }
        Ok(())
    }

    /// Refuses a keyframe without a pose.
    pub(super) fn with_pose(self) -> Result<Self, FormatsError> {
        match self.pose.is_empty() {
            true => Err(FormatsError::refused(&codes::NO_POSE, self.place, "the keyframe has no pose")),
            false => Ok(self),
        }
    }
}
