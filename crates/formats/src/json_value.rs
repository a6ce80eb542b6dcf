//! JSON with bounded memory, and errors with a line.

use marey_motion::{Code, Place};
use serde::de::DeserializeOwned;

use crate::lines::{offset_of, place_of};
use crate::{FormatsError, Limits};

/// Bytes of memory that a byte of JSON may need: `0,` becomes a value of 32 bytes.
const BYTES_PER_BYTE: usize = 16;

/// Parses a text. Refuses text that is not well formed with the code `malformed`, and text that is too long with `limit`.
pub(crate) fn json_value<T: DeserializeOwned>(
    text: &[u8],
    limits: Limits,
    malformed: &'static Code,
    limit: &'static Code,
) -> Result<T, FormatsError> {
    let most = limits.memory_bytes / BYTES_PER_BYTE;
    if text.len() > most {
        return Err(FormatsError::refused(limit, Place::default(), format!("more than {most} bytes")));
    }
    serde_json::from_slice(text).map_err(|error| {
        let place = place_of(text, offset_of(text, error.line(), error.column()));
        let message = error.to_string();
        let what = message.split(" at line ").next().unwrap_or(&message);
        FormatsError::refused(malformed, place, what)
    })
}
