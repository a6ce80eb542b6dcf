//! Finding the unit of length from how tall a person is.

use marey_motion::Skeleton;

use super::body::Body;
use crate::Unit;

/// Standing heights that people have, in metres.
pub(super) const HUMAN_METRES: std::ops::RangeInclusive<f64> = 1.2..=2.2;

/// The height taken where no unit fits, in metres.
pub(super) const TYPICAL_METRES: f64 = 1.7;

/// Standing heights, in metres, that a person of a film or a game may still have: a child or a giant.
pub(super) const POSSIBLE_METRES: std::ops::RangeInclusive<f64> = 0.4..=4.0;

/// What was found out about the unit.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum UnitGuess {
    /// A unit that makes the person as tall as people are.
    Fits(Unit, String),
    /// No unit does: one was made up for a typical height.
    MadeUp(Unit, String),
    /// No person: the unit was assumed from the size of the skeleton.
    Assumed(Unit, String),
}

/// Finds the unit of a skeleton.
pub(super) fn detect(skeleton: &Skeleton) -> UnitGuess {
    let Some(body) = Body::of(skeleton) else { return assume(skeleton) };
    let height = f64::from(body.height);
    let fits = Unit::NAMED.into_iter().filter(|unit| HUMAN_METRES.contains(&(height * unit.metres())));
    // Units lie far apart, but for decimetres and CMU's: the one that gives the more usual height.
    let off = |unit: &Unit| (height * unit.metres() / TYPICAL_METRES).ln().abs();
    match fits.min_by(|a, b| off(a).total_cmp(&off(b))) {
        Some(unit) => {
            let metres = height * unit.metres();
            UnitGuess::Fits(unit, format!("height {metres:.2} m, read as {}", unit.in_words()))
        }
        None => {
            let unit = Unit::Metres(TYPICAL_METRES / height);
            let why = format!(
                "no usual unit makes {height:.4} units a person's height; scaled to {TYPICAL_METRES} m"
            );
            UnitGuess::MadeUp(unit, why)
        }
    }
}

/// Why a stated unit cannot be right for a person, where it cannot.
pub(super) fn doubt(skeleton: &Skeleton, stated: Unit) -> Option<String> {
    let height = f64::from(Body::of(skeleton)?.height) * stated.metres();
    let in_words = stated.in_words();
    (!POSSIBLE_METRES.contains(&height))
        .then(|| format!("the file says {in_words}, which makes the person {height:.4} m tall"))
}

/// For what is not a person: metres, centimetres or millimetres, whichever gives a size between a hand and a horse.
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
        format!("no person to measure; {size:.3} units across, taken for {}", unit.in_words()),
    )
}
