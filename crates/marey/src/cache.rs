//! Results of preparing a corpus that are kept between requests.

use std::any::{Any, TypeId};
use std::sync::{Arc, Mutex, PoisonError};

use crate::Error;

/// How many results are kept.
const CAPACITY: usize = 16;

type Entry = (TypeId, String, Arc<dyn Any + Send + Sync>);

/// Keeps the most recent results of preparing a corpus, so that a front end with many requests prepares once.
///
/// A front end that outlives a request owns one and passes it to each [`Context`](crate::Context). The result of a verb
/// does not depend on the cache.
#[derive(Debug, Default)]
pub struct Cache {
    entries: Mutex<Vec<Entry>>,
}

impl Cache {
    /// The value stored under `key`, or else the one that `build` makes. Other callers wait while it is built, because
    /// they may need the same value.
    pub fn get<T: Any + Send + Sync>(
        &self,
        key: String,
        build: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Arc<T>, Error> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let kind = TypeId::of::<T>();
        let found = entries.iter().position(|(other, name, _)| *other == kind && *name == key);
        if let Some(found) = found {
            // The most recently used entry is the last.
            let entry = entries.remove(found);
            let value = entry.2.clone();
            entries.push(entry);
            if let Ok(value) = value.downcast() {
                return Ok(value);
            }
        }
        let value = Arc::new(build()?);
        if entries.len() == CAPACITY {
            entries.remove(0);
        }
        entries.push((kind, key, value.clone()));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_once_per_type_and_key_and_drops_the_least_recently_used() {
        let cache = Cache::default();
        let get = |key: &str, value: usize| *cache.get(key.into(), || Ok(value)).unwrap();
        assert_eq!((get("a", 1), get("a", 2), get("b", 3)), (1, 1, 3));
        assert_eq!(*cache.get("a".into(), || Ok("text")).unwrap(), "text");
        for number in 0..CAPACITY - 2 {
            assert_eq!((get(&number.to_string(), number), get("a", 9)), (number, 1));
        }
        assert_eq!(get("b", 4), 4);
    }

    #[test]
    fn keeps_nothing_of_a_build_that_fails() {
        let cache = Cache::default();
        let failed: Result<Arc<u8>, Error> = cache.get("a".into(), || Err(Error::settings("no")));
        assert!(failed.is_err());
        assert_eq!(*cache.get("a".into(), || Ok(1u8)).unwrap(), 1);
    }
}
