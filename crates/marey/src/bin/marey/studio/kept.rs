//! What was learned of the corpus, kept for the next wish.

use std::sync::{Arc, Mutex, PoisonError};

use marey::studio::Fault;

/// How many are kept.
const MOST: usize = 4;

/// The last few things that were learned, by what from.
#[derive(Debug)]
pub(super) struct Kept<T> {
    things: Mutex<Vec<(String, Arc<T>)>>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { things: Mutex::default() }
    }
}

impl<T> Kept<T> {
    /// What is known by a key, or else is learned now. Others who want something wait until then: it may be the same.
    pub(super) fn get(&self, key: String, learn: impl FnOnce() -> Result<T, Fault>) -> Result<Arc<T>, Fault> {
        let mut things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = things.iter().find(|(known, _)| *known == key) {
            return Ok(known.clone());
        }
        let learned = Arc::new(learn()?);
        if things.len() == MOST {
            things.remove(0);
        }
        things.push((key, learned.clone()));
        Ok(learned)
    }
}
