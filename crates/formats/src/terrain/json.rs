//! Terrains as JSON.

use marey_motion::Terrain;

use super::codes;
use crate::json_value::json_value;
use crate::text::{Notes, Text};
use crate::{FormatsError, Limits};

/// Reads a terrain from JSON: `{"pieces": [[[along, height], …], …]}`, in metres.
pub fn read_json(bytes: &[u8], limits: &Limits) -> Result<Terrain, FormatsError> {
    let text = Text::of(bytes);
    let notes = Notes::on(&text.bytes);
    if let Some(zero) = text.zero_byte() {
        return notes.refuse(&codes::NOT_TEXT, zero, "the file has zero bytes");
    }
    json_value(&text.bytes, *limits, &codes::BAD_JSON, &codes::LIMIT)
}

#[cfg(test)]
mod tests {
    use marey_motion::{Coded, Place};

    use super::*;

    #[test]
    fn errors_have_a_place() {
        let json = "{\"pieces\": [[[0, 0], [1, 0]]]}";
        assert_eq!(read_json(json.as_bytes(), &Limits::default()).unwrap().end_m(), 1.0);
        let error = read_json(b"{\"pieces\":\n [[[0, 0], [1, \"x\"]]]}", &Limits::default()).unwrap_err();
        assert_eq!((error.code(), error.place().line), (&codes::BAD_JSON, Some(2)));
        let back = read_json(json.replace("[1, 0]", "[-1, 0]").as_bytes(), &Limits::default()).unwrap_err();
        assert_eq!(back.code(), &codes::BAD_JSON);
        let zero = read_json(b"\0", &Limits::default()).unwrap_err();
        assert_eq!((zero.code(), zero.place()), (&codes::NOT_TEXT, Place::at(1, 1)));
        let limits = Limits { memory_bytes: 80, ..Limits::default() };
        assert_eq!(read_json(json.as_bytes(), &limits).unwrap_err().code(), &codes::LIMIT);
    }
}
