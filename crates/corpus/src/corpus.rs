//! The corpus file: creating, opening, changing and compacting it.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use marey_formats::file::write_file;
use marey_motion::Skeleton;
use rusqlite::{Connection, MAIN_DB, OpenFlags, Transaction, TransactionBehavior};
use serde::Serialize;

use crate::schema::{APPLICATION_ID, Stamp, VERSION, migrate};
use crate::{CorpusError, Result, codes};

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait for readers before the write-ahead log is merged.
const MERGE_PATIENCE: Duration = Duration::from_millis(300);

/// An open motion database.
///
/// One process can write while others read. A second writer waits for the first, at most ten seconds.
#[derive(Debug)]
pub struct Corpus {
    path: PathBuf,
    connection: Connection,
    /// Whether it was opened for reading only.
    is_read_only: bool,
    /// A connection that stores derived data while this one only reads; opened on first use, `None` if the file cannot be
    /// written.
    derived_writer: OnceCell<Option<Connection>>,
    /// Skeletons that were read, by their text: most takes share a few.
    pub(crate) skeletons: RefCell<BTreeMap<String, Arc<Skeleton>>>,
}

/// The size of the file before and after [`Corpus::vacuum`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FileSizes {
    /// Bytes before.
    pub bytes_before: u64,
    /// Bytes now.
    pub bytes: u64,
}

impl Corpus {
    /// Creates an empty corpus and opens it. Fails if the file exists.
    pub fn create(path: &Path) -> Result<Self> {
        let empty = empty_file().map_err(|error| CorpusError::sqlite(path, error))?;
        write_file(path, &empty, false)?;
        Self::open(path)
    }

    /// Creates an empty corpus for fast bulk loading: no change waits for the disk before [`Corpus::settle`]. After a
    /// crash, delete the file and start again.
    pub fn create_draft(path: &Path) -> Result<Self> {
        let corpus = Self::create(path)?;
        corpus.ask("PRAGMA synchronous = OFF")?;
        Ok(corpus)
    }

    /// Merges everything into one file and syncs it. From then on, every change is durable when its call returns.
    pub fn settle(&mut self) -> Result<()> {
        self.ask("PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE)")?;
        let synced = std::fs::File::open(&self.path).and_then(|file| file.sync_all());
        Ok(synced.map_err(|error| marey_formats::FormatsError::file(&self.path, error))?)
    }

    /// Opens a corpus for reading and writing. An older version is upgraded first.
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

    /// Opens a corpus for reading only. An older version is upgraded first, if the file is writable.
    ///
    /// A corpus in a read-only folder is read as it is, on the assumption that no other process writes it.
    pub fn open_read_only(path: &Path) -> Result<Self> {
        let corpus = Self::peek(path)?;
        let Stamp { version, .. } = corpus.stamp()?;
        if version < VERSION {
            let message = format!("version {version}, but {VERSION} is needed");
            drop(corpus);
            drop(Self::open(path).map_err(|_| CorpusError::refused(&codes::OLDER, message))?);
            return Self::open_read_only(path);
        }
        Ok(corpus)
    }

