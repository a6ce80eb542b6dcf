//! The file itself: made, opened, changed, tidied.

use std::path::{Path, PathBuf};
use std::time::Duration;

use marey_formats::file::write_file;
use rusqlite::{Connection, MAIN_DB, OpenFlags, Transaction, TransactionBehavior};

use crate::schema::{APPLICATION_ID, Stamp, VERSION, migrate};
use crate::{Error, Result, codes};

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);

/// A motion database that is open.
///
/// One process may write while others read; a second writer waits for the first, ten seconds at most.
#[derive(Debug)]
pub struct Corpus {
    path: PathBuf,
    connection: Connection,
}

impl Corpus {
    /// Makes an empty corpus and opens it. A file that exists is refused and left as it is.
    pub fn create(path: &Path) -> Result<Self> {
        let empty = empty_file().map_err(|error| Error::sqlite(path, error))?;
        write_file(path, &empty, false)?;
        Self::open(path)
    }

    /// Makes an empty corpus that is filled quickly, with what is kept elsewhere too: nothing waits for the disk before
    /// [`Corpus::settle`]. What a crash leaves of it is to be thrown away.
    pub fn create_draft(path: &Path) -> Result<Self> {
        let corpus = Self::create(path)?;
        corpus.ask("PRAGMA synchronous = OFF")?;
        Ok(corpus)
    }

    /// Brings everything into the one file and onto the disk; every change from now on is safe when it is answered.
    pub fn settle(&mut self) -> Result<()> {
        self.ask("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)")?;
        let synced = std::fs::File::open(&self.path).and_then(|file| file.sync_all());
        Ok(synced.map_err(|error| marey_formats::Error::file(&self.path, error))?)
    }

    /// Opens a corpus to read and write it. One of an older version is brought up to date first.
    pub fn open(path: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
        let mut corpus = Self::connect(path, path.as_os_str().to_owned().into(), flags)?;
        let stamp = corpus.stamp()?;
        corpus.ask("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")?;
        if stamp.version < VERSION {
            corpus.change(migrate)?;
        }
        Ok(corpus)
    }

    /// Opens a corpus to read it only. One of an older version is brought up to date first, where it may be written.
    ///
    /// A corpus in a folder that may not be written is read as it stands; that nobody else writes it there is taken for
    /// granted.
    pub fn open_read_only(path: &Path) -> Result<Self> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let plain = Self::connect(path, uri(path, "mode=ro"), flags).and_then(|corpus| {
            let stamp = corpus.stamp()?;
            Ok((corpus, stamp))
        });
        let (corpus, stamp) = match plain {
            // Where the file is sound but its companions cannot be made beside it, nobody else is writing either.
            Err(Error::File(_)) if is_file(path) && !has_wal(path) => {
                let corpus = Self::connect(path, uri(path, "mode=ro&immutable=1"), flags)?;
                let stamp = corpus.stamp()?;
                (corpus, stamp)
            }
            other => other?,
        };
        if stamp.version < VERSION {
            let message = format!("version {} where {VERSION} is needed", stamp.version);
            drop(corpus);
            drop(Self::open(path).map_err(|_| Error::refused(&codes::OLDER, message))?);
            return Self::open_read_only(path);
        }
        Ok(corpus)
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Takes out everything that can be worked out again: what is searched by, and clusters.
    pub fn forget_derived(&mut self) -> Result<()> {
        self.change(|transaction| transaction.execute_batch("DELETE FROM derived; DELETE FROM clusters"))
    }

    /// Gives room that is no longer used back to the disk, and brings everything into the one file.
    pub fn vacuum(&mut self) -> Result<()> {
        self.ask("VACUUM; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")
    }

    fn connect(path: &Path, name: PathBuf, flags: OpenFlags) -> Result<Self> {
        // SQLite says "cannot open" for everything; the file system says why.
        std::fs::metadata(path)
            .and_then(
                |about| if about.is_dir() { Err(std::io::ErrorKind::IsADirectory.into()) } else { Ok(()) },
            )
            .map_err(|error| marey_formats::Error::file(path, error))?;
        let open = || {
            let connection = Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
            connection.busy_timeout(PATIENCE)?;
            connection.pragma_update(None, "foreign_keys", true)?;
            // Text that somebody else put into the file must not run as a function of it.
            connection.pragma_update(None, "trusted_schema", false)?;
            connection.set_prepared_statement_cache_capacity(64);
            Ok(connection)
        };
        let connection = open().map_err(|error| Error::sqlite(path, error))?;
        Ok(Self { path: path.to_owned(), connection })
    }

    /// What the file says it is, where it is a corpus that this Marey knows.
    fn stamp(&self) -> Result<Stamp> {
        let stamp = self.run(Stamp::of)?;
        if stamp.application_id != APPLICATION_ID {
            return Err(Error::refused(&codes::NOT_A_CORPUS, "a database, but not one of Marey's"));
        }
        if stamp.version > VERSION {
            let message = format!("version {}; this Marey knows up to {VERSION}", stamp.version);
            return Err(Error::refused(&codes::NEWER, message));
        }
        Ok(stamp)
    }

    /// The same file as it is now, to be read only: what others write from now on is not seen in it.
    pub(crate) fn snapshot(&self) -> Result<Self> {
        let corpus = Self::open_read_only(&self.path)?;
        corpus.ask("BEGIN; SELECT count(*) FROM takes")?;
        Ok(corpus)
    }

    /// Whether it was opened to be read only.
    pub(crate) fn is_read_only(&self) -> Result<bool> {
        self.run(|connection| connection.is_readonly(MAIN_DB))
    }

