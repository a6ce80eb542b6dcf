//! The parts of an archive: what each motion file became.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::Value;

use super::cache_folder::PART_ENDING;
use super::manifest::{FailedInput, InputFile, companion_of, key};
use super::{ArchiveRequest, draft_name};
use crate::corpus::import::{FileGroup, FoundGroup, ImportSettings, KnownFingerprints};
use crate::corpus::{Corpus, CorpusError, CutMethod, ImportRequest, shard};
use crate::motion::{Observer, Report};
use crate::{Context, Error};

/// The motion files of an archive, in order, and how each becomes a part.
pub(super) struct ArchiveParts<'a> {
    request: &'a ArchiveRequest,
    settings: ImportSettings,
    groups: Vec<FoundGroup>,
    /// The content of every file.
    content: BTreeMap<&'a Path, &'a str>,
    folder: &'a Path,
    /// How cuts are detected in each part; `None` if the corpus is cut as a whole.
    pub(super) method: Option<CutMethod>,
}

/// What was stored in a corpus.
#[derive(Default)]
pub(super) struct StoredParts {
    pub(super) failed: Vec<FailedInput>,
    /// The names of the parts, without their ending.
    pub(super) parts: Vec<String>,
    /// The warnings about each file that was read now.
    pub(super) imported: Vec<(PathBuf, Report)>,
}

/// A part that is in memory.
struct LoadedPart {
    /// The files, as they are reported.
    name: String,
    key: String,
    bytes: Vec<u8>,
    /// The warnings, if the files were read now.
    report: Option<Report>,
}

impl<'a> ArchiveParts<'a> {
    /// The parts of the files of a request, which are kept in `folder`.
    pub(super) fn new(
        request: &'a ArchiveRequest,
        files: &'a [InputFile],
        folder: &'a Path,
    ) -> Result<Self, Error> {
        let method = request.segment.cut_method();
        let is_plain = request.segment.takes.is_empty() && request.segment.drop_redundant_m.is_none();
        request.segment.validate()?;
        Ok(Self {
            request,
            settings: request.import.settings()?,
            groups: request.import.groups()?,
            content: files.iter().map(|file| (file.path.as_path(), file.content.as_str())).collect(),
            folder,
            method: method.filter(|_| is_plain),
        })
    }

    /// Stores all parts in an empty corpus, in the order of the files. Those that are not kept yet are read.
    pub(super) fn store(&self, corpus: &mut Corpus, observer: Observer<'_>) -> Result<StoredParts, Error> {
        let mut known = KnownFingerprints::load(corpus)?;
        let mut stored = StoredParts::default();
        let progress = Context::new().observed_by(observer);
        // Some groups are read while those before them are stored.
        let mut windows = self.groups.chunks(4 * rayon::current_num_threads());
        let load = |groups: &[FoundGroup]| -> Vec<Result<LoadedPart, FailedInput>> {
            groups.par_iter().with_max_len(1).map(|group| self.load(group)).collect()
        };
        let mut ready = windows.next().map(load).unwrap_or_default();
        let mut done = 0;
        while !ready.is_empty() {
            let next = windows.next().unwrap_or_default();
            let store_all = || -> Result<(), Error> {
                for part in ready {
                    match part {
                        Ok(part) => stored.add(part, corpus, &mut known)?,
                        Err(failed) => stored.failed.push(failed),
                    }
                    done += 1;
                    progress.report("files", done, self.groups.len())?;
                }
                Ok(())
            };
            let (following, result) = rayon::join(|| load(next), store_all);
            result?;
            ready = following;
        }
        Ok(stored)
    }

    /// The part of a group of files: the one that is kept, or a new one, which is kept if that is possible.
    fn load(&self, found: &FoundGroup) -> Result<LoadedPart, FailedInput> {
        let group = match found {
            Ok(group) => group,
            Err(unreadable) => {
                let (path, error) = &**unreadable;
                let error = Error::from(error.clone()).in_file(path);
                return Err(FailedInput::new(path.display().to_string(), &error));
            }
        };
        let name = group.name();
        let failed = |error: Error| FailedInput::new(group.name(), &error);
        let key = self.key(group).map_err(failed)?;
        let path = self.folder.join(format!("{key}.{PART_ENDING}"));
        if let Ok(bytes) = fs::read(&path)
            && shard::is_whole(&bytes)
        {
            return Ok(LoadedPart { name, key, bytes, report: None });
        }
        let read = shard::read_one(group, &self.settings, self.method, &self.request.segment.lengths);
        let (bytes, report) = read.map_err(|error: CorpusError| failed(error.into()))?;
        let draft = draft_name(&path);
        // Without the part, the files are only read again.
        let _ = fs::write(&draft, &bytes).and_then(|()| fs::rename(&draft, &path));
        Ok(LoadedPart { name, key, bytes, report: Some(report) })
    }

    /// Identifies a part: the content and names of its files and of those that they need, and how they are read and cut.
    fn key(&self, group: &FileGroup) -> Result<String, Error> {
        let import = ImportRequest {
            inputs: Vec::new(),
            pairs: Vec::new(),
            table: None,
            ..self.request.import.clone()
        };
        let mut content = Vec::new();
        for file in group.files() {
            let hash = match self.content.get(file.as_path()) {
                Some(known) => (*known).to_owned(),
                // A table can name files that are not among the inputs.
                None => InputFile::hashed(vec![file.clone()], None)?.remove(0).content,
            };
            content.push((file.as_path(), hash));
            if let Some(ending) = companion_of(file) {
                let is_companion = |path: &Path| {
                    path.parent() == file.parent()
                        && path.extension().is_some_and(|other| other.eq_ignore_ascii_case(ending))
                };
                let beside = self.content.iter().filter(|(path, _)| is_companion(path));
                content.extend(beside.map(|(path, content)| (*path, (*content).to_owned())));
            }
        }
        let described = (group, content, import, self.method, &self.request.segment.lengths);
        Ok(key(&serde_json::to_vec(&described).map_err(Error::settings)?))
    }
}

impl StoredParts {
    /// Stores a part and its cuts.
    fn add(
        &mut self,
        part: LoadedPart,
        corpus: &mut Corpus,
        known: &mut KnownFingerprints,
    ) -> Result<(), Error> {
        let LoadedPart { name, key, bytes, report } = part;
        let takes = shard::store_takes_with(corpus, &bytes, known)?;
        let uncut = shard::store_cuts(corpus, bytes.as_slice(), &takes.new)?;
        let text = |row: &Value, name: &str| row[name].as_str().unwrap_or_default().to_owned();
        self.failed.extend(uncut.iter().map(|row| FailedInput {
            file: text(row, "take"),
            code: text(row, "code"),
            message: text(row, "message"),
        }));
        self.parts.push(key);
        if let Some(mut report) = report {
            report.absorb(takes.report);
            self.imported.push((name.into(), report));
        }
        Ok(())
    }
}