    /// Opens a corpus of any supported version for reading only, without upgrading it.
    pub(crate) fn peek(path: &Path) -> Result<Self> {
        // A connection that may not write leaves its companion files behind, so this one may, and is told not to.
        let plain = Self::connect(
            path,
            uri(path, "mode=rw"),
            OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_URI,
        );
        let plain = plain.and_then(|corpus| {
            corpus.ask("PRAGMA query_only = ON")?;
            corpus.stamp()?;
            Ok(corpus)
        });
        let corpus = match plain {
            // If the file is sound but its companion files cannot be created, no other process can write either.
            Err(CorpusError::File(_)) if is_file(path) && !has_wal(path) => {
                let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
                let corpus = Self::connect(path, uri(path, "mode=ro&immutable=1"), flags)?;
                corpus.stamp()?;
                corpus
            }
            other => other?,
        };
        Ok(Self { is_read_only: true, ..corpus })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes all data that can be recomputed: search indices and clusters.
    pub fn forget_derived(&mut self) -> Result<()> {
        self.change(|transaction| transaction.execute_batch("DELETE FROM derived; DELETE FROM clusters"))
    }

    /// Returns unused space to the disk and merges everything into one file.
    pub fn vacuum(&mut self) -> Result<FileSizes> {
        let size = || std::fs::metadata(&self.path).map_or(0, |about| about.len());
        let bytes_before = size();
        self.ask("VACUUM; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)")?;
        Ok(FileSizes { bytes_before, bytes: size() })
    }

    fn connect(path: &Path, name: PathBuf, flags: OpenFlags) -> Result<Self> {
        // SQLite reports "cannot open" for every cause; the file system gives the reason.
        std::fs::metadata(path)
            .and_then(
                |about| if about.is_dir() { Err(std::io::ErrorKind::IsADirectory.into()) } else { Ok(()) },
            )
            .map_err(|error| marey_formats::FormatsError::file(path, error))?;
        let open = || {
            let connection = Connection::open_with_flags(name, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
            connection.busy_timeout(PATIENCE)?;
            connection.pragma_update(None, "foreign_keys", true)?;
            // Text that another program put into the file must not run as a function.
            connection.pragma_update(None, "trusted_schema", false)?;
            connection.set_prepared_statement_cache_capacity(64);
            Ok(connection)
        };
        let connection = open().map_err(|error| CorpusError::sqlite(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            connection,
            is_read_only: false,
            derived_writer: OnceCell::new(),
            skeletons: RefCell::default(),
        })
    }

    /// The version in the file's header, if it is a corpus that this version of Marey supports.
    fn stamp(&self) -> Result<Stamp> {
        let stamp = self.run(Stamp::of)?;
        if stamp.application_id != APPLICATION_ID {
            return Err(CorpusError::refused(&codes::NOT_A_CORPUS, "a database, but not one of Marey's"));
        }
        if stamp.version > VERSION {
            let message = format!("version {}; this Marey knows up to {VERSION}", stamp.version);
            return Err(CorpusError::refused(&codes::NEWER, message));
        }
        Ok(stamp)
    }

    /// A read-only snapshot of the file: it does not see later changes.
    pub(crate) fn snapshot(&self) -> Result<Self> {
        let corpus = Self::open_read_only(&self.path)?;
        corpus.ask("BEGIN; SELECT count(*) FROM takes")?;
        Ok(corpus)
    }

    /// Merges the write-ahead log into the file and empties it, unless another connection reads an earlier state for long.
    pub(crate) fn empty_log(&self) -> Result<()> {
        self.run(|connection| connection.busy_timeout(MERGE_PATIENCE))?;
        self.ask("PRAGMA wal_checkpoint(TRUNCATE)")?;
        self.run(|connection| connection.busy_timeout(PATIENCE))
    }

    /// Stores derived data, if that is possible: a full disk or another writer costs the time to compute it again, and nothing
    /// else.
    pub(crate) fn keep_derived(&self, work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<()>) {
        let keep = |connection| {
            let transaction = Transaction::new_unchecked(connection, TransactionBehavior::Immediate)?;
            work(&transaction)?;
            transaction.commit()
        };
        if let Some(connection) = self.derived_writer() {
            let _ = keep(connection);
        }
    }

    /// A connection that can store derived data; `None` if the file cannot be written.
    fn derived_writer(&self) -> Option<&Connection> {
        if !self.is_read_only {
            return Some(&self.connection);
        }
        let open = || {
            let writer = Self::connect(
                &self.path,
                self.path.as_os_str().to_owned().into(),
                OpenFlags::SQLITE_OPEN_READ_WRITE,
            );
            let connection = writer.ok()?.connection;
            // Derived data can be lost without harm, so nothing waits for the disk or for another writer.
            connection.execute_batch("PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 100").ok()?;
            Some(connection)
        };
        self.derived_writer.get_or_init(open).as_ref()
    }

    /// Runs a statement and ignores its result.
    fn ask(&self, sql: &str) -> Result<()> {
        self.run(|connection| connection.execute_batch(sql))
    }

    /// Runs a read transaction.
    pub(crate) fn run<T>(&self, work: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        work(&self.connection).map_err(|error| CorpusError::sqlite(&self.path, error))
    }

    /// Runs a change as one transaction, which is durable when this returns.
    pub(crate) fn change<T, E: Into<Change>>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> std::result::Result<T, E>,
    ) -> Result<T> {
        self.transact(work, |transaction| transaction.commit())
    }

    /// Runs a change and rolls it back.
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
        let wrong = |error| CorpusError::sqlite(path, error);
        let transaction =
            self.connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
        let done = work(&transaction).map_err(|error| match error.into() {
            Change::Sqlite(error) => wrong(error),
            Change::Refused(error) => error,
        })?;
        end(transaction).map_err(wrong)?;
        Ok(done)
    }

