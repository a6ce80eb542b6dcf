//! A corpus file that a program uses for a long time, while other programs can move or replace it.
//!
//! Synchronisation tools and version control replace files while they are in use. An open SQLite connection does not notice:
//! it writes to a file that has no name any more, or mixes its write-ahead log with the new file. Therefore nothing stays
//! open between two accesses except a plain handle, and each change empties the log, which may stay beside the file, without
//! content, while something else reads. Each access checks that the path still leads to the same file, and that the content
//! continues what this program knew. If not, the access fails and the file at the path is not touched.

use std::fs::File;
use std::io::Seek;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use marey_formats::FormatsError;
use marey_formats::file::copy_to_new_file;
use rusqlite::OptionalExtension;

use crate::{Corpus, CorpusError, Result, codes};

/// Number of marks that a corpus keeps.
const KEPT_MARKS: i64 = 100;

/// A corpus file that is opened for each access.
#[derive(Debug)]
pub struct CorpusFile {
    path: PathBuf,
    /// Leads to the same file after the path has changed.
    handle: File,
    /// Held during a change, so that changes follow each other.
    changing: Mutex<()>,
    known: Mutex<KnownContent>,
}

/// What the file contained at the last change, or when it was opened.
#[derive(Debug, Clone)]
struct KnownContent {
    /// The id and content hash of every take. A take never changes its content, and no id is used twice.
    takes: Vec<(i64, String)>,
    /// The mark of the last change through this `CorpusFile`.
    mark: Option<Vec<u8>>,
}

