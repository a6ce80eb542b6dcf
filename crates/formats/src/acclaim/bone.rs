//! Reads one bone of a skeleton file, from `begin` to `end`.

use glam::DVec3;

use super::codes;
use super::dof::{Dof, Order};
use super::scan::{Scanner, is_word, key, short};
use crate::FormatsError;
use crate::number::{Comma, Token, general};

/// Largest plausible length, in any unit.
pub(super) const MAX_LENGTH: f64 = 1e9;

/// Deviation of a direction's length from 1 that is not reported. Files have about six digits.
const DIRECTION_TOLERANCE: f64 = 1e-3;

/// A bone of a skeleton file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bone {
    pub(super) name: String,
    /// The name in lower case, for lookup.
    pub(super) key: Vec<u8>,
    /// Its offset in the text.
    pub(super) at: usize,
    /// A unit vector, or zero if the file has no direction.
    pub(super) direction: DVec3,
    pub(super) length: f64,
    pub(super) axis: Axes,
    pub(super) dof: Vec<Dof>,
}

/// A frame of axes: angles about X, Y and Z in the file's unit, and the rotation order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axes {
    pub(super) angles: DVec3,
    pub(super) order: Order,
}

impl Axes {
    pub(super) const GLOBAL: Axes = Axes { angles: DVec3::ZERO, order: Order::XYZ };
}

/// Counts of data that is read but not kept.
#[derive(Debug, Default)]
pub(super) struct Dropped {
    /// Bones with limits.
    pub(super) limits: usize,
    /// Bones with a mass.
    pub(super) masses: usize,
    /// Skin files.
    pub(super) skins: usize,
}

/// A bone while its lines are read.
struct Draft {
    at: usize,
    /// The name, and the name in lower case for lookup.
    name: Option<(String, Vec<u8>)>,
    direction: Option<DVec3>,
    length: Option<f64>,
    axis: Option<Axes>,
    dof: Vec<Dof>,
    has_mass: bool,
    /// Offset of the limits in the text, and their values.
    limits: Option<(usize, Vec<f64>)>,
}

/// Reads a bone. The scanner is after its `begin`, which is at `at`.
pub(super) fn read(scan: &mut Scanner<'_>, at: usize, dropped: &mut Dropped) -> Result<Bone, FormatsError> {
    let mut draft = Draft {
        at,
        name: None,
        direction: None,
        length: None,
        axis: None,
        dof: Vec::new(),
        has_mass: false,
        limits: None,
    };
    loop {
        if is_word(scan.peek_word(), "begin") {
            scan.notes
                .warn(&codes::UNCLOSED, scan.at, || "a bone starts before the previous one ends".into());
            return draft.finish(scan, dropped);
        }
        let word_at = scan.at;
        let Some(word) = scan.word_in_section() else {
            let message = format!("the end of the bone {} is missing", draft.label());
            return scan.notes.refuse(&codes::TRUNCATED, scan.at, message);
        };
        if is_word(word, "end") {
            return draft.finish(scan, dropped);
        }
        draft.take(scan, word, word_at)?;
    }
}

impl Draft {
    fn label(&self) -> &str {
        self.name.as_ref().map_or("without a name", |(name, _)| name)
    }

    /// Reads the values of a keyword.
    fn take(&mut self, scan: &mut Scanner<'_>, word: &[u8], at: usize) -> Result<(), FormatsError> {
        match word {
            w if is_word(w, "id") => scan.skip_line(),
            w if is_word(w, "name") => {
                let name = scan.word_in_line().unwrap_or_default();
                self.name = (!name.is_empty()).then(|| (scan.name(name, at), key(name)));
            }
            w if is_word(w, "direction") => self.direction = Some(scan.numbers("a direction")?.into()),
            w if is_word(w, "length") => {
                let [length] = scan.numbers("a length")?;
                if !(0.0..=MAX_LENGTH).contains(&length) {
                    return scan.notes.refuse(&codes::OUT_OF_RANGE, at, format!("the length is {length}"));
                }
                self.length = Some(length);
            }
            w if is_word(w, "axis") => {
                let angles = scan.numbers("an axis")?.into();
                self.axis = Some(Axes { angles, order: order_in_line(scan, at)? });
            }
            w if is_word(w, "dof") => self.dof = dofs_in_line(scan)?,
            w if is_word(w, "limits") => self.limits = Some((at, limit_values(scan))),
            w if is_word(w, "bodymass") || is_word(w, "cofmass") => {
                self.has_mass = true;
                scan.skip_line();
            }
            _ => scan.skip_unknown(word, at),
        }
        Ok(())
    }

