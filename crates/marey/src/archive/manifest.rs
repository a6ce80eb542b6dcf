//! What a corpus in the cache folder was made of.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Archive, ArchiveRequest};
use crate::corpus::ImportRequest;
use crate::formats::FormatsError;
use crate::formats::file::write_file;
use crate::motion::Report;
use crate::{Error, codes};

/// Endings of files that others need beside them: skeletons of .amc files, buffers of .gltf files.
const COMPANIONS: [(&str, &str); 2] = [("amc", "asf"), ("gltf", "bin")];

/// The content of a corpus in the cache folder.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ArchiveManifest {
    /// The name of the corpus, without its ending.
    pub(super) key: String,
    pub(super) files: Vec<InputFile>,
    pub(super) takes: usize,
    pub(super) segments: usize,
    /// Files that could not be read and takes that could not be cut.
    pub(super) failed: Vec<FailedInput>,
    /// The names of the parts, without their ending.
    pub(super) parts: Vec<String>,
}

/// A file as it was when the corpus was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputFile {
    pub(super) path: PathBuf,
    bytes: u64,
    /// Time of the last change, in nanoseconds since 1970. If it and the size are the same, the content is not read.
    modified_ns: u64,
    /// SHA-256 of the content, in hexadecimal.
    pub(super) content: String,
}

/// A file or take that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FailedInput {
    pub(super) file: String,
    pub(super) code: String,
    pub(super) message: String,
}

impl FailedInput {
    pub(super) fn new(file: String, error: &Error) -> Self {
        Self { file, code: error.code.id.to_owned(), message: error.message.clone() }
    }

    fn error(&self) -> Error {
        let code = codes::every().into_iter().find(|code| code.id == self.code);
        Error::new(code.unwrap_or(&codes::EMPTY_ARCHIVE), self.message.clone()).in_file(self.file.as_ref())
    }
}

impl ArchiveManifest {
    /// Reads a manifest; `None` if there is none, or another version of Marey wrote it.
    pub(super) fn read(path: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Error> {
        let text = serde_json::to_vec(self).map_err(Error::settings)?;
        Ok(write_file(path, &text, true)?)
    }

    pub(super) fn archive(&self, path: PathBuf, imported: Option<Vec<(PathBuf, Report)>>) -> Archive {
        Archive {
            path,
            files: self.files.len(),
            takes: self.takes,
            segments: self.segments,
            failures: self.failed.iter().map(FailedInput::error).collect(),
            imported,
        }
    }
}

impl InputFile {
    /// Files with the hashes of their content. Files that are as `before` are not read.
    pub(super) fn hashed(paths: Vec<PathBuf>, before: Option<&ArchiveManifest>) -> Result<Vec<Self>, Error> {
        let known: BTreeMap<&Path, &InputFile> =
            before.iter().flat_map(|before| &before.files).map(|file| (file.path.as_path(), file)).collect();
        let one = |path: PathBuf| {
            let in_file = |error| Error::from(FormatsError::file(&path, error));
            let about = fs::metadata(&path).map_err(in_file)?;
            let modified = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let modified_ns = modified.map_or(0, |time| time.as_nanos() as u64);
            let is_same = |file: &&&InputFile| file.bytes == about.len() && file.modified_ns == modified_ns;
            let content = match known.get(path.as_path()).filter(is_same) {
                Some(file) => file.content.clone(),
                None => hex(&Sha256::digest(fs::read(&path).map_err(in_file)?)),
            };
            Ok(Self { bytes: about.len(), modified_ns, content, path })
        };
        paths.into_par_iter().map(one).collect()
    }
}

/// Files with the files that they need beside them.
pub(super) fn with_companions<'a>(paths: impl Iterator<Item = &'a Path>) -> Result<Vec<PathBuf>, Error> {
    let mut all: Vec<PathBuf> = Vec::new();
    let mut folders: BTreeSet<(PathBuf, &str)> = BTreeSet::new();
    for path in paths {
        if let Some(companion) = companion_of(path) {
            folders.insert((path.parent().unwrap_or(Path::new("")).to_owned(), companion));
        }
        all.push(path.to_owned());
    }
    for (folder, ending) in folders {
        let listed = if folder.as_os_str().is_empty() { Path::new(".") } else { folder.as_path() };
        let entries = fs::read_dir(listed).map_err(|error| FormatsError::file(listed, error))?;
        let paths = entries.flatten().map(|entry| entry.path());
        let mut beside: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|other| other.eq_ignore_ascii_case(ending)))
            .collect();
        beside.retain(|path| !all.contains(path));
        beside.sort();
        all.extend(beside);
    }
    Ok(all)
}

/// Identifies a request, with its inputs as absolute paths.
pub(super) fn request_key(request: &ArchiveRequest) -> Result<String, Error> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let inputs = request.import.inputs.iter().map(absolute).collect();
    let import = ImportRequest { inputs, ..request.import.clone() };
    Ok(key(&serde_json::to_vec(&(&import, &request.segment)).map_err(Error::settings)?))
}

/// The ending of the files that a file needs beside it.
pub(super) fn companion_of(path: &Path) -> Option<&'static str> {
    let ending = path.extension()?.to_string_lossy().to_lowercase();
    COMPANIONS.iter().find(|(own, _)| *own == ending).map(|(_, companion)| *companion)
}

/// Identifies a corpus: the content and names of its files, and how they are imported and cut.
pub(super) fn content_key(request: &ArchiveRequest, files: &[InputFile]) -> Result<String, Error> {
    let import = ImportRequest { inputs: Vec::new(), ..request.import.clone() };
    let files: Vec<(&PathBuf, &String)> = files.iter().map(|file| (&file.path, &file.content)).collect();
    Ok(key(&serde_json::to_vec(&(&import, &request.segment, files)).map_err(Error::settings)?))
}

/// A name for a file, which depends on the version of Marey as well: another one may import in another way.
pub(super) fn key(text: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(concat!("marey archive 4 ", env!("CARGO_PKG_VERSION"), "\n"));
    hash.update(text);
    hex(&hash.finalize()).chars().take(40).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
