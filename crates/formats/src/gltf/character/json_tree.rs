//! JSON that is written back as it was read.
//!
//! Members keep their order, and numbers and strings keep their text, so that a file which passes through loses nothing: no
//! digits, no unknown members. `serde_json::Value` sorts members and rounds numbers.

use std::fmt::Write;

/// Deepest nesting. `serde_json` has the same limit for what it parses; it skips unknown members of any depth.
const MAX_DEPTH: usize = 128;

/// A JSON value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum JsonTree {
    /// A number, `true`, `false`, `null` or a string with its quotes: the text of the file.
    Plain(String),
    Array(Vec<JsonTree>),
    Object(Vec<(String, JsonTree)>),
}

impl JsonTree {
    /// Parses a whole text. `None` if it is not JSON or nested too deeply.
    pub(super) fn parse(text: &[u8]) -> Option<Self> {
        let mut parser = Parser { text, at: 0 };
        let value = parser.value(0)?;
        parser.skip_blanks();
        // A GLB pads its JSON with blanks, and some exporters with zeros.
        parser.text.get(parser.at..)?.iter().all(|byte| *byte == 0).then_some(value)
    }

    /// A whole number.
    pub(super) fn number(number: usize) -> Self {
        Self::Plain(number.to_string())
    }

    /// A string.
    pub(super) fn string(text: &str) -> Self {
        // A string always has a JSON form.
        Self::Plain(serde_json::to_string(text).unwrap_or_default())
    }

    /// Any value that has a JSON form.
    pub(super) fn of(value: &impl serde::Serialize) -> Option<Self> {
        Self::parse(&serde_json::to_vec(value).ok()?)
    }