    /// Asks SQLite for something, and looks at no answer.
    fn ask(&self, sql: &str) -> Result<()> {
        self.run(|connection| connection.execute_batch(sql))
    }

    /// Reads.
    pub(crate) fn run<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(&self.connection).map_err(|error| Error::sqlite(&self.path, error))
    }

    /// Changes all of it or nothing; on the disk when this returns.
    pub(crate) fn change<T, E: Into<Change>>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> std::result::Result<T, E>,
    ) -> Result<T> {
        self.transact(work, |transaction| transaction.commit())
    }

    /// Does the work of a change, and takes it back.
    pub(crate) fn try_out<T, E: Into<Change>>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> std::result::Result<T, E>,
    ) -> Result<T> {
        self.transact(work, |transaction| transaction.rollback())
    }

    fn transact<T, E: Into<Change>>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> std::result::Result<T, E>,
        end: fn(Transaction<'_>) -> rusqlite::Result<()>,
    ) -> Result<T> {
        let path = &self.path;
        let wrong = |error| Error::sqlite(path, error);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
        let done = work(&transaction).map_err(|error| match error.into() {
            Change::Sqlite(error) => wrong(error),
            Change::Refused(error) => error,
        })?;
        end(transaction).map_err(wrong)?;
        Ok(done)
    }

    /// For tests: a file that may not grow beyond so many pages, as on a full disk.
    #[cfg(test)]
    pub(crate) fn limit_pages(&self, pages: u32) {
        self.connection.pragma_update(None, "max_page_count", pages).unwrap();
    }

    /// For tests: the file's pages in use.
    #[cfg(test)]
    pub(crate) fn pages(&self) -> u32 {
        self.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap()
    }
}

/// Why a change was given up.
pub(crate) enum Change {
    Sqlite(rusqlite::Error),
    Refused(Error),
}

impl From<rusqlite::Error> for Change {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<Error> for Change {
    fn from(error: Error) -> Self {
        Self::Refused(error)
    }
}

/// The bytes of a corpus without takes. Made in memory, so that the file is there whole or not at all.
fn empty_file() -> rusqlite::Result<Vec<u8>> {
    let mut connection = Connection::open_in_memory()?;
    // Large enough that a chunk of a small body fits in a few pages.
    connection.pragma_update(None, "page_size", 8192)?;
    let transaction = connection.transaction()?;
    migrate(&transaction)?;
    transaction.commit()?;
    Ok(connection.serialize(MAIN_DB)?.to_vec())
}

fn is_file(path: &Path) -> bool {
    path.is_file() && std::fs::File::open(path).is_ok()
}

/// Whether changes wait beside the file to be brought into it.
fn has_wal(path: &Path) -> bool {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    std::fs::metadata(name).is_ok_and(|about| about.len() > 0)
}

/// The path as SQLite's URI, with options.
fn uri(path: &Path, options: &str) -> PathBuf {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                uri.push(char::from(*byte))
            }
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    PathBuf::from(format!("{uri}?{options}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{Clip, ClipParts, Coded, Joint, Quat, Skeleton, Take, Vec3};

    use super::*;
    use crate::{Annotation, Maker, Provenance, Said};

    /// A take whose every frame differs from that of any other.
    fn turning(name: &str, frames: usize) -> Take {
        let joints = vec![Joint::new("a", None, Vec3::ZERO), Joint::new("b", Some(0), Vec3::Y)];
        let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
        let seed = name.len() as f32;
        let turn = |i: usize| Quat::from_rotation_x(seed + i as f32 * 0.001);
        let parts = ClipParts {
            rotations: (0..2 * frames).map(turn).collect(),
            positions: (0..frames).map(|i| Vec3::X * i as f32).collect(),
        };
        Take::solo(name, Clip::new(skeleton, 30.0, parts).unwrap())
    }

    #[test]
    fn a_full_disk_is_a_coded_refusal_and_leaves_the_old_state() {
        let folder = std::env::temp_dir().join(format!("marey-full-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("a.marey");
        let mut corpus = Corpus::create(&path).unwrap();
        let first = corpus.add(&turning("a", 300), &Provenance::default()).unwrap().id();
        corpus.limit_pages(corpus.pages());
        let refused = corpus.add(&turning("bb", 5000), &Provenance::default()).unwrap_err();
        assert_eq!(refused.code().id, "file/full");
        let label = |n: usize| Said::Label { key: n.to_string(), value: "x".repeat(1000) };
        let many: Vec<Annotation> =
            (0..500).map(|n| Annotation { take: first, what: label(n), maker: Maker::Person }).collect();
        assert_eq!(corpus.annotate(&many).unwrap_err().code().id, "file/full");
        // The same corpus goes on, and the file is as it was.
        assert_eq!(corpus.takes().unwrap().len(), 1);
        drop(corpus);
        let mut corpus = Corpus::open(&path).unwrap();
        assert_eq!(corpus.check().unwrap().faults, [""; 0]);
        assert_eq!((corpus.takes().unwrap().len(), corpus.annotations(first).unwrap().len()), (1, 0));
        corpus.add(&turning("bb", 5000), &Provenance::default()).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn odd_paths_are_opened_to_read() {
        let folder = std::env::temp_dir().join(format!("marey ? 100%25 #{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("ä & b.marey");
        drop(Corpus::create(&path).unwrap());
        assert_eq!(Corpus::open_read_only(&path).unwrap().takes().unwrap(), []);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
