//! Range checks of settings.

use std::ops::RangeInclusive;

/// A setting that is outside its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{name} is {value}, but must be from {low} to {high}")]
pub struct OutOfRange {
    /// Name of the setting.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// The smallest allowed value.
    pub low: f64,
    /// The largest allowed value.
    pub high: f64,
}

impl OutOfRange {
    /// Checks that a setting is in its range; NaN is not.
    ///
    /// ```
    /// use marey_motion::OutOfRange;
    /// assert!(OutOfRange::check("share", 0.3f32, 0.0..=1.0).is_ok());
    /// let refused = OutOfRange::check("share", f32::NAN, 0.0..=1.0).unwrap_err();
    /// assert_eq!(refused.to_string(), "share is NaN, but must be from 0 to 1");
    /// ```
    pub fn check<T: Copy + PartialOrd + Into<f64>>(
        name: &'static str,
        value: T,
        range: RangeInclusive<T>,
    ) -> Result<(), Self> {
        if range.contains(&value) {
            return Ok(());
        }
        Err(Self { name, value: value.into(), low: (*range.start()).into(), high: (*range.end()).into() })
    }
}
