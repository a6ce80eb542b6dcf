//! Results of work on many files or takes.

use serde::Serialize;
use serde_json::{Value, json};

use marey_motion::Coded;

use crate::Result;

/// The result for one file or take of a batch.
#[derive(Debug, Clone)]
pub struct BatchItem<T> {
    /// The file or take.
    pub name: String,
    /// The outcome, or why there is none. An error does not stop the rest of the batch.
    pub result: Result<T>,
}

impl<T: Serialize> BatchItem<T> {
    /// The item as a JSON object: `kind` with the name, `ok`, and the fields of the outcome or of the error.
    pub fn to_json(&self, kind: &str) -> Value {
        let mut row = json!({ kind: self.name, "ok": self.result.is_ok() });
        let fields = match &self.result {
            Ok(outcome) => serde_json::to_value(outcome).unwrap_or_default(),
            Err(error) => json!({
                "code": error.code().id,
                "message": error.to_string(),
                "place": error.place().to_string(),
                "hint": error.code().hint,
            }),
        };
        if let (Value::Object(row), Value::Object(fields)) = (&mut row, fields) {
            row.extend(fields);
        }
        row
    }
}
