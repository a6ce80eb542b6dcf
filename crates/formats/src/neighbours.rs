//! Access to the files beside the one that is read.
//!
//! Some formats consist of several files: an AMC needs its ASF, a glTF its buffers. Readers open them through [`Neighbours`]
//! and never access the disk themselves. Bytes from any source can be read, and a file can only open files below its own folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use marey_motion::{Code, Place};

use crate::FormatsError;

/// Codes of files beside the one that is read.
pub mod codes {
    marey_motion::codes! {
        NOT_PLAIN = "beside/not-plain":
            "The file refers to another file outside its own folder."
            => "Put the other file beside it and use a relative name without .. or a drive.";
        NOT_FOUND = "beside/not-found":
            "A file that this file needs does not exist."
            => "Put it beside this file.";
        TOO_LARGE = "beside/too-large":
            "A file that this file needs exceeds the size limit."
            => "Check that it is the right file; if so, raise the limit.";
        UNREADABLE = "beside/unreadable":
            "A file or folder beside this one could not be read."
            => "Check that it is a file and that you may read it.";
    }
}

/// Gives a reader access to the files beside the one it reads.
pub trait Neighbours {
    /// The name of the file that is read, if it has one: `07_01.amc`.
    fn own_name(&self) -> Option<&str>;

    /// The sorted names of the files beside it with an ending, ignoring case. Hidden files are excluded.
    fn names(&self, ending: &str) -> Result<Vec<String>, FormatsError>;

    /// The content of a file beside it or in a folder below: `07.asf`, `buffers/walk.bin`.
    fn open(&self, name: &str) -> Result<Vec<u8>, FormatsError>;
}

/// A file that the caller supplies together with the one to read, as `--asf FILE.asf` does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Companion {
    /// Its name in messages.
    pub name: String,
    /// Its content.
    pub bytes: Arc<[u8]>,
}

impl Companion {
    /// A file with a name and content.
    pub fn new(name: impl Into<String>, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

/// Bytes that have no files beside them.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoNeighbours;

impl Neighbours for NoNeighbours {
    fn own_name(&self) -> Option<&str> {
        None
    }

    fn names(&self, _ending: &str) -> Result<Vec<String>, FormatsError> {
        Ok(Vec::new())
    }

    fn open(&self, name: &str) -> Result<Vec<u8>, FormatsError> {
        refuse(&codes::NOT_FOUND, name, "there are no files beside this one")
    }
}

/// The folder that contains a file.
///
/// It serves only plain relative names of files below the folder: no `..`, no absolute paths, no links that lead out of it, and
/// no files larger than the limit.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    own_name: Option<String>,
    max_bytes: u64,
}

impl Folder {
    /// The folder around a file. Default limit: 1 GiB a file.
    pub fn around(file: &Path) -> Self {
        let parent = file.parent().filter(|parent| *parent != Path::new(""));
        Self {
            path: parent.unwrap_or(Path::new(".")).to_owned(),
            own_name: file.file_name().and_then(|name| name.to_str()).map(str::to_owned),
            max_bytes: 1 << 30,
        }
    }

    /// The same folder with another limit for each file, in bytes.
    pub fn with_max_bytes(self, max_bytes: u64) -> Self {
        Self { max_bytes, ..self }
    }

    /// The canonical path of a plain name. `None` if it is not below the folder.
    fn below(&self, name: &str) -> io::Result<Option<PathBuf>> {
        let target = fs::canonicalize(self.path.join(name))?;
        Ok(target.starts_with(fs::canonicalize(&self.path)?).then_some(target))
    }
}

impl Neighbours for Folder {
    fn own_name(&self) -> Option<&str> {
        self.own_name.as_deref()
    }

    fn names(&self, ending: &str) -> Result<Vec<String>, FormatsError> {
        let mut names = Vec::new();
        let unreadable = |error: io::Error| refusal(&codes::UNREADABLE, "the folder", &error.to_string());
        for entry in fs::read_dir(&self.path).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            // A name that is not Unicode cannot be requested.
            if let Ok(name) = entry.file_name().into_string()
                && has_ending(&name, ending)
                && fs::metadata(entry.path()).is_ok_and(|about| about.is_file())
            {
                names.push(name);
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn open(&self, name: &str) -> Result<Vec<u8>, FormatsError> {
        if !is_plain(name) {
            return refuse(&codes::NOT_PLAIN, name, "not a plain name below the folder");
        }
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                refusal(&codes::NOT_FOUND, name, "there is no such file")
            }
            _ => refusal(&codes::UNREADABLE, name, &error.to_string()),
        };
        let Some(target) = self.below(name).map_err(failed)? else {
            return refuse(&codes::NOT_PLAIN, name, "a link that leads out of the folder");
        };
        // Checked before opening, because opening a pipe would wait for its other end.
        if !fs::metadata(&target).map_err(failed)?.is_file() {
            return refuse(&codes::UNREADABLE, name, "not a file");
        }
        let mut bytes = Vec::new();
        let file = File::open(&target).map_err(failed)?;
        file.take(self.max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > self.max_bytes {
            return refuse(&codes::TOO_LARGE, name, &format!("more than {} bytes", self.max_bytes));
        }
        Ok(bytes)
    }
}

/// Whether a name consists of plain parts and slashes, without anything that some system interprets as a drive, a stream or a
/// parent folder.
fn is_plain(name: &str) -> bool {
    let is_plain_part = |part: &str| !matches!(part, "" | "." | "..");
    let is_strange = |c: char| c.is_control() || matches!(c, '\\' | ':');
    name.split('/').all(is_plain_part) && !name.contains(is_strange)
}

fn has_ending(name: &str, ending: &str) -> bool {
    let found = Path::new(name).extension();
    !name.starts_with('.') && found.is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

fn refusal(code: &'static Code, name: &str, message: &str) -> FormatsError {
    FormatsError::refused(code, Place::default(), format!("{name}: {message}"))
}

fn refuse<T>(code: &'static Code, name: &str, message: &str) -> Result<T, FormatsError> {
    Err(refusal(code, name, message))
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn plain_names_stay_below() {
        for name in ["07.asf", "buffers/walk.bin", "ünïcode name.bin", "...", "a..b"] {
            assert!(is_plain(name), "{name}");
        }
        for name in
            ["", ".", "..", "../a", "a/../b", "/etc/passwd", "a//b", "a/", "c:a", "a\\b", "a\0b", "./a"]
        {
            assert!(!is_plain(name), "{name}");
            let folder = Folder::around(Path::new("x.amc"));
            assert_eq!(folder.open(name).unwrap_err().code().id, "beside/not-plain", "{name}");
        }
    }

    #[test]
    fn endings_match_in_any_case() {
        assert!(has_ending("07.ASF", "asf") && has_ending("a.b.asf", "asf"));
        // macOS leaves `._` files beside each file.
        assert!(!has_ending("._07.asf", "asf") && !has_ending("asf", "asf") && !has_ending("07.asfx", "asf"));
    }

    #[test]
    fn a_file_without_a_folder_is_in_the_current_one() {
        let folder = Folder::around(Path::new("07_01.amc"));
        assert_eq!((folder.path.as_path(), folder.own_name()), (Path::new("."), Some("07_01.amc")));
    }

    #[test]
    fn bytes_have_no_neighbours() {
        assert_eq!(NoNeighbours.own_name(), None);
        assert!(NoNeighbours.names("asf").unwrap().is_empty());
        assert_eq!(NoNeighbours.open("07.asf").unwrap_err().code().id, "beside/not-found");
    }
}
