//! Characters of the corpus, read once.

use std::sync::{Arc, Mutex};

use marey::character::Cast;
use marey_corpus::{CharacterId, CorpusError};
use marey_formats::NoNeighbours;

use crate::{Result, Studio, lock};

/// Maximum number of characters in memory.
const MAX_LOADED: usize = 4;

/// The characters that were used last, the newest at the end.
#[derive(Debug, Default)]
pub(crate) struct LoadedCharacters {
    loaded: Mutex<Vec<(CharacterId, Arc<Cast>)>>,
}

impl LoadedCharacters {
    /// A character of the corpus.
    pub(crate) fn get(&self, id: CharacterId, studio: &Studio) -> Result<Arc<Cast>> {
        if let Some((_, cast)) = lock(&self.loaded).iter().find(|(known, _)| *known == id) {
            return Ok(cast.clone());
        }
        let (name, bytes) = studio.read(|corpus| {
            let infos = corpus.characters()?;
            let name = infos.into_iter().find(|info| info.id == id).map(|info| info.name);
            Ok::<_, CorpusError>((name.unwrap_or_default(), corpus.character_file(id)?))
        })?;
        let cast = Arc::new(Cast::from_bytes(&name, &bytes, &NoNeighbours)?.0);
        let mut loaded = lock(&self.loaded);
        if loaded.len() >= MAX_LOADED {
            loaded.remove(0);
        }
        loaded.push((id, cast.clone()));
        Ok(cast)
    }

    /// Forgets a character that was removed.
    pub(crate) fn forget(&self, id: CharacterId) {
        lock(&self.loaded).retain(|(known, _)| *known != id);
    }
}