impl CorpusFile {
    /// Opens a corpus for reading and writing. An older version is upgraded first.
    pub fn open(path: &Path) -> Result<Self> {
        let takes = takes(&Corpus::open(path)?)?;
        let handle = File::open(path).map_err(|error| FormatsError::file(path, error))?;
        let known = Mutex::new(KnownContent { takes, mark: None });
        Ok(Self { path: path.to_owned(), handle, changing: Mutex::default(), known })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens the corpus for reading. Fails with `corpus/moved` or `corpus/overwritten` if the file is another one now.
    pub fn read(&self) -> Result<Corpus> {
        self.check(&self.known())?;
        let corpus = Corpus::open_read_only(&self.path)?;
        self.check_path()?;
        Ok(corpus)
    }

    /// Changes the corpus. After `Ok`, the change is on disk. Fails with `corpus/moved` or `corpus/overwritten`, without
    /// touching the file at the path, if it is another one now.
    pub fn change<T, E: From<CorpusError>>(
        &self,
        work: impl FnOnce(Corpus) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let done = work(self.open_to_write()?)?;
        let mut corpus = self.open_to_write()?;
        let mark = corpus.leave_mark()?;
        let known = KnownContent { takes: takes(&corpus)?, mark: Some(mark) };
        corpus.empty_log()?;
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = known;
        Ok(done)
    }

    fn open_to_write(&self) -> Result<Corpus> {
        self.check(&self.known())?;
        let corpus = Corpus::open(&self.path)?;
        self.check_path()?;
        Ok(corpus)
    }

    /// Copies the corpus, with every change through this `CorpusFile`, to a new file, also if the path leads to another file
    /// now. Fails with `corpus/overwritten` if the content is gone.
    pub fn save_as(&self, path: &Path) -> Result<()> {
        let known = self.known();
        match self.check(&known) {
            Err(error) if !error.is_moved() => return Err(error),
            _ => {}
        }
        let mut content = &self.handle;
        content.rewind().map_err(|error| FormatsError::file(&self.path, error))?;
        copy_to_new_file(&mut content, path)?;
        if !known.is_continued_by(&Corpus::open_read_only(path)?)? {
            // Something also wrote to the old file after it was moved.
            std::fs::remove_file(path).map_err(|error| FormatsError::file(path, error))?;
            return Err(self.overwritten());
        }
        Ok(())
    }

    fn known(&self) -> KnownContent {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Checks that the path leads to the file, and that its content continues what is known.
    fn check(&self, known: &KnownContent) -> Result<()> {
        self.check_path()?;
        // A file that cannot be read as a corpus does not continue one.
        let is_continued = Corpus::peek(&self.path).and_then(|corpus| known.is_continued_by(&corpus));
        match is_continued {
            Ok(true) => self.check_path(),
            Err(error) if !error.is_content() => Err(error),
            _ => Err(self.overwritten()),
        }
    }

    fn check_path(&self) -> Result<()> {
        let is_same =
            self.handle.metadata().and_then(|held| Ok(is_same(&held, &std::fs::metadata(&self.path)?)));
        match is_same {
            Ok(true) => Ok(()),
            _ => {
                let message = format!("{} is not the file that was opened", self.path.display());
                Err(CorpusError::refused(&codes::MOVED, message))
            }
        }
    }

    fn overwritten(&self) -> CorpusError {
        let message = format!("{} has other content than the corpus that was opened", self.path.display());
        CorpusError::refused(&codes::OVERWRITTEN, message)
    }
}

impl KnownContent {
    fn is_continued_by(&self, corpus: &Corpus) -> Result<bool> {
        if let Some(mark) = &self.mark
            && !corpus.has_mark(mark)?
        {
            return Ok(false);
        }
        // Other programs may add and remove takes.
        let mut now = takes(corpus)?.into_iter().peekable();
        for (id, content) in &self.takes {
            while now.next_if(|(other, _)| other < id).is_some() {}
            if now.next_if(|(other, _)| other == id).is_some_and(|(_, other)| other != *content) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The id and content hash of every take, in the order of ids.
fn takes(corpus: &Corpus) -> Result<Vec<(i64, String)>> {
    corpus.run(|connection| {
        let mut statement = connection.prepare_cached("SELECT id, content FROM takes ORDER BY id")?;
        statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    })
}

impl Corpus {
    /// Stores a random mark and returns it.
    fn leave_mark(&mut self) -> Result<Vec<u8>> {
        self.change(|transaction| {
            let sql = "INSERT INTO marks (mark) VALUES (randomblob(16)) RETURNING mark";
            let mark = transaction.query_row(sql, [], |row| row.get(0))?;
            transaction
                .execute("DELETE FROM marks WHERE id <= (SELECT max(id) FROM marks) - ?", [KEPT_MARKS])?;
            Ok::<_, rusqlite::Error>(mark)
        })
    }

    fn has_mark(&self, mark: &[u8]) -> Result<bool> {
        let found = self.run(|connection| {
            connection.query_row("SELECT 1 FROM marks WHERE mark = ?", [mark], |_| Ok(())).optional()
        })?;
        Ok(found.is_some())
    }
}

#[cfg(unix)]
fn is_same(held: &std::fs::Metadata, found: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (held.dev(), held.ino()) == (found.dev(), found.ino())
}

/// Elsewhere a file that is open cannot be moved or replaced.
#[cfg(not(unix))]
fn is_same(_: &std::fs::Metadata, found: &std::fs::Metadata) -> bool {
    found.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_waits_for_readers_and_empties_the_log() {
        let path = std::env::temp_dir().join(format!("marey-empty-log-{}.marey", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let earlier = Corpus::create(&path).unwrap();
        let file = CorpusFile::open(&path).unwrap();
        let snapshot = earlier.snapshot().unwrap();
        let reading = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            drop(snapshot);
        });
        file.change(|_| Ok::<_, CorpusError>(())).unwrap();
        // The last connection to the file removes its log.
        let log = std::fs::metadata(format!("{}-wal", path.display()));
        assert_eq!(log.map_or(0, |log| log.len()), 0);
        reading.join().unwrap();
        drop((earlier, file));
        std::fs::remove_file(&path).unwrap();
    }
}
