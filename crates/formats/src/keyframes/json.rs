//! Keyframes as JSON: a list of objects, or an object with such a list.

use marey_motion::Place;
use serde_json::Value;

use super::fields::{Field, KeyframeFields};
use super::{check_count, codes};
use crate::json_value::json_value;
use crate::text::Notes;
use crate::unique_labels::short;
use crate::{FormatsError, Limits};

/// Reads keyframes.
pub(super) fn read(
    text: &[u8],
    limits: Limits,
    notes: &mut Notes<'_>,
) -> Result<Vec<KeyframeFields>, FormatsError> {
    let list = match json_value::<Value>(text, limits, &codes::BAD_JSON, &codes::LIMIT)? {
        Value::Object(mut object) => object.remove("keyframes").unwrap_or_default(),
        list => list,
    };
    let Value::Array(list) = list else {
        return Err(FormatsError::refused(
            &codes::BAD_JSON,
            Place::default(),
            "there is no list of keyframes",
        ));
    };
    check_count(list.len(), Place::default)?;
    list.into_iter().enumerate().map(|(index, value)| row(value, index, notes)).collect()
}

/// A keyframe. Keys that are null are not set.
fn row(value: Value, index: usize, notes: &mut Notes<'_>) -> Result<KeyframeFields, FormatsError> {
    let place = Place::default().frame(index);
    let Value::Object(object) = value else {
        return Err(FormatsError::refused(&codes::BAD_JSON, place, "a keyframe is not an object"));
    };
    let mut row = KeyframeFields::at(place.clone());
    for (name, value) in object {
        match (Field::from_name(&name), value) {
            (Some(Field::Pose), Value::String(pose)) => row.pose = pose,
            (Some(Field::Pose), _) | (Some(_), Value::Null) => {}
            (Some(Field::Number(number)), value) => row.set(number, value.as_f64(), &value.to_string())?,
            (None, _) => {
                let message = format!("{:?}", short(&name));
                notes.report.warn(&codes::UNKNOWN_COLUMN, place.clone(), message);
            }
        }
    }
    row.with_pose()
}
