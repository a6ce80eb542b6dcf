//! Values of this session by number, limited so that memory stays bounded.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::lock;

/// The newest values that were inserted. Numbers start at 1 and are never used again.
#[derive(Debug)]
pub(crate) struct SessionStore<T> {
    capacity: usize,
    entries: Mutex<Entries<T>>,
}

#[derive(Debug)]
struct Entries<T> {
    last: u64,
    values: BTreeMap<u64, Arc<T>>,
}

impl<T> SessionStore<T> {
    /// A store of at most `capacity` values.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { capacity, entries: Mutex::new(Entries { last: 0, values: BTreeMap::new() }) }
    }

    /// Inserts a value and returns its number. The oldest values are removed if there are too many.
    pub(crate) fn insert(&self, value: T) -> u64 {
        self.insert_active(Arc::new(value), usize::MAX, |_| false).unwrap_or_default()
    }

    /// Inserts a value, unless `max_active` values are active. Active values are never removed for others.
    pub(crate) fn insert_active(
        &self,
        value: Arc<T>,
        max_active: usize,
        is_active: impl Fn(&T) -> bool,
    ) -> Option<u64> {
        let mut entries = lock(&self.entries);
        let Entries { last, values } = &mut *entries;
        if values.values().filter(|value| is_active(value)).count() >= max_active {
            return None;
        }
        while values.len() >= self.capacity {
            let oldest = values.iter().find(|(_, value)| !is_active(value)).map(|(number, _)| *number)?;
            values.remove(&oldest);
        }
        *last += 1;
        values.insert(*last, value);
        Some(*last)
    }

    /// Replaces the value with a number, if it exists.
    pub(crate) fn replace(&self, number: u64, value: T) -> Option<Arc<T>> {
        let mut entries = lock(&self.entries);
        let entry = entries.values.get_mut(&number)?;
        *entry = Arc::new(value);
        Some(entry.clone())
    }

    /// The value with a number.
    pub(crate) fn get(&self, number: u64) -> Option<Arc<T>> {
        lock(&self.entries).values.get(&number).cloned()
    }

    /// Removes a value. Returns false if it did not exist.
    pub(crate) fn remove(&self, number: u64) -> bool {
        lock(&self.entries).values.remove(&number).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_value_is_removed_first_and_numbers_are_not_reused() {
        let store = SessionStore::new(2);
        assert_eq!([store.insert('a'), store.insert('b'), store.insert('c')], [1, 2, 3]);
        assert_eq!((store.get(1), store.get(2).as_deref()), (None, Some(&'b')));
        assert!(store.remove(2) && !store.remove(2));
        assert_eq!(store.replace(3, 'd').as_deref(), Some(&'d'));
        assert_eq!(store.replace(2, 'x'), None);
        assert_eq!((store.insert('e'), store.get(3).as_deref()), (4, Some(&'d')));
    }

    #[test]
    fn active_values_are_limited_and_stay() {
        let store = SessionStore::new(3);
        let insert = |value| store.insert_active(Arc::new(value), 2, |value: &char| value.is_uppercase());
        assert_eq!([insert('A'), insert('b'), insert('c')], [Some(1), Some(2), Some(3)]);
        assert_eq!((insert('D'), insert('E')), (Some(4), None));
        assert_eq!([1, 2, 3, 4].map(|number| store.get(number).is_some()), [true, false, true, true]);
    }
}
