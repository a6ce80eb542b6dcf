//! What a reader or an operation has to say about its input: coded warnings and errors, each with a place.

use std::fmt;

use serde::Serialize;

/// A kind of warning or refusal: a stable name, what it means, and what the reader of it can do.
///
/// Codes are constants, defined once beside the code that raises them, and listed in `docs/codes.md`.
#[derive(Debug, PartialEq, Eq)]
pub struct Code {
    /// Stable name, `room/kebab-case`, e.g. `bvh/frame-count`.
    pub id: &'static str,
    /// One sentence: what was found.
    pub summary: &'static str,
    /// One sentence: what to do about it.
    pub hint: &'static str,
}

/// Defines a crate's codes once: a static for each, and `ALL`, which the documentation is checked against.
///
/// ```
/// marey_motion::codes! {
///     SHORT_LINE = "doc/short-line": "A line is short." => "Look at the line.";
/// }
/// assert_eq!(ALL[0].id, SHORT_LINE.id);
/// ```
#[macro_export]
macro_rules! codes {
    ($($name:ident = $id:literal: $summary:literal => $hint:literal;)*) => {
        $(
            #[doc = concat!("`", $id, "`: ", $summary)]
            pub static $name: $crate::Code = $crate::Code { id: $id, summary: $summary, hint: $hint };
        )*
        /// Every code of this list.
        pub static ALL: &[&$crate::Code] = &[$(&$name),*];
    };
}

/// Where in the input something was found. All counts start at 1 for lines and columns, at 0 for frames.
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

    /// The same place, naming a frame.
    pub fn frame(mut self, frame: usize) -> Self {
        self.frame = Some(frame);
        self
    }

    /// The same place, naming a joint.
    pub fn joint(mut self, joint: impl Into<String>) -> Self {
        self.joint = Some(joint.into());
        self
    }

    /// Whether nothing is known about the place.
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

/// One thing found and lived with: its code, the first place it was seen, and how often.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    /// What kind of thing.
    pub code: &'static Code,
    /// What exactly, with the numbers of the first place.
    pub message: String,
    /// Where it was first seen.
    pub place: Place,
    /// How often it was seen.
    pub count: usize,
}

/// Warnings in the order they were first met, one per code: later ones of the same code only count.
///
/// ```
/// use marey_motion::{Code, Place, Report};
/// static SHORT: Code = Code { id: "doc/short", summary: "A line is short.", hint: "Look at the line." };
/// let mut report = Report::default();
/// report.warn(&SHORT, Place::at(3, 1), "2 of 3 values");
/// report.warn(&SHORT, Place::at(9, 1), "1 of 3 values");
/// assert_eq!(report.warnings().len(), 1);
/// assert_eq!(report.warnings()[0].count, 2);
/// assert_eq!(report.warnings()[0].place.line, Some(3));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    warnings: Vec<Warning>,
}

impl Report {
    /// Notes one sighting of `code`.
    pub fn warn(&mut self, code: &'static Code, place: Place, message: impl Into<String>) {
        self.warn_many(code, place, 1, message);
    }

    /// Notes `count` sightings of `code`, the first at `place`; nothing when `count` is 0.
    pub fn warn_many(&mut self, code: &'static Code, place: Place, count: usize, message: impl Into<String>) {
        if count == 0 {
            return;
        }
        match self.warnings.iter_mut().find(|w| w.code.id == code.id) {
            Some(seen) => seen.count += count,
            None => self.warnings.push(Warning { code, message: message.into(), place, count }),
        }
    }

    /// Adds what another report says, behind what this one does.
    pub fn absorb(&mut self, other: Report) {
        for w in other.warnings {
            self.warn_many(w.code, w.place, w.count, w.message);
        }
    }

    /// The warnings, in the order first met.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The codes of the warnings, in the order first met.
    pub fn codes(&self) -> Vec<&'static str> {
        self.warnings.iter().map(|w| w.code.id).collect()
    }

    /// Whether a code was seen.
    pub fn has(&self, code: &Code) -> bool {
        self.warnings.iter().any(|w| w.code.id == code.id)
    }

    /// Whether there is nothing to say.
    pub fn is_empty(&self) -> bool {
        self.warnings.is_empty()
    }
}

/// An error that says which kind it is, where, and what to do: every crate's error type is one.
pub trait Coded: std::error::Error {
    /// The kind of error.
    fn code(&self) -> &'static Code;

    /// Where in the input, as far as known.
    fn place(&self) -> Place {
        Place::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static A: Code = Code { id: "test/a", summary: "", hint: "" };
    static B: Code = Code { id: "test/b", summary: "", hint: "" };

    #[test]
    fn a_report_counts_by_code_and_keeps_the_first_place() {
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
    fn a_place_reads_as_a_phrase() {
        assert_eq!(Place::at(4, 7).frame(2).joint("Hips").to_string(), "4:7, frame 2, joint Hips");
        assert_eq!(Place::default().joint("Hips").to_string(), "joint Hips");
        assert_eq!(Place::default().to_string(), "");
    }
}
