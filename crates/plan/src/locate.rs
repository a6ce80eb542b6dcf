//! Positions of values in the text of a plan.

use marey_motion::Place;

/// One step into a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonStep {
    /// The value under a key.
    Key(&'static str),
    /// The item of a list, from 0.
    Item(usize),
}

/// Returns the line and column of a placement in the JSON of its plan, by the indices of actor and placement.
/// The place is empty if there is no such placement.
///
/// ```
/// let json = "{ \"rate_hz\": 30,\n \"actors\": [ { \"name\": \"a\", \"placements\": [\n  {},\n  {}\n] } ] }";
/// let place = marey_plan::placement_in(json, 0, 1);
/// assert_eq!((place.line, place.column), (Some(4), Some(3)));
/// assert!(marey_plan::placement_in(json, 0, 2).is_nowhere());
/// ```
pub fn placement_in(json: &str, actor: usize, placement: usize) -> Place {
    locate(json, &placement_path(actor, placement)).unwrap_or_default()
}

/// Returns the JSON path of a placement.
pub(crate) fn placement_path(actor: usize, placement: usize) -> Vec<JsonStep> {
    vec![
        JsonStep::Key("actors"),
        JsonStep::Item(actor),
        JsonStep::Key("placements"),
        JsonStep::Item(placement),
    ]
}

/// Returns the position of the value at a JSON path; `None` if there is no such value.
pub(crate) fn locate(json: &str, path: &[JsonStep]) -> Option<Place> {
    let mut scanner = JsonScanner { bytes: json.as_bytes(), at: 0 };
    scanner.skip_whitespace();
    for step in path {
        scanner.enter(*step)?;
    }
    let before = json.get(..scanner.at)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Some(Place::at(1 + before.matches('\n').count(), 1 + scanner.at - line_start))
}

/// A scanner over text that is known to be JSON. Its methods return `None` for anything else.
struct JsonScanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl JsonScanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_whitespace(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Skips a character and the whitespace after it.
    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then_some(())?;
        self.at += 1;
        self.skip_whitespace();
        Some(())
    }

    /// Moves from the start of a value to the start of a child.
    fn enter(&mut self, step: JsonStep) -> Option<()> {
        self.expect(if matches!(step, JsonStep::Key(_)) { b'{' } else { b'[' })?;
        for index in 0.. {
            match step {
                JsonStep::Key(key) => {
                    let start = self.at;
                    self.skip_string()?;
                    let is_key = self.bytes.get(start + 1..self.at - 1) == Some(key.as_bytes());
                    self.skip_whitespace();
                    self.expect(b':')?;
                    if is_key {
                        return Some(());
                    }
                }
                // An empty list has no first item.
                JsonStep::Item(item) if item == index => return (self.peek()? != b']').then_some(()),
                JsonStep::Item(_) => {}
            }
            self.skip_value()?;
            self.expect(b',')?;
        }
        None
    }

    /// Skips a value and the whitespace after it. Brackets are only counted, because the text is known to be
    /// JSON.
    fn skip_value(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.peek()? {
                b'"' => self.skip_string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
            if depth == 0 && matches!(self.peek()?, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t') {
                self.skip_whitespace();
                return Some(());
            }
        }
    }

    fn skip_string(&mut self) -> Option<()> {
        (self.peek()? == b'"').then_some(())?;
        self.at += 1;
        loop {
            match self.peek()? {
                b'\\' => self.at += 2,
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                _ => self.at += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_are_located_after_any_content() {
        let json = "{\"a\": [\"x]\\\"\", {\"b\": [1, -2.5e3]}, [], null],\n\t\"b\" : {\"a\" : [ {}, 7 ]}}";
        let at =
            |path: &[JsonStep]| locate(json, path).map(|place| (place.line.unwrap(), place.column.unwrap()));
        assert_eq!(at(&[]), Some((1, 1)));
        assert_eq!(
            at(&[JsonStep::Key("a"), JsonStep::Item(1), JsonStep::Key("b"), JsonStep::Item(1)]),
            Some((1, 26))
        );
        assert_eq!(at(&[JsonStep::Key("b"), JsonStep::Key("a"), JsonStep::Item(1)]), Some((2, 21)));
        assert_eq!(at(&[JsonStep::Key("a"), JsonStep::Item(2), JsonStep::Item(0)]), None);
        assert_eq!(at(&[JsonStep::Key("a"), JsonStep::Item(4)]), None);
        assert_eq!(at(&[JsonStep::Key("c")]), None);
    }

    proptest! {
        #[test]
        fn any_text_is_handled(json in "[\\[\\]{}\":,a1\\\\ \n]{0,40}", item in 0usize..3) {
            let _ = locate(&json, &[JsonStep::Key("a"), JsonStep::Item(item), JsonStep::Key("a")]);
            let _ = locate(&json, &[JsonStep::Item(item), JsonStep::Item(item)]);
        }
    }
}