    /// The member with a name.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(members) = self else { return None };
        members.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The member with a name, to change it.
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Self> {
        let Self::Object(members) = self else { return None };
        members.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The member with a name, added at the end if there is none. `None` if this is not an object.
    pub(super) fn entry(&mut self, name: &str, default: impl FnOnce() -> Self) -> Option<&mut Self> {
        let Self::Object(members) = self else { return None };
        let index = members.iter().position(|(key, _)| key == name).unwrap_or_else(|| {
            members.push((name.to_owned(), default()));
            members.len() - 1
        });
        members.get_mut(index).map(|(_, value)| value)
    }

    /// Sets a member.
    pub(super) fn set(&mut self, name: &str, value: Self) {
        if let Some(slot) = self.entry(name, || Self::Plain("null".into())) {
            *slot = value;
        }
    }

    /// Removes a member and returns it.
    pub(super) fn remove(&mut self, name: &str) -> Option<Self> {
        let Self::Object(members) = self else { return None };
        let index = members.iter().position(|(key, _)| key == name)?;
        Some(members.remove(index).1)
    }

    /// The items of the array with a name; empty if there is none.
    pub(super) fn items(&self, name: &str) -> &[Self] {
        match self.get(name) {
            Some(Self::Array(items)) => items,
            _ => &[],
        }
    }

    /// The items of the array with a name, which is added if there is none. `None` if this is not an object, or the member not an
    /// array.
    pub(super) fn items_mut(&mut self, name: &str) -> Option<&mut Vec<Self>> {
        match self.entry(name, || Self::Array(Vec::new()))? {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The whole number that this is.
    pub(super) fn index(&self) -> Option<usize> {
        match self {
            Self::Plain(text) => serde_json::from_str(text).ok(),
            _ => None,
        }
    }

    /// The text of a string.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Plain(text) => serde_json::from_str(text).ok(),
            _ => None,
        }
    }

    /// The value as JSON, without blanks.
    pub(super) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Plain(text) => out.push_str(text),
            Self::Array(items) => {
                out.push('[');
                for (number, item) in items.iter().enumerate() {
                    out.push_str(if number > 0 { "," } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                out.push('{');
                for (number, (key, value)) in members.iter().enumerate() {
                    let comma = if number > 0 { "," } else { "" };
                    // Writing to a string cannot fail, and every string has a JSON form.
                    let _ = write!(out, "{comma}{}:", serde_json::to_string(key).unwrap_or_default());
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn value(&mut self, depth: usize) -> Option<JsonTree> {
        if depth > MAX_DEPTH {
            return None;
        }
        self.skip_blanks();
        match self.text.get(self.at)? {
            b'{' => self
                .list(b'}', |parser| {
                    let key = parser.plain()?;
                    let key = serde_json::from_str(&key).ok()?;
                    parser.expect(b':')?;
                    Some((key, parser.value(depth + 1)?))
                })
                .map(JsonTree::Object),
            b'[' => self.list(b']', |parser| parser.value(depth + 1)).map(JsonTree::Array),
            _ => self.plain().map(JsonTree::Plain),
        }
    }

    /// Items between brackets, with commas.
    fn list<T>(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.at += 1;
        let mut items = Vec::new();
        self.skip_blanks();
        if self.text.get(self.at) == Some(&end) {
            self.at += 1;
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            self.skip_blanks();
            let next = *self.text.get(self.at)?;
            self.at += 1;
            match next {
                b',' => continue,
                _ if next == end => return Some(items),
                _ => return None,
            }
        }
    }

    /// The text of a string, number or word, which `serde_json` accepts.
    fn plain(&mut self) -> Option<String> {
        self.skip_blanks();
        let rest = self.text.get(self.at..)?;
        let length = match rest {
            [b'"', content @ ..] => 2 + string_length(content)?,
            _ => rest.iter().position(|byte| is_end(*byte)).unwrap_or(rest.len()),
        };
        let text = std::str::from_utf8(rest.get(..length)?).ok()?;
        serde_json::from_str::<serde::de::IgnoredAny>(text).ok()?;
        self.at += length;
        Some(text.to_owned())
    }

    fn expect(&mut self, wanted: u8) -> Option<()> {
        self.skip_blanks();
        (self.text.get(self.at) == Some(&wanted)).then(|| self.at += 1)
    }

    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }
}

/// The number of bytes before the closing quote.
fn string_length(content: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    content.iter().position(|byte| {
        let is_end = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_end
    })
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b',' | b']' | b'}' | b':' | b' ' | b'\t' | b'\n' | b'\r' | 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_written_back_as_it_was() {
        let text = r#"{"b":1.10,"a":[1e-5,-0,0.10000000149011612,true,null],"ü":"\u00e4\"\\","o":{},"l":[]}"#;
        assert_eq!(JsonTree::parse(text.as_bytes()).unwrap().to_json(), text);
        let blanks = " { \"b\" :\n1 , \"a\" : [ 2 ,3 ] }  \0\0";
        assert_eq!(JsonTree::parse(blanks.as_bytes()).unwrap().to_json(), r#"{"b":1,"a":[2,3]}"#);
    }

    #[test]
    fn malformed_and_deep_text_is_refused() {
        for bad in ["", "{", "[1,]", "{\"a\"}", "{a:1}", "1 2", "[1}", "\"a", "nul", "{\"a\":1,}", "01"] {
            assert_eq!(JsonTree::parse(bad.as_bytes()), None, "{bad}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(JsonTree::parse(deep.as_bytes()), None);
    }

    #[test]
    fn members_are_found_changed_and_added() {
        let mut tree = JsonTree::parse(br#"{"a":{"n":3},"s":"x\ty"}"#).unwrap();
        assert_eq!(tree.get("a").and_then(|a| a.get("n")).and_then(JsonTree::index), Some(3));
        assert_eq!(tree.get("s").and_then(JsonTree::text).as_deref(), Some("x\ty"));
        tree.items_mut("list").unwrap().push(JsonTree::number(7));
        tree.set("s", JsonTree::string("\"z\""));
        assert!(tree.items_mut("a").is_none() && tree.remove("none").is_none());
        assert_eq!(tree.to_json(), r#"{"a":{"n":3},"s":"\"z\"","list":[7]}"#);
    }
}
