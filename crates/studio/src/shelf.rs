//! A shelf: things of this session by number, so many of them that memory stays bounded.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The newest so many things that were put on it.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    most: usize,
    things: Mutex<(u64, BTreeMap<u64, Arc<T>>)>,
}

impl<T> Shelf<T> {
    /// A shelf for so many.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, things: Mutex::new((0, BTreeMap::new())) }
    }

    /// Puts a thing on; its number. The oldest goes where there are too many.
    pub(crate) fn put(&self, thing: T) -> u64 {
        let mut things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, all) = &mut *things;
        *last += 1;
        all.insert(*last, Arc::new(thing));
        while all.len() > self.most {
            all.pop_first();
        }
        *last
    }

    /// Puts another thing in the place of one, where it is still there.
    pub(crate) fn replace(&self, number: u64, thing: T) -> Option<Arc<T>> {
        let mut things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
        let place = things.1.get_mut(&number)?;
        *place = Arc::new(thing);
        Some(place.clone())
    }

    /// The thing of a number.
    pub(crate) fn get(&self, number: u64) -> Option<Arc<T>> {
        self.things.lock().unwrap_or_else(PoisonError::into_inner).1.get(&number).cloned()
    }

    /// Takes a thing off; whether it was there.
    pub(crate) fn remove(&self, number: u64) -> bool {
        self.things.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&number).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_goes_first_and_numbers_do_not_come_again() {
        let shelf = Shelf::new(2);
        assert_eq!([shelf.put('a'), shelf.put('b'), shelf.put('c')], [1, 2, 3]);
        assert_eq!((shelf.get(1), shelf.get(2).as_deref()), (None, Some(&'b')));
        assert!(shelf.remove(2) && !shelf.remove(2));
        assert_eq!(shelf.replace(3, 'd').as_deref(), Some(&'d'));
        assert_eq!(shelf.replace(2, 'x'), None);
        assert_eq!((shelf.put('e'), shelf.get(3).as_deref()), (4, Some(&'d')));
    }
}