    /// For tests: limits the file to a number of pages, like a full disk.
    #[cfg(test)]
    pub(crate) fn limit_pages(&self, pages: u32) {
        self.connection.pragma_update(None, "max_page_count", pages).unwrap();
    }

    /// For tests: number of pages in use.
    #[cfg(test)]
    pub(crate) fn pages(&self) -> u32 {
        self.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap()
    }
}

/// Why a change was rolled back.
pub(crate) enum Change {
    Sqlite(rusqlite::Error),
    Refused(CorpusError),
}

impl From<rusqlite::Error> for Change {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<CorpusError> for Change {
    fn from(error: CorpusError) -> Self {
        Self::Refused(error)
    }
}

/// The bytes of an empty corpus. They are made in memory, so that the file is created whole or not at all.
fn empty_file() -> rusqlite::Result<Vec<u8>> {
    let mut connection = Connection::open_in_memory()?;
    // Large enough for a chunk of a small skeleton to fit in a few pages.
    connection.pragma_update(None, "page_size", 8192)?;
    let transaction = connection.transaction()?;
    migrate(&transaction)?;
    transaction.commit()?;
    Ok(connection.serialize(MAIN_DB)?.to_vec())
}

fn is_file(path: &Path) -> bool {
    path.is_file() && std::fs::File::open(path).is_ok()
}

/// Whether there are changes in the write-ahead log.
fn has_wal(path: &Path) -> bool {
    let mut name = path.as_os_str().to_owned();
    name.push("-wal");
    std::fs::metadata(name).is_ok_and(|about| about.len() > 0)
}

/// The path as an SQLite URI with options.
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

    use marey_examples::walk::{WalkSettings, walk};
    use marey_motion::{Clip, ClipParts, Coded, Joint, Quat, Skeleton, Take, Vec3};

    use super::*;
    use crate::{Annotation, AnnotationContent, Maker, Provenance};

    /// A take with frames that differ from those of any other.
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
        let label = |n: usize| AnnotationContent::Label { key: n.to_string(), value: "x".repeat(1000) };
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
    fn a_search_answers_on_a_full_disk() {
        let path = std::env::temp_dir().join(format!("marey-full-search-{}.marey", std::process::id()));
        let mut corpus = Corpus::create(&path).unwrap();
        let settings = WalkSettings { duration_secs: 6.0, rate_hz: 60.0, ..WalkSettings::default() };
        let id = corpus.add(&walk(&settings).unwrap().take, &Provenance::default()).unwrap().id();
        corpus.limit_pages(corpus.pages());
        corpus.moments().unwrap();
        assert_eq!(corpus.derived::<f32>("features", Some(id)).unwrap(), None, "there was space");
        drop(corpus);
        std::fs::remove_file(&path).unwrap();
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

    #[test]
    fn changes_wait_for_the_disk_before_they_are_acknowledged() {
        let path = std::env::temp_dir().join(format!("marey-synchronous-{}.marey", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let pragma = |corpus: &Corpus, name: &str| {
            let connection = &corpus.connection;
            connection.pragma_query_value(None, name, |row| row.get::<_, rusqlite::types::Value>(0)).unwrap()
        };
        const OFF: i64 = 0;
        const FULL: i64 = 2;
        let mut draft = Corpus::create_draft(&path).unwrap();
        assert_eq!(pragma(&draft, "synchronous"), OFF.into());
        draft.settle().unwrap();
        let opened = Corpus::open(&path).unwrap();
        for corpus in [&draft, &opened] {
            assert_eq!(pragma(corpus, "synchronous"), FULL.into());
            assert_eq!(pragma(corpus, "journal_mode"), String::from("wal").into());
        }
        drop((draft, opened));
        std::fs::remove_file(&path).unwrap();
    }
}
