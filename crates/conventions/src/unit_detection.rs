//! Infers the unit of length from the height of the person.

use marey_motion::Skeleton;

use crate::Unit;
use crate::body_measurements::BodyMeasurements;

/// Human standing heights, in metres.
pub(super) const HUMAN_HEIGHTS_M: std::ops::RangeInclusive<f64> = 1.2..=2.2;

/// The height used if no unit fits, in metres.
pub(super) const TYPICAL_HEIGHT_M: f64 = 1.7;

/// Standing heights that are believed if the file declares its unit, in metres: a doll of 0.3 m or a giant of 4 m, as far as heights can be
/// measured.
pub(super) const POSSIBLE_HEIGHTS_M: std::ops::RangeInclusive<f64> = 0.29..=4.1;

/// A unit with the reason for it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum UnitGuess {
    /// A named unit that gives the person a human height.
    Fits(Unit, String),
    /// No named unit does. This one scales the person to a typical height.
    Scaled(Unit, String),
    /// Not a person. The unit is assumed from the size of the skeleton.
    Assumed(Unit, String),
}

/// Infers the unit of a skeleton.
pub(super) fn detect(skeleton: &Skeleton) -> UnitGuess {
    let Some(body) = BodyMeasurements::new(skeleton) else { return assume(skeleton) };
    let height = f64::from(body.height);
    match human_unit(height) {
        Some(unit) => {
            let metres = height * unit.metres();
            UnitGuess::Fits(unit, format!("height {metres:.2} m if read as {}", unit.description()))
        }
        None => {
            let unit = Unit::Metres(TYPICAL_HEIGHT_M / height);
            let reason = format!(
                "no common unit makes {height:.4} units a human height; scaled to {TYPICAL_HEIGHT_M} m"
            );
            UnitGuess::Scaled(unit, reason)
        }
    }
}

/// The named unit that gives a person of this height in units a human height. Several fit only among decimetres and CMU's; the one
/// closest to a typical height wins.
fn human_unit(height: f64) -> Option<Unit> {
    let fits = Unit::NAMED.into_iter().filter(|unit| HUMAN_HEIGHTS_M.contains(&(height * unit.metres())));
    let off = |unit: &Unit| (height * unit.metres() / TYPICAL_HEIGHT_M).ln().abs();
    fits.min_by(|a, b| off(a).total_cmp(&off(b)))
}

/// Whether a reader finds the unit of a file that does not declare it. The skeleton is in metres; the file is in `unit`.
pub fn is_unit_evident(skeleton: &Skeleton, unit: Unit) -> bool {
    BodyMeasurements::new(skeleton)
        .is_none_or(|body| human_unit(f64::from(body.height) / unit.metres()) == Some(unit))
}

/// The reason why a declared unit cannot be right. `None` if it is plausible, or if there is no person.
pub(super) fn doubt(skeleton: &Skeleton, declared: Unit) -> Option<String> {
    let height_m = f64::from(BodyMeasurements::new(skeleton)?.height) * declared.metres();
    (!POSSIBLE_HEIGHTS_M.contains(&height_m)).then(|| implausible_height(declared, height_m))
}

pub(super) fn implausible_height(declared: Unit, height_m: f64) -> String {
    let unit = declared.description();
    format!("the file declares {unit}, which makes the person {height_m:.4} m tall")
}

/// For a skeleton that is not a person: metres, centimetres or millimetres, whichever gives a size of 0.1 to 4 m.
fn assume(skeleton: &Skeleton) -> UnitGuess {
    let points = skeleton.rest_positions();
    let low = points.iter().copied().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = points.iter().copied().reduce(|a, b| a.max(b)).unwrap_or_default();
    let size = f64::from((high - low).max_element());
    let fits = [Unit::Metre, Unit::Centimetre, Unit::Millimetre]
        .into_iter()
        .find(|unit| (0.1..=4.0).contains(&(size * unit.metres())));
    let unit = fits.unwrap_or(Unit::Centimetre);
    UnitGuess::Assumed(
        unit,
        format!("no person to measure; {size:.3} units across, assumed {}", unit.description()),
    )
}
