//! Paths as JSON: a list of points, an object with a speed and such a list, or a line of GeoJSON.

use marey_motion::{Place, Report};
use serde_json::Value;

use super::codes;
use super::path_points::{Field, PathPoint, PathPoints, max_points};
use crate::json_value::json_value;
use crate::unique_labels::short;
use crate::{FormatsError, Limits};

/// Whether a text looks like a path: a list of lists or objects, or an object with points.
pub(super) fn sniff(text: &[u8]) -> bool {
    let start = text.trim_ascii_start();
    let start = start.get(..start.len().min(4096)).unwrap_or_default();
    match start {
        [b'[', rest @ ..] => matches!(rest.trim_ascii_start().first(), Some(b'[' | b'{' | b']')),
        [b'{', ..] => {
            [b"\"points\"".as_slice(), b"\"path\"", b"\"coordinates\"", b"\"geometry\"", b"\"features\""]
                .iter()
                .any(|key| start.windows(key.len()).any(|w| w == *key))
        }
        _ => false,
    }
}

/// Reads points.
pub(super) fn read(text: &[u8], limits: Limits, report: &mut Report) -> Result<PathPoints, FormatsError> {
    let mut drawn = PathPoints::default();
    let points = match json_value(text, limits, &codes::BAD_JSON, &codes::LIMIT)? {
        Value::Array(points) => points,
        Value::Object(object) if is_geometry(&object) => {
            let coordinates = line_coordinates(Value::Object(object))?;
            return map_points(coordinates, limits);
        }
        Value::Object(mut object) => {
            let points = object.remove("points").or_else(|| object.remove("path"));
            drawn.speed = object.remove("speed").map(|speed| number(&speed, Place::default())).transpose()?;
            for key in object.keys() {
                report.warn(&codes::UNKNOWN_COLUMN, Place::default(), format!("{:?}", short(key)));
            }
            match points {
                Some(Value::Array(points)) => points,
                _ => return refuse_json(Place::default(), "the object has no list of points"),
            }
        }
        _ => return refuse_json(Place::default(), "neither a list nor an object"),
    };
    if points.len() > max_points(limits) {
        return refuse_limit(format!("more than {} points", max_points(limits)));
    }
    for (index, value) in points.iter().enumerate() {
        drawn.points.push(point(value, index, report)?);
    }
    Ok(drawn)
}

/// Whether an object is GeoJSON.
fn is_geometry(object: &serde_json::Map<String, Value>) -> bool {
    ["coordinates", "geometry", "features"].iter().any(|key| object.contains_key(*key))
}

/// The coordinates of the first line in an object of GeoJSON.
fn line_coordinates(value: Value) -> Result<Vec<Value>, FormatsError> {
    let mut next = value;
    // A collection holds a feature, which holds a geometry: deeper nesting is not GeoJSON.
    for _ in 0..4 {
        let Value::Object(mut object) = next else { break };
        next = match (object.remove("features"), object.remove("geometry"), object.remove("coordinates")) {
            (Some(Value::Array(features)), _, _) if !features.is_empty() => {
                features.into_iter().next().unwrap_or_default()
            }
            (_, Some(geometry), _) => geometry,
            (_, _, Some(Value::Array(coordinates))) => {
                // The ring of a polygon and the first part of a line in parts are one level deeper.
                let is_nested =
                    coordinates.first().is_some_and(|first| first.get(0).is_some_and(Value::is_array));
                let first =
                    if is_nested { coordinates.first().and_then(Value::as_array).cloned() } else { None };
                return Ok(first.unwrap_or(coordinates));
            }
            _ => break,
        };
    }
    refuse_json(Place::default(), "the object has no line of coordinates")
}

/// Points on a map: x and y, and a height that is ignored.
fn map_points(coordinates: Vec<Value>, limits: Limits) -> Result<PathPoints, FormatsError> {
    if coordinates.len() > max_points(limits) {
        return refuse_limit(format!("more than {} points", max_points(limits)));
    }
    let mut drawn = PathPoints::default();
    for (index, value) in coordinates.iter().enumerate() {
        let place = Place::default().frame(index);
        let mut point = PathPoint::at(place.clone());
        let numbers = value.as_array().map_or(&[][..], Vec::as_slice);
        let (2 | 3, [x, y, ..]) = (numbers.len(), numbers) else {
            return refuse_json(place, "a point of a line has two or three numbers");
        };
        point.set(Field::X, number(x, place.clone())?);
        point.set(Field::Y, number(y, place)?);
        drawn.points.push(point);
    }
    Ok(drawn)
}

fn refuse_json<T>(place: Place, message: &str) -> Result<T, FormatsError> {
    Err(FormatsError::refused(&codes::BAD_JSON, place, message))
}

fn refuse_limit<T>(message: String) -> Result<T, FormatsError> {
    Err(FormatsError::refused(&codes::LIMIT, Place::default(), message))
}

fn point(value: &Value, index: usize, report: &mut Report) -> Result<PathPoint, FormatsError> {
    let place = Place::default().frame(index);
    let mut point = PathPoint::at(place.clone());
    match value {
        Value::Array(numbers) => {
            let Some(fields) = Field::unnamed(numbers.len()) else {
                let message = format!("a point has {} numbers", numbers.len());
                return Err(FormatsError::refused(&codes::COLUMNS, place, message));
            };
            for (field, value) in fields.iter().zip(numbers) {
                point.set(*field, number(value, place.clone())?);
            }
        }
        Value::Object(named) => {
            for (name, value) in named {
                match Field::from_name(name) {
                    Some(field) => point.set(field, number(value, place.clone())?),
                    None => {
                        report.warn(&codes::UNKNOWN_COLUMN, place.clone(), format!("{:?}", short(name)));
                    }
                }
            }
        }
        _ => return refuse_json(place, "a point is neither a list nor an object"),
    }
    Ok(point)
}

fn number(value: &Value, place: Place) -> Result<f64, FormatsError> {
    match value.as_f64() {
        Some(number) => Ok(number),
        None => Err(FormatsError::refused(
            &codes::BAD_NUMBER,
            place,
            format!("{} is not a number", short(&value.to_string())),
        )),
    }
}
