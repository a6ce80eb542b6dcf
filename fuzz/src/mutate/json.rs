//! JSON as values.

use serde_json::{Map, Number, Value};

use super::number::number;
use super::random::Random;

/// Changes a value; `None` if the bytes are not JSON.
pub(super) fn change(bytes: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut value: Value = serde_json::from_slice(bytes).ok()?;
    change_value(&mut value, random)?;
    serde_json::to_vec(&value).ok()
}

/// Changes one value in a tree.
pub(super) fn change_value(root: &mut Value, random: &mut Random) -> Option<()> {
    let count = count(root);
    let copy = nth(root, &mut random.below(count))?.clone();
    // Long arrays hold most of the values, so that every second choice is among the first ones.
    let reach = if random.one_in(2) { count.min(60) } else { count };
    let place = nth(root, &mut random.below(reach))?;
    match (place, random.below(8)) {
        (place, 0) => *place = odd_value(random),
        (place, 1) => *place = copy,
        (Value::Array(items), 2..4) if !items.is_empty() => {
            let at = random.below(items.len());
            items.remove(at);
        }
        (Value::Array(items), 4..6) => {
            let item = items.get(random.below(items.len())).cloned().unwrap_or(copy);
            for _ in 0..=random.below(8) {
                items.insert(random.below(items.len()), item.clone());
            }
        }
        (Value::Array(items), _) => items.reverse(),
        (Value::Object(entries), 2..5) => {
            let key = entries.keys().nth(random.below(entries.len()))?.clone();
            entries.remove(&key);
        }
        (Value::Object(entries), _) => {
            let key = entries.keys().nth(random.below(entries.len()))?.clone();
            entries.insert(key, copy);
        }
        (Value::Number(old), _) => {
            let new = number(old.as_f64()?, random);
            let is_whole = new.fract() == 0.0 && new.abs() < 1.8e19 && !random.one_in(6);
            *old = match (is_whole, new < 0.0) {
                (true, false) => (new as u64).into(),
                (true, true) => (new as i64).into(),
                _ => Number::from_f64(new).unwrap_or_else(|| 0.into()),
            };
        }
        (Value::String(text), 2) => text.clear(),
        (Value::String(text), 3) => *text = text.repeat(2 + random.below(40)),
        (Value::String(text), _) => *text = copy.as_str().unwrap_or("\u{7}../#:é").to_owned(),
        (Value::Bool(is_set), _) => *is_set = !*is_set,
        (place, _) => *place = copy,
    }
    Some(())
}

fn odd_value(random: &mut Random) -> Value {
    match random.below(6) {
        0 => Value::Null,
        1 => Value::Array(vec![]),
        2 => Value::Object(Map::new()),
        3 => Value::Bool(random.one_in(2)),
        4 => Value::String("0".into()),
        _ => Number::from_f64(number(1.0, random)).map_or(Value::Null, Value::Number),
    }
}

/// The number of values in a tree.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum::<usize>(),
        Value::Object(entries) => entries.values().map(count).sum(),
        _ => 0,
    }
}

/// The n-th value of a tree in depth-first order. Counts `n` down.
fn nth<'a>(value: &'a mut Value, n: &mut usize) -> Option<&'a mut Value> {
    if *n == 0 {
        return Some(value);
    }
    *n -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, n)),
        Value::Object(entries) => entries.values_mut().find_map(|entry| nth(entry, n)),
        _ => None,
    }
}
