//! Coded warnings and errors, each with a place in the input.

use std::fmt;

use serde::Serialize;

/// A kind of warning or error: a stable name, its meaning, and advice.
///
/// Codes are constants, defined once beside the code that raises them, and listed in `docs/codes.md`.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name, `area/kebab-case`, e.g. `bvh/frame-count`.
    pub id: &'static str,
    /// Names that the code had in earlier versions.
    pub aliases: &'static [&'static str],
    /// One sentence: what was found.
    pub summary: &'static str,
    /// One sentence: what the user can do.
    pub hint: &'static str,
}

/// Defines a crate's codes once: a static for each, and `ALL`, which the documentation is checked against.
///
/// A code that was renamed lists its old names after `alias`.
///
/// ```
/// marey_motion::codes! {
///     SHORT_LINE = "doc/short-line": "A line is short." => "Look at the line.";
///     LONG_LINE = "doc/long-line" alias "doc/too-long": "A line is long." => "Break the line.";
/// }
/// assert_eq!(ALL[0].id, SHORT_LINE.id);
/// assert_eq!(LONG_LINE.aliases, ["doc/too-long"]);
/// ```
#[macro_export]
macro_rules! codes {
    ($($name:ident = $id:literal $(alias $($alias:literal),+)?: $summary:literal => $hint:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $summary)]
            pub static $name: $crate::Code =
                $crate::Code { id: $id, aliases: &[$($($alias),+)?], summary: $summary, hint: $hint };
        )*
        /// Every code of this list.
        pub static ALL: &[&$crate::Code] = &[$(&$name),*];
    };
}

/// A place in the input. Lines and columns count from 1, frames from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Line in a text file, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Byte column in that line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Frame, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<usize>,
    /// Joint, by its name in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joint: Option<String>,
}

impl Place {
    /// A place in a text file.
    pub fn at(line: usize, column: usize) -> Self {
        Self { line: Some(line), column: Some(column), ..Self::default() }
    }

    /// The same place, with a line.
    pub fn line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }

    /// The same place, with a column.
    pub fn column(mut self, column: usize) -> Self {
        self.column = Some(column);
        self
    }

    /// The same place, with a frame.
    pub fn frame(mut self, frame: usize) -> Self {
        self.frame = Some(frame);
        self
    }

    /// The same place, with a joint.
    pub fn joint(mut self, joint: impl Into<String>) -> Self {
        self.joint = Some(joint.into());
        self
    }

    /// Whether the place is unknown.
    pub fn is_nowhere(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(line) = self.line {
            write!(f, "{line}:{}", self.column.unwrap_or(1))?;
            separator = ", ";
        }
        if let Some(frame) = self.frame {
            write!(f, "{separator}frame {frame}")?;
            separator = ", ";
        }
        if let Some(joint) = &self.joint {
            write!(f, "{separator}joint {joint}")?;
        }
        Ok(())
    }
}

/// A warning: its code, the first place, and the number of occurrences.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// The kind of warning.
    pub code: &'static Code,
    /// Details, with the values of the first occurrence.
    pub message: String,
    /// The first place.
    pub place: Place,
    /// Number of occurrences.
    pub count: usize,
}

/// Warnings in the order of their first occurrence, one per code: later ones of the same code are only
/// counted.
///
/// ```
/// use marey_motion::{Code, Place, Report};
/// static SHORT: Code = Code {
///     id: "doc/short",
///     aliases: &[],
///     summary: "A line is short.",
///     hint: "Look at the line.",
/// };
/// let mut report = Report::default();
/// report.warn(&SHORT, Place::at(3, 1), "2 of 3 values");
/// report.warn(&SHORT, Place::at(9, 1), "1 of 3 values");
/// assert_eq!(report.warnings().len(), 1);
/// assert_eq!(report.warnings()[0].count, 2);
/// assert_eq!(report.warnings()[0].place.line, Some(3));
/// report.remove(&SHORT);
/// assert!(report.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    warnings: Vec<Warning>,
}

impl Report {
    /// Records one occurrence of `code`.
    pub fn warn(&mut self, code: &'static Code, place: Place, message: impl Into<String>) {
        self.warn_many(code, place, 1, message);
    }

    /// Records `count` occurrences of `code`, the first at `place`; nothing if `count` is 0.
    pub fn warn_many(&mut self, code: &'static Code, place: Place, count: usize, message: impl Into<String>) {
        if count == 0 {
            return;
        }
        match self.warnings.iter_mut().find(|w| w.code.id == code.id) {
            Some(seen) => seen.count += count,
            None => self.warnings.push(Warning { code, message: message.into(), place, count }),
        }
    }

    /// Removes the warnings of a code, because what they report was corrected.
    pub fn remove(&mut self, code: &Code) {
        self.warnings.retain(|warning| warning.code.id != code.id);
    }

    /// Appends the warnings of another report.
    pub fn absorb(&mut self, other: Report) {
        for w in other.warnings {
            self.warn_many(w.code, w.place, w.count, w.message);
        }
    }

    /// The warnings, in the order of their first occurrence.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The codes of the warnings, in the order of their first occurrence.
    pub fn codes(&self) -> Vec<&'static str> {
        self.warnings.iter().map(|w| w.code.id).collect()
    }

    /// Whether a code occurred.
    pub fn has(&self, code: &Code) -> bool {
        self.warnings.iter().any(|w| w.code.id == code.id)
    }

    /// Whether there are no warnings.
    pub fn is_empty(&self) -> bool {
        self.warnings.is_empty()
    }
}

/// An error with a stable code, a place and a hint. The error type of every crate implements it.
pub trait Coded: std::error::Error {
    /// The kind of error.
    fn code(&self) -> &'static Code;

    /// The place in the input, as far as it is known.
    fn place(&self) -> Place {
        Place::default()
    }

    /// The file that the error concerns, if the error knows it.
    fn file(&self) -> Option<&std::path::Path> {
        None
    }

    /// True if the request was wrong, false if an input was.
    fn is_usage(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static A: Code = Code { id: "test/a", aliases: &[], summary: "", hint: "" };
    static B: Code = Code { id: "test/b", aliases: &[], summary: "", hint: "" };

    #[test]
    fn reports_count_by_code_and_keep_the_first_place() {
        let mut first = Report::default();
        first.warn(&A, Place::at(1, 2), "one");
        let mut second = Report::default();
        second.warn_many(&B, Place::default(), 0, "never");
        second.warn(&A, Place::at(9, 9), "two");
        second.warn_many(&B, Place::default().frame(4), 3, "three");
        first.absorb(second);
        assert_eq!(first.codes(), ["test/a", "test/b"]);
        assert_eq!(first.warnings()[0].count, 2);
        assert_eq!(first.warnings()[0].message, "one");
        assert_eq!(first.warnings()[1].count, 3);
    }

    #[test]
    fn places_display_as_text() {
        assert_eq!(Place::at(4, 7).frame(2).joint("Hips").to_string(), "4:7, frame 2, joint Hips");
        assert_eq!(Place::default().joint("Hips").to_string(), "joint Hips");
        assert_eq!(Place::default().to_string(), "");
    }
}