    fn finish(self, scan: &mut Scanner<'_>, dropped: &mut Dropped) -> Result<Bone, FormatsError> {
        let Some((name, key)) = self.name else {
            return scan.notes.refuse(&codes::UNNAMED_BONE, self.at, "the bone has no name");
        };
        dropped.masses += usize::from(self.has_mass);
        dropped.limits += usize::from(self.limits.is_some());
        if let Some((at, values)) = self.limits
            && !limits_fit(&values, self.dof.len())
        {
            let (found, wanted) = (values.len(), self.dof.len());
            scan.notes.warn(&codes::LIMITS, at, || {
                format!("{name}: {found} values for {wanted} degrees of freedom")
            });
        }
        let mut missing = |field: &str| {
            scan.notes.warn(&codes::MISSING_FIELD, self.at, || format!("the bone {name} has no {field}"));
        };
        if self.direction.is_none() {
            missing("direction");
        }
        if self.length.is_none() {
            missing("length");
        }
        if self.axis.is_none() {
            missing("axis");
        }
        let length = self.length.unwrap_or(0.0);
        let given = self.direction.unwrap_or(DVec3::ZERO);
        let is_unit = (given.length() - 1.0).abs() <= DIRECTION_TOLERANCE;
        if !is_unit && length > 0.0 && self.direction.is_some() {
            let size = given.length();
            scan.notes
                .warn(&codes::DIRECTION, self.at, || format!("the direction of {name} has length {size:.4}"));
        }
        let direction = if is_unit { given } else { given.normalize_or_zero() };
        let axis = self.axis.unwrap_or(Axes::GLOBAL);
        Ok(Bone { name, key, at: self.at, direction, length, axis, dof: self.dof })
    }
}

/// The rotation order after three angles. Alphabetical if there is none.
fn order_in_line(scan: &mut Scanner<'_>, at: usize) -> Result<Order, FormatsError> {
    let Some(word) = scan.word_in_line() else {
        scan.notes
            .warn(&codes::MISSING_FIELD, at, || "an axis has no rotation order; XYZ was assumed".into());
        return Ok(Order::XYZ);
    };
    order_of(scan, word)
}

/// Parses a rotation order.
pub(super) fn order_of(scan: &Scanner<'_>, word: &[u8]) -> Result<Order, FormatsError> {
    match Order::parse(word) {
        Some(order) => Ok(order),
        None => {
            let message = format!("{:?} is not a rotation order", short(word));
            scan.notes.refuse(&codes::ROTATION_ORDER, scan.at - word.len(), message)
        }
    }
}

/// Reads degrees of freedom to the end of the line.
pub(super) fn dofs_in_line(scan: &mut Scanner<'_>) -> Result<Vec<Dof>, FormatsError> {
    let mut dofs = Vec::new();
    while let Some(word) = scan.word_in_line() {
        let at = scan.at - word.len();
        let Some(dof) = Dof::parse(word) else {
            let message = format!("{:?} is not a degree of freedom", short(word));
            return scan.notes.refuse(&codes::DOF, at, message);
        };
        if dofs.contains(&dof) {
            return scan.notes.refuse(&codes::DOF, at, format!("{:?} twice", short(word)));
        }
        dofs.push(dof);
    }
    Ok(dofs)
}

/// Consumes words that start like numbers. A word that is not a number becomes NaN.
fn limit_values(scan: &mut Scanner<'_>) -> Vec<f64> {
    let mut values = Vec::new();
    loop {
        let word = scan.peek_word();
        let Some(value) = limit_value(word) else { return values };
        // A bone has at most seven degrees of freedom; the exact number of further values does not matter.
        if values.len() < 16 {
            values.push(value);
        }
        scan.at += word.len();
    }
}

/// Parses a limit: a number, or `inf` for no limit.
fn limit_value(word: &[u8]) -> Option<f64> {
    let (size, is_negative) = match word.strip_prefix(b"-") {
        Some(size) => (size, true),
        None => (word, false),
    };
    if is_word(size, "inf") || is_word(size, "infinity") {
        return Some(if is_negative { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    match general(word, Comma::Separator) {
        Token::Number(value, length) if length == word.len() => Some(value),
        _ => matches!(word.first(), Some(b'0'..=b'9' | b'+' | b'-' | b'.')).then_some(f64::NAN),
    }
}

/// Whether there is a pair of limits for each degree of freedom, the lower one first.
fn limits_fit(values: &[f64], dofs: usize) -> bool {
    let (pairs, left) = values.as_chunks::<2>();
    left.is_empty() && pairs.len() == dofs && pairs.iter().all(|[low, high]| low <= high)
}
