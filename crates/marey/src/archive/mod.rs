//! Motion files as the examples of a verb, without a corpus of the user's own.
//!
//! [`prepare`] makes a corpus of files, folders and patterns: imported, prepared and cut into segments. It stays in the cache
//! folder under a name that depends on the content of the files and on the request, so that the next verb on the same files opens
//! it at once.
//!
//! What each file became is kept too, as a *part*. If files were changed, added or removed, only those that are new or changed are
//! read; the corpus is put together from parts. It holds the same as if all files had been read, and what verbs derived from
//! unchanged takes before.
//!
//! ```no_run
//! use marey::Context;
//! use marey::archive::{ArchiveRequest, prepare};
//! use marey::motion::Observer;
//! let archive = prepare(&ArchiveRequest::of(["walks/".into()]), Observer::ignore())?;
//! println!("{} takes, {} files failed", archive.takes, archive.failures.len());
//! let context = Context::open(&archive.path)?;
//! # Ok::<(), marey::Error>(())
//! ```

mod cache_folder;
mod manifest;
mod parts;

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::check::is_corpus;
use crate::convert::check_free;
use crate::corpus::{Corpus, ImportRequest};
use crate::formats::{FormatsError, find_files};
use crate::motion::{Observer, Report};
use crate::segment::{self, SegmentRequest};
use crate::{Context, Error, codes};
use manifest::{ArchiveManifest, FailedInput, InputFile};
use parts::{ArchiveParts, StoredParts};

/// Which motion files to make a corpus of, and how.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ArchiveRequest {
    /// The files, and how they are read, paired and prepared.
    pub import: ImportRequest,
    /// How takes are cut into segments.
    pub segment: SegmentRequest,
    /// The folder for corpora; default: `marey` in the user's cache folder.
    pub cache: Option<PathBuf>,
}

impl ArchiveRequest {
    /// The request for files, folders and patterns with default settings.
    pub fn of(inputs: impl IntoIterator<Item = PathBuf>) -> Self {
        let import = ImportRequest { inputs: inputs.into_iter().collect(), ..ImportRequest::default() };
        Self { import, ..Self::default() }
    }
}

/// A corpus of motion files.
#[derive(Debug)]
pub struct Archive {
    /// The corpus.
    pub path: PathBuf,
    /// Number of files.
    pub files: usize,
    /// Number of takes.
    pub takes: usize,
    /// Number of segments.
    pub segments: usize,
    /// Files that could not be read and takes that could not be cut.
    pub failures: Vec<Error>,
    /// The warnings about each file that was read now; `None` if the corpus existed.
    pub imported: Option<Vec<(PathBuf, Report)>>,
}

impl Archive {
    /// Copies the corpus to a file of the user's choice.
    pub fn keep(&self, path: &Path, overwrite: bool) -> Result<(), Error> {
        if !overwrite {
            check_free(path)?;
        }
        let draft = draft_name(path);
        let copied = fs::copy(&self.path, &draft).and_then(|_| fs::rename(&draft, path));
        copied.map_err(|error| FormatsError::file(path, error).into())
    }

    /// The warnings about files that were read now, and the files and takes that failed.
    pub fn report(&self) -> Report {
        let mut report = Report::default();
        for (_, warnings) in self.imported.iter().flatten() {
            report.absorb(warnings.clone());
        }
        for Error { code, message, place, file, .. } in &self.failures {
            let file = file.as_ref().map(|file| format!("{}: ", file.display())).unwrap_or_default();
            report.warn(code, (**place).clone(), format!("{file}{message}"));
        }
        report
    }

    /// The counts in one line.
    pub fn summary(&self) -> String {
        let Self { files, takes, segments, .. } = self;
        format!("{takes} takes and {segments} segments from {files} files")
    }
}

/// The path of the corpus that the inputs of a request are: the only input, if it is a corpus, or else the one that [`prepare`]
/// makes of motion files, with what it reports.
pub fn locate(request: &ArchiveRequest, observer: Observer<'_>) -> Result<(PathBuf, Option<Archive>), Error> {
    if let [path] = request.import.inputs.as_slice()
        && is_corpus(path)
    {
        return Ok((path.clone(), None));
    }
    let archive = prepare(request, observer)?;
    Ok((archive.path.clone(), Some(archive)))
}

