//! Trained models, deleted when takes are added or removed.

use rusqlite::params;

use crate::takes::{check_word, checked};
use crate::{Corpus, CorpusError, Result};

/// Prefix of the kind of a model.
const KIND: &str = "model ";

impl Corpus {
    /// Stores a model as text and replaces one of the same name.
    ///
    /// ```
    /// use marey_corpus::Corpus;
    /// # let folder = std::env::temp_dir().join(format!("marey-models-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// # let path = folder.join("bouts.marey");
    /// let mut corpus = Corpus::create(&path)?;
    /// assert_eq!(corpus.model("duet")?, None);
    /// corpus.put_model("duet", "{}")?;
    /// assert_eq!(corpus.model("duet")?.as_deref(), Some("{}"));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn put_model(&mut self, name: &str, body: &str) -> Result<()> {
        check_word("a model", name)?;
        let (kind, bytes) = (format!("{KIND}{name}"), body.as_bytes());
        self.change(|transaction| {
            transaction.execute("DELETE FROM derived WHERE kind = ? AND take IS NULL", [&kind])?;
            let sql = "INSERT INTO derived (kind, take, part, crc, bytes) VALUES (?, NULL, 0, ?, ?)";
            transaction.execute(sql, params![kind, crc32fast::hash(bytes), bytes])
        })?;
        Ok(())
    }

    /// The model of a name; `None` if there is none, or if takes were added or removed since.
    pub fn model(&self, name: &str) -> Result<Option<String>> {
        let sql = "SELECT crc, bytes FROM derived WHERE kind = ? AND take IS NULL AND part = 0";
        let kind = format!("{KIND}{name}");
        let found: Option<(u32, Vec<u8>)> = self.run(|connection| {
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query_map([&kind], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.next().transpose()
        })?;
        let Some((crc, bytes)) = found else { return Ok(None) };
        checked(&bytes, crc)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| CorpusError::damaged(format!("the model {name:?} is no text")))?;
        Ok(Some(text))
    }
}
