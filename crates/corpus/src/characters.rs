//! Characters: files of the user's own figures, kept with the motion that is shown on them.

use rusqlite::{OptionalExtension, params};
use serde::Serialize;

use crate::corpus::Change;
use crate::prepared_take::sha256;
use crate::takes::{check_word, checked};
use crate::{CharacterId, Corpus, CorpusError, Result, codes};

/// Largest file of a character, in bytes. SQLite stores up to 1 GB in one value.
const MAX_BYTES: usize = 512 << 20;

/// A character of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CharacterInfo {
    /// Its id.
    pub id: CharacterId,
    /// The name of its file. If another character has that name, a number is added.
    pub name: String,
    /// The size of its file, in bytes.
    pub bytes: usize,
}

impl Corpus {
    /// Stores the file of a character. The same file is stored once.
    ///
    /// ```
    /// use marey_corpus::Corpus;
    /// # let folder = std::env::temp_dir().join(format!("marey-characters-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let path = folder.join("walks.marey");
    /// let mut corpus = Corpus::create(&path)?;
    /// let hero = corpus.add_character("hero.glb", b"glTF")?;
    /// assert_eq!(corpus.add_character("again.glb", b"glTF")?, hero);
    /// assert_eq!(corpus.add_character("hero.glb", b"other")?.name, "hero-2.glb");
    /// assert_eq!(corpus.character_file(hero.id)?, b"glTF");
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_character(&mut self, name: &str, bytes: &[u8]) -> Result<CharacterInfo> {
        check_word("a character", name)?;
        if bytes.len() > MAX_BYTES {
            let message = format!("{name:?} has {} bytes; at most {MAX_BYTES} are stored", bytes.len());
            return Err(CorpusError::refused(&codes::CHARACTER_SIZE, message));
        }
        let content = sha256(bytes);
        self.change(|transaction| -> std::result::Result<CharacterInfo, Change> {
            let sql = "SELECT id, name FROM characters WHERE content = ?";
            let known = transaction.query_row(sql, [&content], |row| Ok((row.get(0)?, row.get(1)?)));
            let (id, name) = match known.optional()? {
                Some(known) => known,
                None => {
                    let mut taken = transaction.prepare("SELECT 1 FROM characters WHERE name = ?")?;
                    let mut unused = name.to_owned();
                    for number in 2.. {
                        if !taken.exists([&unused])? {
                            break;
                        }
                        unused = numbered(name, number);
                    }
                    let sql = "INSERT INTO characters (name, content, crc, bytes) VALUES (?, ?, ?, ?)";
                    transaction.execute(sql, params![unused, content, crc32fast::hash(bytes), bytes])?;
                    (transaction.last_insert_rowid(), unused)
                }
            };
            Ok(CharacterInfo { id: CharacterId(id), name, bytes: bytes.len() })
        })
    }

    /// All characters, in the order in which they were added.
    pub fn characters(&self) -> Result<Vec<CharacterInfo>> {
        self.run(|connection| {
            let sql = "SELECT id, name, length(bytes) FROM characters ORDER BY id";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| {
                let bytes = usize::try_from(row.get::<_, i64>(2)?).unwrap_or(0);
                Ok(CharacterInfo { id: CharacterId(row.get(0)?), name: row.get(1)?, bytes })
            })?;
            rows.collect()
        })
    }

    /// The file of a character.
    pub fn character_file(&self, id: CharacterId) -> Result<Vec<u8>> {
        let sql = "SELECT crc, bytes FROM characters WHERE id = ?";
        let found: Option<(u32, Vec<u8>)> = self.run(|connection| {
            connection.query_row(sql, [id.0], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })?;
        let (crc, bytes) = found.ok_or_else(|| no_character(id))?;
        checked(&bytes, crc)?;
        Ok(bytes)
    }

    /// Removes a character. Motion that was shown on it stays.
    pub fn remove_character(&mut self, id: CharacterId) -> Result<()> {
        let removed =
            self.change(|transaction| transaction.execute("DELETE FROM characters WHERE id = ?", [id.0]))?;
        if removed == 0 { Err(no_character(id)) } else { Ok(()) }
    }

    /// Faults of stored characters, one sentence each.
    pub(crate) fn check_characters(&self) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        for CharacterInfo { id, name, .. } in self.characters()? {
            if let Err(error) = self.character_file(id) {
                faults.push(format!("character {id} ({name}): {error}"));
            }
        }
        Ok(faults)
    }
}

/// The name of a file with a number before its ending.
fn numbered(name: &str, number: usize) -> String {
    match name.rsplit_once('.') {
        Some((stem, ending)) => format!("{stem}-{number}.{ending}"),
        None => format!("{name}-{number}"),
    }
}

fn no_character(id: CharacterId) -> CorpusError {
    CorpusError::refused(&codes::NO_CHARACTER, format!("no character {id}"))
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn characters_are_kept_checked_and_removed() {
        let path = std::env::temp_dir().join(format!("marey-characters-{}.marey", std::process::id()));
        let mut corpus = Corpus::create(&path).unwrap();
        let hero = corpus.add_character("hero", b"one").unwrap();
        assert_eq!(corpus.add_character("hero", b"two").unwrap().name, "hero-2");
        assert_eq!(corpus.characters().unwrap().len(), 2);
        assert!(corpus.check().unwrap().faults.is_empty());
        corpus
            .run(|connection| connection.execute_batch("UPDATE characters SET bytes = x'00' WHERE id = 1"))
            .unwrap();
        assert_eq!(corpus.character_file(hero.id).unwrap_err().code().id, "corpus/damaged");
        assert_eq!(corpus.check().unwrap().faults.len(), 1);
        corpus.remove_character(hero.id).unwrap();
        assert_eq!(corpus.remove_character(hero.id).unwrap_err().code().id, "corpus/no-character");
        assert_eq!(corpus.add_character(" ", b"three").unwrap_err().code().id, "corpus/name");
        drop(corpus);
        std::fs::remove_file(&path).unwrap();
    }
}