/// The corpus of some files: the one that was made of the same content before, or a new one, for which only files that are not
/// known yet are read.
///
/// A file that cannot be read does not stop the others. Fails if no file can be read.
pub fn prepare(request: &ArchiveRequest, observer: Observer<'_>) -> Result<Archive, Error> {
    let found = find_files(&request.import.inputs)?;
    let paths = found.files.iter().filter(|file| file.error.is_none()).map(|file| file.path.as_path());
    let files = manifest::with_companions(paths)?;
    let folder = match &request.cache {
        Some(folder) => folder.clone(),
        None => cache_folder::find()?,
    };
    fs::create_dir_all(&folder).map_err(|error| FormatsError::file(&folder, error))?;
    let record = folder.join(format!("{}.json", manifest::request_key(request)?));
    let before = ArchiveManifest::read(&record);
    let files = InputFile::hashed(files, before.as_ref())?;
    let key = manifest::content_key(request, &files)?;
    let mut previous = None;
    if let Some(mut before) = before {
        let path = folder.join(format!("{}.marey", before.key));
        previous = Some(path.clone()).filter(|path| path.is_file());
        if before.key == key && previous.is_some() {
            if before.files != files {
                before.files = files;
                before.write(&record)?;
            }
            return Ok(before.archive(path, None));
        }
    }
    let path = folder.join(format!("{key}.marey"));
    let (mut made, imported) = build(request, &files, &path, previous.as_deref(), observer)?;
    (made.key, made.files) = (key, files);
    made.write(&record)?;
    cache_folder::remove_unused(&folder);
    Ok(made.archive(path, Some(imported)))
}

/// Makes the corpus beside its place, and moves it there when it is whole. Another process may do the same at the same time. What
/// verbs derived from takes is copied from the `previous` corpus of the same request.
fn build(
    request: &ArchiveRequest,
    files: &[InputFile],
    path: &Path,
    previous: Option<&Path>,
    observer: Observer<'_>,
) -> Result<(ArchiveManifest, Vec<(PathBuf, Report)>), Error> {
    let draft = Draft(draft_name(path));
    let mut corpus = Corpus::create_draft(&draft.0)?;
    let parts = ArchiveParts::new(request, files, path.parent().unwrap_or(Path::new("")))?;
    let mut stored = parts.store(&mut corpus, observer)?;
    if corpus.takes()?.is_empty() {
        let failed = &stored.failed;
        let why = failed.first().map_or_else(|| "there are none".into(), |first| first.message.clone());
        let message = format!("none of {} files can be used: {why}", failed.len());
        let first = failed.first().map(|first| Path::new(&first.file));
        let error = Error::new(&codes::EMPTY_ARCHIVE, message);
        return Err(first.map_or(error.clone(), |first| error.in_file(first)));
    }
    previous.into_iter().for_each(|previous| corpus.adopt_derived(previous));
    let context = Context::with_corpus(corpus).observed_by(observer);
    if parts.method.is_none() {
        for item in segment::run(&request.segment, &context)? {
            if let Err(error) = item.result {
                stored.failed.push(FailedInput::new(item.name, &error.into()));
            }
        }
    }
    let (takes, segments) = {
        let mut corpus = context.corpus()?;
        corpus.settle()?;
        (corpus.takes()?.len(), corpus.segments()?.len())
    };
    drop(context);
    fs::rename(&draft.0, path).map_err(|error| FormatsError::file(path, error))?;
    let StoredParts { failed, parts, imported } = stored;
    let made = ArchiveManifest { takes, segments, failed, parts, ..ArchiveManifest::default() };
    Ok((made, imported))
}

/// A file that is being written, which is removed unless it was moved to its place.
struct Draft(PathBuf);

impl Drop for Draft {
    fn drop(&mut self) {
        cache_folder::remove_with_companions(&self.0);
    }
}

fn draft_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    name.into()
}
